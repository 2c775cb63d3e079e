"""Reading a recorded run: what is missing is not measured, what is wrong is named with file and line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.lab.bench.records import load_run
from agent_claimcheck.lab.bench.replay import replay_run

RunWriter = Callable[..., Path]
ROW: dict[str, Any] = {
    "detector": "rules", "trace_id": "a", "split": "test", "domain": "d", "outcome": "failure", "p_raw": 0.5,
    "abstain": False,
}  # fmt: skip


def test_a_directory_without_predictions_is_no_recorded_run(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        load_run(tmp_path)
    assert error.value.slug == "recorded_run"


def test_missing_judge_timing_calibration_and_run_files_are_no_error(write_run: RunWriter) -> None:
    run = load_run(write_run(judge_records=None, timings=None, run=None, calibration=None))
    assert run.judge_records == [] and run.timings == [] and run.calibrators == {}
    assert run.base_rate == 0.6


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"p_raw": 1.5}, "p_raw"),
        ({"p_cal": -0.1}, "p_cal"),
        ({"p_raw": None}, "abstain"),
        ({"outcome": "maybe"}, "outcome"),
        ({"split": 3}, "split"),
    ],
)
def test_a_wrong_field_is_named_with_its_file_and_line(
    write_run: RunWriter, change: dict[str, Any], named: str
) -> None:
    good = {**ROW, "trace_id": "b"}
    with pytest.raises(InputError, match=r"offline-predictions\.jsonl:2: ") as error:
        load_run(write_run(predictions=[good, {**ROW, **change}]))
    assert named in str(error.value)


@pytest.mark.parametrize("line", ["{", "[1]", "\x00", '{"a":' * 5000, '{"p_raw": 1e999}', '{"trace_id": "\\ud800"}'])
def test_a_line_that_is_no_record_is_refused(write_run: RunWriter, line: str) -> None:
    directory = write_run()
    (directory / "judge-records.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(InputError, match=r"judge-records\.jsonl:1: "):
        load_run(directory)


def test_two_records_of_one_detector_and_trace_are_refused(write_run: RunWriter) -> None:
    with pytest.raises(InputError, match="two records of rules on a"):
        load_run(write_run(predictions=[ROW, ROW]))


def test_a_base_rate_outside_the_scale_is_refused(write_run: RunWriter) -> None:
    with pytest.raises(InputError, match="base rate"):
        load_run(write_run(calibration={"base_rate": 7, "calibrators": {}}))


@pytest.mark.parametrize(
    "text",
    [
        '{"x":' + "[" * 150 + "]" * 150 + "}", '{"x":' + "[" * 100_000, "[]", '{"total_spend_usd": -1}',
        '{"judge_wall_clock_s": {"judge:a": -5}}', '{"date": 3}',
    ],
)  # fmt: skip
def test_a_run_file_that_cannot_be_used_is_named(write_run: RunWriter, text: str) -> None:
    directory = write_run()
    (directory / "run.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"^run\.json: "):
        load_run(directory)


@pytest.mark.parametrize("broken", [{"clip": 0}, {"clip": 0.5}, {"a": "x"}, {"method": "other"}])
def test_a_calibrator_that_is_none_is_refused(write_run: RunWriter, broken: dict[str, Any]) -> None:
    calibrator = {"a": 1.0, "b": 0.0, "method": "platt", **broken}
    with pytest.raises(InputError, match=r"^calibration\.json: "):
        load_run(write_run(calibration={"calibrators": {"rules": calibrator}}))


def test_rows_that_disagree_on_a_label_are_refused(write_run: RunWriter) -> None:
    other = {**ROW, "detector": "any-error", "outcome": "success"}
    with pytest.raises(InputError, match="disagree on the label of a"):
        replay_run(write_run(predictions=[ROW, other], judge_records=None))


def test_a_judge_asked_about_an_unlabelled_trace_is_refused(write_run: RunWriter) -> None:
    with pytest.raises(InputError, match="does not label"):
        replay_run(write_run(predictions=[ROW]))


def test_a_run_without_a_test_split_cannot_be_reported(write_run: RunWriter) -> None:
    with pytest.raises(InputError, match="test split"):
        replay_run(write_run(predictions=[{**ROW, "split": "train"}], judge_records=None))
