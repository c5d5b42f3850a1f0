from fractions import Fraction

from engine.fusion.rrf import rrf_units
from engine.sensitivity.events import Receipt, k_events, weight_events
from engine.sensitivity.receipt import receipt_markdown
from tests.engine.sensitivity.plain_fusion import rankings_of

EVEN = {"bm25": 1.0, "dense": 1.0}


def test_a_receipt_has_the_lists_and_a_row_for_each_event():
    units = rrf_units(rankings_of({"bm25": ["a", "b"], "dense": ["b", "a", "c"]}), 1.0)
    receipt = weight_events(units, EVEN, "dense", 0.5, 2, n=1)
    assert receipt_markdown(receipt, scope="Holds here.") == (
        "### Weight of dense: 0.5 → 2\n"
        "\n"
        "Holds here\\.\n"
        "\n"
        "First 1 before: a\n"
        "\n"
        "First 1 after: b\n"
        "\n"
        "| at | rises | passes | score of the one that rises | score of the other | first 1 |\n"
        "|---|---|---|---|---|---|\n"
        "| 1 | b | a | bm25 0.333333 + dense 0.500000 = 0.833333 | bm25 0.500000 + dense 0.333333 = 0.833333 "
        "| b enters, a leaves |\n"
    )


def test_a_root_is_written_as_what_it_is_near():
    # a (1, 9) and s (3, 4) trade at k = 1 + sqrt(20)
    rankings = rankings_of({"bm25": ["a", "b", "s"], "dense": [*"cde", "s", *"fghi", "a"]})
    assert "| ≈ 5.472135955 | s | a |" in receipt_markdown(k_events(rankings, EVEN, 5, 6, n=1))


def test_a_fraction_that_is_no_short_decimal_is_written_out_with_its_decimal():
    # a = 1/2, c = 1/3 + w/4: equal at w = 2/3
    units = rrf_units(rankings_of({"bm25": ["a", "c"], "dense": ["x", "y", "c"]}), 1.0)
    text = receipt_markdown(weight_events(units, EVEN, "dense", 0.5, 0.8, n=1))
    assert "| 2/3 ≈ 0.6666666667 | c | a |" in text


def test_nothing_happens_and_ids_are_no_markup():
    empty = Receipt("k", Fraction(1), Fraction(2), 3, ("a|b", "<b>*x*"), (), ())
    assert receipt_markdown(empty) == (
        "### k: 1 → 2\n\nFirst 3 before: a\\|b, \\<b\\>\\*x\\*\n\nFirst 3 after: none\n\nNothing changes on the way.\n"
    )


def test_a_chunk_that_comes_at_zero_passes_nobody():
    units = rrf_units(rankings_of({"bm25": ["a"], "dense": ["b"]}), 1.0)
    text = receipt_markdown(weight_events(units, EVEN, "dense", 0, 0.5, n=2), label="Dense weight")
    assert text.startswith("### Dense weight: 0 → 0.5\n")
    assert "| 0 | b | – | bm25 0.000000 + dense 0.000000 = 0.000000 | – | b enters |" in text
