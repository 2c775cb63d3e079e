"""``fit``: from labelled runs to classifier files, calibrators, promised thresholds and the figures of the report.

A reader must not miss: quality is measured on held-out tasks; the files are then fitted on all runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from agent_claimcheck.core.canonical import sha256_hex
from agent_claimcheck.core.errors import InputError, UsageError
from agent_claimcheck.detectors.classifier.artifact import (
    ClassifierFile,
    DocumentedLr,
    TrainingFacts,
    encode_artifact,
)
from agent_claimcheck.detectors.classifier.linear import Logistic
from agent_claimcheck.detectors.classifier.table import EVIDENCE_TABLE, SHAPE_TABLE, table_of
from agent_claimcheck.lab.train.boosting import has_boosting
from agent_claimcheck.lab.train.calibrators import fit_calibrator, raw_scores
from agent_claimcheck.lab.train.estimate import (
    OUR_GRID,
    Choice,
    choose_penalty,
    fit_ours,
    held_out,
    held_out_ours,
)
from agent_claimcheck.lab.train.folds import FOLDS, Folds, folds_by_task
from agent_claimcheck.lab.train.labelled import Labelled, Run, missing_labels
from agent_claimcheck.lab.train.likeness import fit_likeness
from agent_claimcheck.lab.train.logistic import fit_logistic, predict
from agent_claimcheck.lab.train.plan import LR_KEY, OUR_KEY, TrainPlan
from agent_claimcheck.lab.train.promise import count_confirmed, ensemble_scores, promise_of
from agent_claimcheck.lab.train.wording import fit_text
from agent_claimcheck.scoring.artifact import CalibrationFile, Calibrator

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_TOOLS = 5_000
_RUNS_OF_A_TOOL, _SHARE_OF_A_TOOL, _LEAST_RUNS_OF_A_TOOL = 10, 0.02, 3
"""Of a tool that one labelled run called, a score knows that run and no habit, however few runs were labelled."""


class Trained(Struct, frozen=True, kw_only=True):
    """Everything that was fitted. ``p_lr`` and ``p_ours`` are held-out probabilities, one a run, in run order."""

    runs: tuple[Run, ...]
    folds: Folds
    lr: DocumentedLr
    ours: ClassifierFile
    text: ClassifierFile | None
    calibration: CalibrationFile
    p_lr: tuple[float, ...]
    p_ours: tuple[float, ...]
    notes: tuple[str, ...]

    def ensemble_scores(self) -> list[float]:
        """Return the default ensemble's held-out probability of each run, calibrators applied as a check applies them."""
        return ensemble_scores(self.runs, self.p_ours, self.calibration.calibrators)


def fit(labelled: Labelled, plan: TrainPlan, scores: Mapping[str, Sequence[float | None]] | None = None) -> Trained:
    """Fit everything ``plan`` asks for.

    ``scores`` holds raw p(success) of further detectors, one a run, ``None`` where one abstains. Raises ``UsageError``
    below five labelled runs of either outcome, and when not one of the promises that ``plan`` asks for can be made.
    """
    import numpy as np

    runs = labelled.runs
    missing = missing_labels(labelled.labels)
    if missing:
        raise UsageError(
            f"too few labelled runs that claim success: {missing} needed",
            hint="label more with `agent-claimcheck serve`; failures are often under All, accused already",
            slug="labels",
        )
    y = np.asarray(labelled.labels)
    folds = folds_by_task(labelled.labels, labelled.tasks, FOLDS, plan.seed)
    notes = [] if folds.is_by_task else ["fewer tasks than folds: runs of one task stand on both sides of a fold"]
    shape = np.asarray([run.shape for run in runs])
    evidence = np.asarray([run.evidence for run in runs])
    lr_choice = choose_penalty(shape, y, folds)
    our_choice = choose_penalty(evidence, y, folds, OUR_GRID)
    p_lr = held_out(shape, y, folds, lambda a, won, b: predict(fit_logistic(a, won, lr_choice.c), b))
    p_ours = held_out_ours(runs, folds, our_choice.c, plan.model)
    lr = _documented(shape, y, lr_choice, runs, plan.seed)
    ours = _ours(evidence, our_choice, folds, runs, plan, p_ours)
    if plan.model == "blend" and not has_boosting():
        notes.append("without scikit-learn the classifier is a logistic regression alone")
    given = _scores_given(plan, runs, p_lr.tolist(), p_ours.tolist())
    calibrators = _calibrators({**given, **(scores or {})}, plan, labelled.labels, folds, ours, notes)
    return Trained(
        runs=runs,
        folds=folds,
        lr=lr,
        ours=ours,
        text=_text(runs, y, plan) if plan.with_text else None,
        calibration=CalibrationFile(
            fitted_on=plan.fitted_on,
            base_rate=sum(labelled.labels) / len(runs),
            calibrators=calibrators,
            promise=promise_of(plan, runs, p_ours.tolist(), calibrators, notes),
        ),
        p_lr=tuple(p_lr.tolist()),
        p_ours=tuple(p_ours.tolist()),
        notes=tuple(notes),
    )


