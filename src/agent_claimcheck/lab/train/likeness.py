"""Fits the likeness measure: the ranges of the training runs, and how far outside them a run may lie.

A reader must not miss: the limit is read off runs of tasks that were held out of the fit, because training runs never
leave their own ranges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_claimcheck.detectors.classifier.likeness import Likeness
from agent_claimcheck.lab.train.folds import Folds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT = 0.99
"""Share of held-out runs of the same kind that must stay inside the limit."""
LEAST_LIMIT = 2.0
"""Of real runs by other agents and tools, nearly all lie further out than this; of the same benchmark made by another
generator nine in ten lie nearer."""
_FLAT_SPREAD = 0.5
"""Stands in for the spread of a feature that never varied."""


def fit_likeness(x: NDArray[np.float64], folds: Folds) -> Likeness:
    """Return the measure for the rows of ``x``, with its limit from held-out folds."""
    distances: list[float] = []
    for fit, held in folds.splits():
        part = _fit(x[fit], 0.0)
        distances += [part.distance(row) for row in x[held].tolist()]
    distances.sort()
    return _fit(x, max(LEAST_LIMIT, distances[min(len(distances) - 1, int(KEPT * len(distances)))]))


def _fit(x: NDArray[np.float64], limit: float) -> Likeness:
    import numpy as np

    spreads = x.std(axis=0)
    return Likeness(
        low=tuple(x.min(axis=0).tolist()),
        high=tuple(x.max(axis=0).tolist()),
        spreads=tuple(np.where(spreads > 1e-9, spreads, _FLAT_SPREAD).tolist()),
        limit=limit,
    )
