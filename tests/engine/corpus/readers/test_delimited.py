import csv
import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.corpus.readers import delimited
from engine.corpus.readers.delimited import find_delimiter, open_csv, open_tsv
from engine.corpus.records import Record
from engine.errors import BadInput


def rows(source, reader=open_csv):
    return [
        (row.where, list(row.values.values())) if isinstance(row, Record) else (row.where, row.text)
        for row in reader(source).rows
    ]


def test_an_excel_export_with_byte_mark_and_semicolons(source):
    table = open_csv(source("a.csv", b"\xef\xbb\xbfid;text\r\n1;a, b\r\n"))
    assert table.columns == ("id", "text")
    assert [dict(row.values) for row in table.rows] == [{"id": "1", "text": "a, b"}]
    assert table.settings == {"encoding": "utf-8-sig", "delimiter": ";"}


def test_an_old_encoding_is_guessed_and_said(source):
    table = open_csv(source("a.csv", b"id;text\n1;caf\xe9"))
    assert [row.values["text"] for row in table.rows] == ["café"]
    assert table.settings["encoding"] == "cp1252"
    assert [problem.kind for problem in table.problems] == ["guess"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("final", [True, False])
def test_a_quoted_cell_keeps_its_line_break(source, end, final):
    text = f'id,text{end}1,"line one{end}line two"{end}2,x' + (end if final else "")
    assert rows(source("a.csv", text)) == [
        ("row 1 (line 2)", ["1", f"line one{end}line two"]),
        ("row 2 (line 4)", ["2", "x"]),
    ]


def test_cells_are_text_exactly(source):
    ids = ["1", "", "3", "007", "NA", "null", "9007199254740993", " x ", "1.0"]
    text = "id,text\n" + "".join(f"{name},t\n" for name in ids)
    assert [cells[0] for _, cells in rows(source("a.csv", text))] == ids


@pytest.mark.parametrize(
    ("head", "delimiter"),
    [
        (["id,text", "1,a;b", "2,c"], ","),
        (["id;text", "1;a, b, c", "2;d, e"], ";"),
        (["id\ttext", "1\ta, b; c"], "\t"),
        (["id|text", "1|a,b"], "|"),
        (["text", "one, two", "three"], ","),
        (["id,text", '1,"a\nb, c"'], ","),
        (["id;title, text", "1;a", "2;b", "3;c, d"], ";"),
        ([], ","),
    ],
)
def test_the_delimiter_is_that_of_the_header_and_most_rows(head, delimiter):
    assert find_delimiter([f"{line}\n" for line in head]) == delimiter


def test_a_declared_delimiter_is_believed_and_no_row(source):
    file = source("a.csv", "sep=|\r\nid|text\r\n1|a;b\r\n")
    assert open_csv(file).columns == ("id", "text")
    assert rows(file) == [("row 1 (line 3)", ["1", "a;b"])]


def test_a_chosen_delimiter_goes_before_all(source):
    assert open_csv(source("a.csv", "a,b;c\n1,2;3\n", delimiter=";")).columns == ("a,b", "c")


def test_tsv_takes_tabs_whatever_else_is_there(source):
    assert rows(source("a.tsv", "id\ttext\n1\ta, b, c\n"), open_tsv) == [("row 1 (line 2)", ["1", "a, b, c"])]


def test_empty_lines_are_no_rows_and_count_as_lines(source):
    text = "id,text\n\n1,x\n\n , \n2,y\n"
    assert rows(source("a.csv", text)) == [("row 1 (line 3)", ["1", "x"]), ("row 2 (line 6)", ["2", "y"])]


def test_an_empty_cell_of_a_single_column_is_a_row(source):
    assert rows(source("a.csv", 'text\n""\nx\n\n')) == [("row 1 (line 2)", [""]), ("row 2 (line 3)", ["x"])]


def test_rows_of_another_width_are_kept_and_noted(source):
    first, second, third = open_csv(source("a.csv", "id,text\n1,hello, world\n2\n3,x,\n")).rows
    assert first.values == {"id": "1", "text": "hello", "column 3": " world"}
    assert first.notes == (("uneven row", "3 cells under 2 names; the rest is kept as metadata"),)
    assert second.values == {"id": "2"}
    assert second.notes == (("uneven row", "1 cells under 2 names; the others are empty"),)
    assert third.notes == ()


def test_a_quotation_mark_that_is_never_closed_costs_its_line_only(source):
    text = 'id,text\n1,x\n2,"open\n3,y\n4,z\n'
    assert rows(source("a.csv", text)) == [
        ("row 1 (line 2)", ["1", "x"]),
        ("row 2 (line 3)", "a quotation mark in this line is never closed; the line is left out"),
        ("row 3 (line 4)", ["3", "y"]),
        ("row 4 (line 5)", ["4", "z"]),
    ]


def test_a_cell_beyond_the_limit_costs_its_line_only(source, monkeypatch):
    monkeypatch.setattr(delimited, "LONGEST_CELL", 1_000)
    text = "id,text\n1," + "x" * 2_000 + "\n2,y\n"
    assert rows(source("a.csv", text)) == [
        ("row 1 (line 2)", "field larger than field limit (1000); the line is left out"),
        ("row 2 (line 3)", ["2", "y"]),
    ]


def test_a_line_without_end_is_refused(source, monkeypatch):
    monkeypatch.setattr(delimited, "LONGEST_LINE", 100)
    with pytest.raises(BadInput, match="Line 2 is longer than 100 characters"):
        rows(source("a.csv", "id,text\n1," + "x" * 200))


def test_undecodable_rows_are_left_out_or_marked(source):
    content = "id,text\n1,été à Noël, œuvre\n2,".encode() + b"bad\xff\n3,ok\n"
    found = rows(source("a.csv", content))
    assert found[1] == ("row 2 (line 3)", "byte 0xFF is no text; the row is left out")
    assert found[2] == ("row 3 (line 4)", ["3", "ok"])
    second = list(open_csv(source("a.csv", content, errors="replace")).rows)[1]
    assert second.values["text"] == "bad\ufffd"


def test_without_a_header_nothing_can_be_read(source):
    with pytest.raises(BadInput, match="does not begin with a row of column names"):
        open_csv(source("a.csv", "\n\n1,2\n"))
    with pytest.raises(BadInput, match="byte 0xE9 is no text in the column names"):
        open_csv(source("a.csv", b"id;caf\xe9\n1;x", encoding="utf-8"))


CELLS = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\"',;|\t"), max_size=6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=5), st.sampled_from(",;\t|"))
def test_what_the_csv_module_writes_is_read_back(source, cells, delimiter):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([("id", "text", "note"), *cells])
    file = source("a.csv", text.getvalue(), delimiter=delimiter)
    wanted = [list(row) for row in cells if "".join(row).strip()]
    assert [values for _, values in rows(file)] == wanted
