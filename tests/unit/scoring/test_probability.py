"""Calibration error, Brier score, extremes and bins."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.probability import (
    bin_of,
    brier_score,
    expected_calibration_error,
    extremes_share,
    reliability_bins,
)

PROBABILITIES = st.sampled_from([k / 10 for k in range(11)]) | st.floats(0, 1)
SAMPLES = st.lists(st.tuples(PROBABILITIES, st.booleans()), min_size=1, max_size=60)


@pytest.mark.parametrize("bins", range(1, 101))
def test_an_edge_belongs_to_the_bin_above_it(bins: int) -> None:
    # 1 / 49 * 49 is less than 1, and other products round up across an edge.
    assert [bin_of(k / bins, bins) for k in range(bins)] == list(range(bins))


def test_the_last_bin_holds_one() -> None:
    assert bin_of(1.0) == 9


@given(PROBABILITIES, st.integers(1, 50))
def test_a_bin_holds_what_lies_between_its_edges(p: float, bins: int) -> None:
    index = bin_of(p, bins)
    assert index / bins <= p
    assert p < (index + 1) / bins or (index == bins - 1 and p == 1.0)


def test_perfectly_stated_rates_have_no_calibration_error() -> None:
    assert expected_calibration_error([0.5, 0.5, 1.0, 0.0], [True, False, True, False]) == 0.0


def test_a_sure_detector_that_is_always_wrong_has_the_worst_error() -> None:
    assert expected_calibration_error([1.0, 0.0], [False, True]) == 1.0
    assert brier_score([1.0, 0.0], [False, True]) == 1.0


def test_five_and_ninety_five_per_cent_are_not_extreme() -> None:
    assert extremes_share([0.05, 0.95]) == 0.0
    assert extremes_share([0.049, 0.951]) == 1.0


def test_no_bins_are_refused() -> None:
    with pytest.raises(InputError):
        reliability_bins([0.5], [True], bins=0)


@given(SAMPLES)
def test_bins_hold_every_score_once_and_the_error_is_their_weighted_gap(rows: list[tuple[float, bool]]) -> None:
    p, won = [row[0] for row in rows], [row[1] for row in rows]
    bins = reliability_bins(p, won)
    assert sum(b.n for b in bins) == len(rows)
    assert [b.low for b in bins] == sorted(b.low for b in bins)
    expected = 0.0
    for low in range(10):
        inside = [row for row in rows if low / 10 <= row[0] and (row[0] < (low + 1) / 10 or low == 9)]
        if inside:
            expected += abs(sum(x for x, _ in inside) - sum(y for _, y in inside)) / len(rows)
    assert expected_calibration_error(p, won) == pytest.approx(expected, abs=1e-9)


@given(SAMPLES)
def test_brier_agrees_with_scikit_learn(rows: list[tuple[float, bool]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    p, won = [row[0] for row in rows], [row[1] for row in rows]
    assert brier_score(p, won) == pytest.approx(metrics.brier_score_loss(won, p, pos_label=True), abs=1e-12)
