"""Whether a build still fits, in words."""

import json
import os

import pytest

from engine.store.build import build_collection
from engine.store.manifest import BuildOptions
from pages.components.condition import condition_of, source_changed


@pytest.fixture
def built(workspace, tmp_path):
    source = tmp_path / "a.csv"
    source.write_text("id,text\n1,Red kite\n", "utf-8")
    build_collection(workspace, "a", source, BuildOptions(encoder="hash", reading={"language": "en"}))
    return workspace.current("a"), source


def changed(folder, **changes):
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")
    return condition_of("a", folder)


def test_a_fresh_build_is_up_to_date(built):
    folder, source = built
    condition = condition_of("a", folder)
    assert (condition.state, condition.reasons, condition.title) == ("up to date", (), "a")
    assert not source_changed(condition.manifest)
    os.utime(source, (4e9, 4e9))
    assert source_changed(condition.manifest)
    source.unlink()
    assert not source_changed(condition.manifest)


def test_another_analyser_or_encoder_makes_it_stale(built):
    folder, _ = built
    assert changed(folder, analysers={"en": "other"}).reasons == ("The English analyser has changed since.",)
    stale = changed(folder, analysers={}, encoder_fingerprint="other")
    assert (stale.state, stale.reasons) == ("stale", ("The encoder 'hash' has changed since.",))
    gone = changed(folder, encoder="nobody/nothing")
    assert gone.reasons[0].startswith("Its encoder is not there: ")


def test_indexes_of_another_form_make_it_stale(built):
    folder, _ = built
    (folder / "dense" / "dense.json").unlink()
    (folder / "bm25" / "bm25.json").write_text('{"format": 99}', "utf-8")
    assert len(condition_of("a", folder).reasons) == 2


def test_a_broken_manifest_is_damaged(built):
    folder, _ = built
    (folder / "manifest.json").write_text("{}", "utf-8")
    assert condition_of("a", folder).state == "damaged"
    (folder / "manifest.json").unlink()
    assert condition_of("a", folder).state == "damaged"
