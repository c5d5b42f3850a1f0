import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.corpus.chunk_source import fingerprint_of
from engine.corpus.corpus import Corpus
from engine.corpus.parquet import load_chunks, save_chunks
from engine.errors import BadInput
from engine.types import Chunk, ChunkLocation, Filter

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SCALAR = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXT)
CHUNK = st.builds(
    Chunk,
    id=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8),
    text=TEXT,
    title=TEXT,
    summary=TEXT,
    language=st.one_of(st.none(), TEXT),
    location=st.builds(
        ChunkLocation,
        document_id=st.one_of(st.none(), TEXT),
        article=st.one_of(st.none(), TEXT),
        page=st.one_of(st.none(), st.integers(-1, 10**9)),
    ),
    domain=st.one_of(st.none(), TEXT),
    entities=st.lists(TEXT, max_size=3).map(tuple),
    relations=st.lists(TEXT, max_size=2).map(tuple),
    references=st.lists(TEXT, max_size=2).map(tuple),
    number=st.one_of(st.none(), TEXT),
    metadata=st.dictionaries(TEXT, SCALAR, max_size=4),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.lists(CHUNK, unique_by=lambda chunk: chunk.id, max_size=6))
def test_every_chunk_comes_back_exactly(tmp_path, chunks):
    corpus = Corpus(chunks)
    save_chunks(corpus, tmp_path / "chunks.parquet")
    loaded = load_chunks(tmp_path / "chunks.parquet")
    assert tuple(loaded) == corpus.chunks
    assert loaded.ids == corpus.ids
    types = [[type(value) for value in chunk.metadata.values()] for chunk in chunks]
    assert [[type(value) for value in chunk.metadata.values()] for chunk in loaded] == types
    assert loaded.fingerprint == corpus.fingerprint == fingerprint_of(loaded)


def test_ids_and_numbers_of_any_size_keep_every_digit(tmp_path):
    ids = ["007", "NA", "null", "1.0", "9007199254740993", "91/2015/QH13#1", " a b "]
    corpus = Corpus([Chunk(id=name, metadata={"n": 10**30, "f": 0.1, "t": True, "none": None}) for name in ids])
    save_chunks(corpus, tmp_path / "c.parquet")
    loaded = load_chunks(tmp_path / "c.parquet")
    assert loaded.ids == tuple(ids)
    assert dict(loaded.chunk("007").metadata) == {"n": 10**30, "f": 0.1, "t": True, "none": None}
    assert loaded.chunk("007").metadata["t"] is True


def test_a_loaded_corpus_answers_like_the_one_that_was_saved(tmp_path):
    chunks = [
        Chunk(
            id=f"d{row}",
            text=f"text {row}",
            language="fr" if row % 3 else None,
            metadata={"year": 2000 + row % 4},
            location=ChunkLocation(page=row % 5 or None),
        )
        for row in range(10_500)
    ]
    corpus = Corpus(chunks)
    save_chunks(corpus, tmp_path / "c.parquet")
    loaded = load_chunks(tmp_path / "c.parquet")
    filters = (Filter(field="metadata.year", values=("2001",)), Filter(field="page", values=("1", "2")))
    assert (loaded.mask(filters) == corpus.mask(filters)).all()
    assert loaded.facets() == corpus.facets()
    assert loaded.languages == corpus.languages
    assert loaded.chunk("d10201") == loaded.chunks[10201] == corpus.chunk("d10201")
    assert loaded.chunks[-1] == chunks[-1]
    assert loaded.chunks[9_998:10_002] == tuple(chunks[9_998:10_002])
    assert loaded.texts(("text",)) == corpus.texts(("text",))
    assert tuple(loaded) == tuple(chunks)


def test_an_empty_corpus_can_be_kept(tmp_path):
    save_chunks(Corpus([]), tmp_path / "c.parquet")
    assert len(load_chunks(tmp_path / "c.parquet")) == 0


def test_text_that_is_no_unicode_is_refused(tmp_path):
    with pytest.raises(BadInput, match=r"The chunk 'a' holds characters that are no Unicode text"):
        save_chunks(Corpus([Chunk(id="a", text="\ud800")]), tmp_path / "c.parquet")


def test_a_file_without_its_fingerprint_is_of_another_version(tmp_path):
    path = tmp_path / "c.parquet"
    save_chunks(Corpus([Chunk(id="a", text="x")]), path)
    table = pq.read_table(path)
    kept = {key: value for key, value in table.schema.metadata.items() if key != b"rankscope.fingerprint"}
    pq.write_table(table.replace_schema_metadata(kept), path)
    with pytest.raises(BadInput, match="was not written by this version"):
        load_chunks(path)


def test_a_missing_file_a_foreign_one_and_a_damaged_one_are_refused(tmp_path):
    path = tmp_path / "c.parquet"
    with pytest.raises(BadInput, match=r"c.parquet cannot be read.*Build the collection again"):
        load_chunks(path)
    pq.write_table(pa.table({"id": ["a"]}), path)
    with pytest.raises(BadInput, match="was not written by this version"):
        load_chunks(path)
    save_chunks(Corpus([Chunk(id=str(row), text=f"text {row}") for row in range(2_000)]), path)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(BadInput, match="cannot be read"):
        load_chunks(path)


def test_a_single_damaged_bit_among_the_texts_is_noticed(tmp_path):
    path = tmp_path / "c.parquet"
    save_chunks(Corpus([Chunk(id=f"{row:04}", text=f"{row * 7919 % 10_007:x}" * 9) for row in range(500)]), path)
    sound = path.read_bytes()
    # The texts fill the first half of the file; the rest describes it.
    for place in range(100, len(sound) // 2, len(sound) // 30):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :])
        with pytest.raises(BadInput, match="cannot be read"):
            load_chunks(path)
