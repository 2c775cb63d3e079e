"""Isotonic calibration, conformal sets and promised thresholds, against scikit-learn, exact formulas and simulation."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.conformal import fit_conformal
from agent_claimcheck.scoring.conformal import labels_needed as conformal_needed
from agent_claimcheck.scoring.isotonic import IsotonicScaling, fit_isotonic
from agent_claimcheck.scoring.risk_control import (
    binomial_cdf,
    labels_needed,
    promise_threshold,
)

SCORES = st.lists(st.tuples(st.integers(0, 1000).map(lambda n: n / 1000), st.booleans()), min_size=4, max_size=60)


def drawn(seed: int, n: int) -> tuple[list[float], list[bool]]:
    rng = random.Random(seed)
    p = [rng.betavariate(4, 1) for _ in range(n)]
    return p, [rng.random() < value for value in p]


@given(SCORES)
def test_isotonic_equals_scikit_learn(rows: list[tuple[float, bool]]) -> None:
    sklearn = pytest.importorskip("sklearn.isotonic")
    p, won = [row[0] for row in rows], [row[1] for row in rows]
    if len({round(value, 9) for value in p}) < 2 or all(won) or not any(won):
        return
    ours = fit_isotonic(p, won)
    theirs = sklearn.IsotonicRegression(out_of_bounds="clip", y_min=0, y_max=1).fit(p, won)
    for value in (*p, 0.0, 0.25, 0.5, 1.0):
        assert ours.apply(value) == pytest.approx(float(theirs.predict([value])[0]), abs=1e-6)


@given(SCORES, st.floats(min_value=0, max_value=1), st.floats(min_value=0, max_value=1))
def test_isotonic_never_turns_scores_round(rows: list[tuple[float, bool]], one: float, two: float) -> None:
    p, won = [row[0] for row in rows], [row[1] for row in rows]
    try:
        fitted = fit_isotonic(p, won)
    except InputError:
        return
    assert fitted.apply(min(one, two)) <= fitted.apply(max(one, two))


@pytest.mark.parametrize(
    ("x", "y"),
    [((), ()), ((0.5,), (0.2, 0.3)), ((0.5, 0.4), (0.1, 0.2)), ((0.1, 0.2), (0.9, 0.1)), ((0.1,), (math.nan,))],
)
def test_isotonic_points_that_are_no_calibrator_are_refused(x: tuple[float, ...], y: tuple[float, ...]) -> None:
    with pytest.raises(InputError):
        IsotonicScaling(x=x, y=y)


def test_conformal_sets_hold_the_true_label_as_often_as_promised() -> None:
    alpha, missed, seen = 0.2, {True: 0, False: 0}, {True: 0, False: 0}
    for seed in range(200):
        cuts = fit_conformal(*drawn(seed, 120), alpha)
        for p, won in zip(*drawn(seed + 10_000, 50), strict=True):
            seen[won] += 1
            missed[won] += ("success" if won else "failure") not in cuts.labels(p)
    assert missed[True] / seen[True] <= alpha + 0.02
    assert missed[False] / seen[False] <= alpha + 0.02


def test_conformal_names_the_labels_still_needed() -> None:
    with pytest.raises(InputError, match="7 more labelled failure"):
        fit_conformal([0.9] * 9 + [0.1] * 2, [True] * 9 + [False] * 2, 0.1)
    assert conformal_needed(0.1) == 9


def test_binomial_tails_are_exact() -> None:
    for n, p in ((10, 0.3), (45, 0.05), (200, 0.9)):
        exact = sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(4))
        assert binomial_cdf(3, n, p) == pytest.approx(exact, rel=1e-9)


def test_promises_are_kept_in_nine_of_ten_samples() -> None:
    made = kept = 0
    for seed in range(200):
        p, won = drawn(seed, 400)
        try:
            cut = promise_threshold(p, won, bound=0.1, confidence=0.9)
        except InputError:
            continue
        made += 1
        # The scores are the true probabilities, so the true risk beyond the threshold is known: E[1 - p | p >= t].
        beyond = [value for value in drawn(99, 20_000)[0] if value >= cut.threshold]
        kept += sum(1 - value for value in beyond) / len(beyond) <= 0.1
    assert made > 100
    assert kept / made >= 0.9


def test_a_promise_is_refused_with_the_number_still_needed() -> None:
    assert labels_needed(0.05, 0.9) == 45
    with pytest.raises(InputError, match="label 35 more"):
        promise_threshold([0.9] * 10, [True] * 10, bound=0.05)


def test_a_promise_is_refused_when_the_surest_runs_fail() -> None:
    with pytest.raises(InputError, match="no threshold keeps"):
        promise_threshold([0.99] * 50 + [0.5] * 50, [False] * 50 + [True] * 50, bound=0.05)


def test_runs_of_one_task_count_once_and_the_worst_counts() -> None:
    p, won = [0.9] * 120, [True] * 119 + [False]
    tasks = [index // 2 for index in range(120)]
    with pytest.raises(InputError, match="no threshold keeps"):
        promise_threshold(p, won, bound=0.05, tasks=tasks)
    assert promise_threshold(p, won, bound=0.1, tasks=tasks).n == 60


def test_no_promise_accuses_a_run_that_more_likely_succeeded() -> None:
    p = [0.1] * 50 + [0.7] * 50
    cut = promise_threshold(p, [False] * 100, side="false_success", bound=0.05)
    assert cut.threshold == 0.1
