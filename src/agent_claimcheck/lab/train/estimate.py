"""Held-out scores: what each way of scoring gives to runs it was not fitted on.

A reader must not miss: everything the report says about quality comes from these scores. The files that are written are
then fitted on all runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from agent_claimcheck.detectors.classifier.blend import Blend
from agent_claimcheck.detectors.classifier.evidence_and_text import EvidenceAndText
from agent_claimcheck.detectors.classifier.linear import Logistic
from agent_claimcheck.detectors.classifier.table import EVIDENCE_TABLE, table_of
from agent_claimcheck.detectors.classifier.trees import Trees
from agent_claimcheck.lab.train.boosting import fit_trees, has_boosting, predict_log_odds
from agent_claimcheck.lab.train.folds import Folds
from agent_claimcheck.lab.train.labelled import Run
from agent_claimcheck.lab.train.logistic import C_GRID, fit_directed, fit_logistic, log_loss, predict, sigmoid
from agent_claimcheck.lab.train.wording import fit_text

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


ModelKind = Literal["line", "blend", "directed", "evidence_and_text"]
"""``line`` is a logistic regression, ``blend`` has trees beside it, ``evidence_and_text`` is a blend averaged with the text
model, ``directed`` weighs only what carries over."""
Fitted = Logistic | Blend | EvidenceAndText


def fit_ours(runs: Sequence[Run], c: float, kind: ModelKind) -> Fitted:
    """Fit a model of ``kind``; without scikit-learn a blend is its line alone, and the text model raises
    ``MissingExtraError``."""
    import numpy as np

    x, is_success = _evidence_of(runs), np.asarray([run.is_success for run in runs])
    if kind == "evidence_and_text":
        text = fit_text([run.terms for run in runs], is_success)
        line = fit_logistic(x, is_success, c)
        return EvidenceAndText(evidence=Blend(members=(line, fit_trees(x, is_success))), text=text)
    if kind == "directed":
        return fit_directed(x, is_success, c, table_of(EVIDENCE_TABLE).directions)
    line = fit_logistic(x, is_success, c)
    return Blend(members=(line, fit_trees(x, is_success))) if kind == "blend" and has_boosting() else line


def predict_ours(model: Fitted, runs: Sequence[Run]) -> NDArray[np.float64]:
    """Return p(success) of each run."""
    import numpy as np

    if not isinstance(model, EvidenceAndText):
        return sigmoid(_log_odds(model, _evidence_of(runs)))
    text = np.asarray([model.text.log_odds(run.terms) for run in runs])
    return sigmoid((_log_odds(model.evidence, _evidence_of(runs)) + text) / 2)


def held_out_ours(runs: Sequence[Run], folds: Folds, c: float, kind: ModelKind) -> NDArray[np.float64]:
    """Return p(success) of each run from a model of ``kind`` fitted on the other folds."""
    import numpy as np

    p = np.zeros(len(runs))
    for fit, held in folds.splits():
        model = fit_ours(chosen(runs, fit), c, kind)
        p[held] = predict_ours(model, chosen(runs, held))
    return p


def chosen(runs: Sequence[Run], mask: NDArray[np.bool_]) -> list[Run]:
    """Return the runs for which ``mask`` is true."""
    return [run for run, is_chosen in zip(runs, mask.tolist(), strict=True) if is_chosen]


def _evidence_of(runs: Sequence[Run]) -> NDArray[np.float64]:
    import numpy as np

    return np.asarray([run.evidence for run in runs])


def _log_odds(model: Logistic | Trees | Blend, x: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    if isinstance(model, Trees):
        return predict_log_odds(model, x)
    if isinstance(model, Blend):
        mean: NDArray[np.float64] = np.mean([_log_odds(member, x) for member in model.members], axis=0)
        return mean
    z: NDArray[np.float64] = (x - np.asarray(model.means)) / np.asarray(model.scales) @ np.asarray(model.coef)
    return z + model.intercept
