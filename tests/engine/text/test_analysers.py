import math

import pytest

from engine.text.analysers import ANALYSERS

WARD = {
    "d1": "Diagnosis I21.9 acute event",
    "d2": "Diagnosis I21.0 acute event",
    "d3": "Reading 9.9 mmol, ward I21",
    "d4": "Diagnosis J45.0 mild event",
    "d5": "Reading 4.1 mmol, ward B2",
    "d6": "Visit notes, no code",
}


def smoothed_bm25(query: list[str], documents: dict[str, list[str]]) -> dict[str, float]:
    """k1 = 1.5, b = 0.75, idf = ln(1 + (N - n + 0.5) / (n + 0.5))."""
    average = sum(map(len, documents.values())) / len(documents)
    scores = dict.fromkeys(documents, 0.0)
    for term in query:
        holding = sum(term in tokens for tokens in documents.values())
        idf = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
        for name, tokens in documents.items():
            tf = tokens.count(term)
            scores[name] += idf * tf * 2.5 / (tf + 1.5 * (0.25 + 0.75 * len(tokens) / average))
    return scores


@pytest.mark.parametrize("name", ANALYSERS)
def test_a_code_whole_and_in_parts_puts_its_own_document_first(name):
    # 36 tokens in 6 documents, so d1 and d2 (6 tokens each) have the average length and a tf of 1 counts 1:
    # d1 = ln(1 + 5.5/1.5) + ln(1 + 3.5/3.5) + ln(1 + 4.5/2.5) = 1.540445 + 0.693147 + 1.029619 = 3.263212
    # d2 = 0.693147 for i21; d3 (7 tokens, 9 twice) = 2.040882
    tokens = {key: [token.exact for token in ANALYSERS[name].tokens(text)] for key, text in WARD.items()}
    scores = smoothed_bm25([token.exact for token in ANALYSERS[name].tokens("I21.9")], tokens)
    assert scores["d1"] == pytest.approx(3.263212, abs=1e-6)
    assert scores["d3"] == pytest.approx(2.040882, abs=1e-6)
    assert scores["d2"] == pytest.approx(0.693147, abs=1e-6)
    assert scores["d4"] == scores["d5"] == scores["d6"] == 0
