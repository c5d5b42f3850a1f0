import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from docx import Document
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from engine.corpus.corpus import Corpus
from engine.corpus.options import ImportOptions
from engine.corpus.readers import READERS
from engine.corpus.reading import preview, read_source
from engine.errors import BadInput
from engine.text.chunking import ChunkingOptions
from engine.types import Chunk, ChunkLocation

DATASETS = Path(__file__).parents[4] / "shared" / "datasets"


def texts(reading):
    return {chunk.id: chunk.text for chunk in reading.corpus}


# Ids


def test_ids_are_kept_as_text_exactly_and_only_a_blank_one_is_missing(read):
    ids = ["1", "", "3", "007", "NA", "null", "9007199254740993", "1.0"]
    reading = read("a.csv", "id,text\n" + "".join(f"{name},t\n" for name in ids))
    assert reading.corpus.ids == ("1", "row-2", "3", "007", "NA", "null", "9007199254740993", "1.0")
    (problem,) = reading.report.problems
    assert (problem.where, problem.kind, problem.text) == ("row 2 (line 3)", "no id", "no id; given the id 'row-2'")


def test_a_number_and_the_text_of_it_are_the_same_id_and_other_texts_are_not(read):
    reading = read("a.jsonl", '{"id": 7, "text": "x"}\n{"id": "007", "text": "y"}\n{"id": 7.0, "text": "z"}')
    assert texts(reading) == {"7": "x", "007": "y", "7.0": "z"}


def test_equal_texts_under_two_ids_are_two_chunks_each_with_its_own_metadata(read):
    text = "Returns within 30 days"
    rows = [{"id": "v1", "text": text, "year": 2021}, {"id": "v2", "text": text, "year": 2024}]
    corpus = read("a.json", json.dumps(rows)).corpus
    assert [(chunk.id, chunk.metadata["year"]) for chunk in corpus] == [("v1", 2021), ("v2", 2024)]


@pytest.mark.parametrize("name", ["91/2015/QH13#1", "a b", "../x", "a\tb", "<b>", "é", "'; DROP"])
def test_ids_with_any_sign_are_only_names(read, name):
    assert read("a.json", json.dumps([{"id": name, "text": "x"}])).corpus.ids == (name,)


REPEATED = "id,text\na,one\nb,two\na,three\n"


def test_repeated_ids_are_refused_with_the_count_and_the_choice(read):
    with pytest.raises(BadInput, match=r"3 read, 1 repeated id: a\. Choose to keep the first or the last"):
        read("a.csv", REPEATED)


@pytest.mark.parametrize(
    ("choice", "kept"), [("first", {"a": "one", "b": "two"}), ("last", {"b": "two", "a": "three"})]
)
def test_the_first_or_the_last_of_a_repeated_id_is_kept_and_reported(read, choice, kept):
    reading = read("a.csv", REPEATED, on_repeated=choice)
    assert texts(reading) == kept
    assert reading.report.repeated == ("a",)
    assert reading.report.sentences()[0] == "3 rows read, 1 repeated id: a."


def test_the_same_file_twice_is_the_same_corpus_and_a_changed_one_of_equal_size_is_not(read):
    red, again, blue = (read("corpus.csv", f"id,text\n1,{colour}\n").corpus for colour in ("red!", "red!", "blue"))
    assert red.fingerprint == again.fingerprint
    assert red.fingerprint != blue.fingerprint


# What ends a record, encodings


def test_a_byte_mark_semicolons_and_carriage_returns_leave_no_trace(read):
    reading = read("a.csv", b"\xef\xbb\xbfid;text\r\n1;a, b\r\n")
    assert texts(reading) == {"1": "a, b"}
    assert (reading.report.encoding, reading.report.delimiter) == ("utf-8-sig", ";")


def test_an_old_encoding_is_guessed_reported_and_can_be_chosen(read):
    reading = read("a.csv", b"id;text\n1;caf\xe9\n")
    assert texts(reading) == {"1": "café"}
    assert reading.report.encoding == "cp1252"
    assert reading.report.sentences()[-1].startswith("a.csv: not UTF-8; read as cp1252, a guess from its bytes.")
    assert texts(read("a.csv", b"id;text\n1;caf\xe9\n", encoding="mac_roman")) == {"1": "cafÈ"}


