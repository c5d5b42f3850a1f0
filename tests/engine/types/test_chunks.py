import pytest

from engine.types import Chunk


def test_chunk_keeps_its_id_exactly_and_its_metadata_frozen():
    chunk = Chunk(id="007", metadata={"year": 2021})
    assert Chunk.model_validate_json(chunk.model_dump_json()) == chunk
    assert chunk.id == "007"
    with pytest.raises(TypeError, match="item assignment"):
        chunk.metadata["year"] = 2022
