"""Run files of the run grader as runs to be checked: what may be left out, and what is told of what was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from agent_claimcheck import load_traces
from agent_claimcheck.importers.sniff import recognise

CALL = {"tool_call": {"name": "water", "arguments": {}, "output": "ok"}}


def lines(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def test_a_run_may_be_an_answer_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    bare = {"task": "Water the ferns", "final_answer": "The ferns are watered."}
    path.write_bytes(lines(bare, {**bare, "steps": [CALL]}))
    assert [len(trace.steps) for trace in load_traces(str(path))] == [2, 4]


def test_what_the_user_said_later_is_words_of_the_user(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    run = {"task": "Water them", "later_requests": ["Once more"], "steps": [CALL], "final_answer": "Watered again."}
    path.write_text(json.dumps(run), encoding="utf-8")
    (trace,) = load_traces(str(path))
    assert [step.content for step in trace.steps if step.role == "user"] == ["Water them", "Once more"]


def test_other_objects_with_a_task_are_not_taken_for_runs() -> None:
    found = recognise(lines({"task": "Water", "final_answer": "Done", "reward": 1}))
    assert found is None or found.name != "attest-run"
