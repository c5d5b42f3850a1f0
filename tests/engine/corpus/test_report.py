import pytest

from engine.corpus.report import ImportReport, LongChunk, Problem, listed

REPORT = ImportReport(source="a.csv", format="csv", rows=3, chunks=2)


def test_the_first_sentence_counts_rows_repeated_ids_and_blank_chunks():
    report = REPORT.model_copy(update={"repeated": ("a",), "blank": ("b", "c")})
    assert report.sentences()[0] == "3 rows read, 1 repeated id: a; 2 blank chunks."


def test_one_is_singular():
    report = ImportReport(source="a", format="csv", rows=1, chunks=1, blank=("a",), problem_counts={"unreadable": 1})
    assert report.sentences() == (
        "1 row read; 1 blank chunk.",
        "1 chunk in the collection.",
        "1 row could not be read.",
    )


def test_documents_and_rows_are_counted_apart():
    assert (
        ImportReport(source="f", format="folder", rows=5, documents=2).sentences()[0] == "3 rows and 2 documents read."
    )
    assert ImportReport(source="f", format="md", rows=1, documents=1).sentences()[0] == "1 document read."


def test_an_empty_source_says_so():
    assert ImportReport(source="a", format="csv").sentences() == ("0 rows read.", "0 chunks in the collection.")


def test_languages_guesses_and_vectors_are_told():
    report = REPORT.model_copy(
        update={
            "languages": {"fr": 1_500, "unknown": 1},
            "vector_dimension": 384,
            "problems": (Problem(where="a.csv", kind="guess", text="read as cp1252."),),
        }
    )
    assert report.sentences()[1:] == (
        "2 chunks in the collection (fr 1,500, unknown 1).",
        "Vectors of 384 dimensions came with the source.",
        "a.csv: read as cp1252.",
    )


def test_truncated_chunks_are_counted_with_the_tokens_lost():
    # 300 tokens against a limit of 256: 44 lost; 256 fits.
    report = REPORT.with_long_chunks(256, "truncated", [("a", 300), ("b", 300), ("c", 256)])
    assert report.long_chunks == (
        LongChunk(chunk_id="a", tokens=300, lost=44),
        LongChunk(chunk_id="b", tokens=300, lost=44),
    )
    assert report.sentences()[-1] == (
        "2 of 2 chunks exceed the 256 tokens that the encoder reads: the rest was cut off, 88 tokens in all. "
        "Cut long records into passages to have all of them read."
    )
    assert REPORT.long_chunks == ()


def test_windows_lose_nothing():
    report = REPORT.with_long_chunks(512, "windowed", [("a", 600)])
    assert report.long_chunks == (LongChunk(chunk_id="a", tokens=600, lost=0),)
    assert report.sentences()[-1].endswith("each was read in windows, which are averaged.")


def test_without_a_limit_no_chunk_is_too_long():
    assert REPORT.with_long_chunks(None, "truncated", [("a", 10**6)]).long_chunks == ()


def test_a_report_survives_json():
    report = REPORT.model_copy(
        update={
            "languages": {"fr": 2},
            "problem_counts": {"no id": 1},
            "problems": (Problem(where="row 2", kind="no id", text="given"),),
        }
    ).with_long_chunks(10, "truncated", [("a", 12)])
    assert ImportReport.model_validate_json(report.model_dump_json()) == report


@pytest.mark.parametrize(
    ("names", "text"), [((), ""), (("a",), "a"), ("abcde", "a, b, c, d, e"), ("abcdefg", "a, b, c, d, e and 2 more")]
)
def test_a_list_names_the_first_and_counts_the_rest(names, text):
    assert listed(names) == text
