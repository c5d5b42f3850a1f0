"""The forward pass of a BERT sentence encoder, straight on torch.

It is the arithmetic of `transformers.BertModel` followed by mean pooling and normalisation, and gives the same vectors
(tested to 1e-6). It is here because importing sentence-transformers takes five times as long as importing torch, and a
first query waits for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.types import Vectors

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class BertShape:
    """What the weights do not say: the number of attention heads and the epsilon of the layer norms."""

    heads: int
    epsilon: float


class Bert:
    """A BERT encoder over named weights, as in the safetensors file of a `BertModel`.

    Devlin et al., BERT, NAACL 2019; mean pooling as in Reimers and Gurevych, Sentence-BERT, EMNLP 2019.
    """

    def __init__(self, weights: Mapping[str, Tensor], shape: BertShape) -> None:
        import torch

        self._weights = weights
        self._shape = shape
        layers = {name.split(".")[2] for name in weights if name.startswith("encoder.layer.")}
        self._layers = [f"encoder.layer.{number}" for number in range(len(layers))]
        # Query, key and value in one product instead of three.
        self._projection = {
            layer: tuple(
                torch.cat([weights[f"{layer}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")])
                for kind in ("weight", "bias")
            )
            for layer in self._layers
        }
        self.dimension: int = weights["embeddings.word_embeddings.weight"].shape[1]

    def sentence_vectors(self, batch: Sequence[Sequence[int]]) -> Vectors:
        """One unit vector per list of token ids (special tokens included), shape (len(batch), dimension), float32."""
        import torch
        from torch.nn import functional

        with torch.inference_mode():
            hidden, present = self._encode(batch)
            mean = (hidden * present.unsqueeze(-1)).sum(dim=1) / present.sum(dim=1, keepdim=True)
            vectors: Vectors = functional.normalize(mean, dim=1).numpy().astype(np.float32, copy=False)
        return vectors

    def _encode(self, batch: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
        import torch

        longest = max(len(tokens) for tokens in batch)
        padded = torch.tensor([[*tokens, *[0] * (longest - len(tokens))] for tokens in batch])
        lengths = torch.tensor([len(tokens) for tokens in batch])
        present = torch.arange(longest) < lengths.unsqueeze(1)
        # Without a mask torch takes its faster attention; texts of one length need none.
        mask = None if bool(present.all()) else present[:, None, None, :]
        hidden = self._embed(padded)
        for layer in self._layers:
            hidden = self._layer(layer, hidden, mask)
        return hidden, present.to(hidden.dtype)

    def _embed(self, tokens: Tensor) -> Tensor:
        words = self._weights["embeddings.word_embeddings.weight"][tokens]
        positions = self._weights["embeddings.position_embeddings.weight"][: tokens.shape[1]]
        segment = self._weights["embeddings.token_type_embeddings.weight"][0]
        return self._normalise("embeddings.LayerNorm", words + positions + segment)

    def _layer(self, layer: str, hidden: Tensor, mask: Tensor | None) -> Tensor:
        from torch.nn import functional

        attended = self._linear(f"{layer}.attention.output.dense", self._attend(layer, hidden, mask))
        hidden = self._normalise(f"{layer}.attention.output.LayerNorm", hidden + attended)
        inner = functional.gelu(self._linear(f"{layer}.intermediate.dense", hidden))
        return self._normalise(f"{layer}.output.LayerNorm", hidden + self._linear(f"{layer}.output.dense", inner))

    def _attend(self, layer: str, hidden: Tensor, mask: Tensor | None) -> Tensor:
        from torch.nn import functional

        texts, longest, width = hidden.shape
        joined = functional.linear(hidden, *self._projection[layer])
        query, key, value = joined.view(texts, longest, 3, self._shape.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return mixed.transpose(1, 2).reshape(texts, longest, width)

    def _linear(self, name: str, hidden: Tensor) -> Tensor:
        from torch.nn import functional

        return functional.linear(hidden, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _normalise(self, name: str, hidden: Tensor) -> Tensor:
        from torch.nn import functional

        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return functional.layer_norm(hidden, (self.dimension,), weight, bias, self._shape.epsilon)
