"""Arguments of a call that stand under another name than the format's own are read all the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck import load_traces
from agent_claimcheck.checks.run import parse_run

KEYS = ("arguments", "args", "input", "params", "parameters")
GIVEN = {"bed": "north"}


def _openai(key: str) -> dict[str, Any]:
    call = {"id": "c1", "type": "function", "function": {"name": "water", key: json.dumps(GIVEN)}}
    return {"messages": [{"role": "user", "content": "Water it."}, {"role": "assistant", "tool_calls": [call]}]}


def _anthropic(key: str) -> dict[str, Any]:
    block = {"type": "tool_use", "id": "t1", "name": "water", key: GIVEN}
    return {"messages": [{"role": "user", "content": "Water it."}, {"role": "assistant", "content": [block]}]}


def _attest(key: str) -> dict[str, Any]:
    return {"task": "Water it.", "steps": [{"tool_call": {"name": "water", key: GIVEN}}], "final_answer": "Watered."}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("record", [_openai, _anthropic, _attest])
def test_the_arguments_are_read(tmp_path: Path, record: Any, key: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(record(key)), encoding="utf-8")
    (trace,) = load_traces(str(path))
    assert [step.args for step in trace.steps if step.kind == "tool_call"] == [GIVEN]


def test_the_own_key_wins_and_a_schema_is_no_argument(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    record = _openai("arguments")
    record["messages"][1]["tool_calls"][0]["function"]["params"] = {"bed": "south"}
    schema = {"type": "object", "properties": {"bed": {}}}
    record["messages"].append(
        {"role": "assistant", "tool_calls": [{"function": {"name": "dig", "parameters": schema}}]}
    )
    path.write_text(json.dumps(record), encoding="utf-8")
    (trace,) = load_traces(str(path))
    assert [step.args for step in trace.steps if step.kind == "tool_call"] == [GIVEN, None]


@pytest.mark.parametrize("key", KEYS)
def test_the_run_grader_reads_them_too(key: str) -> None:
    run = parse_run(_attest(key))
    assert not isinstance(run, list)
    assert run.steps[0].tool_call is not None
    assert run.steps[0].tool_call.arguments == GIVEN
