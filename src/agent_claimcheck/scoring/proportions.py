"""Success rates and means with intervals, and whether two rates differ.

A reader must not miss: an interval says how far the number could be off by chance alone. It says nothing of how the
runs were chosen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.intervals import Z_95, Estimate, wilson

Z = 1.96


class Comparison(Struct, frozen=True):
    """Two rates set against each other. ``z`` is ``None`` when nothing can be said; ``is_real`` at ``|z| >= 1.96``."""

    difference: float
    z: float | None
    is_real: bool


class MeanEstimate(Estimate, frozen=True, kw_only=True):
    """A mean with its 95 % interval, and whose interval it is."""

    interval: Literal["student", "wilson"]


def rate_with_interval(successes: int, n: int) -> Estimate:
    """Return ``successes / n`` with its 95 % Wilson interval, all in [0, 1]; all zero when ``n`` is 0.

    Raises ``InputError`` unless ``0 <= successes <= n``.

    >>> e = rate_with_interval(41, 50)
    >>> round(e.value, 2), round(e.ci_low, 3), round(e.ci_high, 3)
    (0.82, 0.692, 0.902)
    """
    _expect_counts(successes, n)
    return wilson(successes, n) or Estimate(value=0.0, ci_low=0.0, ci_high=0.0)


def compare_rates(successes: int, n: int, other_successes: int, other_n: int) -> Comparison:
    """Compare two independent rates by the two-proportion z test with pooled variance.

    Raises ``InputError`` for impossible counts.

    >>> compare_rates(90, 100, 70, 100).is_real, compare_rates(0, 0, 1, 2).z
    (True, None)
    """
    _expect_counts(successes, n)
    _expect_counts(other_successes, other_n)
    if n == 0 or other_n == 0:
        return Comparison(0.0, None, False)
    first, second = successes / n, other_successes / other_n
    pooled = (successes + other_successes) / (n + other_n)
    variance = pooled * (1 - pooled) * (1 / n + 1 / other_n)
    if variance == 0:
        return Comparison(first - second, None, False)
    z = (first - second) / math.sqrt(variance)
    return Comparison(first - second, z, abs(z) >= Z)


def mean_with_interval(values: Sequence[float]) -> MeanEstimate | None:
    """Return the mean of values in [0, 1] with Student's 95 % interval, cut to [0, 1]; ``None`` without values.

    One value, or values that are all the same, give Wilson's interval at that share, because a spread of 0 would promise
    certainty. The quantile of Student's t is Hill's expansion (Abramowitz and Stegun 1965, 26.7.5).

    >>> e = mean_with_interval([0.5, 0.7, 0.9, 0.7])
    >>> round(e.value, 2), round(e.ci_low, 2), round(e.ci_high, 2)
    (0.7, 0.44, 0.96)
    >>> even = mean_with_interval([1.0, 1.0])
    >>> even.interval, abs(even.ci_low - rate_with_interval(2, 2).ci_low) < 1e-12
    ('wilson', True)
    """
    n = len(values)
    if n == 0:
        return None
    mean = sum(values) / n
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / (n - 1)) if n > 1 else 0.0
    if spread == 0:
        z = Z_95  # that of ``wilson``, so that equal scores and the share that passed have one interval
        centre = (mean + z * z / (2 * n)) / (1 + z * z / n)
        reach = z * math.sqrt(mean * (1 - mean) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    else:
        centre, reach = mean, _student(n - 1) * spread / math.sqrt(n)
    return MeanEstimate(
        value=mean,
        ci_low=max(0.0, min(mean, centre - reach)),
        ci_high=min(1.0, max(mean, centre + reach)),
        interval="student" if spread else "wilson",
    )


def percent_text(estimate: Estimate, n: int) -> str:
    """Return a rate as people read it.

    >>> percent_text(rate_with_interval(41, 50), 50)
    '82% (95% CI 69%–90%, n=50)'
    """
    return f"{estimate.value:.0%} (95% CI {estimate.ci_low:.0%}–{estimate.ci_high:.0%}, n={n})"


def _student(freedom: int) -> float:
    if freedom <= 2:
        return {1: 12.706, 2: 4.303}[freedom]
    z = Z
    first = (z**3 + z) / (4 * freedom)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    return z + first + second + third


def _expect_counts(successes: int, n: int) -> None:
    if n < 0 or not 0 <= successes <= n:
        raise InputError(
            f"{successes} successes out of {n} runs are impossible", hint="0 <= SUCCESSES <= N", slug="counts"
        )
