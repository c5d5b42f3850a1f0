import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.corpus.cells import as_text
from engine.corpus.chunk_source import LOCATION_FIELDS
from engine.corpus.corpus import FILTER_FIELDS, Corpus
from engine.errors import BadInput, UnknownName
from engine.types import Chunk, ChunkLocation, Filter

CORPUS = Corpus(
    [
        Chunk(id="b", text="one", language="fr", metadata={"year": 2001, "score": 1.5}, location=ChunkLocation(page=1)),
        Chunk(id="a", text="two", language="en", metadata={"year": 2002}, number="7"),
        Chunk(id="c", text="!!!", language="fr", metadata={"year": 2001, "ok": True}, domain="law"),
    ]
)


def test_chunks_are_found_by_id_and_keep_their_order():
    assert CORPUS.ids == ("b", "a", "c")
    assert [chunk.id for chunk in CORPUS] == ["b", "a", "c"]
    assert (CORPUS.row("a"), CORPUS.chunk("a").text, "a" in CORPUS, "z" in CORPUS, len(CORPUS)) == (
        1,
        "two",
        True,
        False,
        3,
    )


def test_an_unknown_id_is_named():
    with pytest.raises(UnknownName, match=r"No chunk has the id '007'.*Chunks page"):
        CORPUS.chunk("007")


def test_repeated_ids_are_refused():
    with pytest.raises(BadInput, match="1 ids are repeated, the first is 'a'"):
        Corpus([Chunk(id="a"), Chunk(id="b"), Chunk(id="a")])


def test_ids_that_only_look_alike_stay_apart():
    assert Corpus([Chunk(id="7"), Chunk(id="007"), Chunk(id="7.0"), Chunk(id="7 ")]).ids == ("7", "007", "7.0", "7 ")


def test_the_tie_order_is_that_of_the_sorted_ids():
    assert CORPUS.id_order.tolist() == [1, 0, 2]
    with pytest.raises(ValueError, match="read-only"):
        CORPUS.id_order[0] = 5


def test_languages_come_with_the_most_frequent_first():
    assert CORPUS.languages == ("fr", "en")


def test_blank_texts_are_empty_for_a_channel():
    assert CORPUS.texts(("title", "text")) == ["one", "two", ""]


def test_facets_leave_out_what_every_chunk_shares_or_what_has_too_many_values():
    assert CORPUS.facets() == {
        "language": ("fr", "en"),
        "domain": ("law",),
        "number": ("7",),
        "page": ("1",),
        "metadata.year": ("2001", "2002"),
        "metadata.score": ("1.5",),
        "metadata.ok": ("true",),
    }
    assert Corpus([Chunk(id=str(row), domain="x", number=str(row)) for row in range(51)]).facets() == {}
    assert list(Corpus([Chunk(id=str(row), number=str(row)) for row in range(50)]).facets()) == ["number"]


def test_a_mask_passes_rows_that_pass_every_filter():
    year = Filter(field="metadata.year", values=("2001",))
    assert CORPUS.mask(()) is None
    assert CORPUS.mask((year,)).tolist() == [True, False, True]
    assert CORPUS.mask((year, Filter(field="domain", values=("law", "art")))).tolist() == [False, False, True]
    assert CORPUS.mask((Filter(field="metadata.nothing", values=("x",)),)).tolist() == [False, False, False]


def test_an_unknown_field_is_named_with_those_that_exist():
    with pytest.raises(BadInput, match=r"Cannot filter by 'colour'.*language, domain.*metadata"):
        CORPUS.mask((Filter(field="colour", values=("red",)),))


def test_an_empty_corpus_is_a_corpus():
    empty = Corpus([])
    assert (len(empty), empty.ids, empty.languages, empty.facets(), empty.texts(("text",))) == (0, (), (), {}, [])
    assert empty.mask((Filter(field="language", values=("fr",)),)).tolist() == []
    assert len(empty.fingerprint) == 64


def test_another_order_or_text_is_another_fingerprint():
    assert Corpus(CORPUS.chunks).fingerprint == CORPUS.fingerprint
    assert Corpus(CORPUS.chunks[::-1]).fingerprint != CORPUS.fingerprint
    red, blue = (Corpus([Chunk(id="a", text=text)]) for text in ("red ", "blue"))
    assert red.fingerprint != blue.fingerprint


CHUNKS = st.lists(
    st.builds(
        Chunk,
        id=st.uuids().map(str),
        language=st.sampled_from([None, "fr", "en"]),
        number=st.sampled_from([None, "1", "1.0", "01"]),
        location=st.builds(ChunkLocation, page=st.sampled_from([None, 1, 2])),
        metadata=st.dictionaries(
            st.sampled_from(["k", "l"]), st.sampled_from([None, True, 1, 1.0, "1", ""]), max_size=2
        ),
    ),
    max_size=12,
)


def value_of(chunk, name):
    """The value of a field of one chunk as text, as a walk over the chunks would find it."""
    place = chunk.location if name in LOCATION_FIELDS else chunk
    value = chunk.metadata.get("k") if name == "metadata.k" else getattr(place, name)
    return None if value is None else as_text(value)


@given(
    CHUNKS,
    st.sampled_from([*FILTER_FIELDS, "metadata.k"]),
    st.sets(st.sampled_from(["fr", "1", "1.0", "true", ""]), min_size=1),
)
def test_a_mask_says_what_the_field_of_each_chunk_says(chunks, field, values):
    mask = Corpus(chunks).mask((Filter(field=field, values=tuple(values)),))
    assert mask.tolist() == [value_of(chunk, field) in values for chunk in chunks]


def test_a_truth_value_is_filtered_by_the_word_that_its_file_has():
    # JSON and every reader write `true`, so that is what a filter says
    corpus = Corpus(Chunk(id=str(flag), text="a", metadata={"flag": flag}) for flag in (True, False))
    for word, rows in (("true", [True, False]), ("false", [False, True]), ("True", [False, False])):
        mask = corpus.mask((Filter(field="metadata.flag", values=(word,)),))
        assert mask.tolist() == rows
    assert corpus.facets()["metadata.flag"] == ("true", "false")
