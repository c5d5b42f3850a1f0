import gzip

import pytest

from engine.corpus.readers.beir import beir_file, open_beir
from engine.corpus.reading import read_source
from engine.corpus.sources import SourceFile
from engine.errors import BadInput

LINES = b'{"_id": "1", "title": "t", "text": "x"}\n{"_id": "2", "title": "", "text": ""}\n'


@pytest.mark.parametrize(
    ("name", "content"), [("corpus.jsonl", LINES), ("corpus.jsonl.gz", gzip.compress(LINES))], ids=["plain", "gzip"]
)
def test_a_folder_with_either_corpus_file_is_read(write, tmp_path, name, content):
    write(name, content)
    assert beir_file(tmp_path) == tmp_path / name
    reading = read_source(tmp_path)
    assert reading.report.format == "beir"
    assert [(chunk.id, chunk.title, chunk.text) for chunk in reading.corpus] == [("1", "t", "x"), ("2", "", "")]
    assert reading.report.blank == ("2",)


def test_a_folder_without_one_is_refused(tmp_path):
    assert beir_file(tmp_path) is None
    with pytest.raises(BadInput, match=r"holds no corpus.jsonl and no corpus.jsonl.gz"):
        open_beir(SourceFile(tmp_path, tmp_path.name))


def test_an_empty_corpus_file_is_refused(write, tmp_path):
    write("corpus.jsonl", "")
    with pytest.raises(BadInput, match=r"corpus.jsonl is empty"):
        read_source(tmp_path)
