"""Bootstrap, Wilson and paired intervals."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.intervals import (
    Estimate,
    bootstrap_auroc,
    bootstrap_auroc_difference,
    paired_difference,
    percentile,
    wilson,
)
from agent_claimcheck.scoring.ranking import auroc

BOOLS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=80)


def sample(n: int, seed: int) -> tuple[list[float], list[bool]]:
    rng = random.Random(seed)
    failed = [index % 3 == 0 for index in range(n)]
    return [round(min(1.0, rng.random() * (0.7 if bad else 1.0)), 2) for bad in failed], failed


def test_the_bootstrap_is_the_documented_procedure() -> None:
    p, failed = sample(40, 1)
    scores = 1 - np.asarray(p)
    bad, good = scores[np.asarray(failed)], scores[~np.asarray(failed)]
    rng = np.random.default_rng(0)
    areas = []
    for _ in range(1000):
        drawn_bad = bad[rng.integers(0, len(bad), len(bad))]
        drawn_good = good[rng.integers(0, len(good), len(good))]
        above = (drawn_bad[:, None] > drawn_good).sum() + 0.5 * (drawn_bad[:, None] == drawn_good).sum()
        areas.append(above / (len(bad) * len(good)))
    low, high = np.percentile(areas, [2.5, 97.5])
    found = bootstrap_auroc(p, failed)
    assert found is not None
    assert (found.value, found.ci_low, found.ci_high) == pytest.approx((auroc(p, failed), low, high), abs=1e-12)


def test_a_long_sample_is_drawn_in_chunks_with_the_same_stream() -> None:
    p, failed = sample(3000, 2)
    found = bootstrap_auroc(p, failed, resamples=400)
    assert found is not None
    assert found.ci_low < found.value < found.ci_high
    assert found.ci_high - found.ci_low < 0.1
    assert found == bootstrap_auroc(p, failed, resamples=400)


def test_one_class_alone_has_no_interval() -> None:
    assert bootstrap_auroc([0.1, 0.2], [True, True]) is None
    assert bootstrap_auroc_difference([0.1, 0.2], [0.1, 0.2], [False, False]) is None


def test_no_resamples_are_refused() -> None:
    with pytest.raises(InputError):
        bootstrap_auroc([0.1, 0.9], [True, False], resamples=0)


def test_a_difference_on_the_same_traces_is_surer_than_two_intervals() -> None:
    p, failed = sample(90, 3)
    worse = [min(1.0, x + 0.1) if bad else x for x, bad in zip(p, failed, strict=True)]
    gap = bootstrap_auroc_difference(worse, p, failed)
    first, second = bootstrap_auroc(worse, failed), bootstrap_auroc(p, failed)
    assert gap is not None and first is not None and second is not None
    assert gap.value == pytest.approx(first.value - second.value)
    assert first.overlaps(second)
    assert gap.ci_high < 0


def test_wilson_at_the_ends_is_one_sided_but_not_empty() -> None:
    none, every = wilson(0, 20), wilson(20, 20)
    assert none is not None and every is not None
    assert (none.ci_low, every.ci_high) == (0.0, 1.0)
    assert none.ci_high == pytest.approx(1 - every.ci_low)
    assert 0.1 < none.ci_high < 0.2


def test_wilson_solves_the_score_equation() -> None:
    found = wilson(7, 48)
    assert found is not None
    for bound in (found.ci_low, found.ci_high):
        assert abs(7 / 48 - bound) / math.sqrt(bound * (1 - bound) / 48) == pytest.approx(1.959963984540054)


def test_wilson_of_nothing_is_not_defined_and_of_too_many_is_refused() -> None:
    assert wilson(0, 0) is None
    with pytest.raises(InputError):
        wilson(3, 2)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_its_proportion(counted: tuple[int, int]) -> None:
    found = wilson(*counted)
    assert found is not None
    assert 0 <= found.ci_low <= found.value <= found.ci_high <= 1


def test_paired_interval_of_a_worked_table() -> None:
    # 36 both, 12 only the first, 2 only the second.
    first = [True] * 36 + [True] * 12 + [False] * 2
    second = [True] * 36 + [False] * 12 + [True] * 2
    found = paired_difference(first, second)
    assert found is not None
    assert (found.value, found.ci_low, found.ci_high) == pytest.approx((0.2, 0.0569, 0.3404), abs=5e-5)


@given(BOOLS)
def test_paired_interval_turns_round_with_its_arguments(rows: list[tuple[bool, bool]]) -> None:
    forward = paired_difference([a for a, _ in rows], [b for _, b in rows])
    backward = paired_difference([b for _, b in rows], [a for a, _ in rows])
    assert forward is not None and backward is not None
    assert -1 <= forward.ci_low <= forward.value + 1e-12 and forward.value - 1e-12 <= forward.ci_high <= 1
    assert (backward.value, backward.ci_low, backward.ci_high) == pytest.approx(
        (-forward.value, -forward.ci_high, -forward.ci_low)
    )


def test_paired_interval_needs_pairs() -> None:
    assert paired_difference([], []) is None
    with pytest.raises(InputError):
        paired_difference([True], [])


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.floats(0, 100))
def test_percentile_agrees_with_numpy(values: list[float], percent: float) -> None:
    assert percentile(values, percent) == pytest.approx(float(np.percentile(values, percent)), rel=1e-9, abs=1e-6)


def test_percentile_of_nothing_is_refused() -> None:
    with pytest.raises(InputError):
        percentile([], 50)


def test_intervals_that_touch_overlap() -> None:
    low, high = Estimate(value=0.1, ci_low=0.0, ci_high=0.2), Estimate(value=0.3, ci_low=0.2, ci_high=0.4)
    apart = Estimate(value=0.9, ci_low=0.8, ci_high=1.0)
    assert low.overlaps(high) and high.overlaps(low)
    assert not low.overlaps(apart)
