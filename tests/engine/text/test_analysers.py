import hashlib
import math
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.analysers import ANALYSERS, RULES_VERSION, analyser_for

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


def exact(language: str, text: str) -> list[str]:
    return [token.exact for token in ANALYSERS[language].tokens(text)]


def matches(language: str, query: str, text: str) -> bool:
    """Whether they share a term in either form."""
    asked, held = ANALYSERS[language].forms(query), ANALYSERS[language].forms(text)
    return bool({form for form, _ in asked} & {form for form, _ in held}) or bool(
        {form for _, form in asked} & {form for _, form in held}
    )


@pytest.mark.parametrize("name", ["es", "plain"])
def test_words_are_found_through_punctuation_case_and_accents(name):
    router, fault = "Reset the Router.", "La señal falla"
    assert matches(name, "router", router)
    assert not matches(name, "router", fault)
    assert matches(name, "señal", fault)
    assert not matches(name, "señal", router)
    assert not matches(name, "al", router)
    assert not matches(name, "al", fault)


@pytest.mark.parametrize("name", ANALYSERS)
@pytest.mark.parametrize("query", ["bệnh", "be\u0323\u0302nh", "be\u0302\u0323nh"])
def test_unicode_spellings_of_a_word_are_one_token(name, query):
    (token,) = ANALYSERS[name].tokens(query)
    assert (token.exact, token.folded, token.start, token.end) == ("bệnh", "benh", 0, len(query))
    assert token.exact in exact(name, "bệnh viện")


@pytest.mark.parametrize("name", ["fr", "plain"])
def test_elision_with_either_apostrophe(name):
    angers, rural = "l'hôpital d’Angers", "hôpital rural"
    for query in ("hôpital", "l’hôpital", "l'hôpital"):
        assert matches(name, query, angers)
        assert matches(name, query, rural)
    assert matches(name, "Angers", angers)
    assert not matches(name, "Angers", rural)
    assert exact("fr", "l'hôpital d’Angers") == ["hôpital", "anger"]
    assert exact("fr", "aujourd'hui") == ["aujourd'hui"]


@pytest.mark.parametrize("query", ["the of and", "???", "🙂", "", "   "])
def test_queries_that_leave_nothing(query):
    assert ANALYSERS["en"].tokens(query) == ()
    assert ANALYSERS["en"].forms(query) == []


def test_hepatitis_a_is_not_hepatitis_b():
    assert exact("en", "Acute hepatitis A, with coma") == ["acut", "hepat", "a", "with", "coma"]
    assert exact("en", "A case of hepatitis") == ["case", "hepat"]
    assert exact("fr", "Hépatite A, carence en vitamine D") == ["hépatit", "a", "carenc", "vitamin", "d"]


def test_tokens_point_into_the_original_text():
    text = "I21.9 à l’hôpital"
    assert [(token.exact, text[token.start : token.end], token.kind) for token in ANALYSERS["fr"].tokens(text)] == [
        ("i21.9", "I21.9", "code"),
        ("i21", "I21", "part"),
        ("9", "9", "part"),
        ("hôpital", "hôpital", "word"),
    ]


def test_steps_tell_what_happened_to_everything_written():
    steps = ANALYSERS["fr"].steps("L'état, à 9.9 !")
    assert [(step.surface, step.outcome, step.exact, step.folded) for step in steps] == [
        ("L'", "elision", "", ""),
        ("état", "kept", "état", "etat"),
        (",", "symbol", "", ""),
        ("à", "stop word", "", ""),
        ("9.9", "kept", "9.9", "9.9"),
        ("9", "kept", "9", "9"),
        ("9", "kept", "9", "9"),
        ("!", "symbol", "", ""),
    ]


def test_the_analyser_of_a_language():
    assert analyser_for("fr") is ANALYSERS["fr"]
    assert analyser_for(None) is analyser_for("de") is analyser_for("") is ANALYSERS["plain"]
    assert [(analyser.name, analyser.language) for analyser in ANALYSERS.values()] == [
        ("en", "en"),
        ("fr", "fr"),
        ("es", "es"),
        ("vi", "vi"),
        ("plain", None),
    ]


def test_an_analyser_cannot_be_changed():
    with pytest.raises(FrozenInstanceError, match="name"):
        ANALYSERS["en"].name = "fr"


PROBE = """The U.S. dogs' I21.9. hepatitis A, don't! It's
12/2019/QH14 of HBQK389\u201102 and 9.9 ﬁbres ½ ⑴ x-ray COVID-19
L’état d'aujourd’hui, jusqu'à la main-d'œuvre des LESIONS opérées; où été sans A. La información más señal té niño mas
Hoà giải, quí, bác sỹ, ðường be\u0323\u0302nh cua của 手机壳 ภาษาไทย ｱｲｳ l' eau H'Mông groupe O 一 ho\u00adpital"""


def test_other_tokens_ask_for_another_rules_version():
    """Where this fails, raise RULES_VERSION (indexes made before must be rebuilt), then write down both values."""
    forms = "\n".join(f"{name} {ANALYSERS[name].forms(PROBE)}" for name in ANALYSERS)
    digest = hashlib.sha256(forms.encode()).hexdigest()[:16]
    assert (RULES_VERSION, digest) == (2, "d525f809409d5ed4")


def test_fingerprints_differ_and_follow_the_rules():
    assert len({analyser.fingerprint for analyser in ANALYSERS.values()}) == len(ANALYSERS)
    english = ANALYSERS["en"]
    with_no = replace(english, rules=replace(english.rules, stop_words=english.rules.stop_words | {"no"}))
    assert with_no.fingerprint != english.fingerprint
    assert replace(english).fingerprint == english.fingerprint


TEXTS = st.text(alphabet="aàe\u0301êA l'’-./9Iđ手机ภthoa\u00ad½⑴ \n")


@given(st.one_of(st.text(), TEXTS), st.sampled_from(sorted(ANALYSERS)))
def test_tokens_forms_and_steps_tell_the_same_story(text, name):
    analyser = ANALYSERS[name]
    tokens, steps = analyser.tokens(text), analyser.steps(text)
    kept = [step for step in steps if step.outcome == "kept"]
    assert [(token.exact, token.folded) for token in tokens] == analyser.forms(text)
    assert [(token.exact, token.folded, token.start, token.end) for token in tokens] == [
        (step.exact, step.folded, step.start, step.end) for step in kept
    ]
    assert [token.start for token in tokens] == sorted(token.start for token in tokens)
    assert all(token.exact and token.folded and token.start < token.end <= len(text) for token in tokens)


@given(st.one_of(st.text(), TEXTS), st.sampled_from(sorted(ANALYSERS)))
def test_steps_cover_everything_that_is_not_a_space(text, name):
    steps = ANALYSERS[name].steps(text)
    covered = {at for step in steps for at in range(step.start, step.end)}
    assert all(at in covered for at, character in enumerate(text) if not character.isspace())
    assert all(step.surface == text[step.start : step.end] for step in steps)
