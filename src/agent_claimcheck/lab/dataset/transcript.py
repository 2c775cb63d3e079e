"""Writing down a run step by step, as the harness around an agent would.

A reader must not miss: times come from the place of the trace in the data set and of the step in the trace, never from
a clock.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from msgspec import Struct

from agent_claimcheck.trace.model import Step

_START = datetime(2026, 3, 2, 9, tzinfo=UTC)
_BETWEEN_TRACES_S = 600


class Reply(Struct, frozen=True):
    """What a tool or a probe returned. ``ok`` is ``None`` where the tool declares nothing."""

    ok: bool | None
    output: Any = None
    error: str | dict[str, Any] | None = None


class Transcript:
    """The steps of one run so far. ``place`` is the number of the trace in the data set, from 0."""

    def __init__(self, place: int, *, has_call_ids: bool = False) -> None:
        self.steps: list[Step] = []
        self._start = _START + timedelta(seconds=place * _BETWEEN_TRACES_S)
        self._has_call_ids = has_call_ids
        self._n_calls = 0
        self.context: dict[str, Any] = {}
        """Fields that every step of an agent or a tool gets, such as the agent it belongs to."""

    def say(self, text: str, role: str = "agent", **fields: Any) -> None:
        """Add a message."""
        self._add("message", role, content=text, **fields)

    def call(self, name: str, args: dict[str, Any], **fields: Any) -> str | None:
        """Add a tool call; return its id, ``None`` when the transcript has none."""
        self._n_calls += 1
        call_id = f"call_{self._n_calls:02d}" if self._has_call_ids else None
        self._add("tool_call", "agent", name=name, args=args, call_id=call_id, **fields)
        return call_id

    def result(self, name: str, reply: Reply, call_id: str | None = None, **fields: Any) -> None:
        """Add what a call returned."""
        self._add("tool_result", "tool", name=name, call_id=call_id, **_plain(reply), **fields)

    def use(self, name: str, args: dict[str, Any], reply: Reply, **fields: Any) -> None:
        """Add a call and its result."""
        call_id = self.call(name, args, **fields)
        self.result(name, reply, call_id, **fields)

    def probe(self, name: str, args: dict[str, Any], reply: Reply) -> None:
        """Add an independent reading of the environment."""
        self._add("state_probe", "environment", name=name, args=args, **_plain(reply))

    def hand_over(self, text: str, to: str) -> None:
        """Add a handoff to another agent."""
        self._add("handoff", "agent", name=to, content=text)

    def _add(self, kind: str, role: str, **fields: Any) -> None:
        i = len(self.steps)
        if role in ("agent", "tool"):
            fields = {**self.context, **fields}
        ts = (self._start + timedelta(seconds=i)).isoformat()
        step = msgspec.convert({"i": i, "ts": ts, "kind": kind, "role": role, **fields}, Step)
        self.steps.append(step)


def _plain(reply: Reply) -> dict[str, Any]:
    return {"ok": reply.ok, "output": reply.output, "error": reply.error}
