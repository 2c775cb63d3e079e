"""How honest probabilities are: calibration error, Brier score, share of extreme scores, reliability bins.

A reader must not miss: all of them take p(success) and whether the run *succeeded*, not the failure label that
``ranking`` takes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.samples import check_probabilities

BINS = 10
EXTREME_LOW = 0.05
EXTREME_HIGH = 0.95


class ReliabilityBin(Struct, frozen=True, kw_only=True):
    """One bin of a reliability diagram: bounds, how many scores fell in, their mean, and the share that succeeded."""

    low: float
    high: float
    n: int
    mean_p: float
    success_rate: float


def bin_of(p: float, bins: int = BINS) -> int:
    """Return which of ``bins`` equal bins over [0, 1] holds ``p``, counted from 0. A lower edge belongs to its bin.

    >>> bin_of(0.0), bin_of(0.7), bin_of(1.0)
    (0, 7, 9)
    """
    # The product can round across an edge in either direction; the edges themselves decide.
    index = min(int(p * bins), bins - 1)
    if p < index / bins:
        return index - 1
    return index + 1 if index + 1 < bins and p >= (index + 1) / bins else index


def reliability_bins(p_success: Sequence[float], is_success: Sequence[bool], bins: int = BINS) -> list[ReliabilityBin]:
    """Return the non-empty ones of ``bins`` bins of equal width over [0, 1], in rising order.

    A bin holds its lower edge and not its upper one; the last bin holds 1.0 as well.

    >>> [(b.low, b.n, b.success_rate) for b in reliability_bins([0.1, 0.15, 1.0], [False, True, True])]
    [(0.1, 2, 0.5), (0.9, 1, 1.0)]
    """
    check_probabilities(p_success, is_success)
    if bins < 1:
        raise InputError(f"at least one bin is needed, got {bins}", slug="scores")
    scores: list[list[float]] = [[] for _ in range(bins)]
    successes = [0] * bins
    for p, succeeded in zip(p_success, is_success, strict=True):
        index = bin_of(p, bins)
        scores[index].append(p)
        successes[index] += bool(succeeded)
    return [
        ReliabilityBin(
            low=k / bins,
            high=(k + 1) / bins,
            n=len(scores[k]),
            mean_p=math.fsum(scores[k]) / len(scores[k]),
            success_rate=successes[k] / len(scores[k]),
        )
        for k in range(bins)
        if scores[k]
    ]


def expected_calibration_error(p_success: Sequence[float], is_success: Sequence[bool], bins: int = BINS) -> float:
    """Return the mean gap between stated and actual success rate over equal-width bins, in [0, 1]; 0 is best.

    Bins are weighted by their number of scores (Naeini et al. 2015, AAAI; Guo et al. 2017, ICML). With few scores the
    estimate is biased upwards, so compare it only between detectors scored on the same traces.

    >>> round(expected_calibration_error([0.0, 1.0, 0.8, 0.8], [False, True, True, False]), 3)
    0.15
    """
    found = reliability_bins(p_success, is_success, bins)
    return math.fsum(b.n * abs(b.mean_p - b.success_rate) for b in found) / len(p_success)


def brier_score(p_success: Sequence[float], is_success: Sequence[bool]) -> float:
    """Return the mean squared distance between p(success) and what happened, in [0, 1]; 0 is best (Brier 1950).

    >>> round(brier_score([0.9, 0.2], [True, False]), 3)
    0.025
    """
    check_probabilities(p_success, is_success)
    return math.fsum((p - bool(won)) ** 2 for p, won in zip(p_success, is_success, strict=True)) / len(p_success)


def extremes_share(p_success: Sequence[float]) -> float:
    """Return the share of scores below 0.05 or above 0.95, in [0, 1]: how often a detector claims to be almost sure.

    >>> extremes_share([0.0, 0.05, 0.5, 0.99])
    0.5
    """
    check_probabilities(p_success, [False] * len(p_success))
    return sum(p < EXTREME_LOW or p > EXTREME_HIGH for p in p_success) / len(p_success)
