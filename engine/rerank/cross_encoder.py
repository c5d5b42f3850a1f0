"""Any sentence-transformers cross-encoder, by its Hugging Face name or its folder."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from engine.encoders.model_folder import ModelFolder, find_model
from engine.encoders.once import Once
from engine.encoders.readable import readable
from engine.errors import BadInput, Unavailable
from engine.text.language_codes import language_code
from engine.types import Floats

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

BATCH = 16
"""Pairs that the model reads at once."""


class CrossEncoderModel:
    """How well texts answer a query, by a cross-encoder that is on this machine; nothing is downloaded.

    It gives the logit, whatever activation the model declares. A pair beyond the model's limit is truncated. The model
    is loaded with the first pair. `languages` are those of its model card; None where it has none or names many.
    """

    gives: Literal["logit", "probability"] = "logit"

    def __init__(self, folder: ModelFolder) -> None:
        self.name = folder.name
        self.languages = declared_languages(folder.path)
        self._folder = folder
        self._model = Once(self._load)
        # The tokeniser inside is changed by every call, so calls take turns.
        self._turn = threading.Lock()

    @property
    def fingerprint(self) -> str:
        """The revision, of which the maximum length is a part."""
        return f"cross-encoder {self._folder.revision} logit"

    def scores(self, query: str, texts: Sequence[str]) -> Floats:
        """One logit per text, shape (len(texts),); every core works on one batch at a time.

        `BadInput` for a model that gives a pair several numbers, such as one that tells entailment from contradiction.
        """
        import torch

        model = self._model()
        if model.num_labels != 1:
            raise BadInput(
                f"The model {self.name!r} gives a pair {model.num_labels} numbers; a reranker gives one.",
                "Use a cross-encoder that was trained to rank.",
            )
        asked = readable(query)
        with self._turn:
            torch.set_num_threads(os.cpu_count() or 1)
            try:
                logits = model.predict(
                    [(asked, readable(text)) for text in texts],
                    batch_size=BATCH,
                    activation_fn=torch.nn.Identity(),
                    show_progress_bar=False,
                )
            finally:
                torch.set_num_threads(1)
        return np.asarray(logits, dtype=np.float64)

    def _load(self) -> CrossEncoder:
        import torch
        from safetensors import SafetensorError
        from sentence_transformers import CrossEncoder

        torch.set_num_threads(1)
        folder = str(self._folder.path)
        try:
            model: CrossEncoder = CrossEncoder(
                folder, device="cpu", local_files_only=True, model_kwargs={"use_safetensors": True}
            )
        except (ImportError, KeyError, OSError, RuntimeError, SafetensorError, ValueError) as error:
            raise Unavailable(
                f"The model {self.name!r} cannot be loaded: {str(error).splitlines()[0]}.",
                "Download it again, whole, or use another one.",
            ) from error
        return model


def find_cross_encoder(name: str) -> ModelFolder:
    """The model of that name: a folder, or a Hugging Face name, by default of the organisation `cross-encoder`.

    Nothing is downloaded: `Unavailable` where the model is not here. `BadInput` where its weights are a pickle.
    """
    if Path(name).expanduser().is_dir():
        return find_model(name)
    repository = name if "/" in name else f"cross-encoder/{name}"
    try:
        return find_model(repository)
    except Unavailable:
        raise Unavailable(
            f"The reranker {name!r} is not on this machine.",
            f"Run `hf download {repository} --local-dir {repository.split('/')[-1]}` where there is a network and name "
            "that folder, or use the packaged one, english.",
        ) from None


def declared_languages(folder: Path) -> frozenset[str] | None:
    """The languages that the card of a model (its `README.md`) declares, as codes; None where it declares none.

    A card that cannot be read, or that says `multilingual`, declares none.
    """
    from huggingface_hub import ModelCard
    from yaml import YAMLError

    card = folder / "README.md"
    if not card.is_file():
        return None
    try:
        declared = ModelCard.load(card, ignore_metadata_errors=True).data.to_dict().get("language")
    except (OSError, ValueError, YAMLError):
        return None
    named = [declared] if isinstance(declared, str) else declared if isinstance(declared, list) else []
    codes = frozenset(language_code(str(each)) for each in named)
    return None if not codes or "multilingual" in codes else codes
