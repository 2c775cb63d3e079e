"""Calls and results that stand flat among messages are read, and what nobody knows is told of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agent_claimcheck import load_traces
from agent_claimcheck.cli.app import app

ASKED = {"role": "user", "content": "Delete file b.txt"}
SAID = {"role": "assistant", "content": "I deleted b.txt."}


def write(path: Path, *records: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    "between",
    [
        [{"tool": "rm", "params": {"p": "b"}}, {"tool": "rm", "result": "denied", "error": True}],
        [{"tool_name": "rm", "args": {"p": "b"}, "output": "denied", "success": False}],
        [
            {"type": "tool_call", "name": "rm", "input": {"p": "b"}},
            {"type": "tool_result", "name": "rm", "error": "denied"},
        ],
        [
            {"role": "assistant", "content": "I will.", "tool": "rm", "params": {"p": "b"}},
            {"tool": "rm", "error": "no"},
        ],
        [{"tool": "rm", "params": {"p": "b"}}, {"role": "tool", "tool": "rm", "result": "denied", "error": True}],
    ],
)
def test_flat_calls_and_results_are_read(tmp_path: Path, between: list[dict[str, Any]]) -> None:
    (trace,) = load_traces(write(tmp_path / "steps.jsonl", ASKED, *between, SAID))
    (call,) = [step for step in trace.steps if step.kind == "tool_call"]
    (result,) = [step for step in trace.steps if step.kind == "tool_result"]
    assert (call.name, call.args, result.name, result.ok) == ("rm", {"p": "b"}, "rm", False)
    assert result.call_id == call.call_id is not None


def test_they_are_read_inside_a_list_of_messages(tmp_path: Path) -> None:
    messages = [ASKED, {"tool": "rm", "params": {"p": "b"}}, {"tool": "rm", "result": "gone"}, SAID]
    (trace,) = load_traces(write(tmp_path / "run.jsonl", {"id": "r", "messages": messages}))
    assert [step.kind for step in trace.steps] == ["message", "tool_call", "tool_result", "message"]
    assert trace.steps[2].ok is None


@pytest.mark.parametrize("command", ["check", "validate"])
def test_records_of_no_known_kind_are_told_once_a_file(tmp_path: Path, command: str) -> None:
    path = write(tmp_path / "steps.jsonl", ASKED, {"deed": "rm"}, {"seen": "denied"}, SAID)
    done = CliRunner().invoke(app, [command, path])
    assert done.stderr.count("2 records of no known kind left behind") == 1
    assert f"first at {path}:2; see --report" in done.stderr


def test_a_step_of_the_run_grader_that_holds_nothing_is_told(tmp_path: Path) -> None:
    run = {"task": "Delete b.txt", "steps": [{"action": "rm"}], "final_answer": "Deleted."}
    done = CliRunner().invoke(app, ["check", write(tmp_path / "run.json", run)])
    assert "1 record of no known kind left behind" in done.stderr