def test_no_replacement_character_comes_without_consent(read):
    content = "id,text\n1,été à Noël, œuvre\n2,bad".encode() + b"\xff\n3,ok\n"
    strict = read("a.csv", content, mapping={"text": "text"})
    assert "\ufffd" not in "".join(texts(strict).values())
    assert strict.corpus.ids == ("1", "3")
    assert strict.report.problem_counts["undecodable"] == 1
    assert texts(read("a.csv", content, errors="replace"))["2"] == "bad\ufffd"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("final", ["", "end"])
def test_line_separators_and_quoted_breaks_end_no_record(read, end, final):
    last = end if final else ""
    jsonl = end.join(['{"id": "1", "text": "one\u2028two"}', '{"id": "2", "text": "x"}']) + last
    assert texts(read("a.jsonl", jsonl)) == {"1": "one\u2028two", "2": "x"}
    table = f'id,text{end}1,"line one{end}line two"{end}2,x{last}'
    assert texts(read("a.csv", table)) == {"1": f"line one{end}line two", "2": "x"}


def test_a_bad_line_is_reported_by_its_true_number_and_the_rest_loads(read):
    reading = read("a.jsonl", '{"id": "1", "text": "x"}\n\n{"id": "2", "text\n{"id": "3", "text": "y"}\n')
    assert texts(reading) == {"1": "x", "3": "y"}
    assert [(problem.where, problem.kind) for problem in reading.report.problems] == [("line 3", "unreadable")]
    assert (reading.report.rows, reading.report.chunks) == (3, 2)


def test_characters_that_no_index_can_hold_are_removed_and_reported_by_row(read):
    reading = read("a.json", json.dumps([{"id": "1", "text": "a\0b"}, {"id": "2", "text": "c\ud800"}]))
    assert texts(reading) == {"1": "ab", "2": "c"}
    assert [(problem.where, problem.kind) for problem in reading.report.problems] == [
        ("row 1", "removed characters"),
        ("row 2", "removed characters"),
    ]


# Blank and empty


def test_blank_chunks_stay_and_are_counted(read):
    rows = [("a", ""), ("b", "quartz clock"), ("c", "   "), ("d", "quartz vein"), ("e", "!!!"), ("f", "oak beam")]
    reading = read("a.json", json.dumps([{"id": name, "text": text} for name, text in rows]))
    assert len(reading.corpus) == 6
    assert reading.report.blank == ("a", "c", "e")
    assert reading.report.sentences()[0] == "6 rows read; 3 blank chunks."


@pytest.mark.parametrize(("name", "content"), [("a.csv", "id,text\n"), ("a.json", "[]"), ("a.jsonl", "\n\n")])
def test_a_source_without_rows_is_an_empty_corpus(read, name, content):
    reading = read(name, content)
    assert (len(reading.corpus), reading.vectors) == (0, None)
    assert reading.report.sentences() == ("0 rows read.", "0 chunks in the collection.")


# Columns


def test_any_column_fills_any_field_and_the_rest_is_metadata(read):
    table = "k;t;h;p;a;l;x\n1;text;head;3;12;FR;y\n"
    mapping = {
        "id": "k",
        "text": "t",
        "title": "h",
        "location.page": "p",
        "location.article": "a",
        "language": "l",
    }
    (chunk,) = read("a.csv", table, mapping=mapping).corpus
    assert chunk == Chunk(
        id="1",
        text="text",
        title="head",
        language="fr",
        location=ChunkLocation(page=3, article="12"),
        metadata={"x": "y"},
    )


def test_a_field_that_is_mapped_to_none_stays_empty(read):
    (chunk,) = read("a.csv", "id,text,title\n1,x,t\n", mapping={"title": None}).corpus
    assert (chunk.title, dict(chunk.metadata)) == ("", {"title": "t"})


def test_text_is_kept_character_for_character(read):
    text = "From $5 to $9, use *star* and <b>tag</b>"
    assert texts(read("a.csv", f'id,text\n1,"{text}"\n')) == {"1": text}
    assert texts(read("a.txt", text)) == {"a#0001": text}


# Chunk files


