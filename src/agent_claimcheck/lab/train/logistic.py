"""Logistic regression by Newton's method, equal to scikit-learn's to six digits, with nothing but numpy.

A reader must not miss: ``c`` is the inverse of the penalty, as in scikit-learn: ``sum(coef**2) / 2 + c * sum(log loss)``,
the intercept is not penalised.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.detectors.classifier.linear import Logistic

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

C_GRID = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100)
"""The documented grid."""
_MAX_STEPS = 200
_TOLERANCE = 1e-11
_MAX_HALVINGS = 40


def standardise(x: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return mean and population standard deviation of each column; a constant column gets the deviation 1."""
    import numpy as np

    means, scales = x.mean(axis=0), x.std(axis=0)
    # Columns of one value come out as 1e-17 rather than 0, and would be blown up by it.
    is_flat = scales <= 1e-12 * np.maximum(1.0, np.abs(means))
    return means, np.where(is_flat, 1.0, scales)


def fit_logistic(x: NDArray[np.float64], is_success: NDArray[np.bool_], c: float) -> Logistic:
    """Standardise the columns of ``x`` and fit; rows are runs. Raises ``InputError`` when one outcome is absent."""
    means, scales = standardise(x)
    weights = _newton((x - means) / scales, is_success, c)
    return Logistic(
        means=tuple(means.tolist()),
        scales=tuple(scales.tolist()),
        coef=tuple(weights[:-1].tolist()),
        intercept=float(weights[-1]),
    )


def fit_directed(
    x: NDArray[np.float64], is_success: NDArray[np.bool_], c: float, directions: Sequence[int]
) -> Logistic:
    """Fit with every weight on its known side: features without a direction, and those that come out on the wrong side,
    get the weight 0.

    What a generator or one team's agents happen to do otherwise becomes weight: there, failed runs may read more and
    answer shorter. What is known beforehand carries over to other agents.
    """
    import numpy as np

    sign = np.asarray(directions)
    means, scales = standardise(x)
    z = (x - means) / scales
    kept = np.flatnonzero((sign != 0) & (x.std(axis=0) > 0))
    while True:
        weights = _newton(z[:, kept], is_success, c)
        sides = weights[:-1] * sign[kept]
        wrong = np.flatnonzero(sides < 0)
        if not len(wrong):
            break
        # One at a time: a feature may be on the wrong side only because of another one that is.
        kept = np.delete(kept, wrong[sides[wrong].argmin()])
    coef = np.zeros(x.shape[1])
    coef[kept] = weights[:-1]
    return Logistic(
        means=tuple(means.tolist()),
        scales=tuple(scales.tolist()),
        coef=tuple(coef.tolist()),
        intercept=float(weights[-1]),
    )


def predict(model: Logistic, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return p(success) of each row of ``x``."""
    import numpy as np

    z = (x - np.asarray(model.means)) / np.asarray(model.scales) @ np.asarray(model.coef) + model.intercept
    return sigmoid(z)


def sigmoid(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``1 / (1 + exp(-z))`` without overflow."""
    import numpy as np

    e = np.exp(-np.abs(z))
    found: NDArray[np.float64] = np.where(z >= 0, 1.0, e) / (1.0 + e)
    return found


def log_loss(p: NDArray[np.float64], is_success: NDArray[np.bool_]) -> float:
    """Return the mean cross-entropy; probabilities are held a hair away from 0 and 1."""
    import numpy as np

    held = np.clip(p, np.finfo(np.float64).eps, 1 - np.finfo(np.float64).eps)
    return float(-np.log(np.where(is_success, held, 1 - held)).mean())


def _newton(z: NDArray[np.float64], is_success: NDArray[np.bool_], c: float) -> NDArray[np.float64]:
    import numpy as np

    if is_success.all() or not is_success.any():
        raise InputError("a classifier needs runs of both outcomes", slug="train")
    rows = np.hstack([z, np.ones((len(z), 1))])
    penalty = np.ones(rows.shape[1])
    penalty[-1] = 0.0
    target = is_success.astype(np.float64)
    weights = np.zeros(rows.shape[1])
    loss = _objective(rows, target, weights, penalty, c)
    for _ in range(_MAX_STEPS):
        p = sigmoid(rows @ weights)
        slope = penalty * weights - c * (rows.T @ (target - p))
        bend = np.diag(penalty) + c * (rows.T * (p * (1 - p))) @ rows
        # The intercept is not penalised, so a perfect fit leaves its row nearly empty.
        bend[-1, -1] += 1e-12
        step = np.linalg.solve(bend, slope)
        for _ in range(_MAX_HALVINGS):
            reached = _objective(rows, target, weights - step, penalty, c)
            if reached <= loss + 1e-12 * abs(loss):
                break
            step = step / 2
        weights, loss = weights - step, _objective(rows, target, weights - step, penalty, c)
        if float(np.abs(step).max()) < _TOLERANCE:
            break
    return weights


def _objective(
    rows: NDArray[np.float64],
    target: NDArray[np.float64],
    weights: NDArray[np.float64],
    penalty: NDArray[np.float64],
    c: float,
) -> float:
    import numpy as np

    z = rows @ weights
    losses = np.maximum(z, 0.0) + np.log1p(np.exp(-np.abs(z))) - target * z
    return float(0.5 * (penalty * weights * weights).sum() + c * losses.sum())
