import subprocess
import sys

import numpy as np
import pytest

from engine.rerank import english
from engine.rerank.english import EnglishReranker

pytestmark = pytest.mark.model

QUERY = "How many people live in Berlin?"
TEXTS = (
    "Berlin had a population of 3,520,031 registered inhabitants in an area of 891.82 square kilometers.",
    "Berlin is well known for its museums.",
    "The red kite soars over the bay.",
)
# As measured; another processor rounds the 8-bit sums otherwise and moves a logit a little, never the order.
LOGITS = (8.8748, -4.1646, -11.0788)


@pytest.fixture(scope="module")
def reranker():
    return EnglishReranker()


def test_three_known_pairs_keep_their_scores(reranker):
    scores = reranker.scores(QUERY, TEXTS)
    assert scores.dtype == np.float64
    assert scores.tolist() == pytest.approx(LOGITS, abs=0.15)


def test_a_score_depends_on_no_other_text(reranker):
    together = reranker.scores(QUERY, [*TEXTS, "word " * 600])
    alone = [reranker.scores(QUERY, [text])[0] for text in TEXTS]
    assert together[:3].tolist() == alone
    assert reranker.scores(QUERY, TEXTS[::-1]).tolist() == alone[::-1]


def test_long_empty_and_odd_texts_have_a_score(reranker):
    scores = reranker.scores("word " * 700, ["word " * 700, "", "a\x00b \ud800"])
    assert np.isfinite(scores).all()
    assert reranker.scores(QUERY, []).shape == (0,)


def test_a_text_is_read_to_the_limit_and_no_further(reranker):
    # 512 tokens: the tail of either text lies far beyond
    first, second = ("Berlin has many people. " * 200 + tail for tail in ("A kite.", "Three million live in Berlin."))
    scores = reranker.scores(QUERY, [first, second])
    assert scores[0] == scores[1]


def test_the_code_of_the_package_is_never_imported():
    code = (
        "import sys; from engine.rerank.english import EnglishReranker as R; R().scores('a', ['b']);"
        f"print([m for m in sys.modules if m.split('.')[0] == {english.PACKAGE!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
