from hypothesis import given
from hypothesis import strategies as st

from engine.text.analysers import ANALYSERS
from engine.text.highlight import Span, highlights


def marked(text: str, query: str, language: str) -> list[tuple[str, str]]:
    return [(text[span.start : span.end], span.form) for span in highlights(text, query, ANALYSERS[language])]


def test_markup_in_a_text_is_text():
    text = "From $5 to $9, use *star* and <b>tag</b>"
    assert highlights(text, "star", ANALYSERS["en"]) == (Span(20, 24, "star", "exact"),)
    assert text[20:24] == "star"


def test_exact_and_folded_matches_are_told_apart():
    text = "Lésions et LESIONS"
    assert marked(text, "lésion", "fr") == [("Lésions", "exact"), ("LESIONS", "folded")]
    assert marked(text, "lesion", "fr") == [("Lésions", "folded"), ("LESIONS", "exact")]


def test_a_decomposed_word_is_marked_whole_in_the_original():
    assert marked("ở be\u0323\u0302nh viện", "bệnh", "vi") == [("be\u0323\u0302nh", "exact")]
    assert marked("ở bệnh viện", "be\u0302\u0323nh", "vi") == [("bệnh", "exact")]


def test_an_elided_article_is_not_marked():
    assert marked("l'hôpital d’Angers", "l’hôpital", "fr") == [("hôpital", "exact")]
    assert marked("l'hôpital d’Angers", "Angers", "fr") == [("Angers", "exact")]


def test_a_code_is_marked_whole_or_in_its_parts():
    assert marked("Acute I21.9.", "i21.9", "en") == [("I21.9", "exact")]
    assert marked("Acute I21.9.", "I21.0", "en") == [("I21", "exact")]


def test_overlapping_pairs_follow_one_another():
    assert marked("智能手机壳", "手机壳", "plain") == [("手机", "exact"), ("壳", "exact")]


def test_nothing_to_mark():
    for query in ("the of and", "???", "🙂", "", "  ", "zebra"):
        assert highlights("The notes of the ward", query, ANALYSERS["en"]) == ()


TEXTS = st.text(alphabet="aàe\u0301ê l'’-.9Iđ手机thoa\u00ad ")


@given(TEXTS, TEXTS, st.sampled_from(sorted(ANALYSERS)))
def test_spans_are_ordered_and_inside_the_text(text, query, name):
    spans = highlights(text, query, ANALYSERS[name])
    ends = [0, *(span.end for span in spans)]
    assert all(end <= span.start < span.end <= len(text) for end, span in zip(ends, spans, strict=False))


@given(TEXTS, st.sampled_from(sorted(ANALYSERS)))
def test_a_text_matches_all_of_its_own_words(text, name):
    analyser = ANALYSERS[name]
    covered = {at for span in highlights(text, text, analyser) for at in range(span.start, span.end)}
    assert covered == {at for token in analyser.tokens(text) for at in range(token.start, token.end)}