def _documented(
    shape: NDArray[np.float64], y: NDArray[np.bool_], choice: Choice, runs: Sequence[Run], seed: int
) -> DocumentedLr:
    model = _fit_as_documented(shape, y, choice.c)
    return DocumentedLr(
        format="claimcheck-lr/v1",
        features=table_of(SHAPE_TABLE).names,
        means=model.means,
        scales=model.scales,
        coef=model.coef,
        intercept=model.intercept,
        training_domains=tuple(sorted({run.domain for run in runs})),
        base_rate=float(y.mean()),
        C=choice.c,
        cv={"grid": list(choice.grid), "logloss": list(choice.losses)},
        n_train=len(runs),
        seed=seed,
    )


def _fit_as_documented(x: NDArray[np.float64], y: NDArray[np.bool_], c: float) -> Logistic:
    """Fit with the documented solver where scikit-learn is installed, with Newton's method otherwise.

    The documented solver stops up to 2e-6 short of the optimum, which Newton's method reaches.
    """
    import numpy as np

    exact = fit_logistic(x, y, c)
    if not has_boosting():
        return exact
    from sklearn.linear_model import LogisticRegression

    z = (x - np.asarray(exact.means)) / np.asarray(exact.scales)
    fitted = LogisticRegression(C=c, solver="lbfgs", tol=1e-10, max_iter=10_000).fit(z, y)
    return Logistic(
        means=exact.means,
        scales=exact.scales,
        coef=tuple(fitted.coef_[0].tolist()),
        intercept=float(fitted.intercept_[0]),
    )


def _ours(
    x: NDArray[np.float64],
    choice: Choice,
    folds: Folds,
    runs: Sequence[Run],
    plan: TrainPlan,
    p: NDArray[np.float64],
) -> ClassifierFile:
    from agent_claimcheck.scoring.ranking import auroc

    won = [run.is_success for run in runs]
    return ClassifierFile(
        format="claimcheck-classifier/v1",
        table=EVIDENCE_TABLE,
        features=table_of(EVIDENCE_TABLE).names,
        model=fit_ours(runs, choice.c, plan.model),
        base_rate=sum(won) / len(won),
        training=_facts(
            runs, plan, {"auroc": auroc(p.tolist(), [not value for value in won]), "folds": folds.n, "c": choice.c}
        ),
        likeness=fit_likeness(x, folds),
        # What a directed model weighs carries over to other tools; packs say where it decides.
        tools=None if plan.model == "directed" else _tools(runs),
    )


def _text(runs: Sequence[Run], y: NDArray[np.bool_], plan: TrainPlan) -> ClassifierFile:
    return ClassifierFile(
        format="claimcheck-classifier/v1",
        table=EVIDENCE_TABLE,
        features=(),
        model=fit_text([run.terms for run in runs], y),
        base_rate=float(y.mean()),
        training=_facts(runs, plan, {}),
        tools=_tools(runs),
    )


def _tools(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the names of the tools that enough runs called: ten, or one in fifty where that is less, and three at least."""
    counts = Counter(name for run in runs for name in set(run.called) if name)
    enough = min(_RUNS_OF_A_TOOL, max(_LEAST_RUNS_OF_A_TOOL, len(runs) * _SHARE_OF_A_TOOL))
    return tuple(sorted(name for name, n in counts.most_common(_MOST_TOOLS) if n >= enough))


def _facts(runs: Sequence[Run], plan: TrainPlan, measured: dict[str, Any]) -> TrainingFacts:
    return TrainingFacts(
        n=len(runs),
        n_success=sum(run.is_success for run in runs),
        n_confirmed=count_confirmed(runs),
        tasks=len({run.task for run in runs}),
        fitted_on=plan.fitted_on,
        seed=plan.seed,
        held_out=measured,
    )


def _scores_given(
    plan: TrainPlan, runs: Sequence[Run], p_lr: Sequence[float], p_ours: Sequence[float]
) -> dict[str, Sequence[float | None]]:
    """Return the scores of the detectors that training itself asks, one a run, by detector."""
    given: dict[str, Sequence[float | None]] = {LR_KEY: p_lr, OUR_KEY: p_ours}
    if "rules" in plan.calibrate:
        given["rules"] = [run.rules for run in runs]
    return given


def _calibrators(
    scores: Mapping[str, Sequence[float | None]],
    plan: TrainPlan,
    labels: Sequence[bool],
    folds: Folds,
    ours: ClassifierFile,
    notes: list[str],
) -> dict[str, Calibrator]:
    """Fit one calibrator to the scores of each detector; what cannot be fitted, or is not applied, is noted."""
    fingerprint = sha256_hex(encode_artifact(ours))
    entries: dict[str, Calibrator] = {}
    for detector, given in scores.items():
        try:
            entries[detector] = fit_calibrator(
                detector,
                raw_scores(given, labels, folds),
                fitted_on=plan.fitted_on,
                method=plan.method,
                artifact=fingerprint if detector == OUR_KEY else "",
                is_forced=plan.is_forced,
            )
        except InputError as error:
            notes.append(f"no calibrator for {detector}: {error.message}")
            continue
        if entries[detector].keep_raw:
            notes.append(f"calibrator {detector}: raw scores are kept, {entries[detector].keep_raw}")
    return entries
