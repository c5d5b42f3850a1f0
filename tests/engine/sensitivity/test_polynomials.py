import random
from fractions import Fraction

import pytest
import sympy

from engine.sensitivity.polynomials import (
    common_divisor,
    degree,
    derivative,
    most_roots,
    primitive,
    product,
    quotient,
    sign_at,
    square_free_factors,
)

F = Fraction
X = sympy.Symbol("x")


def of_roots(*roots):
    polynomial = [1]
    for root in roots:
        polynomial = product(polynomial, (F(root).denominator, -F(root).numerator))
    return tuple(polynomial)


def test_a_product_of_linear_factors_by_hand():
    # (x - 1)(2x - 1) = 2x^2 - 3x + 1; its derivative 4x - 3
    assert of_roots(1, F(1, 2)) == (2, -3, 1)
    assert derivative((2, -3, 1)) == (4, -3)
    assert [sign_at((2, -3, 1), F(point)) for point in (0, F(1, 2), F(3, 4), 1, 2)] == [1, 0, -1, 0, 1]


def test_primitive_takes_out_leading_zeros_and_common_factors_and_keeps_the_sign():
    assert primitive((0, 0, -4, 6)) == (-2, 3)
    assert primitive((0, 0)) == ()
    assert primitive(()) == ()
    assert degree(()) == -1
    assert derivative((5,)) == ()


def test_the_common_divisor_has_the_common_roots():
    shared = common_divisor(of_roots(1, 2, 3), of_roots(2, 3, 5))
    assert degree(shared) == 2
    assert sign_at(shared, F(2)) == sign_at(shared, F(3)) == 0
    assert degree(common_divisor(of_roots(1), of_roots(2))) == 0
    assert quotient(of_roots(1, 2, 3), of_roots(2)) in (of_roots(1, 3), tuple(-c for c in of_roots(1, 3)))


def test_factors_come_with_the_multiplicity_of_their_roots():
    factors = {
        multiplicity: factor for factor, multiplicity in square_free_factors(of_roots(1, 2, 2, 3, 3, 3, F(1, 2)))
    }
    assert set(factors) == {1, 2, 3}
    assert sign_at(factors[1], F(1)) == sign_at(factors[1], F(1, 2)) == 0
    assert sign_at(factors[2], F(2)) == sign_at(factors[3], F(3)) == 0
    assert [degree(factors[each]) for each in (1, 2, 3)] == [2, 1, 1]


@pytest.mark.parametrize(
    ("roots", "low", "high", "most"),
    [((1, 5), 0, 2, 1), ((1, 5), 2, 4, 0), ((1, 5), 0, 6, 2), ((1, 5), 1, 5, 0), ((3, 3), 0, 6, 2)],
)
def test_descartes_counts_few_roots_exactly(roots, low, high, most):
    assert most_roots(of_roots(*roots), F(low), F(high)) == most


def test_agrees_with_sympy():
    rng = random.Random(5)
    for _ in range(150):
        roots = [F(rng.randint(1, 9), rng.randint(1, 4)) for _ in range(rng.randint(1, 3))]
        polynomial = tuple(product(of_roots(*roots), [rng.randint(1, 9) for _ in range(rng.randint(1, 3))]))
        theirs = sympy.Poly(list(polynomial), X)
        _, factors = theirs.sqf_list()
        assert {(degree(factor), times) for factor, times in square_free_factors(polynomial)} == {
            (factor.degree(), times) for factor, times in factors
        }
        low, high = sorted((F(rng.randint(0, 30), 7), F(rng.randint(31, 60), 7)))
        inside = (
            [root for root in theirs.real_roots() if low < sympy.Rational(root) < high] if _rational(theirs) else None
        )
        if inside is not None:
            assert most_roots(polynomial, low, high) >= len(inside)
            assert (most_roots(polynomial, low, high) - len(inside)) % 2 == 0


def _rational(polynomial):
    return all(root.is_rational for root in polynomial.real_roots())
