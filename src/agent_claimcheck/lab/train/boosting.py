"""Gradient-boosted trees: fitted by scikit-learn's HistGradientBoosting, exported to plain lists.

A reader must not miss: the exported trees give scikit-learn's own numbers; a test holds them together. Inner nodes carry
the value the tree would give there, which is what contributions are read from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from agent_claimcheck.core.errors import MissingExtraError
from agent_claimcheck.core.install import install_hint
from agent_claimcheck.detectors.classifier.trees import LEAF, Tree, Trees

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class TreePlan(Struct, frozen=True):
    """How trees are grown: few, small and held back, because labelled runs are few."""

    trees: int = 60
    leaves: int = 6
    least_in_leaf: int = 10
    rate: float = 0.08
    l2: float = 5.0


def has_boosting() -> bool:
    """True when scikit-learn is installed."""
    from importlib.util import find_spec

    return find_spec("sklearn") is not None


PLAN = TreePlan()


def fit_trees(x: NDArray[np.float64], is_success: NDArray[np.bool_], plan: TreePlan = PLAN, seed: int = 0) -> Trees:
    """Fit trees to the rows of ``x``. Raises ``MissingExtraError`` without scikit-learn."""
    if not has_boosting():
        raise MissingExtraError("trees need scikit-learn", hint=install_hint("train"))
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        # More threads than one only wait for each other on a few hundred rows.
        fitted = HistGradientBoostingClassifier(
            max_iter=plan.trees,
            learning_rate=plan.rate,
            max_leaf_nodes=plan.leaves,
            min_samples_leaf=plan.least_in_leaf,
            l2_regularization=plan.l2,
            early_stopping=False,
            random_state=seed,
        ).fit(x, is_success)
    return _export_trees(fitted)


def _export_trees(fitted: Any) -> Trees:
    """Return a fitted binary ``HistGradientBoostingClassifier`` as lists; columns must hold numbers only."""
    trees = tuple(_export(predictors[0].nodes) for predictors in fitted._predictors)
    return Trees(baseline=float(fitted._baseline_prediction.ravel()[0]), trees=trees)


def _export(nodes: Any) -> Tree:
    is_leaf = nodes["is_leaf"].astype(bool)
    return Tree(
        feature=tuple(LEAF if leaf else int(k) for leaf, k in zip(is_leaf, nodes["feature_idx"], strict=True)),
        threshold=tuple(0.0 if leaf else float(t) for leaf, t in zip(is_leaf, nodes["num_threshold"], strict=True)),
        left=tuple(0 if leaf else int(k) for leaf, k in zip(is_leaf, nodes["left"], strict=True)),
        right=tuple(0 if leaf else int(k) for leaf, k in zip(is_leaf, nodes["right"], strict=True)),
        value=tuple(float(value) for value in nodes["value"]),
    )


def predict_log_odds(model: Trees, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log-odds of each row."""
    import numpy as np

    return np.asarray([model.log_odds(row) for row in x.tolist()])
