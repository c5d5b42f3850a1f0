from pathlib import Path

from engine.corpus.documents import count_words, draft_document, split_records
from engine.corpus.drafts import Draft
from engine.corpus.options import ImportOptions
from engine.corpus.parts import Part
from engine.corpus.problems import ProblemLog
from engine.corpus.readers.plain import PLAIN
from engine.corpus.records import Document
from engine.corpus.report import Problem
from engine.corpus.sources import SourceFile
from engine.text.chunking import Block, ChunkingOptions
from engine.types import ChunkLocation

PART = Part(SourceFile(Path("sub/guide.txt"), "sub/guide.txt"), "txt", PLAIN, "sub/guide")
SMALL = ImportOptions(chunking=ChunkingOptions(max_tokens=8, overlap_tokens=0))


def drafts(*blocks, options=SMALL, log=None, **given):
    document = Document((block for block in blocks), **given)
    return draft_document(document, PART, options, log if log is not None else ProblemLog(), count_words)


def test_words_are_what_stands_between_spaces():
    assert count_words(["", "a b\n c", "l'hôpital"]) == [0, 3, 1]


def test_a_document_becomes_numbered_chunks_that_know_their_file():
    found = drafts(Block("Heading", 1), Block("One two three. Four five six seven. Eight nine.", None, 3))
    assert [draft.chunk_id for draft in found] == ["sub/guide#0001", "sub/guide#0002"]
    assert {draft.fields["title"] for draft in found} == {"Heading"}
    assert {draft.fields["location"].document_id for draft in found} == {"sub/guide"}
    assert {draft.fields["location"].page for draft in found} == {3}
    assert found[0].fields["metadata"] == {"file": "sub/guide.txt"}


def test_a_title_heads_a_document_without_headings():
    (only,) = drafts(Block("Some text."), title="My page", language="en")
    assert only.fields["title"] == "My page"
    assert only.fields["metadata"] == {"file": "sub/guide.txt", "document_title": "My page"}
    (only,) = drafts(Block("Own", 1), Block("Some text."), title="My page")
    assert only.fields["title"] == "Own"


def test_the_language_is_chosen_else_read_else_declared():
    english = "The patient was treated in the hospital by the team on duty, and she went home on the next day."
    assert drafts(Block(english), options=ImportOptions(language="vi"), language="fr")[0].fields["language"] == "vi"
    assert drafts(Block(english), options=ImportOptions(), language="fr")[0].fields["language"] == "en"
    assert drafts(Block("123."), options=ImportOptions(), language="fr")[0].fields["language"] == "fr"


def test_problems_and_removed_characters_are_noted():
    log = ProblemLog()
    page = Problem(where="page 2", kind="no text", text="a scan")
    (only,) = drafts(Block("a\0b"), page, log=log)
    assert only.fields["text"] == "ab"
    assert [problem.kind for problem in log.kept] == ["removed characters", "no text"]


def test_a_document_without_text_is_a_problem_and_no_chunk():
    log = ProblemLog()
    assert drafts(log=log) == []
    assert [(problem.where, problem.kind) for problem in log.kept] == [("sub/guide.txt", "no text")]


def record(text, **fields):
    return Draft("row 1", 0, "a/1", "row-1", {"text": text, "metadata": {"k": 1}, **fields})


def test_a_record_that_fits_stays_as_it_is():
    # One word of title and seven of text are the eight that are allowed.
    short = record("One two three. Four five six seven.", title="Title")
    assert split_records([short], SMALL, count_words) == [short]


def test_a_longer_record_is_cut_and_its_parts_know_it():
    # Two sentences have the eight words that are allowed, but the title is one more.
    text = "One two three four. Five six seven eight. Nine ten eleven twelve."
    long = record(text, title="Title", location=ChunkLocation(article="5"))
    parts = split_records([long], SMALL, count_words)
    assert [part.chunk_id for part in parts] == ["a/1#0001", "a/1#0002", "a/1#0003"]
    assert " ".join(part.fields["text"] for part in parts) == text
    for part in parts:
        assert part.fields["title"] == "Title"
        assert part.fields["location"] == ChunkLocation(document_id="a/1", article="5")
        assert part.fields["metadata"] == {"k": 1}
        assert count_words([f"Title\n{part.fields['text']}"])[0] <= 8
