"""Kappa as Cohen defined it, without the noise of rounding."""

from __future__ import annotations

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.scoring.agreement import cohen_kappa

COUNT = st.integers(0, 500)


def test_agreement_as_good_as_chance_is_zero_and_not_below() -> None:
    kappa = cohen_kappa(0, 0, 3, 6)
    assert kappa == 0
    assert math.copysign(1, kappa) == 1


@given(COUNT, COUNT, COUNT, COUNT)
def test_kappa_is_that_of_exact_shares(a: int, b: int, c: int, d: int) -> None:
    n = a + b + c + d
    found = cohen_kappa(a, b, c, d)
    if n == 0:
        assert found is None
        return
    first, second = Fraction(a + b, n), Fraction(a + c, n)
    chance = first * second + (1 - first) * (1 - second)
    assert found == (None if chance == 1 else float((Fraction(a + d, n) - chance) / (1 - chance)))