CHUNK = Chunk(
    id="c1",
    text="Texte",
    title="Titre",
    summary="Résumé",
    language="fr",
    location=ChunkLocation(document_id="doc", part="I", article="5", page=3),
    domain="santé",
    entities=("a; b", "c"),
    relations=("c2",),
    references=("art. 6",),
    number="A00.1",
    metadata={"year": 2024, "weight": 0.5, "ok": True, "none": None},
)


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_chunks_of_our_own_shape_load_as_they_are(read, name):
    lines = [CHUNK.model_dump_json(), Chunk(id="NA", text="x", language="vi").model_dump_json()]
    content = f"[{','.join(lines)}]" if name == "a.json" else "\n".join(lines)
    reading = read(name, content)
    assert reading.corpus.chunks == (CHUNK, Chunk(id="NA", text="x", language="vi"))
    assert reading.report.problems == ()


def test_unknown_fields_become_metadata_nested_ones_as_json_text_with_a_note(read):
    rows = [{"id": str(row), "content": "x", "level": 2, "tags": ["a"], "parent": {"id": 1}} for row in range(3)]
    reading = read("a.json", json.dumps(rows))
    assert dict(reading.corpus.chunk("0").metadata) == {"level": 2, "tags": '["a"]', "parent": '{"id": 1}'}
    assert [problem.text for problem in reading.report.problems] == [
        "tags: nested value kept as JSON text",
        "parent: nested value kept as JSON text",
    ]
    assert reading.report.problem_counts["changed value"] == 6


def test_a_folder_of_chunk_files_is_one_collection(write, tmp_path):
    for name in ("ccam_2023", "ccam_2024", "cim_2024"):
        rows = [{"id": f"{name}-{row}", "content": "texte", "language": "fr"} for row in range(2)]
        write(f"{name}_chunks.json", json.dumps(rows))
    reading = read_source(tmp_path)
    assert reading.corpus.ids == (
        "ccam_2023-0",
        "ccam_2023-1",
        "ccam_2024-0",
        "ccam_2024-1",
        "cim_2024-0",
        "cim_2024-1",
    )
    assert (reading.report.format, reading.report.rows) == ("folder", 6)


def test_rows_without_id_in_several_files_name_their_file(write, tmp_path):
    write("a.json", '[{"content": "x"}, {"content": "y", "id": "k"}]')
    write("sub/b.json", '[{"content": "z"}]')
    reading = read_source(tmp_path)
    assert reading.corpus.ids == ("a#row-1", "k", "sub/b#row-1")
    assert [problem.where for problem in reading.report.problems] == ["a.json: row 1", "sub/b.json: row 1"]


def test_ids_that_repeat_over_files_are_found(write, tmp_path):
    write("a.json", '[{"id": "k", "text": "x"}]')
    write("b.json", '[{"id": "k", "text": "y"}]')
    with pytest.raises(BadInput, match="2 read, 1 repeated id: k"):
        read_source(tmp_path)
    assert texts(read_source(tmp_path, ImportOptions(on_repeated="last"))) == {"k": "y"}


# Documents


def test_documents_of_a_folder_are_cut_and_named_by_their_place(write, tmp_path):
    write("guide.md", "# One\n\nText of one.\n\n# Two\n\nText of two.\n")
    write("sub/guide.md", "Other text.")
    write("sub/rows.csv", "id,text\nr1,row text\n")
    write("photo.png", b"\x89PNG")
    write("broken.pdf", b"%PDF nothing")
    reading = read_source(tmp_path)
    assert reading.corpus.ids == ("guide#0001", "guide#0002", "sub/guide#0001", "r1")
    assert reading.corpus.chunk("guide#0002").title == "Two"
    assert reading.corpus.chunk("sub/guide#0001").location.document_id == "sub/guide"
    assert (reading.report.rows, reading.report.documents, reading.report.chunks) == (3, 2, 4)
    left_out = [problem.where for problem in reading.report.problems if problem.kind == "skipped file"]
    assert sorted(left_out) == ["broken.pdf", "photo.png"]
    assert reading.report.sentences()[0] == "1 row and 2 documents read."


