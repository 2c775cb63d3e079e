"""Platt scaling: the documented fit, finite on separable scores, monotone, and scikit-learn agrees."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.platt import CLIP, PlattScaling, fit_platt

SCORES = st.floats(0, 1)
ROWS = st.lists(st.tuples(SCORES, st.booleans()), min_size=4, max_size=60)


def fittable(rows: list[tuple[float, bool]]) -> bool:
    return len({won for _, won in rows}) == 2 and len({round(min(max(p, CLIP), 1 - CLIP), 9) for p, _ in rows}) > 1


def test_documented_calibrators_map_the_rule_scores_as_documented() -> None:
    scaling = PlattScaling(a=0.80314, b=-0.14878)
    assert [round(scaling.apply(p), 3) for p in (0.03, 0.05, 0.70, 0.97)] == [0.050, 0.075, 0.630, 0.934]


def test_the_ends_of_the_scale_stay_finite() -> None:
    steep = PlattScaling(a=500.0, b=0.0)
    assert steep.apply(0.0) == 0.0
    assert steep.apply(1.0) == 1.0
    assert 0 < PlattScaling(a=1.0, b=0.0).apply(0.0) < 1e-5


def test_separable_scores_have_a_finite_fit() -> None:
    fit = fit_platt([0.0] * 20 + [1.0] * 20, [False] * 20 + [True] * 20)
    assert math.isfinite(fit.a) and math.isfinite(fit.b)
    assert fit.apply(1.0) == pytest.approx(21 / 22)
    assert (fit.n, fit.n_pos) == (40, 20)


@pytest.mark.parametrize(
    ("p", "won"),
    [
        ([0.5, 0.5, 0.5], [True, False, True]),
        ([0.1, 0.9], [True, True]),
        ([0.1, 0.9], [False, False]),
        ([0.0, 6e-8, 0.0], [False, True, False]),
    ],
)
def test_nothing_to_fit_is_said(p: list[float], won: list[bool]) -> None:
    with pytest.raises(InputError) as error:
        fit_platt(p, won)
    assert error.value.slug == "calibration"


@given(ROWS.filter(fittable))
def test_the_fit_is_a_stationary_point(rows: list[tuple[float, bool]]) -> None:
    p, won = [row[0] for row in rows], [row[1] for row in rows]
    fit = fit_platt(p, won)
    n_pos = sum(won)
    high, low = (n_pos + 1) / (n_pos + 2), 1 / (len(won) - n_pos + 2)
    gaps = [fit.apply(x) - (high if y else low) for x, y in zip(p, won, strict=True)]
    assert math.fsum(gaps) == pytest.approx(0, abs=1e-5)


@given(st.floats(0.01, 5), st.floats(-3, 3), SCORES, SCORES)
def test_a_positive_slope_keeps_the_order(a: float, b: float, first: float, second: float) -> None:
    scaling = PlattScaling(a=a, b=b)
    low, high = sorted((first, second))
    assert scaling.apply(low) <= scaling.apply(high)


def test_agrees_with_scikit_learns_weighted_logistic_regression() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    rng = random.Random(5)
    won = [rng.random() < 0.6 for _ in range(200)]
    p = [min(0.999, max(0.001, rng.gauss(0.65 if y else 0.4, 0.2))) for y in won]
    n_pos = sum(won)
    high, low = (n_pos + 1) / (n_pos + 2), 1 / (len(won) - n_pos + 2)
    targets = [high if y else low for y in won]
    x = [[math.log(q / (1 - q))] for q in p]
    model = linear.LogisticRegression(C=1e12, tol=1e-12, max_iter=10_000)
    model.fit(x + x, [1] * len(x) + [0] * len(x), sample_weight=targets + [1 - t for t in targets])
    fit = fit_platt(p, won)
    assert (fit.a, fit.b) == pytest.approx((model.coef_[0][0], model.intercept_[0]), abs=1e-4)
