"""Calibration files: read, checked, applied, and left alone where they do not belong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.artifact import (
    Calibration,
    CalibrationFile,
    Promise,
    calibrator_of,
    encode_calibration,
    load_calibration,
    parse_calibration,
)
from agent_claimcheck.scoring.conformal import ConformalSets
from agent_claimcheck.scoring.gate import decide
from agent_claimcheck.scoring.isotonic import IsotonicScaling
from agent_claimcheck.scoring.platt import PlattScaling
from agent_claimcheck.scoring.risk_control import PromisedCut

PLATT = PlattScaling(a=0.8, b=-0.1, n=20, n_pos=12)


def file_of(**entry: object) -> CalibrationFile:
    return CalibrationFile(
        fitted_on="runs", calibrators={"rules": calibrator_of(PLATT, detector="rules", fitted_on="runs", **entry)}
    )


def test_a_file_is_read_back_as_written_in_the_documented_shape() -> None:
    data = encode_calibration(file_of())
    fields = json.loads(data)
    assert set(fields) == {"version", "fitted_on", "base_rate", "calibrators"}
    assert set(fields["calibrators"]["rules"]) == {"method", "a", "b", "clip", "n", "n_pos", "fitted_on", "detector"}
    assert parse_calibration(data, "x") == file_of()


def test_calibrators_apply_to_their_own_detector_only() -> None:
    calibration = Calibration(file_of())
    assert calibration.apply("rules", 0.7) == pytest.approx(PLATT.apply(0.7))
    assert calibration.apply("judge", 0.7) is None


def test_isotonic_calibrators_are_kept_in_files_too() -> None:
    entry = calibrator_of(IsotonicScaling(x=(0.0, 1.0), y=(0.2, 0.8)), detector="rules", fitted_on="runs")
    data = encode_calibration(CalibrationFile(fitted_on="runs", calibrators={"rules": entry}))
    assert Calibration(parse_calibration(data, "x")).apply("rules", 0.5) == pytest.approx(0.5)


def test_a_calibrator_of_another_classifier_is_not_applied_and_says_so() -> None:
    calibration = Calibration(file_of(artifact="abc"), fingerprint="def")
    assert calibration.apply("rules", 0.7) is None
    assert "another classifier" in calibration.notes[0]


def test_a_calibrator_that_made_things_worse_is_not_applied_and_says_so() -> None:
    calibration = Calibration(file_of(keep_raw="held-out Brier score rises"))
    assert calibration.apply("rules", 0.7) is None
    assert "raw scores are kept" in calibration.notes[0]


def test_promised_thresholds_close_the_side_without_a_promise() -> None:
    cut = PromisedCut(side="verified", threshold=0.9, bound=0.05, confidence=0.9, n=50, wrong=0, coverage=0.5)
    cuts = Promise(detector="cascade-offline", verified=cut).thresholds()
    assert decide(0.95, False, cuts).verdict == "verified"
    assert decide(0.01, False, cuts).verdict == "unverifiable"


@pytest.mark.parametrize(("success_from", "failure_to"), [(0.3, 0.6), (0.6, 0.3), (0.5, 0.5), (0.0, 1.0), (1.0, 0.0)])
def test_conformal_thresholds_decide_exactly_the_sets_of_one_label(success_from: float, failure_to: float) -> None:
    sets = ConformalSets(alpha=0.1, success_from=success_from, failure_to=failure_to, n_success=9, n_failure=9)
    cuts = Promise(detector="classifier", conformal=sets).thresholds()
    for p in (0.05, 0.2, 0.3, 0.45, 0.55, 0.6, 0.7, 0.95):
        verdict = decide(p, False, cuts).verdict
        labels = sets.labels(p)
        wanted = {frozenset({"success"}): "verified", frozenset({"failure"}): "false_success"}.get(
            labels, "unverifiable"
        )
        assert verdict == wanted


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"fitted_on": "x", "calibrators": {"rules": {"method": "platt"}}}',
        b'{"fitted_on":"x","calibrators":{"r":{"method":"platt","detector":"r","fitted_on":"x","n":1,"n_pos":1,"a":1e999,"b":0}}}',
        b'{"fitted_on":"x","calibrators":{"r":{"method":"isotonic","detector":"r","fitted_on":"x","n":1,"n_pos":1,"x":[1,0],"y":[0,1]}}}',
        b'{"fitted_on": "x", "calibrators": {}, "base_rate": 2}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_faulty_files_are_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="not a calibration file"):
        parse_calibration(data, "c.json")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing-here"):
        load_calibration(tmp_path / "nothing-here.json")


def test_a_promise_is_told_with_thresholds_that_differ_from_the_ends() -> None:
    cut = PromisedCut(side="verified", threshold=0.99987, bound=0.05, confidence=0.9, n=50, wrong=0, coverage=0.5)
    told = Promise(detector="cascade-offline", verified=cut).told()
    assert "verified from 0.9999, false_success is closed" in told
    assert "at most 5.0% of each wrong, with confidence 0.9" in told
    sets = ConformalSets(alpha=0.1, success_from=0.3, failure_to=0.6, n_success=9, n_failure=9)
    assert "verified from 0.600, false_success up to 0.300" in Promise(detector="classifier", conformal=sets).told()
