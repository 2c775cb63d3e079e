"""Isotonic calibration: the best non-decreasing step function from raw scores to probabilities.

A reader must not miss: it fits anything monotone and so needs many more labels than Platt scaling; with few it draws
steps from noise.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.samples import check_probabilities


class IsotonicScaling(Struct, frozen=True, kw_only=True):
    """Linear between the points ``(x[k], y[k])``, flat outside; ``x`` rises strictly, ``y`` never falls; all in [0, 1].

    ``n`` and ``n_pos`` say on how many scores and successes it was fitted.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    n: int = 0
    n_pos: int = 0

    def __post_init__(self) -> None:
        # Written so that NaN fails too.
        if not self.x or len(self.x) != len(self.y) or not all(0 <= value <= 1 for value in (*self.x, *self.y)):
            raise InputError("an isotonic calibrator needs points in [0, 1]", slug="calibration")
        steps = zip(zip(self.x, self.y, strict=True), zip(self.x[1:], self.y[1:], strict=True), strict=False)
        if any(not (one[0] < two[0] and one[1] <= two[1]) for one, two in steps):
            raise InputError("the points of an isotonic calibrator must rise", slug="calibration")

    def apply(self, p: float) -> float:
        """Return the calibrated probability of a raw ``p`` in [0, 1].

        >>> IsotonicScaling(x=(0.25, 0.75), y=(0.0, 1.0)).apply(0.5)
        0.5
        """
        place = bisect_right(self.x, p)
        if place == 0:
            return self.y[0]
        if place == len(self.x):
            return self.y[-1]
        left, right = self.x[place - 1], self.x[place]
        share = (p - left) / (right - left)
        return self.y[place - 1] + share * (self.y[place] - self.y[place - 1])


def fit_isotonic(p_raw: Sequence[float], is_success: Sequence[bool]) -> IsotonicScaling:
    """Fit to raw scores in [0, 1] and whether each run succeeded, by pooling adjacent violators.

    Equal scores are averaged first; between the fitted points the function is linear, as in scikit-learn (Ayer et al.
    1955; Zadrozny and Elkan 2002, KDD). O(n log n). Raises ``InputError`` when fewer than two scores differ (to 9
    decimals) or one outcome is absent.

    >>> fit = fit_isotonic([0.1, 0.4, 0.6, 0.9], [False, True, False, True])
    >>> fit.apply(0.5), fit.apply(0.95)
    (0.5, 1.0)
    """
    check_probabilities(p_raw, is_success)
    n_pos = sum(map(bool, is_success))
    if len({round(p, 9) for p in p_raw}) < 2:
        raise InputError("all scores are the same, so no calibrator can be fitted", slug="calibration")
    if not 0 < n_pos < len(p_raw):
        raise InputError("a calibrator needs runs of both outcomes", slug="calibration")
    blocks = _pool(sorted(zip(map(float, p_raw), map(bool, is_success), strict=True)))
    x: list[float] = []
    y: list[float] = []
    for first, last, mean in blocks:
        for edge in (first, last) if last > first else (first,):
            x.append(edge)
            y.append(mean)
    return IsotonicScaling(x=tuple(x), y=tuple(y), n=len(p_raw), n_pos=n_pos)


def _pool(rows: Sequence[tuple[float, bool]]) -> list[tuple[float, float, float]]:
    """Return blocks ``(first score, last score, mean)`` with rising means."""
    stack: list[list[float]] = []
    for score, is_won in rows:
        if stack and stack[-1][1] == score:
            stack[-1][2] += is_won
            stack[-1][3] += 1
        else:
            stack.append([score, score, float(is_won), 1.0])
    pooled: list[list[float]] = []
    for block in stack:
        pooled.append(block)
        while len(pooled) > 1 and pooled[-2][2] * pooled[-1][3] >= pooled[-1][2] * pooled[-2][3]:
            _, last, won, n = pooled.pop()
            pooled[-1][1] = last
            pooled[-1][2] += won
            pooled[-1][3] += n
    return [(first, last, won / n) for first, last, won, n in pooled]
