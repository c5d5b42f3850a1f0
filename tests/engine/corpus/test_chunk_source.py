import hashlib

from engine.corpus.chunk_source import InMemory, fingerprint_of
from engine.types import Chunk, ChunkLocation

CHUNKS = (
    Chunk(id="a", text="x", language="fr", location=ChunkLocation(page=3), metadata={"k": 1}),
    Chunk(id="b", number="7"),
)


def test_single_fields_come_without_the_chunks():
    source = InMemory(iter(CHUNKS))
    assert source.ids == ("a", "b")
    assert list(source.values("language")) == ["fr", None]
    assert list(source.values("page")) == [3, None]
    assert [dict(metadata) for metadata in source.metadata()] == [{"k": 1}, {}]


def test_it_is_a_sequence_of_its_chunks():
    source = InMemory(CHUNKS)
    assert (len(source), source[1], source[-1], source[0:1]) == (2, CHUNKS[1], CHUNKS[1], CHUNKS[:1])
    assert list(source) == list(CHUNKS)


def test_the_fingerprint_is_that_of_the_chunks_as_json_lines():
    lines = b"".join(chunk.model_dump_json().encode() + b"\n" for chunk in CHUNKS)
    assert fingerprint_of(CHUNKS) == InMemory(CHUNKS).fingerprint == hashlib.sha256(lines).hexdigest()
    assert fingerprint_of(()) == hashlib.sha256(b"").hexdigest()


def test_the_fingerprint_knows_order_and_type():
    assert fingerprint_of(CHUNKS) != fingerprint_of(CHUNKS[::-1])
    number, text = Chunk(id="a", metadata={"k": 1}), Chunk(id="a", metadata={"k": "1"})
    assert fingerprint_of([number]) != fingerprint_of([text])
