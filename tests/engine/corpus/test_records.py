from engine.corpus.readers import READERS
from engine.corpus.records import Record


def test_a_record_has_no_notes_and_no_vector_unless_said():
    record = Record(1, "row 1", {"id": "a"})
    assert (record.notes, record.vector) == ((), None)


def test_every_reader_says_what_it_is():
    for name, reader in READERS.items():
        assert reader.kind in ("table", "document", "folder"), name
        assert reader.label
        assert reader.help.endswith(".")
        assert all(ending.startswith(".") and ending == ending.lower() for ending in reader.endings)


def test_no_two_readers_claim_an_ending():
    endings = [ending for reader in READERS.values() for ending in reader.endings]
    assert len(endings) == len(set(endings))
