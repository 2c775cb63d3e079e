"""The text model's fit: a logistic regression over hashed terms, by scikit-learn, kept as the weights that are not zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agent_claimcheck.core.errors import MissingExtraError
from agent_claimcheck.core.install import install_hint
from agent_claimcheck.detectors.classifier.ngrams import BITS, TextModel
from agent_claimcheck.lab.train.boosting import has_boosting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TEXT_C = 3.0
"""Inverse penalty: term vectors have length 1, so weights must be large to say anything."""
_LEAST_WEIGHT = 1e-4


def need_text_fitting() -> None:
    """Raise ``MissingExtraError`` where the text model cannot be fitted."""
    if not has_boosting():
        raise MissingExtraError("the text model needs scikit-learn", hint=install_hint("train"))


def fit_text(rows: Sequence[dict[int, float]], is_success: NDArray[np.bool_], bits: int = BITS) -> TextModel:
    """Fit to the term values of each run. Raises ``MissingExtraError`` without scikit-learn."""
    need_text_fitting()
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        # More threads than one wait for each other fifty times as long as one works.
        fitted = LogisticRegression(C=TEXT_C, max_iter=1000).fit(_matrix(rows, bits), is_success)
    weights = {str(k): round(float(w), 6) for k, w in enumerate(fitted.coef_[0]) if abs(w) > _LEAST_WEIGHT}
    return TextModel(bits=bits, weights=weights, intercept=float(fitted.intercept_[0]))


def _matrix(rows: Sequence[dict[int, float]], bits: int) -> Any:
    from scipy.sparse import csr_matrix

    ends, slots, values = [0], [], []
    for row in rows:
        slots += list(row)
        values += list(row.values())
        ends.append(len(slots))
    return csr_matrix((values, slots, ends), shape=(len(rows), 1 << bits))
