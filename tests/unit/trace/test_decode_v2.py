"""What the second version of the record adds, and that it is as strict as the first."""

from __future__ import annotations

from typing import Any

import pytest

from decoded import faults, read

V2_STEP = {
    "i": 0,
    "ts": "2026-01-01",
    "kind": "reasoning",
    "role": "other_agent",
    "call_id": "c",
    "status": "denied",
    "status_source": "flag",
    "status_confidence": "weak",
    "exit_code": 1.0,
    "artifact_ids": ["a"],
}


def v2(line: Any, **changes: Any) -> bytes:
    return line(schema="agent-trace/v2", **changes)


def test_v2_fields_are_read(line):
    trace = read(
        v2(
            line,
            task={
                "id": "t",
                "domain": "travel",
                "instruction": "x",
                "allowed_tools": [],
                "tool_fallbacks": {"a": ["b"]},
            },
            steps=[V2_STEP],
            final_claim={
                "text": "Done.",
                "step": 0,
                "source": "final_tool",
                "claims": [{"type": "a", "quote": "Done"}],
            },
            tools=[{"name": "a", "parameters": {"type": "object"}}],
            agents=[{"id": "sub", "parent_id": "main"}],
            end={"reason": "limit"},
            origin={"format": "otel", "warnings": ["w"]},
            subtraces=[{"trace_id": "u"}],
            usage={"tokens": 3},
        )
    )
    step = trace.steps[0]
    assert (step.kind, step.role, step.call_id, step.status, step.exit_code) == (
        "reasoning", "other_agent", "c", "denied", 1,
    )  # fmt: skip
    assert trace.task.allowed_tools == []
    assert trace.task.domain == "travel"
    assert trace.final_claim.claims[0].quote == "Done"
    assert trace.end is not None and trace.end.reason == "limit"
    assert trace.origin is not None and trace.origin.warnings == ["w"]
    assert trace.subtraces is not None and trace.subtraces[0].relation == "delegate"


def test_v2_content_blocks_give_text_and_blocks(line):
    blocks = ["one", {"type": "image"}, {"type": "text", "text": "two"}]
    step = read(v2(line, steps=[{**V2_STEP, "content": blocks}])).steps[0]
    assert step.content == "one\ntwo"
    assert step.blocks == blocks


def test_v2_blocks_given_twice_are_refused(line):
    data = v2(line, steps=[{**V2_STEP, "content": ["a"], "blocks": ["b"]}])
    assert [path for path, _ in faults(data)] == ["$.steps[0].blocks"]


def test_v2_steps_without_a_time_inherit_one_and_say_so(line):
    times = [None, "2026-01-02", None]
    steps = [{"i": i, "ts": ts, "kind": "message", "role": "user"} for i, ts in enumerate(times)]
    found = read(v2(line, steps=steps)).steps
    assert [(step.ts, step.ts_source) for step in found] == [
        ("1970-01-01T00:00:00Z", "synthetic"),
        ("2026-01-02", None),
        ("2026-01-02", "synthetic"),
    ]


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"end": {"reason": "bored"}}, "$.end.reason"),
        ({"end": {"reason": "limit", "x": 1}}, "$.end"),
        ({"tools": [{"name": 1}]}, "$.tools[0].name"),
        ({"agents": [{}]}, "$.agents[0]"),
        ({"origin": []}, "$.origin"),
        ({"artifacts": [{"id": "a", "bytes": 1}]}, "$.artifacts[0]"),
        ({"nonsense": 1}, "$"),
    ],
)
def test_v2_is_strict_too(line, changes, path):
    assert [p for p, _ in faults(v2(line, **changes))] == [path]


def test_v2_nulls_mean_absent(line):
    trace = read(v2(line, origin=None, tools=None, end=None, model=None, usage=None))
    assert trace == read(v2(line))


def test_a_v1_trace_that_mentions_v2_is_still_v1(line):
    assert read(line(meta={"schema": "agent-trace/v2"})).meta == {"schema": "agent-trace/v2"}