def test_chunks_keep_to_the_length_that_the_encoder_counts(write):
    words = " ".join(f"word{number}" for number in range(300)) + "."
    path = write("a.txt", f"{words}\n\n{words}")
    options = ImportOptions(chunking=ChunkingOptions(max_tokens=256, overlap_tokens=0))

    def letters(every):
        return [len(text) // 4 for text in every]

    counted = [len(chunk.text.split()) for chunk in read_source(path, options).corpus]
    assert max(counted) <= 256 < sum(counted)
    for chunk in read_source(path, options, letters).corpus:
        assert letters([chunk.text])[0] <= 256


def test_long_records_are_split_only_on_demand(write):
    path = write("a.csv", "id,title,text\nlong,T," + "One two three. " * 10 + "\nshort,T,One.\n")
    small = ChunkingOptions(max_tokens=12, overlap_tokens=0)
    assert read_source(path, ImportOptions(chunking=small)).corpus.ids == ("long", "short")
    split = read_source(path, ImportOptions(chunking=small, split_records=True)).corpus
    assert split.ids[0] == "long#0001"
    assert split.ids[-1] == "short"
    assert {chunk.location.document_id for chunk in split} == {"long", None}
    assert {chunk.title for chunk in split} == {"T"}


# Vectors


def test_vectors_stay_with_their_chunks_whatever_happens_to_the_rows(write, tmp_path):
    lines = [
        '{"id": "a", "text": "x"}',
        "broken",
        "",
        '{"id": "b", "text": ""}',
        '{"text": "y"}',
        '{"id": "a", "text": "z"}',
    ]
    path = write("a.jsonl", "\n".join(lines))
    np.save(tmp_path / "a.npy", np.arange(10, dtype=np.float32).reshape(5, 2))
    reading = read_source(path, ImportOptions(on_repeated="last"))
    # Five rows, the empty line not one of them: a, broken, b, one without id, a again.
    assert reading.corpus.ids == ("b", "row-5", "a")
    assert reading.vectors.tolist() == [[4, 5], [6, 7], [8, 9]]
    assert reading.vectors.dtype == np.float32


def test_a_file_of_vectors_of_another_length_is_refused(write, tmp_path):
    path = write("a.csv", "id,text\n1,x\n")
    np.save(tmp_path / "a.npy", np.zeros((2, 4)))
    with pytest.raises(BadInput, match=r"a.npy has 2 vectors, but the source has 1 rows"):
        read_source(path)
    assert read_source(path, ImportOptions(vectors="")).vectors is None


def test_records_with_vectors_are_not_split(write, tmp_path):
    path = write("a.csv", "id,text\n1,x\n")
    np.save(tmp_path / "a.npy", np.zeros((1, 4)))
    with pytest.raises(BadInput, match="Records that come with vectors cannot be split"):
        read_source(path, ImportOptions(split_records=True))


# Hostile and broken files


def office(kind):
    stream = io.BytesIO()
    if kind == "xlsx":
        book = Workbook()
        book.active.append(["id", "text"])
        book.active.append(["a", "x"])
        book.save(stream)
    else:
        document = Document()
        document.add_heading("Head", 1)
        document.add_paragraph("Text.")
        document.save(stream)
    return stream.getvalue()


def parquet():
    stream = io.BytesIO()
    pq.write_table(pa.table({"id": ["a", "b"], "text": ["x", "y"], "v": [[0.5] * 8] * 2}), stream)
    return stream.getvalue()


PDF = b"""%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >> endobj
4 0 obj << /Length 30 >>
stream
BT /F1 12 Tf (Some text) Tj ET
endstream
endobj
5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj
trailer << /Root 1 0 R /Size 6 >>
startxref
0
%%EOF"""
SOUND = {
    "json": b'[{"id": "a", "text": "x", "n": [1]}, {"id": "b", "text": "y"}]',
    "jsonl": b'{"id": "a", "text": "x"}\n{"id": "b", "text": "y"}\n',
    "jsonl.gz": gzip.compress(b'{"id": "a", "text": "x"}\n' * 3, mtime=0),
    "csv": 'id;text\n1;"été\nà Noël"\n2;y\n'.encode(),
    "tsv": "id\ttext\n1\tcafé\n".encode("cp1252"),
    "xlsx": office("xlsx"),
    "parquet": parquet(),
    "md": b"# Head\n\n* a\n* b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "txt": b"Some text.\n\nMore of it.",
    "html": b"<html lang=fr><h1>Head</h1><p>Some <b>text</b><table><tr><td>1<td>2</table>",
    "pdf": PDF,
    "docx": office("docx"),
}


def test_every_format_of_files_is_among_the_sound_ones(read):
    endings = {f".{name}" for name in SOUND}
    for name, reader in READERS.items():
        assert not reader.endings or endings & {*reader.endings}, name
    for name, content in SOUND.items():
        assert len(read(f"a.{name}", content, on_repeated="first").corpus) >= 1, name


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(st.sampled_from(sorted(SOUND)), st.data())
def test_a_damaged_file_is_read_or_refused_and_never_fails_otherwise(write, name, data):
    content = bytearray(SOUND[name])
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        end = start + data.draw(st.sampled_from([0, 1, 4, 100]))
        content[start:end] = data.draw(st.binary(max_size=6))
    path = write(f"a.{name}", bytes(content))
    options = ImportOptions(on_repeated="first", language="en")
    for act in (preview, read_source):
        try:
            act(path, options)
        except BadInput as error:
            assert error.hint  # noqa: PT017


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100)
@given(st.sampled_from(sorted(SOUND)), st.binary(min_size=1, max_size=200))
def test_any_bytes_under_any_ending_are_read_or_refused(write, name, content):
    path = write(f"a.{name}", content)
    for act in (preview, read_source):
        try:
            act(path, ImportOptions(on_repeated="first", language="en"))
        except BadInput as error:
            assert error.hint  # noqa: PT017


