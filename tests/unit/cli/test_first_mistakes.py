"""What a first user gets wrong at the command line, and what the answer tells them to do next."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agent_claimcheck.cli.app import app


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def failure(*arguments: str) -> str:
    result = run(*arguments)
    return f"{result.stderr}{result.exception}"


def test_never_is_a_gate_that_no_verdict_closes() -> None:
    result = run("check", "example:mixed", "--fail-on", "never")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].startswith("PASS - 3 accused")


@pytest.mark.parametrize("share", ["50%", "50", "-0.1", "nan", ""])
def test_a_share_that_is_none_is_refused_with_an_example(share: str) -> None:
    result = run("check", "example:mixed", "--min-checked", share)
    assert result.exit_code == 2
    assert "is no number from 0 to 1, such as 0.8" in result.stderr


def test_a_slip_in_a_trace_id_is_answered_with_the_nearest_id() -> None:
    assert 'did you mean "booking-02"?' in failure("explain", "example:mixed", "booking-2")


def test_json_of_ones_own_is_answered_with_the_next_step(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"input": "Book it", "output": "Booked."}), encoding="utf-8")
    result = run("check", str(own))
    assert result.exit_code == 2
    assert "keys of the first object: input, output" in result.stderr
    assert "agent-claimcheck formats" in result.stderr
    assert "0 runs" not in result.stderr


def test_several_faults_of_one_line_are_counted_as_problems_not_as_lines(tmp_path: Path) -> None:
    faulty = tmp_path / "faulty.jsonl"
    faulty.write_text('{"schema": "agent-trace/v1", "trace_id": "a"}\n', encoding="utf-8")
    result = run("check", str(faulty))
    count = len(result.stderr.splitlines())
    assert count > 1
    assert f"{count} problems in the input" in result.stdout


def test_results_given_as_input_are_told_from_runs(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    run("check", "example:mixed", "--out", str(results))
    assert "holds results of `check`, not runs" in run("check", str(results)).stderr


def test_the_suppressions_and_gates_of_the_manual_are_accepted(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "ci.md").read_text(encoding="utf-8")
    accepted = tmp_path / "accepted.toml"
    accepted.write_text(page.split("```toml\n")[1].split("```")[0], encoding="utf-8")
    gates = [line.split("check runs/")[1].split("#")[0].split() for line in page.splitlines() if "never   " in line]
    assert gates
    for gate in gates:
        result = run("check", "example:mixed", *gate, "--suppressions", str(accepted))
        assert result.exit_code == 0, result.stderr
