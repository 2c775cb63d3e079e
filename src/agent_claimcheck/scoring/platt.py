"""Platt scaling: turn a raw score into an honest probability with two fitted numbers.

A reader must not miss: it never changes the order of scores while ``a`` is positive, and it is never applied to an
abstention, whose number means nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.odds import probability
from agent_claimcheck.scoring.samples import check_probabilities

CLIP = 1e-6
_MAX_STEPS = 200
_TOLERANCE = 1e-12
_WEIGHT_FLOOR = 1e-12
# A step may be halved this often before it is taken as it is: 2**-40 of a step no longer moves the fit.
_MAX_HALVINGS = 40
# A loss that rises by less than this is rounding, not a step too far.
_LOSS_NOISE = 1e-9


class PlattScaling(Struct, frozen=True, kw_only=True, tag_field="method", tag="platt"):
    """``p' = sigmoid(a * logit(clip(p)) + b)``, with how many scores and successes it was fitted on.

    ``a`` and ``b`` are finite and ``clip`` lies between 0 and 0.5, both left out; anything else raises ``InputError``.
    """

    a: float
    b: float
    clip: float = CLIP
    n: int = 0
    n_pos: int = 0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.a) and math.isfinite(self.b) and 0 < self.clip < 0.5):
            raise InputError(f"a={self.a!r}, b={self.b!r}, clip={self.clip!r} is no Platt scaling", slug="calibration")

    def apply(self, p: float) -> float:
        """Return the calibrated probability of a raw ``p`` in [0, 1].

        >>> PlattScaling(a=1.0, b=0.0).apply(0.25)
        0.25
        """
        return probability(self.a * _logit(p, self.clip) + self.b)


def fit_platt(p_raw: Sequence[float], is_success: Sequence[bool], *, clip: float = CLIP) -> PlattScaling:
    """Fit ``a`` and ``b`` to raw scores in [0, 1] and whether each run succeeded.

    Newton's method from (0, 0) on the cross-entropy, with Platt's smoothed targets ``(n_pos + 1) / (n_pos + 2)`` and
    ``1 / (n_neg + 2)``, which keep the fit finite on separable scores (Platt 1999; Lin, Lin and Weng 2007, Machine
    Learning 68:267-276). A step that would raise the loss is halved. Raises ``InputError`` when fewer than two scores
    differ (clipped, to 9 decimals) or one outcome is absent: then there is nothing to fit.

    >>> fit = fit_platt([0.1, 0.2, 0.8, 0.9], [False, False, True, True])
    >>> round(fit.a, 3), round(fit.apply(0.9), 3)
    (0.59, 0.785)
    """
    check_probabilities(p_raw, is_success)
    if len({round(min(max(p, clip), 1.0 - clip), 9) for p in p_raw}) < 2:
        raise InputError("all scores are the same, so no calibrator can be fitted", slug="calibration")
    n_pos = sum(map(bool, is_success))
    n_neg = len(is_success) - n_pos
    if not n_pos or not n_neg:
        raise InputError("a calibrator needs runs of both outcomes", slug="calibration")
    x = [_logit(p, clip) for p in p_raw]
    high, low = (n_pos + 1) / (n_pos + 2), 1 / (n_neg + 2)
    targets = [high if won else low for won in is_success]
    a = b = 0.0
    loss = _loss(x, targets, a, b)
    for _ in range(_MAX_STEPS):
        step_a, step_b = _newton_step(x, targets, a, b)
        for _ in range(_MAX_HALVINGS):
            reached = _loss(x, targets, a + step_a, b + step_b)
            if reached <= loss + _LOSS_NOISE:
                break
            step_a, step_b = step_a / 2, step_b / 2
        a, b, loss = a + step_a, b + step_b, _loss(x, targets, a + step_a, b + step_b)
        if abs(step_a) < _TOLERANCE and abs(step_b) < _TOLERANCE:
            break
    return PlattScaling(a=a, b=b, clip=clip, n=len(x), n_pos=n_pos)


def _newton_step(x: Sequence[float], targets: Sequence[float], a: float, b: float) -> tuple[float, float]:
    p = [probability(a * value + b) for value in x]
    gaps = [target - q for target, q in zip(targets, p, strict=True)]
    weights = [max(q * (1 - q), _WEIGHT_FLOOR) for q in p]
    slope_a = math.fsum(gap * value for gap, value in zip(gaps, x, strict=True))
    slope_b = math.fsum(gaps)
    h_aa = math.fsum(weight * value * value for weight, value in zip(weights, x, strict=True))
    h_ab = math.fsum(weight * value for weight, value in zip(weights, x, strict=True))
    h_bb = math.fsum(weights)
    determinant = h_aa * h_bb - h_ab * h_ab
    if determinant <= 0:
        return 0.0, 0.0
    return (h_bb * slope_a - h_ab * slope_b) / determinant, (h_aa * slope_b - h_ab * slope_a) / determinant


def _loss(x: Sequence[float], targets: Sequence[float], a: float, b: float) -> float:
    # log(1 + e^z) - t z, written so that neither tail overflows.
    return math.fsum(
        max(z, 0.0) + math.log1p(math.exp(-abs(z))) - target * z
        for z, target in zip((a * value + b for value in x), targets, strict=True)
    )


def _logit(p: float, clip: float) -> float:
    held = min(max(p, clip), 1.0 - clip)
    return math.log(held / (1.0 - held))
