"""Run records: what builds, what is refused, and that every fault is named with its path."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_claimcheck.checks.run import Run, RunArtifact, RunStep, ToolCall, parse_run
from agent_claimcheck.core.errors import InputError

FULL: dict[str, Any] = {
    "task": "t",
    "final_answer": "a",
    "system_prompt": "p",
    "allowed_tools": ["x"],
    "tool_fallbacks": {"x": ["y"]},
    "steps": [
        {"thought": "hm", "tool_call": None},
        {
            "thought": None,
            "tool_call": {
                "name": "x",
                "arguments": {"k": [1, None]},
                "output": "o",
                "is_error": None,
                "artifacts": [{"id": "f1", "text": "body"}],
            },
        },
    ],
    "artifacts": [{"path": "somewhere/else.pdf", "source": "user_upload"}],
}


def test_every_documented_field_is_read() -> None:
    run = parse_run(FULL)

    assert isinstance(run, Run)
    assert run.steps[1].tool_call == ToolCall(
        name="x", arguments={"k": [1, None]}, output="o", artifacts=[RunArtifact(id="f1", text="body")]
    )
    assert run.artifacts[0].source == "user_upload"


def test_plain_form_reads_back_to_the_same_run() -> None:
    run = parse_run(FULL)
    assert isinstance(run, Run)

    assert parse_run(run.to_dict()) == run
    assert parse_run(json.loads(run.to_json())) == run
    assert "number" not in run.to_dict()["steps"][0]


def test_least_run_has_the_documented_defaults() -> None:
    run = parse_run({"task": "t", "final_answer": "a"})

    assert run == Run(task="t", final_answer="a", system_prompt=None, allowed_tools=None, tool_fallbacks={}, steps=[])


def test_unknown_keys_are_ignored() -> None:
    given = {"task": "t", "final_answer": "a", "mood": 1, "steps": [{"tool_call": {"name": "x", "ms": 3}, "cost": 2}]}

    assert parse_run(given) == Run(task="t", final_answer="a", steps=[RunStep(tool_call=ToolCall(name="x"))])


def test_all_faults_are_reported_with_their_paths() -> None:
    faults = parse_run(
        {
            "task": 3,
            "allowed_tools": ["a", 1],
            "tool_fallbacks": {"a b": "c"},
            "steps": [{"tool_call": {"arguments": "x", "output": None, "is_error": "yes"}}, 7],
            "artifacts": [{"text": "t", "path": "p", "source": "dream"}],
        }
    )

    assert not isinstance(faults, Run)
    assert [fault.path for fault in faults] == [
        "$.task",
        "$",
        "$.allowed_tools[1]",
        '$.tool_fallbacks["a b"]',
        "$.steps[0].tool_call",
        "$.steps[0].tool_call.arguments",
        "$.steps[0].tool_call.output",
        "$.steps[0].tool_call.is_error",
        "$.steps[1]",
        "$.artifacts[0].source",
        "$.artifacts[0]",
    ]
    assert str(faults[6]) == "$.steps[0].tool_call.output: expected a string, got null"


@pytest.mark.parametrize("value", [None, [], "x", 3, True])
def test_no_object_is_no_run(value: object) -> None:
    assert not isinstance(parse_run(value), Run)


@pytest.mark.parametrize("is_error", [0, 1, "true", []])
def test_only_a_boolean_declares_an_error(is_error: Any) -> None:
    with pytest.raises(InputError, match="is_error: expected true, false or null"):
        ToolCall(name="x", is_error=is_error)


def test_dicts_inside_records_are_built() -> None:
    run = Run(task="t", final_answer="a", steps=[{"tool_call": {"name": "x"}}])  # type: ignore[list-item]

    assert run.steps == [RunStep(tool_call=ToolCall(name="x"))]
    assert list(run.tool_calls()) == [(0, ToolCall(name="x"))]


def test_wrong_types_cannot_be_built() -> None:
    with pytest.raises(InputError, match=r"\$\.final_answer"):
        Run(task="t", final_answer=None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="exactly one of"):
        RunArtifact(id="1")


@pytest.mark.parametrize("key", ["tool_calls", "messages", "trajectory"])
def test_calls_under_another_formats_key_are_no_run_without_calls(key: str) -> None:
    faults = parse_run({"task": "t", "final_answer": "", key: [{"name": "weigh"}]})
    assert isinstance(faults, list)
    assert [(fault.path, fault.message[:11]) for fault in faults] == [(f"$.{key}", "is not read")]
    assert isinstance(parse_run({"task": "t", "final_answer": "", key: ["a note"], "steps": []}), Run)