@pytest.mark.parametrize("name", sorted({ending for reader in READERS.values() for ending in reader.endings}))
def test_an_empty_file_a_missing_one_and_a_folder_are_refused(write, tmp_path, name):
    with pytest.raises(BadInput, match="is empty"):
        read_source(write(f"a{name}", b""))
    with pytest.raises(BadInput, match="does not exist"):
        read_source(tmp_path / f"b{name}")
    (tmp_path / f"c{name}").mkdir()
    with pytest.raises(BadInput, match="holds no file that can be read"):
        read_source(tmp_path / f"c{name}")


def test_nothing_but_bad_rows_is_refused_with_the_first_of_them(read):
    with pytest.raises(BadInput, match=r"Nothing in a.jsonl could be read. line 1: not valid JSON"):
        read("a.jsonl", "broken\nbroken\n")


# The whole


def test_progress_is_told_by_file_and_may_stop_the_reading(write, tmp_path):
    write("a.md", "x")
    write("b.md", "y")
    seen = []
    read_source(tmp_path, progress=lambda *step: seen.append(step))
    assert seen == [("read", 0, 2), ("read", 1, 2), ("read", 2, 2), ("language", 0, 1)]

    def stop(*step):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_source(tmp_path, progress=stop)


def test_the_report_survives_json(read):
    report = read("a.csv", REPEATED + ",x\n", on_repeated="first").report
    assert type(report).model_validate_json(report.model_dump_json()) == report


def test_importing_the_room_loads_no_heavy_library():
    heavy = [
        "pandas",
        "openpyxl",
        "pypdf",
        "docx",
        "selectolax",
        "markdown_it",
        "charset_normalizer",
        "torch",
        "pyarrow",
    ]
    script = (
        f"import sys, engine.corpus.reading, engine.corpus.parquet; print([x for x in {heavy} if x in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("name", "rows", "blank", "language"),
    [
        ("adi", 82, (), "en"),
        ("cranfield", 1_400, ("471", "995"), "en"),
        ("xquad_es", 240, (), "es"),
        ("xquad_vi", 240, (), "vi"),
        ("spf_fr", 530, (), "fr"),
        ("alqac2022_vi", 1_377, (), "vi"),
    ],
)
def test_whole_collections_are_read(name, rows, blank, language):
    folder = DATASETS / name
    if not folder.is_dir():
        pytest.skip(f"needs the collection {name} in {DATASETS}")
    reading = read_source(folder)
    assert (reading.report.format, reading.report.rows, len(reading.corpus)) == ("beir", rows, rows)
    assert reading.report.blank == blank
    assert set(reading.report.languages) == {language}
    lines = (folder / "corpus.jsonl").read_text(encoding="utf-8").split("\n")
    wanted = [json.loads(line) for line in lines if line]
    assert [(chunk.id, chunk.title, chunk.text) for chunk in reading.corpus] == [
        (record["_id"], record["title"], record["text"]) for record in wanted
    ]
    assert isinstance(reading.corpus, Corpus)
