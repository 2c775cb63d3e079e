"""What training promises of the default ensemble: thresholds with a bounded error, or prediction sets.

A reader must not miss: a promise is made on held-out scores, calibrated as a check calibrates them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent_claimcheck.core.errors import InputError, UsageError
from agent_claimcheck.detectors.classifier.artifact import FEWEST_CONFIRMED
from agent_claimcheck.detectors.ensembles import CONFIRMED, combine
from agent_claimcheck.lab.train.labelled import Run
from agent_claimcheck.lab.train.plan import OUR_KEY, TrainPlan
from agent_claimcheck.scoring.artifact import Calibrator, Promise
from agent_claimcheck.scoring.conformal import fit_conformal
from agent_claimcheck.scoring.risk_control import PromisedCut, Side, promise_threshold

ENSEMBLE = "cascade-offline"
"""The detector that promised thresholds are for: what `check` runs by default."""


def promise_of(
    plan: TrainPlan,
    runs: Sequence[Run],
    p_ours: Sequence[float],
    calibrators: Mapping[str, Calibrator],
    notes: list[str],
) -> Promise | None:
    """Return what ``plan`` asks to be promised; ``None`` when it asks for nothing. A side of the gate that stays closed is noted.

    Raises ``UsageError`` when not one of the promises can be made.
    """
    if plan.bound is None and plan.alpha is None:
        return None
    p = ensemble_scores(runs, p_ours, calibrators)
    if plan.bound is None:
        return _sets(p, runs, plan.alpha or 0.0)
    refused: list[InputError] = []
    cuts: dict[Side, PromisedCut | None] = {}
    sides: tuple[Side, Side] = ("verified", "false_success")
    for side in sides:
        try:
            cuts[side] = promise_threshold(
                p,
                [run.is_success for run in runs],
                side=side,
                bound=plan.bound,
                confidence=plan.confidence,
                tasks=[run.task for run in runs],
            )
        except InputError as error:
            cuts[side] = None
            refused.append(error)
            notes.append(f"no promise for {side}, so that side of the gate is closed: {error}")
    if len(refused) == len(sides):
        # Without this, a check would run with ordinary thresholds that its user believes to be promised.
        raise _unpromised("--bound", refused[0])
    return Promise(detector=ENSEMBLE, verified=cuts["verified"], false_success=cuts["false_success"])


def _sets(p: Sequence[float], runs: Sequence[Run], alpha: float) -> Promise:
    try:
        return Promise(detector=ENSEMBLE, conformal=fit_conformal(p, [run.is_success for run in runs], alpha))
    except InputError as error:
        raise _unpromised("--sets", error) from None


def _unpromised(flag: str, why: InputError) -> UsageError:
    hint = f"{why.hint}, or leave {flag} out: then nothing is promised" if why.hint else f"leave {flag} out"
    hint += ", and the report names the labels that look wrong"
    return UsageError(f"nothing can be promised: {why.message}", hint=hint, slug="no_promise")


def ensemble_scores(runs: Sequence[Run], p_ours: Sequence[float], calibrators: Mapping[str, Calibrator]) -> list[float]:
    """Return the default ensemble's held-out probability of each run, ``calibrators`` applied as a check applies them.

    ``p_ours`` are the classifier's held-out probabilities, one a run.
    """

    def apply(key: str, p: float) -> float:
        entry = calibrators.get(key)
        return p if entry is None or entry.keep_raw else entry.scaling().apply(p)

    base_rate = sum(run.is_success for run in runs) / len(runs)
    knows_confirmed = count_confirmed(runs) >= FEWEST_CONFIRMED
    return [
        apply("rules", run.rules)
        if run.rules == CONFIRMED and not knows_confirmed
        else combine(run.rules, None if run.rules is None else apply("rules", run.rules), apply(OUR_KEY, p), base_rate)
        for run, p in zip(runs, p_ours, strict=True)
    ]


def count_confirmed(runs: Sequence[Run]) -> int:
    """Return how many runs the rules call confirmed."""
    return sum(run.rules == CONFIRMED for run in runs)
