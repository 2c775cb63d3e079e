"""Wiring of learned scores: which classifier file and which calibrators, from settings to detectors.

A reader must not miss: the shipped calibrators are for the shipped classifiers alone. Rules and judge keep their raw
scores unless a calibration file is named.
"""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from agent_claimcheck.core.resources import data_path
from agent_claimcheck.detectors.classifier.artifact import (
    CLASSIFIER_FILE,
    LR_FILE,
    Classifier,
    load_classifier,
    shipped_classifier,
)
from agent_claimcheck.detectors.classifier.detector import ClassifierDetector
from agent_claimcheck.detectors.contract import Detector
from agent_claimcheck.detectors.ensembles import Cascade, CascadeOffline, DocumentedCascade, Siblings
from agent_claimcheck.pipeline.learned_options import LearnedOptions
from agent_claimcheck.scoring.artifact import (
    CALIBRATION_FILE,
    Calibration,
    CalibrationFile,
    load_calibration,
)
from agent_claimcheck.scoring.gate import Thresholds


def _load_own_calibration(options: LearnedOptions) -> CalibrationFile | None:
    """Return the user's calibration file, ``None`` when none is named. Raises ``InputError`` for a faulty one."""
    return None if options.calibration is None else load_calibration(options.calibration)


def _shipped_calibration() -> CalibrationFile:
    """Return the calibrators that come with the package."""
    return load_calibration(data_path(f"models/{CALIBRATION_FILE}"))


def build_classifier(options: LearnedOptions | None = None) -> ClassifierDetector:
    """Return the classifier: the user's file, or the shipped one."""
    chosen = options or LearnedOptions()
    return ClassifierDetector(_load(chosen, CLASSIFIER_FILE), is_own=chosen.model is not None)


def build_classifier_lr(options: LearnedOptions | None = None) -> ClassifierDetector:
    """Return the documented classifier: the user's file, or the documented model fitted on the packaged benchmark."""
    chosen = options or LearnedOptions()
    return ClassifierDetector(_load(chosen, LR_FILE), is_own=chosen.model is not None)


def build_cascade_offline(options: LearnedOptions | None = None) -> CascadeOffline:
    """Return the default ensemble: rules, then the classifier where they leave it open."""
    classifier = build_classifier(options)
    calibration = calibration_for(classifier.classifier, options)
    return CascadeOffline(classifier, calibration=calibration, may_raise=classifier.is_own)


def build_cascade_documented(options: LearnedOptions | None = None) -> DocumentedCascade:
    """Return the documented combination of rules and classifier, with calibrators for both."""
    classifier = build_classifier_lr(options)
    return DocumentedCascade(classifier, calibration=calibration_for(classifier.classifier, options, of_rules=True))


def build_siblings(options: LearnedOptions | None = None) -> Siblings:
    """Return the ensemble that also asks the other runs of a task, in a grouped check."""
    return Siblings(build_cascade_offline(options))


def calibration_for(
    classifier: Classifier, options: LearnedOptions | None = None, *, of_rules: bool = False
) -> Calibration:
    """Return the calibrators for ``classifier``: the user's, or the shipped ones without those of other detectors.

    A classifier file of the user's own gets no shipped calibrator: it was not fitted for it.
    """
    chosen = options or LearnedOptions()
    own = _load_own_calibration(chosen)
    if own is not None:
        return Calibration(_without_classifiers(own, but=classifier.name), fingerprint=classifier.fingerprint)
    shipped = _shipped_calibration()
    wanted = {classifier.name} if chosen.model is None else set()
    if of_rules:
        wanted.add("rules")
    kept = {key: entry for key, entry in shipped.calibrators.items() if key in wanted}
    file = CalibrationFile(fitted_on=shipped.fitted_on, base_rate=shipped.base_rate, calibrators=kept)
    return Calibration(file, fingerprint=classifier.fingerprint, is_builtin=True)


def equip(detector: Detector, options: LearnedOptions) -> Calibration | None:
    """Return the calibrators for ``detector``, and give the judge's cascade its calibrators and its offline fallback."""
    if isinstance(detector, ClassifierDetector):
        return calibration_for(detector.classifier, options)
    if isinstance(detector, Siblings):
        return detector.offline.calibration
    if isinstance(detector, CascadeOffline | DocumentedCascade):
        return detector.calibration
    own = _load_own_calibration(options)
    calibration = Calibration(_without_classifiers(own)) if own is not None else None
    if isinstance(detector, Cascade):
        detector.calibration = calibration
        detector.offline = build_cascade_offline(options)
    return calibration


def promised_thresholds(detector: Detector, options: LearnedOptions, ordinary: Thresholds) -> tuple[Thresholds, str]:
    """Return the gate thresholds to use and what to say about them.

    Thresholds promised in the user's calibration file are used with the detector they were promised for, unless others
    were set.
    """
    own = _load_own_calibration(options)
    if own is None or own.promise is None:
        return ordinary, _unpromised(detector) if ordinary == Thresholds() else ""
    if own.promise.detector != detector.name:
        return ordinary, f"the promised thresholds are for {own.promise.detector}; the ordinary ones are used"
    if ordinary != Thresholds():
        return ordinary, "the thresholds that were set are used, not the promised ones"
    return own.promise.thresholds(), own.promise.told()


def _without_classifiers(own: CalibrationFile, *, but: str = "") -> CalibrationFile:
    """Leave out the calibrators of classifiers that are not asked, and with them what there is to note of them."""
    unasked = {"classifier", "classifier-lr"} - {but}
    return replace(own, calibrators={key: entry for key, entry in own.calibrators.items() if key not in unasked})


def _unpromised(detector: Detector) -> str:
    """Say of a classifier that may verify and accuse on what it rests, where nothing is promised of it."""
    ensemble = detector.offline if isinstance(detector, Siblings) else detector
    if not isinstance(ensemble, CascadeOffline) or not ensemble.may_raise:
        return ""
    fitted = getattr(ensemble.classifier, "classifier", None)
    runs = fitted.training.n if isinstance(fitted, Classifier) else 0
    on = f", fitted on {runs} runs," if runs else ""
    return f"the classifier{on} may verify and accuse by its score, and nothing is promised of that (train --bound or --sets)"


def _load(options: LearnedOptions, shipped: str) -> Classifier:
    return load_classifier(Path(options.model) if options.model is not None else shipped_classifier(shipped))
