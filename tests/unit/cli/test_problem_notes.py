"""What the commands say of a record that has the same fault in many places."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent_claimcheck.cli.app import app


def _faulty(trace_id: str, steps: int) -> str:
    step = {"kind": "message", "role": "agent", "content": "Hello", "ts": None}
    empty = {"name": None, "args": None, "ok": None, "output": None, "error": None}
    record = {
        "schema": "agent-trace/v1",
        "trace_id": trace_id,
        "source": "tests",
        "task": {"id": "t", "domain": "other", "instruction": "Say hello"},
        "steps": [{"i": i, **step, **empty} for i in range(steps)],
        "final_claim": {"text": "Hello", "claims": []},
    }
    return json.dumps(record) + "\n"


@pytest.mark.parametrize("command", ["check", "explain"])
def test_a_fault_of_every_step_is_told_once_for_each_record(tmp_path: Path, command: str) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text(_faulty("a", 40) + _faulty("b", 2) + _faulty("c", 1))
    said = CliRunner().invoke(app, [command, str(path)]).stderr.replace(str(path), "F").splitlines()
    assert [line for line in said if line.startswith("F:")] == [
        "F:1: $.steps[0].ts: expected a string, got null",
        "F:1: ... and 39 more like these; `agent-claimcheck validate` names the places",
        "F:2: $.steps[0].ts: expected a string, got null",
        "F:2: ... and 1 more like these; `agent-claimcheck validate` names the places",
        "F:3: $.steps[0].ts: expected a string, got null",
    ]


def test_entries_of_one_list_are_records_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    path.write_text(json.dumps([{"messages": 3}, {"messages": 3}]))
    checked = CliRunner().invoke(app, ["check", str(path)]).stderr
    listed = CliRunner().invoke(app, ["validate", str(path)]).stdout
    assert listed
    assert all(line in checked for line in listed.splitlines())


def test_validate_names_every_place(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text(_faulty("a", 40))
    assert len(CliRunner().invoke(app, ["validate", str(path)]).stdout.splitlines()) == 40
