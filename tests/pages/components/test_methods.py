import pytest

from engine.types import Bm25Setup, Setup
from pages.components import methods


@pytest.mark.parametrize(
    ("setup", "moved"),
    [
        (Setup(), False),
        (Setup(k=7.0, shown=3), False),
        (Setup(fusion="wsum"), True),
        (Setup(bm25=Bm25Setup(b=0.4)), True),
        (Setup().with_channel("dense", floor=0.0), True),
    ],
)
def test_what_the_popover_holds_is_marked_where_it_was_moved(setup, moved):
    assert methods.is_moved(setup) is moved


def test_an_absence_that_a_normaliser_does_not_offer_goes_back_to_its_default():
    zero = Setup(fusion="wsum", absence="zero")
    assert methods._changed(zero, "normaliser", "z-score").absence == "auto"
    assert methods._changed(zero, "normaliser", "sum").absence == "zero"
    assert "zero" not in methods._absences(Setup(normaliser="three-sigma"))
