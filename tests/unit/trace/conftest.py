"""Builders of trace documents for the tests of the trace room."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from agent_claimcheck.trace.model import FinalClaim, Step, Task, Trace


@pytest.fixture
def document() -> Callable[..., dict[str, Any]]:
    """A valid v1 document with two steps; keyword arguments replace top-level fields."""

    def build(**changes: Any) -> dict[str, Any]:
        return {
            "schema": "agent-trace/v1",
            "trace_id": "t-1",
            "source": "test",
            "task": {"id": "task-1", "domain": "other", "instruction": "Water the plants."},
            "steps": [
                {
                    "i": 0,
                    "ts": "2026-01-01T10:00:00Z",
                    "kind": "tool_call",
                    "role": "agent",
                    "name": "water",
                    "args": {},
                },
                {
                    "i": 1,
                    "ts": "2026-01-01T10:00:01Z",
                    "kind": "tool_result",
                    "role": "tool",
                    "name": "water",
                    "ok": True,
                },
            ],
            "final_claim": {"text": "All watered."},
            **changes,
        }

    return build


@pytest.fixture
def line(document: Callable[..., dict[str, Any]]) -> Callable[..., bytes]:
    """The same as one line of JSON."""

    def build(**changes: Any) -> bytes:
        return json.dumps(document(**changes)).encode()

    return build


@pytest.fixture
def trace() -> Callable[..., Trace]:
    """A ``Trace`` with the given steps; keyword arguments replace other fields."""

    def build(*steps: Step, **changes: Any) -> Trace:
        fields: dict[str, Any] = {
            "trace_id": "t-1",
            "source": "test",
            "task": Task(id="task-1", domain="other", instruction="Water the plants."),
            "steps": list(steps),
            "final_claim": FinalClaim(text="All watered."),
        }
        return Trace(**{**fields, **changes})

    return build


@pytest.fixture
def call() -> Callable[..., Step]:
    """A tool call."""

    def build(i: int, name: str | None = "water", **fields: Any) -> Step:
        return Step(
            **{"i": i, "ts": "2026-01-01T10:00:00Z", "kind": "tool_call", "role": "agent", "name": name, **fields}
        )

    return build


@pytest.fixture
def result() -> Callable[..., Step]:
    """A tool result."""

    def build(i: int, name: str | None = "water", **fields: Any) -> Step:
        return Step(
            **{"i": i, "ts": "2026-01-01T10:00:00Z", "kind": "tool_result", "role": "tool", "name": name, **fields}
        )

    return build


@pytest.fixture
def message() -> Callable[..., Step]:
    """A message of the agent."""

    def build(i: int, content: str | None = "On it.", **fields: Any) -> Step:
        base = {"i": i, "ts": "2026-01-01T10:00:00Z", "kind": "message", "role": "agent", "content": content}
        return Step(**{**base, **fields})

    return build
