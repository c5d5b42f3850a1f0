import zipfile
from datetime import datetime

import pytest
from openpyxl import Workbook

from engine.corpus import sources
from engine.corpus.cells import as_text
from engine.corpus.options import ImportOptions
from engine.corpus.readers import workbook
from engine.corpus.readers.workbook import open_workbook, sheet_names
from engine.corpus.reading import read_source
from engine.corpus.sources import SourceFile
from engine.errors import BadInput


@pytest.fixture
def book(tmp_path):
    """Save rows as the sheets of a workbook and give the path."""

    def saved(change=lambda book: None, **sheets):
        made = Workbook()
        made.remove(made.active)
        for title, rows in sheets.items():
            sheet = made.create_sheet(title)
            for row in rows:
                sheet.append(row)
        change(made)
        path = tmp_path / "a.xlsx"
        made.save(path)
        return path

    return saved


def rows(path, **options):
    return list(open_workbook(SourceFile(path, path.name, ImportOptions(**options))).rows)


def test_ids_are_text_exactly_as_the_cell_shows_them(book):
    def as_codes(made):
        made["One"]["A7"].number_format = "000"

    ids = [7, "007", "NA", "null", "9007199254740993", 7, 7.0, 1.5, "1.0"]
    path = book(as_codes, One=[["id", "text"], *([name, "t"] for name in ids)])
    shown = ["7", "007", "NA", "null", "9007199254740993", "007", "7", "1.5", "1.0"]
    assert [as_text(row.values["id"]) for row in rows(path)] == shown
    corpus = read_source(path, ImportOptions(on_repeated="last")).corpus
    assert corpus.ids == ("NA", "null", "9007199254740993", "007", "7", "1.5", "1.0")


def test_rows_are_named_by_their_number_and_that_of_the_sheet(book):
    found = rows(book(One=[[None, None], ["id", "text"], ["a", "x"], [], ["b", "y"]]))
    assert [(row.where, dict(row.values)) for row in found] == [
        ("row 1 (sheet row 3)", {"id": "a", "text": "x"}),
        ("row 2 (sheet row 5)", {"id": "b", "text": "y"}),
    ]


def test_dates_truth_values_and_empty_cells_stay_what_they_are(book):
    (row,) = rows(
        book(One=[["day", "moment", "ok", "none"], [datetime(2024, 1, 2), datetime(2024, 1, 2, 3), True, None]])
    )
    assert row.values == {"day": datetime(2024, 1, 2).date(), "moment": datetime(2024, 1, 2, 3), "ok": True}


def test_an_error_value_is_an_empty_cell_and_noted(book):
    (row,) = rows(book(One=[["id", "text"], ["a", "#N/A"]]))
    assert row.values == {"id": "a"}
    assert row.notes == (("changed value", "text: the error #N/A is read as an empty cell"),)


def test_digits_that_excel_has_lost_are_noted(book):
    (row,) = rows(book(One=[["id"], [1234567890123456]]))
    assert row.notes == (("changed value", "id: Excel keeps 15 digits of a number; format such cells as text"),)


def test_cells_beyond_the_header_are_kept(book):
    (row,) = rows(book(One=[["id", "text"], ["a", "x", "more", None]]))
    assert row.values == {"id": "a", "text": "x", "column 3": "more"}
    assert [kind for kind, _ in row.notes] == ["uneven row"]


def test_the_first_sheet_with_rows_is_read_and_others_can_be_chosen(book):
    path = book(Empty=[], One=[["id"], ["a"]], Two=[["id"], ["b"]])
    table = open_workbook(SourceFile(path, path.name))
    assert table.settings == {"sheet": "One"}
    assert [problem.text for problem in table.problems] == ["sheet 'One' is read; 'Two' can be chosen instead."]
    assert [row.values["id"] for row in rows(path, sheet="Two")] == ["b"]
    assert rows(path, sheet="Empty") == []
    with pytest.raises(BadInput, match=r"a.xlsx has no sheet 'Three'.*It has Empty, One, Two"):
        rows(path, sheet="Three")


