"""How far a measured number can be trusted: bootstrap, Wilson and paired intervals, all at 95 %.

A reader must not miss: two detectors scored on the same traces are compared by the interval of their *difference*.
Overlapping intervals alone do not show that they are equal, and no winner is named from them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.samples import check_probabilities

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 1000
SEED = 0
# The 97.5 % point of the standard normal distribution.
Z_95 = 1.959963984540054
_TAILS = (2.5, 97.5)
# Draws held in memory at once. Chunks change the speed only: the stream of random numbers stays the same.
_DRAWS_AT_ONCE = 1_000_000


class Estimate(Struct, frozen=True, kw_only=True):
    """A measured value with its 95 % interval ``[ci_low, ci_high]``."""

    value: float
    ci_low: float
    ci_high: float

    def overlaps(self, other: Estimate) -> bool:
        """Say whether the two intervals share a point."""
        return self.ci_low <= other.ci_high and other.ci_low <= self.ci_high


def bootstrap_auroc(
    p_success: Sequence[float], is_failure: Sequence[bool], *, resamples: int = RESAMPLES, seed: int = SEED
) -> Estimate | None:
    """Return AUROC with its percentile bootstrap interval, all in [0, 1]; ``None`` when one class is absent.

    Stratified: each resample draws as many failures and as many successes as there are, with replacement, the
    failures before the successes, from ``numpy.random.default_rng(seed)``. The bounds are the 2.5th and 97.5th
    percentiles with linear interpolation (Efron and Tibshirani 1993, chapter 13). The order of rows matters for
    the draws, so equal input gives an equal interval on every platform.

    >>> bootstrap_auroc([0.1, 0.2, 0.8, 0.9], [True, True, False, False])
    Estimate(value=1.0, ci_low=1.0, ci_high=1.0)
    """
    sample = _Sample.of(p_success, is_failure)
    if sample is None:
        return None
    shares: list[float] = []
    for failures, successes in _draws(sample.n_failure, sample.n_success, resamples, seed):
        shares.extend(sample.shares(failures, successes).tolist())
    return Estimate(value=sample.share(), ci_low=percentile(shares, _TAILS[0]), ci_high=percentile(shares, _TAILS[1]))


def bootstrap_auroc_difference(
    p_first: Sequence[float],
    p_second: Sequence[float],
    is_failure: Sequence[bool],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate | None:
    """Return AUROC of the first minus AUROC of the second detector on the same traces, in [-1, 1], with its interval.

    Both are recomputed on the same resamples, so what makes a trace hard for both cancels out. ``None`` when one
    class is absent. An interval that holds 0 does not separate the two.

    >>> same = [0.1, 0.7, 0.8, 0.9]
    >>> bootstrap_auroc_difference(same, same, [True, True, False, False])
    Estimate(value=0.0, ci_low=0.0, ci_high=0.0)
    """
    first, second = _Sample.of(p_first, is_failure), _Sample.of(p_second, is_failure)
    if first is None or second is None:
        return None
    gaps: list[float] = []
    for failures, successes in _draws(first.n_failure, first.n_success, resamples, seed):
        gaps.extend((first.shares(failures, successes) - second.shares(failures, successes)).tolist())
    return Estimate(
        value=first.share() - second.share(), ci_low=percentile(gaps, _TAILS[0]), ci_high=percentile(gaps, _TAILS[1])
    )


def wilson(count: int, n: int) -> Estimate | None:
    """Return the proportion ``count / n`` with its Wilson score interval, in [0, 1]; ``None`` when ``n`` is 0.

    Unlike the textbook interval it stays inside [0, 1] and is not empty at 0 of n (Wilson 1927; Brown, Cai and
    DasGupta 2001, Statistical Science 16:101-133).

    >>> e = wilson(0, 72)
    >>> e.value, e.ci_low, round(e.ci_high, 4)
    (0.0, 0.0, 0.0507)
    """
    if not 0 <= count <= n:
        raise InputError(f"{count} of {n} is no proportion", slug="scores")
    if n == 0:
        return None
    share = count / n
    spread = Z_95 * math.sqrt(share * (1 - share) / n + Z_95 * Z_95 / (4 * n * n))
    centre, scale = share + Z_95 * Z_95 / (2 * n), 1 + Z_95 * Z_95 / n
    # At the ends the bound is exact; rounding must not push the proportion out of its own interval.
    low = 0.0 if count == 0 else (centre - spread) / scale
    high = 1.0 if count == n else (centre + spread) / scale
    return Estimate(value=share, ci_low=low, ci_high=high)


def independent_difference(count_first: int, n_first: int, count_second: int, n_second: int) -> Estimate | None:
    """Return the first proportion minus the second, of two separate samples, in [-1, 1], with its interval.

    Newcombe's square-and-add interval from the two Wilson intervals (Newcombe 1998, Statistics in Medicine 17:873-890,
    method 10). ``None`` when a sample is empty.

    >>> e = independent_difference(56, 70, 48, 80)
    >>> round(e.value, 4), round(e.ci_low, 4), round(e.ci_high, 4)
    (0.2, 0.0524, 0.3339)
    """
    first, second = wilson(count_first, n_first), wilson(count_second, n_second)
    if first is None or second is None:
        return None
    gap = first.value - second.value
    return Estimate(
        value=gap,
        ci_low=gap - math.hypot(first.value - first.ci_low, second.ci_high - second.value),
        ci_high=gap + math.hypot(first.ci_high - first.value, second.value - second.ci_low),
    )


def paired_difference(first: Sequence[bool], second: Sequence[bool]) -> Estimate | None:
    """Return how much more often ``first`` holds than ``second`` on the same traces, in [-1, 1], with its interval.

    Newcombe's square-and-add interval for paired proportions with the continuity-corrected correlation (Newcombe
    1998, Statistics in Medicine 17:2635-2650, method 10). ``None`` without traces.

    >>> e = paired_difference([True] * 7 + [False] * 3, [True] * 4 + [False] * 6)
    >>> round(e.value, 3), round(e.ci_low, 3), round(e.ci_high, 3)
    (0.3, -0.047, 0.551)
    """
    if len(first) != len(second):
        raise InputError(f"{len(first)} and {len(second)} outcomes cannot be paired", slug="scores")
    n = len(first)
    both = sum(bool(a and b) for a, b in zip(first, second, strict=True))
    n_first, n_second = sum(map(bool, first)), sum(map(bool, second))
    one, other = wilson(n_first, n), wilson(n_second, n)
    if one is None or other is None:
        return None
    phi = _correlation(both, n_first, n_second, n)
    gap = (n_first - n_second) / n

    def reach(a: float, b: float) -> float:
        return math.sqrt(max(0.0, a * a - 2 * phi * a * b + b * b))

    return Estimate(
        value=gap,
        ci_low=max(-1.0, gap - reach(one.value - one.ci_low, other.ci_high - other.value)),
        ci_high=min(1.0, gap + reach(other.value - other.ci_low, one.ci_high - one.value)),
    )


def _correlation(both: int, n_first: int, n_second: int, n: int) -> float:
    spread = n_first * (n - n_first) * n_second * (n - n_second)
    if spread == 0:
        return 0.0
    only_first, only_second = n_first - both, n_second - both
    cross = both * (n - both - only_first - only_second) - only_first * only_second
    corrected = max(cross - n / 2, 0.0) if cross > 0 else float(cross)
    return corrected / math.sqrt(spread)


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the value below which ``percent`` (0 to 100) of ``values`` lie, linear between neighbours.

    >>> percentile([1.0, 2.0, 4.0], 75)
    3.0
    """
    if not values:
        raise InputError("a percentile of no values does not exist", slug="scores")
    ordered = sorted(values)
    position = (len(ordered) - 1) * percent / 100
    index = math.floor(position)
    if index + 1 >= len(ordered):
        return ordered[-1]
    return ordered[index] + (ordered[index + 1] - ordered[index]) * (position - index)


