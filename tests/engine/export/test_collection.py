import zipfile

import pytest

from engine.errors import BadInput
from engine.export.collection import export_collection
from engine.store.build import build_collection
from engine.store.collection import open_collection


def test_an_export_gives_the_same_collection_back(kites, workspace, tmp_path):
    target = tmp_path / "kites.zip"
    export_collection(kites, target)
    with zipfile.ZipFile(target) as archive:
        assert sorted(archive.namelist()) == ["chunks.jsonl", "manifest.json", "qrels.tsv", "queries.jsonl"]
        archive.extractall(tmp_path / "again")
    build_collection(workspace, "again", tmp_path / "again", kites.manifest.options)
    again = open_collection(workspace, "again")
    assert again.corpus.fingerprint == kites.corpus.fingerprint
    assert (again.queries, again.qrels) == (kites.queries, kites.qrels)


def test_only_a_zip_in_a_folder_that_exists_is_written(kites, tmp_path):
    for target in (tmp_path / "kites.tar", tmp_path / "absent" / "kites.zip"):
        with pytest.raises(BadInput, match="Cannot write"):
            export_collection(kites, target)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kites", "workspace"]
