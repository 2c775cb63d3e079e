"""The figures of a training report, all from held-out scores: how well runs are told apart, and what is missed.

A reader must not miss: "new tasks" holds out whole tasks, "known workflows" holds out runs of tasks that were trained on.
The second is what a team sees on its own workflows, the first what it sees on new ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.detectors.classifier.evidence_and_text import EvidenceAndText
from agent_claimcheck.lab.train.boosting import has_boosting
from agent_claimcheck.lab.train.estimate import chosen, fit_ours, held_out, held_out_ours, predict_ours
from agent_claimcheck.lab.train.fit import Trained
from agent_claimcheck.lab.train.folds import FOLDS, Folds, stratified_folds
from agent_claimcheck.lab.train.labelled import Run
from agent_claimcheck.lab.train.logistic import fit_logistic, predict
from agent_claimcheck.lab.train.plan import TrainPlan
from agent_claimcheck.scoring.decisions import Decisions, count_decisions
from agent_claimcheck.scoring.gate import Thresholds, decide
from agent_claimcheck.scoring.intervals import Estimate, bootstrap_auroc
from agent_claimcheck.scoring.probability import (
    ReliabilityBin,
    brier_score,
    expected_calibration_error,
    reliability_bins,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SHARES = (0.25, 0.5, 0.75, 1.0)
_MOST_SUSPECTS = 20
_SURE = 0.9
_LENGTH_C = 1.0
EVIDENCE_ALONE = "evidence alone"


class Scored(Struct, frozen=True, kw_only=True):
    """One way of scoring: its AUROC with interval, calibration, and what the gate makes of it."""

    name: str
    auroc: Estimate | None
    brier: float
    ece: float
    decisions: Decisions
    bins: tuple[ReliabilityBin, ...] = ()


class CurvePoint(Struct, frozen=True, kw_only=True):
    """AUROC on held-out tasks when only a share of the other tasks is trained on."""

    runs: int
    auroc: float


class Suspect(Struct, frozen=True, kw_only=True):
    """A run whose label its held-out score contradicts."""

    trace_id: str
    label: str
    p: float


class Quality(Struct, frozen=True, kw_only=True):
    """Everything the report shows."""

    rows: tuple[Scored, ...]
    known: Scored | None
    curve: tuple[CurvePoint, ...]
    suspects: tuple[Suspect, ...]


def measure(trained: Trained, plan: TrainPlan) -> Quality:
    """Measure held-out quality, baselines, a learning curve and labels that look wrong."""
    import numpy as np

    runs, folds = trained.runs, trained.folds
    y = np.asarray([run.is_success for run in runs])
    c = float(trained.ours.training.held_out["c"])
    rows = [
        _scored("cascade-offline", trained.ensemble_scores(), runs),
        _scored("classifier", trained.p_ours, runs),
        _scored("classifier-lr", trained.p_lr, runs),
        *_members(trained, c),
        *_baselines(runs, y, folds),
    ]
    return Quality(
        rows=tuple(rows),
        known=_known_workflows(y, runs, c, plan),
        curve=tuple(_learning_curve(y, runs, folds, c, plan)),
        suspects=tuple(_suspects(trained)),
    )


def _members(trained: Trained, c: float) -> list[Scored]:
    """Score runs by the evidence alone where the classifier averages it with wording: that is what the text must beat."""
    if not isinstance(trained.ours.model, EvidenceAndText):
        return []
    return [_scored(EVIDENCE_ALONE, held_out_ours(trained.runs, trained.folds, c, "blend").tolist(), trained.runs)]


def _scored(name: str, p: Sequence[float], runs: Sequence[Run]) -> Scored:
    succeeded = [run.is_success for run in runs]
    failed = [not won for won in succeeded]
    held = [min(1.0, max(0.0, value)) for value in p]
    return Scored(
        name=name,
        auroc=bootstrap_auroc(held, failed),
        brier=brier_score(held, succeeded),
        ece=expected_calibration_error(held, succeeded),
        decisions=count_decisions([decide(value, False, Thresholds()).verdict for value in held], failed),
        bins=tuple(reliability_bins(held, succeeded)),
    )


def _baselines(runs: Sequence[Run], y: NDArray[np.bool_], folds: Folds) -> list[Scored]:
    """Score runs by what must be beaten: the length of the closing message, and the words that were said."""
    import numpy as np

    length = np.log1p(np.asarray([[float(run.length)] for run in runs]))
    found = [
        _scored(
            "length only",
            held_out(length, y, folds, lambda a, won, b: predict(fit_logistic(a, won, _LENGTH_C), b)).tolist(),
            runs,
        )
    ]
    if has_boosting():
        found.append(_scored("words only", _words_only(runs, y, folds), runs))
    return found


def _words_only(runs: Sequence[Run], y: NDArray[np.bool_], folds: Folds) -> list[float]:
    from agent_claimcheck.lab.train.wording import fit_text
    from agent_claimcheck.scoring.odds import probability

    p = [0.0] * len(runs)
    for fit, held in folds.splits():
        model = fit_text([run.terms for run, keep in zip(runs, fit, strict=True) if keep], y[fit])
        for index in held.nonzero()[0].tolist():
            p[index] = probability(model.log_odds(runs[index].terms))
    return p


def _known_workflows(y: NDArray[np.bool_], runs: Sequence[Run], c: float, plan: TrainPlan) -> Scored | None:
    """Score with runs of the same task on both sides; ``None`` when every run has a task of its own."""
    if len({run.task for run in runs}) == len(runs):
        return None
    try:
        mixed = Folds(of_run=stratified_folds(y.tolist(), FOLDS, plan.seed), n=FOLDS, is_by_task=False)
    except InputError:
        return None
    return _scored("classifier, known workflows", held_out_ours(runs, mixed, c, plan.model).tolist(), runs)


def _learning_curve(
    y: NDArray[np.bool_], runs: Sequence[Run], folds: Folds, c: float, plan: TrainPlan
) -> list[CurvePoint]:
    """Train on growing shares of each fold's runs, in a fixed shuffled order."""
    import numpy as np

    from agent_claimcheck.scoring.ranking import auroc

    order = np.random.RandomState(plan.seed).permutation(len(y))
    found = []
    for share in _SHARES:
        p = np.full(len(y), np.nan)
        sizes = []
        for fit, held in folds.splits():
            kept = [k for k in order.tolist() if fit[k]]
            kept = kept[: max(2, int(share * len(kept)))]
            if y[kept].all() or not y[kept].any():
                continue
            sizes.append(len(kept))
            model = fit_ours([runs[k] for k in kept], c, plan.model)
            p[held] = predict_ours(model, chosen(runs, held))
        known = ~np.isnan(p)
        value = auroc(p[known].tolist(), (~y[known]).tolist()) if known.any() else None
        if value is not None and sizes:
            found.append(CurvePoint(runs=round(sum(sizes) / len(sizes)), auroc=value))
    return found


def _suspects(trained: Trained) -> list[Suspect]:
    """Return the labels that held-out scores contradict most (Northcutt, Jiang and Chuang 2021, JAIR 70)."""
    odd = [(p if not run.is_success else 1 - p, run, p) for run, p in zip(trained.runs, trained.p_ours, strict=True)]
    return [
        Suspect(trace_id=run.trace_id, label="success" if run.is_success else "failure", p=p)
        for doubt, run, p in sorted(odd, key=lambda row: (-row[0], row[1].trace_id))[:_MOST_SUSPECTS]
        if doubt >= _SURE
    ]
