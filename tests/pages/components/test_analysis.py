"""The analysis of a text in colour and as a table."""

from pages.components.analysis import analysed, inline_html, table_rows


def test_french_elision_codes_and_stop_words_are_told_apart():
    analysis = analysed("L'hôpital d’Angers : code I21.9 les", "fr")
    rows = {row["Surface"]: row for row in table_rows(analysis.steps)}
    assert rows["L'"]["Outcome"] == rows["d’"]["Outcome"] == "elision"
    assert (rows["hôpital"]["Exact form"], rows["hôpital"]["Folded form"]) == ("hôpital", "hopital")
    assert rows["les"]["Outcome"] == "stop word"
    assert rows[":"]["Outcome"] == "symbol"
    assert {"I21.9", "I21", "9"} <= rows.keys()
    assert '<span class="rs-code" title="searched as i21.9; a code, whole">I21.9</span>' in inline_html(analysis)


def test_the_text_is_kept_character_for_character():
    text = "  <b>tag</b>\n\n a\tI21.9 & l’eau 東京都 "
    for language in (None, "en", "fr", "plain"):
        shown = inline_html(analysed(text, language))
        plain = shown
        while "<" in plain:
            start = plain.index("<")
            plain = plain[:start] + plain[plain.index(">", start) + 1 :]
        assert plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == text


def test_the_language_is_detected_where_none_is_chosen():
    assert analysed("Les chevaux de la reine sont partis hier soir", None).analyser == "fr"
    assert analysed("xx", None).analyser == "plain"
    assert analysed("xx", None).detected
