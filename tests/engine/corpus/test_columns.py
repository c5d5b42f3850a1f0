import pytest

from engine.corpus.columns import guess_fields, plain_name
from engine.corpus.records import Record


def rows(*values):
    return [Record(number, f"row {number}", value) for number, value in enumerate(values, start=1)]


@pytest.mark.parametrize(
    ("column", "plain"),
    [
        ("Nội dung", "noi_dung"),
        ("_id", "_id"),
        ("Libellé", "libelle"),
        ("Doc-ID", "doc_id"),
        (" Text ", "text"),
        ("Đ", "d"),
        ("???", ""),
    ],
)
def test_names_are_compared_without_case_accents_and_punctuation(column, plain):
    assert plain_name(column) == plain


@pytest.mark.parametrize(
    ("columns", "guess"),
    [
        (("_id", "title", "text"), {"id": "_id", "title": "title", "text": "text"}),
        (("code", "libellé", "texte"), {"id": "code", "number": "code", "title": "libellé", "text": "texte"}),
        (
            ("Código", "Título", "Contenido"),
            {"id": "Código", "number": "Código", "title": "Título", "text": "Contenido"},
        ),
        (("Mã số", "Tiêu đề", "Nội dung"), {"id": "Mã số", "number": "Mã số", "title": "Tiêu đề", "text": "Nội dung"}),
        (("id", "code", "body"), {"id": "id", "number": "code", "text": "body"}),
        (
            ("chunk_id", "doc_id", "content", "page", "Article"),
            {
                "id": "chunk_id",
                "location.document_id": "doc_id",
                "text": "content",
                "location.page": "page",
                "location.article": "Article",
            },
        ),
        (("id", "content", "lang", "colour"), {"id": "id", "text": "content", "language": "lang"}),
        (("id", "label"), {"id": "id", "text": "label"}),
    ],
)
def test_usual_names_find_their_fields(columns, guess):
    assert guess_fields(columns) == guess


def test_the_fields_of_a_chunk_find_themselves():
    names = (
        "id",
        "text",
        "title",
        "summary",
        "language",
        "location",
        "domain",
        "entities",
        "relations",
        "references",
        "number",
        "metadata",
    )
    assert guess_fields(names) == {name: name for name in names}


def test_the_columns_of_a_stored_corpus_find_their_places():
    names = ("id", "text", "location.document_id", "location.page", "location.article")
    assert guess_fields(names) == {name: name for name in names}


def test_the_longest_column_is_the_text_where_no_name_says_so():
    head = rows({"k": "x", "remark": "a long remark", "n": 5}, {"k": "y", "remark": "another", "n": 6})
    assert guess_fields(("k", "remark", "n"), head) == {"text": "remark"}


def test_an_id_of_documents_that_repeats_says_where_a_row_is_from():
    head = rows({"doc_id": "d", "text": "a"}, {"doc_id": "d", "text": "b"})
    assert guess_fields(("doc_id", "text"), head) == {"text": "text", "location.document_id": "doc_id"}
    head = rows({"doc_id": "d", "text": "a"}, {"doc_id": "e", "text": "b"})
    assert guess_fields(("doc_id", "text"), head) == {"id": "doc_id", "text": "text"}


def test_a_column_named_after_an_id_is_the_id_where_its_values_differ():
    tickets = rows({"ticket_id": "T1", "body": "x"}, {"ticket_id": "T2", "body": "y"})
    assert guess_fields(("ticket_id", "body"), tickets) == {"id": "ticket_id", "text": "body"}
    users = rows({"user_id": "U1", "body": "x"}, {"user_id": "U1", "body": "y"})
    assert guess_fields(("user_id", "body"), users) == {"text": "body"}
    assert guess_fields(("valid", "body"), rows({"valid": 1, "body": "x"}, {"valid": 0, "body": "y"})) == {
        "text": "body"
    }


def test_only_wanted_fields_are_filled():
    assert guess_fields(("id", "text", "title"), wanted={"id"}) == {"id": "id"}
    assert guess_fields(()) == {}
