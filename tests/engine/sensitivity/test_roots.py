import random
from fractions import Fraction

import pytest
import sympy

from engine.sensitivity.polynomials import primitive, product
from engine.sensitivity.roots import Root, rational_between, roots_between

F = Fraction
X = sympy.Symbol("x")
TWO = (1, 0, -2)
"""x^2 - 2"""


def roots(polynomial, low=0, high=1000):
    return roots_between(polynomial, F(low), F(high))


def only(polynomial, low=0, high=1000):
    ((root, _),) = roots(polynomial, low, high)
    return root


def test_rational_roots_are_fractions_and_touches_are_told_from_crossings():
    # (2x - 1)(x - 3) crosses at 1/2 and 3; (x - 3)^2 touches
    assert roots((2, -7, 3)) == ((F(1, 2), True), (F(3), True))
    assert roots((1, -6, 9)) == ((F(3), False),)
    assert roots((2, -7)) == ((F(7, 2), True),)
    # (x - 1)(x - 2)^2 (x - 3)^3
    polynomial = primitive(product(product((1, -1), (1, -4, 4)), product((1, -3), (1, -6, 9))))
    assert roots(polynomial) == ((F(1), True), (F(2), False), (F(3), True))


def test_the_interval_is_closed_and_nothing_outside_it_counts():
    assert roots((2, -7, 3), F(1, 2), 3) == ((F(1, 2), True), (F(3), True))
    assert roots((2, -7, 3), 1, 2) == ()
    quartic = primitive(product(product((1, -1), (1, -2)), product((1, -3), (1, -4))))
    assert [root for root, _ in roots(quartic, 1, 4)] == [1, 2, 3, 4]
    assert [root for root, _ in roots(quartic, 2, 3)] == [2, 3]
    assert [root for root, _ in roots(quartic, 3, 3)] == [3]
    assert roots(quartic, F(5, 2), F(5, 2)) == ()


def test_constants_and_the_zero_polynomial_have_none():
    assert roots(()) == roots((5,)) == roots((1, 0, 1)) == roots((1, 0, 0, 0, 1)) == ()


def test_an_irrational_root_has_a_narrow_bracket_and_a_float():
    root = only(TWO)
    assert float(root) == 2**0.5
    assert root.low**2 < 2 < root.high**2
    assert root.high - root.low <= F(1, 2**64)
    assert only(tuple(product(TWO, (1, 0, 7)))).cell == root.cell


def test_one_number_is_equal_whatever_polynomial_it_comes_from():
    root = only(TWO)
    same = roots(primitive(product(TWO, (1, -5, 6))))[0][0]
    assert same.polynomial != root.polynomial
    assert same == root
    assert hash(same) == hash(root)
    assert not same < root
    assert same <= root
    assert only((1, 0, -3)) != root
    assert root != F(3, 2)


def test_comparing_is_exact_even_inside_a_bracket():
    root = only(TWO)
    near = F(root.low + root.high) / 2
    assert (root < near) == (near**2 > 2)
    assert (near < root) == (near**2 < 2)
    assert root.low < root < root.high
    assert max(root, F(1), F(2)) == 2
    # sqrt(2) and sqrt(2 + 2^-80) share a cell
    close = only((2**80, 0, -(2**81) - 1))
    assert close.cell == root.cell
    assert root < close
    assert close > root
    assert close != root


def test_two_roots_of_one_quadratic_in_one_cell_are_told_apart():
    # (x - 1)^2 = 2^-139: roots 1 -+ 2^-69.5
    lower, upper = (root for root, _ in roots((2**139, -(2**140), 2**139 - 1)))
    assert lower < 1 < upper
    assert lower != upper
    assert lower < rational_between(lower, upper) < upper


@pytest.mark.parametrize(
    ("one", "other"), [(F(1), F(2)), (F(1), F(1) + F(1, 2**70)), (only(TWO), F(3, 2)), (F(7, 5), only(TWO))]
)
def test_there_is_a_rational_number_between_any_two(one, other):
    between = rational_between(one, other)
    assert isinstance(between, Fraction)
    assert one < between < other


def test_the_number_between_is_one_that_a_float_holds_where_there_is_room():
    assert F(float(rational_between(F(1, 3), F(2, 3)))) == rational_between(F(1, 3), F(2, 3))


def test_agrees_with_sympy():
    rng = random.Random(3)
    for _ in range(200):
        factors = [(1, -F(rng.randint(0, 12), rng.randint(1, 3))) for _ in range(rng.randint(0, 2))]
        polynomial = [rng.randint(-60, 60) for _ in range(rng.randint(1, 3))] + [rng.randint(1, 60)]
        for _, root in factors:
            polynomial = product(polynomial, (root.denominator, root.numerator))
        polynomial = primitive(polynomial)
        low, high = F(rng.randint(0, 3)), F(rng.randint(4, 12))
        theirs = sympy.Poly(list(polynomial), X)
        expected = {}
        for root in theirs.real_roots() if theirs.degree() > 0 else ():
            if (
                sympy.Rational(low.numerator, low.denominator)
                <= root
                <= sympy.Rational(high.numerator, high.denominator)
            ):
                expected[root] = expected.get(root, 0) + 1
        found = roots_between(polynomial, low, high)
        assert len(found) == len(expected)
        for (mine, crosses), (root, times) in zip(found, sorted(expected.items()), strict=True):
            assert crosses == (times % 2 == 1)
            assert isinstance(mine, Fraction) == bool(root.is_rational)
            if isinstance(mine, Fraction):
                assert mine == F(int(root.p), int(root.q))
            else:
                assert isinstance(mine, Root)
                assert sympy.Rational(mine.low.numerator, mine.low.denominator) < root
                assert root < sympy.Rational(mine.high.numerator, mine.high.denominator)
