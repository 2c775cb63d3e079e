"""Scores labelled traces with every detector that costs nothing, as the records of a run.

A reader must not miss: what fits anything sees the train split only. Every detector gets a case file of its own, so that
its time is the time it would take alone. Beside the detectors as they ship stand the documented classifier and our own
features, both fitted to the train split of the data at hand, and the documented cascade of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.detectors.baselines import AnyError, TrustAgent
from agent_claimcheck.detectors.classifier.artifact import encode_artifact, parse_classifier
from agent_claimcheck.detectors.classifier.detector import ClassifierDetector
from agent_claimcheck.detectors.classifier.shape import shape_values
from agent_claimcheck.detectors.classifier.table import evidence_features
from agent_claimcheck.detectors.contract import Detector, DetectorOutput
from agent_claimcheck.detectors.ensembles import CONCLUSIVE, calibrated
from agent_claimcheck.detectors.rules.detector import RulesDetector
from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.lab.bench.fitting import (
    Fits,
    TrainRow,
    compare_with_shipped,
    cut,
    fit_all,
    fit_calibrators,
    has_enough,
    predict_documented,
)
from agent_claimcheck.lab.bench.records import DEFAULT_BASE_RATE, Prediction, Timing
from agent_claimcheck.lab.bench.rows import CASCADE_DOCUMENTED, CLASSIFIER, LODO_PREFIX, OUT_OF_FOLD, REFIT, RULES
from agent_claimcheck.lab.bench.subjects import Subject, Subjects
from agent_claimcheck.lab.labels import NO_CLAIM, WHAT_CHECK_SAYS
from agent_claimcheck.pipeline.learned import build_cascade_offline, build_classifier, calibration_for
from agent_claimcheck.scoring.artifact import Calibration
from agent_claimcheck.scoring.platt import PlattScaling
from agent_claimcheck.trace.view import label_free

Clock = Callable[[], float]


class OfflineRun(Struct, frozen=True, kw_only=True):
    """All scores of a run, and what was fitted for them. ``notes`` is for people."""

    predictions: list[Prediction]
    timings: list[Timing]
    calibrators: dict[str, PlattScaling]
    base_rate: float
    fits: Fits | None
    notes: list[str]


def score_offline(
    subjects: Subjects, case: CaseSettings, *, clock: Clock, fitted_on: str, is_packaged: bool
) -> OfflineRun:
    """Score every subject with every offline detector.

    ``clock`` is in seconds; CPU time of the thread is what a detector takes on an idle machine. With ``is_packaged`` the
    refitted classifier is compared with the shipped one. Without enough labels in the train split nothing is fitted,
    which ``notes`` says.
    """
    train = subjects.of_split("train")
    rows = [_train_row(subject, case) for subject in train]
    fits = fit_all(rows, fitted_on) if has_enough(rows) else None
    notes = _notes(subjects, fits, is_packaged=is_packaged)
    shipped = build_classifier()
    detectors: list[Detector] = [
        TrustAgent(),
        AnyError(),
        RulesDetector(),
        _Calibrated(shipped, calibration_for(shipped.classifier)),
        build_cascade_offline(),
    ]
    if fits is not None:
        detectors += [
            _Named(CLASSIFIER, ClassifierDetector(parse_classifier(encode_artifact(fits.lr)))),
            _Named(REFIT, ClassifierDetector(parse_classifier(encode_artifact(fits.ours)), is_own=True)),
        ]
    scored = {detector.name: list(_score(detector, subjects.kept, case, clock)) for detector in detectors}
    calibrators = _calibrators(scored, fits, train)
    predictions = [
        _prediction(name, subject, output, calibrators.get(name))
        for name, answers in scored.items()
        for subject, output, _ in answers
    ]
    if fits is not None:
        predictions += _documented_cascade(predictions)
        predictions += _refitted(fits, subjects, case)
    timings = [
        Timing(detector=name, trace_id=subject.trace.trace_id, latency_ms=round(ms, 4))
        for name, answers in scored.items()
        for subject, _, ms in answers
    ]
    return OfflineRun(
        predictions=predictions,
        timings=timings + _cascade_timings(predictions, timings),
        calibrators=calibrators,
        base_rate=fits.lr.base_rate if fits is not None else DEFAULT_BASE_RATE,
        fits=fits,
        notes=notes,
    )


class _Named:
    """A detector under the name of its row in the tables."""

    def __init__(self, name: str, detector: Detector) -> None:
        self.name = name
        self._detector = detector

    def detect(self, evidence: Evidence) -> DetectorOutput:
        return self._detector.detect(evidence)


class _Calibrated:
    """A detector with the calibrators that ship for it."""

    def __init__(self, detector: Detector, calibration: Calibration) -> None:
        self.name = detector.name
        self._detector = detector
        self._calibration = calibration

    def detect(self, evidence: Evidence) -> DetectorOutput:
        return calibrated(self._detector.detect(evidence), self._calibration)


def _documented_cascade(predictions: Sequence[Prediction]) -> list[Prediction]:
    """Return the rows of the documented combination: conclusive rules, else the refitted documented classifier."""
    learned = {row.trace_id: row for row in predictions if row.detector == CLASSIFIER}
    return [
        replace(
            rules if not rules.abstain and rules.p_raw in CONCLUSIVE else learned[rules.trace_id],
            detector=CASCADE_DOCUMENTED,
            rule_outcome=None,
        )
        for rules in predictions
        if rules.detector == RULES
    ]


def _cascade_timings(predictions: Sequence[Prediction], timings: Sequence[Timing]) -> list[Timing]:
    """Return what the documented cascade takes: the rules, and the classifier where it is asked."""
    taken = {(timing.detector, timing.trace_id): timing.latency_ms for timing in timings}
    found = []
    for rules in predictions:
        if rules.detector == RULES and (CLASSIFIER, rules.trace_id) in taken:
            is_asked = rules.abstain or rules.p_raw not in CONCLUSIVE
            ms = taken[RULES, rules.trace_id] + (taken[CLASSIFIER, rules.trace_id] if is_asked else 0.0)
            found.append(Timing(detector=CASCADE_DOCUMENTED, trace_id=rules.trace_id, latency_ms=round(ms, 4)))
    return found


def _notes(subjects: Subjects, fits: Fits | None, *, is_packaged: bool) -> list[str]:
    notes = [f"{count} traces left out: {reason}" for reason, count in sorted(subjects.skipped.items())]
    if NO_CLAIM in subjects.skipped:
        notes.append(WHAT_CHECK_SAYS)
    if fits is None:
        notes.append("too few labels in the train split, so no classifier was fitted")
    elif is_packaged:
        notes.append(compare_with_shipped(fits.lr))
    return notes


def _train_row(subject: Subject, case: CaseSettings) -> TrainRow:
    evidence = Evidence(label_free(subject.trace), case)
    return TrainRow(
        task=subject.trace.task.id or subject.trace.trace_id,
        domain=subject.domain,
        is_success=subject.is_success,
        shape=shape_values(evidence),
        ours=evidence_features(evidence),
    )


def _score(
    detector: Detector, subjects: Sequence[Subject], case: CaseSettings, clock: Clock
) -> Iterator[tuple[Subject, DetectorOutput, float]]:
    for subject in subjects:
        started = clock()
        output = detector.detect(Evidence(label_free(subject.trace), case))
        yield subject, output, (clock() - started) * 1000


def _calibrators(
    scored: dict[str, list[tuple[Subject, DetectorOutput, float]]], fits: Fits | None, train: Sequence[Subject]
) -> dict[str, PlattScaling]:
    rules = [
        None if output.abstain else output.p_success for subject, output, _ in scored[RULES] if subject.split == "train"
    ]
    raw: dict[str, Sequence[float | None]] = {RULES: rules}
    if fits is not None:
        raw.update({CLASSIFIER: fits.lr_oof, REFIT: fits.ours_oof})
    return fit_calibrators(raw, [subject.is_success for subject in train])


def _prediction(name: str, subject: Subject, output: DetectorOutput, scaling: PlattScaling | None) -> Prediction:
    raw = cut(output.p_success)
    if output.abstain:
        p_cal = None
    elif scaling is not None:
        p_cal = cut(scaling.apply(raw))
    else:
        p_cal = None if output.p_calibrated is None else cut(output.p_calibrated)
    outcome = output.details.get("outcome") if name == RULES else None
    return _row(
        name,
        subject,
        raw,
        p_cal,
        abstain_reason=output.abstain_reason if output.abstain else None,
        rule_outcome=outcome if isinstance(outcome, str) else None,
    )


def _refitted(fits: Fits, subjects: Subjects, case: CaseSettings) -> Iterator[Prediction]:
    """Yield the rows of copies that did not see what they score: other folds, and other domains."""
    train = subjects.of_split("train")
    for name, scores in ((CLASSIFIER, fits.lr_oof), (REFIT, fits.ours_oof)):
        for subject, p in zip(train, scores, strict=True):
            yield _row(f"{name}{OUT_OF_FOLD}", subject, p, None)
    for domain, file in fits.lodo.items():
        tested = [subject for subject in subjects.of_split("test") if subject.domain == domain]
        shapes = [shape_values(Evidence(label_free(subject.trace), case)) for subject in tested]
        for subject, p in zip(tested, predict_documented(file, shapes), strict=True):
            yield _row(f"{LODO_PREFIX}{domain}", subject, p, None)


def _row(
    name: str,
    subject: Subject,
    p_raw: float,
    p_cal: float | None,
    *,
    abstain_reason: str | None = None,
    rule_outcome: str | None = None,
) -> Prediction:
    return Prediction(
        detector=name,
        trace_id=subject.trace.trace_id,
        split=subject.split,
        domain=subject.domain,
        outcome="success" if subject.is_success else "failure",
        injection=subject.injection,
        evidence=subject.evidence,
        variant=subject.variant,
        p_raw=p_raw,
        p_cal=p_cal,
        abstain=abstain_reason is not None,
        abstain_reason=abstain_reason,
        rule_outcome=rule_outcome,
    )
