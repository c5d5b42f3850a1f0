import pytest

from engine.corpus.options import ImportOptions
from engine.errors import StaleIndex
from engine.store.manifest import FORMAT, BuildOptions, Manifest, read_manifest, write_manifest

MANIFEST = Manifest(
    build="b1",
    created="2031-01-01T00:00:00+00:00",
    seconds=1.5,
    source="corpus.csv",
    options=BuildOptions(reading=ImportOptions(mapping={"text": "body"})),
    chunks=2,
    searchable=2,
    languages=("en", None),
    corpus_fingerprint="c",
    analysers={"en": "e", "plain": "p"},
)


def test_it_is_read_as_it_was_written(tmp_path):
    write_manifest(MANIFEST, tmp_path)
    assert read_manifest(tmp_path) == MANIFEST


def test_damage_and_other_formats_are_refused(tmp_path):
    write_manifest(MANIFEST.model_copy(update={"format": FORMAT + 1}), tmp_path)
    with pytest.raises(StaleIndex, match=f"built in format {FORMAT + 1}, this RankScope reads {FORMAT}"):
        read_manifest(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(StaleIndex, match="cannot be read"):
        read_manifest(tmp_path)