def test_a_workbook_without_rows_is_refused(book):
    with pytest.raises(BadInput, match="has no rows in any sheet"):
        rows(book(One=[]))


def rewritten(path, name, old, new):
    """The same archive with one text in one of its files replaced."""
    with zipfile.ZipFile(path) as archive:
        files = {entry: archive.read(entry) for entry in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for entry, content in files.items():
            archive.writestr(entry, content.replace(old, new) if entry == name else content)
    return path


SHEET = "xl/worksheets/sheet1.xml"


def test_a_whole_number_that_a_program_wrote_with_decimals_is_shown_without(book):
    path = rewritten(book(One=[["id"], [7]]), SHEET, b"<v>7</v>", b"<v>7.0</v>")
    assert [as_text(row.values["id"]) for row in rows(path)] == ["7"]


def test_wrong_dimensions_are_not_believed(book):
    path = rewritten(book(One=[["id"], ["a"]]), SHEET, b'ref="A1:A2"', b'ref="A1:XFD1048576"')
    assert [dict(row.values) for row in rows(path)] == [{"id": "a"}]


def test_a_row_number_without_end_is_refused_and_not_counted_up_to(book, monkeypatch):
    monkeypatch.setattr(workbook, "MOST_ROWS", 1_000)
    path = rewritten(book(One=[["id"], ["a"]]), SHEET, b'<row r="2">', b'<row r="99999999999">')
    path = rewritten(path, SHEET, b' r="A2"', b"")
    with pytest.raises(BadInput, match="claims more than 1,000 rows"):
        rows(path)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (SHEET, b"<sheetData>", b"<sheetData><broken"),
        (SHEET, b't="inlineStr"', b't="s"'),
        (SHEET, b'r="A1"', b'r="??"'),
        ("xl/workbook.xml", b"<sheets>", b"<nothing>"),
        ("xl/workbook.xml", b"worksheet", b"nowhere"),
        ("[Content_Types].xml", b"Types", b"Tipos"),
        ("xl/styles.xml", b"styleSheet", b"x"),
    ],
)
def test_a_broken_workbook_is_refused_or_read(book, name, old, new):
    path = rewritten(book(One=[["id"], ["a"]]), name, old, new)
    try:
        assert isinstance(rows(path), list)
    except BadInput as error:
        assert error.message.startswith("a.xlsx ")  # noqa: PT017


def test_entities_that_grow_without_end_are_refused(book):
    bomb = (
        b'<!DOCTYPE x [<!ENTITY a "'
        + b"x" * 1_000
        + b'">'
        + b"".join(b'<!ENTITY %c "%s">' % (98 + level, b"&%c;" % (97 + level) * 20) for level in range(8))
        + b"]><worksheet"
    )
    path = rewritten(book(One=[["id"], ["a"]]), SHEET, b"<worksheet", bomb)
    path = rewritten(path, SHEET, b"<t>a</t>", b"<t>&i;</t>")
    with pytest.raises(BadInput, match=r"a.xlsx cannot be read as an Excel workbook"):
        rows(path)


def test_the_sheets_are_named_in_their_order_and_only_of_what_would_be_read(book, monkeypatch):
    path = book(Empty=[], One=[["id"], ["a"]])
    source = SourceFile(path, path.name)
    assert sheet_names(source) == ("Empty", "One")
    monkeypatch.setattr(sources, "ALWAYS_UNPACKED", 0)
    monkeypatch.setattr(sources, "MOST_PACKED_RATIO", 1)
    for read in (sheet_names, open_workbook):
        with pytest.raises(BadInput, match=r"a.xlsx would unpack from"):
            read(source)


def test_what_is_no_archive_is_refused(write):
    for name, content in (("a.xlsx", b"id,text"), ("b.xlsx", b"\xd0\xcf\x11\xe0old"), ("c.xlsx", b"PK\x03\x04")):
        path = write(name, content)
        with pytest.raises(BadInput, match=f"{name} cannot be read as an Office file"):
            open_workbook(SourceFile(path, name))
