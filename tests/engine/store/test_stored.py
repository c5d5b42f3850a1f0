import pytest

from engine.errors import BadInput, StaleIndex
from engine.store.stored import read_stored


def test_a_build_tells_what_it_holds(kites, workspace):
    stored = read_stored(workspace.current("kites"))
    assert stored.corpus.ids == ("007", "7", "lamp")
    assert stored.queries[0].example
    assert dict(stored.qrels.of("q1")) == {"007": 3, "7": 1}
    assert stored.report.chunks == 3


def test_damage_is_said(kites, workspace):
    folder = workspace.current("kites")
    (folder / "report.json").write_text("{")
    with pytest.raises(StaleIndex, match="import report of 'kites' is damaged"):
        read_stored(folder)
    (folder / "chunks.parquet").write_bytes(b"PAR1")
    with pytest.raises(BadInput, match=r"chunks\.parquet cannot be read"):
        read_stored(folder)