def _draws(
    n_failure: int, n_success: int, resamples: int, seed: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    import numpy as np

    if resamples < 1:
        raise InputError(f"at least one resample is needed, got {resamples}", slug="scores")
    rng = np.random.default_rng(seed)
    at_once = max(1, _DRAWS_AT_ONCE // (n_failure + n_success))
    for start in range(0, resamples, at_once):
        rows = min(at_once, resamples - start)
        failures = np.empty((rows, n_failure), dtype=np.int64)
        successes = np.empty((rows, n_success), dtype=np.int64)
        for row in range(rows):
            failures[row] = rng.integers(0, n_failure, n_failure)
            successes[row] = rng.integers(0, n_success, n_success)
        yield failures, successes


class _Sample:
    """Scores of both classes as places in one shared order, so that a resample is counted and not sorted."""

    def __init__(self, failures: NDArray[np.int64], successes: NDArray[np.int64], places: int) -> None:
        self._failures, self._successes, self._places = failures, successes, places
        self.n_failure, self.n_success = len(failures), len(successes)

    @classmethod
    def of(cls, p_success: Sequence[float], is_failure: Sequence[bool]) -> _Sample | None:
        import numpy as np

        check_probabilities(p_success, is_failure)
        failed = np.asarray([bool(value) for value in is_failure])
        if failed.all() or not failed.any():
            return None
        scores = 1.0 - np.asarray(p_success, dtype=np.float64)
        levels, places = np.unique(scores, return_inverse=True)
        places = places.reshape(-1).astype(np.int64)
        return cls(places[failed], places[~failed], len(levels))

    def shares(self, failures: NDArray[np.int64], successes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return AUROC of each row of drawn indices. Whole numbers throughout, so it is exact before the division."""
        won = self._count(self._failures[failures])
        lost = self._count(self._successes[successes])
        below = lost.cumsum(axis=1) - lost
        doubled = (won * (2 * below + lost)).sum(axis=1)
        shares: NDArray[np.float64] = doubled / (2 * self.n_failure * self.n_success)
        return shares

    def share(self) -> float:
        import numpy as np

        every: Any = self.shares(np.arange(self.n_failure)[None, :], np.arange(self.n_success)[None, :])
        return float(every[0])

    def _count(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        import numpy as np

        rows = len(places)
        offsets = np.arange(rows, dtype=np.int64)[:, None] * self._places
        counts = np.bincount((places + offsets).ravel(), minlength=rows * self._places)
        return counts.reshape(rows, self._places).astype(np.int64)
