"""The values that travel through the engine, and the protocols of the parts that make them.

Everything here is frozen. Ranks are 1-based. Order is (score descending, id ascending), everywhere.
"""

from engine.types.chunks import Chunk, ChunkLocation, Query
from engine.types.protocols import Channel, Encoder, Reranker
from engine.types.ranking import Hit, Place, Ranking
from engine.types.setup import (
    Absence,
    Agreement,
    Bm25Setup,
    ChannelSetup,
    Filter,
    FusionName,
    NormaliserName,
    RerankSetup,
    Setup,
    Variant,
)
from engine.types.trace import Dropped, Note, Stage, Trace
from engine.types.values import Floats, Mask, Metadata, Progress, Scalar, Value, Vectors, no_progress

__all__ = [
    "Absence",
    "Agreement",
    "Bm25Setup",
    "Channel",
    "ChannelSetup",
    "Chunk",
    "ChunkLocation",
    "Dropped",
    "Encoder",
    "Filter",
    "Floats",
    "FusionName",
    "Hit",
    "Mask",
    "Metadata",
    "NormaliserName",
    "Note",
    "Place",
    "Progress",
    "Query",
    "Ranking",
    "RerankSetup",
    "Reranker",
    "Scalar",
    "Setup",
    "Stage",
    "Trace",
    "Value",
    "Variant",
    "Vectors",
    "no_progress",
]
