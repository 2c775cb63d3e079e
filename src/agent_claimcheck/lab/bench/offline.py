"""Scores labelled traces with every detector that costs nothing, as the records of a run.

A reader must not miss: what fits anything sees the train split only. Every detector gets a case file of its own, so that
its time is the time it would take alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from agent_claimcheck.detectors.baselines import AnyError, TrustAgent
from agent_claimcheck.detectors.classifier.artifact import encode_artifact, parse_classifier
from agent_claimcheck.detectors.classifier.detector import ClassifierDetector
from agent_claimcheck.detectors.classifier.shape import shape_values
from agent_claimcheck.detectors.classifier.table import evidence_features
from agent_claimcheck.detectors.contract import Detector, DetectorOutput
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
from agent_claimcheck.lab.bench.rows import CLASSIFIER, LODO_PREFIX, OUR_CLASSIFIER, OUT_OF_FOLD, RULES
from agent_claimcheck.lab.bench.subjects import Subject, Subjects
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

    ``clock`` is monotonic, in seconds. With ``is_packaged`` the refitted classifier is compared with the shipped one.
    Without enough labels in the train split there is no classifier, which ``notes`` says.
    """
    train = subjects.of_split("train")
    rows = [_train_row(subject, case) for subject in train]
    fits = fit_all(rows, fitted_on) if has_enough(rows) else None
    notes = _notes(subjects, fits, is_packaged=is_packaged)
    detectors: list[Detector] = [TrustAgent(), AnyError(), RulesDetector()]
    if fits is not None:
        detectors += [
            _Named(CLASSIFIER, ClassifierDetector(parse_classifier(encode_artifact(fits.lr)))),
            _Named(OUR_CLASSIFIER, ClassifierDetector(parse_classifier(encode_artifact(fits.ours)), is_own=True)),
        ]
    scored = {detector.name: list(_score(detector, subjects.kept, case, clock)) for detector in detectors}
    calibrators = _calibrators(scored, fits, train)
    predictions = [
        _prediction(name, subject, output, calibrators.get(name))
        for name, answers in scored.items()
        for subject, output, _ in answers
    ]
    if fits is not None:
        predictions += _refitted(fits, subjects, case)
    return OfflineRun(
        predictions=predictions,
        timings=[
            Timing(detector=name, trace_id=subject.trace.trace_id, latency_ms=round(ms, 4))
            for name, answers in scored.items()
            for subject, _, ms in answers
        ],
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


def _notes(subjects: Subjects, fits: Fits | None, *, is_packaged: bool) -> list[str]:
    notes = [f"{count} traces left out: {reason}" for reason, count in sorted(subjects.skipped.items())]
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
        raw.update({CLASSIFIER: fits.lr_oof, OUR_CLASSIFIER: fits.ours_oof})
    return fit_calibrators(raw, [subject.is_success for subject in train])


def _prediction(
    name: str, subject: Subject, output: DetectorOutput, scaling: PlattScaling | None
) -> Prediction:
    raw = cut(output.p_success)
    outcome = output.details.get("outcome") if name == RULES else None
    return _row(
        name,
        subject,
        raw,
        None if scaling is None or output.abstain else cut(scaling.apply(raw)),
        abstain_reason=output.abstain_reason if output.abstain else None,
        rule_outcome=outcome if isinstance(outcome, str) else None,
    )


def _refitted(fits: Fits, subjects: Subjects, case: CaseSettings) -> Iterator[Prediction]:
    """Yield the rows of copies that did not see what they score: other folds, and other domains."""
    train = subjects.of_split("train")
    for name, scores in ((CLASSIFIER, fits.lr_oof), (OUR_CLASSIFIER, fits.ours_oof)):
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
