"""Held-out scores: what each way of scoring gives to runs it was not fitted on.

A reader must not miss: everything the report says about quality comes from these scores. The files that are written are
then fitted on all runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from agent_claimcheck.detectors.classifier.blend import Blend
from agent_claimcheck.detectors.classifier.linear import Logistic
from agent_claimcheck.detectors.classifier.table import EVIDENCE_TABLE, table_of
from agent_claimcheck.detectors.classifier.trees import Trees
from agent_claimcheck.lab.train.boosting import fit_trees, has_boosting, predict_log_odds
from agent_claimcheck.lab.train.folds import Folds
from agent_claimcheck.lab.train.logistic import C_GRID, fit_directed, fit_logistic, log_loss, predict, sigmoid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OUR_GRID = (0.003, 0.01, 0.03, 0.1, 0.3, 1)
"""Penalties tried for our table, whose many related columns need a firm hand."""


class Choice(Struct, frozen=True, kw_only=True):
    """The penalty with the lowest mean log loss over the folds; ties go to the firmer one."""

    c: float
    grid: tuple[float, ...]
    losses: tuple[float, ...]


def choose_penalty(
    x: NDArray[np.float64], is_success: NDArray[np.bool_], folds: Folds, grid: Sequence[float] = C_GRID
) -> Choice:
    """Return the best ``c`` of ``grid`` by cross-validation; columns are standardised inside each fold."""
    losses = []
    for c in grid:
        parts = [
            log_loss(predict(fit_logistic(x[fit], is_success[fit], c), x[held]), is_success[held])
            for fit, held in folds.splits()
        ]
        losses.append(sum(parts) / len(parts))
    best = min(range(len(grid)), key=lambda k: (losses[k], grid[k]))
    return Choice(c=grid[best], grid=tuple(grid), losses=tuple(losses))


def held_out(
    x: Any,
    is_success: NDArray[np.bool_],
    folds: Folds,
    fit_and_predict: Callable[[Any, NDArray[np.bool_], Any], NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Return p(success) of each run from a model fitted on the other folds."""
    import numpy as np

    p = np.zeros(len(is_success))
    for fit, held in folds.splits():
        p[held] = fit_and_predict(x[fit], is_success[fit], x[held])
    return p


ModelKind = Literal["line", "blend", "directed"]
"""``line`` is a logistic regression, ``blend`` has trees beside it, ``directed`` weighs only what carries over."""


def fit_ours(x: NDArray[np.float64], is_success: NDArray[np.bool_], c: float, kind: ModelKind) -> Logistic | Blend:
    """Fit a model of ``kind``; without scikit-learn a blend is its line alone."""
    if kind == "directed":
        return fit_directed(x, is_success, c, table_of(EVIDENCE_TABLE).directions)
    line = fit_logistic(x, is_success, c)
    return Blend(members=(line, fit_trees(x, is_success))) if kind == "blend" and has_boosting() else line


def predict_model(model: Logistic | Trees | Blend, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return p(success) of each row under any model on feature rows."""
    return sigmoid(_log_odds(model, x))


def _log_odds(model: Logistic | Trees | Blend, x: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    if isinstance(model, Trees):
        return predict_log_odds(model, x)
    if isinstance(model, Blend):
        mean: NDArray[np.float64] = np.mean([_log_odds(member, x) for member in model.members], axis=0)
        return mean
    z: NDArray[np.float64] = (x - np.asarray(model.means)) / np.asarray(model.scales) @ np.asarray(model.coef)
    return z + model.intercept
