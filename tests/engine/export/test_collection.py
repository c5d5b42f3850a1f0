import resource
import signal
import sys
import zipfile
from pathlib import Path

import pytest

from engine.errors import BadInput, RankScopeError
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
    assert not list(tmp_path.glob("*.zip*"))


@pytest.mark.skipif(sys.platform != "linux", reason="/sys is where nobody may write on Linux, root neither")
def test_a_closed_folder_is_said(kites):
    with pytest.raises(RankScopeError, match=r"cannot be written to, so /sys/x\.zip could not be written"):
        export_collection(kites, Path("/sys/x.zip"))


def test_a_full_disk_leaves_no_half_of_a_file(kites, tmp_path):
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limit[1]))
    try:
        with pytest.raises(RankScopeError, match=r"The disk is full, so .*kites\.zip could not be written"):
            export_collection(kites, tmp_path / "kites.zip")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, ignored)
    assert not list(tmp_path.glob("*.zip*"))
