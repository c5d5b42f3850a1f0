import pytest

from engine.channels.origin import Origin, refuse_other_texts
from engine.corpus.corpus import Corpus
from engine.errors import StaleIndex
from engine.types import Chunk

KITE = Corpus([Chunk(id="a", text="red kite")])
OAK = Corpus([Chunk(id="a", text="green oak")])


def test_an_origin_is_the_texts_and_the_fields():
    origin = Origin.of(KITE, ("title", "text"))
    assert (origin.corpus, origin.fields) == (KITE.fingerprint, ("title", "text"))
    refuse_other_texts("bm25", origin, KITE, ("title", "text"))
    refuse_other_texts("bm25", origin, KITE, None)
    refuse_other_texts("bm25", None, KITE, None)


@pytest.mark.parametrize(
    ("origin", "fields", "reason"),
    [
        (Origin.of(OAK, ("text",)), None, "'bm25' was made from other texts than those of the collection"),
        (Origin.of(OAK, ("text",)), ("text",), "other texts than those of the collection"),
        (Origin.of(KITE, ("text",)), ("title", "text"), "reads the fields text, the collection asks for title, text"),
        (None, ("text",), "does not say from which texts it was made"),
    ],
)
def test_an_index_of_other_texts_is_refused(origin, fields, reason):
    with pytest.raises(StaleIndex, match=rf"{reason}\. Rebuild the collection\."):
        refuse_other_texts("bm25", origin, KITE, fields)
