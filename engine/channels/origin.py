"""From which texts an index was made: what it is bound to, so that it never answers for others."""

from __future__ import annotations

from collections.abc import Sequence

from engine.corpus.corpus import Corpus
from engine.corpus.fields import SearchedField
from engine.errors import StaleIndex
from engine.types import Value

_HINT = "Rebuild the collection."


class Origin(Value):
    """The fingerprint of the corpus that an index was made from, and the fields that it reads of each chunk."""

    corpus: str
    fields: tuple[SearchedField, ...]

    @classmethod
    def of(cls, corpus: Corpus, fields: Sequence[SearchedField]) -> Origin:
        """The origin of an index of those fields of a corpus."""
        return cls(corpus=corpus.fingerprint, fields=tuple(fields))


def refuse_other_texts(
    name: str, origin: Origin | None, corpus: Corpus, fields: Sequence[SearchedField] | None
) -> None:
    """`StaleIndex` where the index `name` was made from other texts than those of `corpus`, or from other `fields`.

    `fields` None asks for none in particular. An index made from bare lists or vectors has no origin: it is refused
    where fields are asked for.
    """
    if origin is None:
        if fields is not None:
            raise StaleIndex(f"The index {name!r} does not say from which texts it was made.", _HINT)
        return
    if origin.corpus != corpus.fingerprint:
        raise StaleIndex(f"The index {name!r} was made from other texts than those of the collection.", _HINT)
    if fields is not None and origin.fields != tuple(fields):
        raise StaleIndex(
            f"The index {name!r} reads the fields {', '.join(origin.fields)}, the collection asks for "
            f"{', '.join(fields)}.",
            _HINT,
        )
