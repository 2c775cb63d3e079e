"""Fits calibrators to held-out scores, and says when one makes things worse.

A reader must not miss: a calibrator that raises the held-out Brier score or calibration error, that cannot be measured
on held-out runs, or under which a verdict can no longer be reached, is written with the reason and not applied, unless the
caller wants it anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.lab.train.folds import Folds
from agent_claimcheck.scoring.artifact import Calibrator, HeldOut, calibrator_of
from agent_claimcheck.scoring.gate import Thresholds
from agent_claimcheck.scoring.isotonic import IsotonicScaling, fit_isotonic
from agent_claimcheck.scoring.platt import PlattScaling, fit_platt
from agent_claimcheck.scoring.probability import brier_score, expected_calibration_error

Method = Literal["platt", "isotonic"]
_LARGER_BRIER, _LARGER_ECE = 0.002, 0.02
"""Smaller rises are within what folds and bins make of chance."""


class RawScores(Struct, frozen=True):
    """What one detector gave for labelled runs: raw p(success) in [0, 1], the label and the fold of each run, in one order."""

    p: Sequence[float]
    is_success: Sequence[bool]
    folds: Folds


def raw_scores(p: Sequence[float | None], is_success: Sequence[bool], folds: Folds) -> RawScores:
    """Return the scores of the runs for which the detector did not abstain (``None``)."""
    kept = [index for index, score in enumerate(p) if score is not None]
    return RawScores(
        [float(p[index] or 0.0) for index in kept],
        [is_success[index] for index in kept],
        Folds(of_run=tuple(folds.of_run[index] for index in kept), n=folds.n, is_by_task=folds.is_by_task),
    )


def fit_calibrator(
    detector: str,
    scores: RawScores,
    *,
    fitted_on: str,
    method: Method = "platt",
    artifact: str = "",
    is_forced: bool = False,
) -> Calibrator:
    """Fit one calibrator to held-out scores of ``detector``; ``artifact`` is the fingerprint of the file that gave them.

    Raises ``InputError`` when the scores are all the same or an outcome is absent.
    """
    scaling = _fit(method, scores.p, scores.is_success)
    measured = _measure(method, scores)
    reason = "" if is_forced else _reason(scaling, scores.p, measured)
    return calibrator_of(
        scaling, detector=detector, fitted_on=fitted_on, artifact=artifact, keep_raw=reason, held_out=measured
    )


def _fit(method: Method, p_raw: Sequence[float], is_success: Sequence[bool]) -> PlattScaling | IsotonicScaling:
    return fit_isotonic(p_raw, is_success) if method == "isotonic" else fit_platt(p_raw, is_success)


def _measure(method: Method, scores: RawScores) -> HeldOut | None:
    """Score the calibrator on folds it was not fitted on; ``None`` when a fold cannot be fitted."""
    p_raw, is_success, folds = scores.p, scores.is_success, scores.folds
    calibrated = [0.0] * len(p_raw)
    for fold in range(folds.n):
        fit = [index for index, place in enumerate(folds.of_run) if place != fold]
        try:
            scaling = _fit(method, [p_raw[i] for i in fit], [is_success[i] for i in fit])
        except InputError:
            return None
        for index, place in enumerate(folds.of_run):
            if place == fold:
                calibrated[index] = scaling.apply(p_raw[index])
    return HeldOut(
        brier_raw=brier_score(p_raw, is_success),
        brier=brier_score(calibrated, is_success),
        ece_raw=expected_calibration_error(p_raw, is_success),
        ece=expected_calibration_error(calibrated, is_success),
    )


def _reason(scaling: PlattScaling | IsotonicScaling, p_raw: Sequence[float], measured: HeldOut | None) -> str:
    cuts = Thresholds()
    reached = [scaling.apply(p) for p in p_raw]
    if max(p_raw) >= cuts.verified > max(reached):
        return "calibrated scores never reach verified"
    if min(p_raw) <= cuts.false_success < min(reached):
        return "calibrated scores never reach false_success"
    if measured is None:
        return "too few or too equal runs to measure it on held-out ones"
    if measured.brier > measured.brier_raw + _LARGER_BRIER:
        return f"held-out Brier score rises from {measured.brier_raw:.3f} to {measured.brier:.3f}"
    if measured.ece > measured.ece_raw + _LARGER_ECE:
        return f"held-out calibration error rises from {measured.ece_raw:.3f} to {measured.ece:.3f}"
    return ""
