"""What is promised of thresholds is told where they are used and where the settings are shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from agent_claimcheck.cli.app import app
from agent_claimcheck.scoring.artifact import CalibrationFile, Calibrator, Promise, encode_calibration
from agent_claimcheck.scoring.risk_control import PromisedCut


@pytest.fixture(autouse=True)
def promised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut = PromisedCut(side="verified", threshold=0.9998, bound=0.05, confidence=0.9, n=50, wrong=0, coverage=0.5)
    spare = Calibrator(
        method="platt", detector="classifier-lr", fitted_on="runs", n=50, n_pos=25, a=1.0, b=0.0, keep_raw="it rises"
    )
    file = CalibrationFile(
        fitted_on="runs",
        calibrators={"classifier-lr": spare},
        promise=Promise(detector="cascade-offline", verified=cut),
    )
    (tmp_path / "calibration.json").write_bytes(encode_calibration(file))
    (tmp_path / "claimcheck.toml").write_text('[classifier]\ncalibration = "calibration.json"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_check_tells_the_promise_and_nothing_of_calibrators_it_does_not_use() -> None:
    said = CliRunner().invoke(app, ["check", "example:mixed"]).stderr
    assert "verified from 0.9998, false_success is closed (at most 5.0% of each wrong" in said
    assert "classifier-lr" not in said


def test_a_calibrator_that_is_used_and_kept_raw_is_noted() -> None:
    said = CliRunner().invoke(app, ["check", "example:mixed", "--detector", "classifier-lr"]).stderr
    assert "calibrator classifier-lr: raw scores are kept, it rises" in said


def test_config_show_says_what_takes_the_place_of_the_gate() -> None:
    said = CliRunner().invoke(app, ["config", "show"]).stdout
    assert "promised thresholds: verified from 0.9998" in said


def test_a_gate_that_was_set_is_not_said_to_be_replaced(tmp_path: Path) -> None:
    settings = tmp_path / "claimcheck.toml"
    settings.write_text(settings.read_text(encoding="utf-8") + "[gate]\nverified = 0.9\n", encoding="utf-8")
    assert "promised" not in CliRunner().invoke(app, ["config", "show"]).stdout
