"""Fits the likeness measure: how far the training runs spread, and the distance that all but one in a hundred keep.

A reader must not miss: the limit is read off runs of tasks that were held out of the fit. Training runs lie too close to
their own mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_claimcheck.detectors.classifier.likeness import CLIP, Likeness
from agent_claimcheck.lab.train.folds import Folds
from agent_claimcheck.lab.train.logistic import standardise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIRECTIONS = 6
"""Main directions kept. More cost time at every check and told no more foreign runs apart."""
KEPT = 0.99
_LEAST_SPREAD = 1e-3


def fit_likeness(x: NDArray[np.float64], folds: Folds) -> Likeness:
    """Return the measure for the rows of ``x``, with its limit from held-out folds."""
    distances: list[float] = []
    for fit, held in folds.splits():
        part = _fit(x[fit], 1.0)
        distances += [part.distance(row) for row in x[held].tolist()]
    distances.sort()
    limit = distances[min(len(distances) - 1, int(KEPT * len(distances)))]
    return _fit(x, max(limit, 1e-9))


def _fit(x: NDArray[np.float64], limit: float) -> Likeness:
    import numpy as np

    means, scales = standardise(x)
    z = np.clip((x - means) / scales, -CLIP, CLIP)
    _, _, rows = np.linalg.svd(z - z.mean(axis=0), full_matrices=False)
    directions = rows[: min(DIRECTIONS, len(rows))]
    # The sign of a direction is arbitrary; fixed here so that equal data give equal files.
    signs = np.sign(directions[np.arange(len(directions)), np.abs(directions).argmax(axis=1)])
    directions = directions * np.where(signs == 0, 1.0, signs)[:, None]
    along = z @ directions.T
    left = np.maximum((z * z).sum(axis=1) - (along * along).sum(axis=1), 0.0)
    return Likeness(
        means=tuple(means.tolist()),
        scales=tuple(scales.tolist()),
        directions=tuple(tuple(row) for row in directions.tolist()),
        spreads=tuple(np.maximum(np.sqrt((along * along).mean(axis=0)), _LEAST_SPREAD).tolist()),
        rest=max(float(np.sqrt(left.mean())), _LEAST_SPREAD),
        limit=limit,
    )
