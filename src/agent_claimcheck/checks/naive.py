"""The plain question "does this run look good?": what the demo sets the checks against. No check uses it.

A reader must not miss: the judge sees the whole run at once, the agent's own words included, and names no evidence.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.checks.questions import ask_model
from agent_claimcheck.checks.run import Run
from agent_claimcheck.llm.client import ModelClient
from agent_claimcheck.llm.frame import frame_data

_LIMIT = 60_000

SCHEMA: dict[str, Any] = {
    "title": "naive_judge",
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["pass", "fail"]}, "reason": {"type": "string"}},
    "required": ["verdict", "reason"],
    "additionalProperties": False,
}


class NaiveVerdict(Struct, frozen=True):
    """What the plain judge says. ``verdict`` is ``unchecked`` when it gave no usable answer, ``reason`` then says why."""

    verdict: Literal["pass", "fail", "unchecked"]
    reason: str


def judge_naively(client: ModelClient, run: Run) -> NaiveVerdict:
    """Ask once. Never raises for the client's failures."""
    parts = [
        frame_data("task", run.request, limit=_LIMIT),
        frame_data("steps", "\n".join(step.to_json() for step in run.steps) or "(none)", limit=_LIMIT),
        frame_data("final_answer", run.final_answer, limit=_LIMIT),
    ]
    answer, failure = ask_model(client, "naive_judge.md", parts, SCHEMA)
    if answer is None:
        return NaiveVerdict("unchecked", failure or "")
    return NaiveVerdict(answer["verdict"], str(answer.get("reason", "")))
