"""The leakage audit: how well a label can be told from text alone, from length alone, from any single feature.

A reader must not miss: the audit is two-sided. An AUROC of .2 gives the label away as surely as one of .8, so every
figure has to lie in the middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from msgspec import Struct

from agent_claimcheck.core.errors import MissingExtraError
from agent_claimcheck.core.install import install_hint
from agent_claimcheck.lab.dataset.features import FEATURES, measure
from agent_claimcheck.trace.model import Trace

LOW, HIGH = 0.35, 0.65
_FOLDS = 5
# One division into folds of 120 runs moves the figure by several points; the mean of a few does not.
_SHUFFLES = 5
_MANY = 1000


class Leak(Struct, frozen=True):
    """How well one thing alone tells failure from success: ``auroc`` from 0 to 1, .5 is not at all."""

    feature: str
    auroc: float

    @property
    def is_within(self) -> bool:
        """Whether the figure lies in the allowed middle."""
        return LOW <= self.auroc <= HIGH


def rank_auroc(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """Return the chance that a true label has the higher score, ties counting half; .5 without both labels.

    >>> rank_auroc([1.0, 2.0, 2.0], [False, True, False])
    0.75
    """
    order = sorted(range(len(scores)), key=lambda k: scores[k])
    n_true = sum(labels)
    n_false = len(labels) - n_true
    if not n_true or not n_false:
        return 0.5
    rank_sum, start = 0.0, 0
    while start < len(order):
        end = start
        while end < len(order) and scores[order[end]] == scores[order[start]]:
            end += 1
        mean_rank = (start + 1 + end) / 2
        rank_sum += mean_rank * sum(labels[order[k]] for k in range(start, end))
        start = end
    return (rank_sum - n_true * (n_true + 1) / 2) / (n_true * n_false)


def audit_features(traces: Sequence[Trace]) -> list[Leak]:
    """Return one figure for every single feature, over the traces with a known outcome. Positive means failure."""
    known, labels = _labelled(traces)
    rows = [measure(trace) for trace in known]
    return [Leak(name, rank_auroc([row[name] for row in rows], labels)) for name in FEATURES]


def audit_text(traces: Sequence[Trace]) -> list[Leak]:
    """Return how well the final message alone, and all messages together, tell failure from success.

    Words and word pairs, sublinear TF-IDF, logistic regression, out-of-fold scores of five stratified folds, the mean of
    five divisions into folds for less than 1,000 traces. Raises ``MissingExtraError`` without scikit-learn.
    """
    known, labels = _labelled(traces)
    final = [trace.final_claim.text or "" for trace in known]
    talk = ["\n".join(step.content or "" for step in trace.steps if step.kind == "message") for trace in known]
    return [
        Leak("text: final message", _text_auroc(final, labels)),
        Leak("text: all messages", _text_auroc(talk, labels)),
    ]


def audit_final_text(traces: Sequence[Trace]) -> Leak:
    """Return how well the final message alone tells failure from success, as ``audit_text`` does at twice the cost."""
    known, labels = _labelled(traces)
    return Leak("text: final message", _text_auroc([trace.final_claim.text or "" for trace in known], labels))


def count_smaller_label(traces: Sequence[Trace]) -> int:
    """Return how many traces have the rarer of the two labels."""
    _, labels = _labelled(traces)
    return min(sum(labels), len(labels) - sum(labels))


def has_text_audit() -> bool:
    """Say whether the library for ``audit_text`` is installed."""
    return find_spec("sklearn") is not None


def _labelled(traces: Sequence[Trace]) -> tuple[list[Trace], list[bool]]:
    known = [t for t in traces if t.ground_truth is not None and t.ground_truth.outcome in ("success", "failure")]
    return known, [t.ground_truth is not None and t.ground_truth.outcome == "failure" for t in known]


def _text_auroc(texts: list[str], labels: list[bool]) -> float:
    if min(sum(labels), len(labels) - sum(labels)) < _FOLDS:
        return 0.5
    if not has_text_audit():
        raise MissingExtraError("the text audit needs scikit-learn", hint=install_hint("train"))
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), LogisticRegression(solver="liblinear", random_state=0)
    )
    total, n_shuffles = 0.0, _SHUFFLES if len(labels) < _MANY else 1
    for shuffle in range(n_shuffles):
        folds = StratifiedKFold(n_splits=_FOLDS, shuffle=True, random_state=shuffle)
        try:
            scores = cross_val_predict(model, texts, labels, cv=folds, method="predict_proba")[:, 1]
        except ValueError:  # no words at all: nothing to tell labels by
            return 0.5
        total += rank_auroc([float(score) for score in scores], labels)
    return total / n_shuffles
