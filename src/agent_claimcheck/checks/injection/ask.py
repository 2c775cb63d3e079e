"""The voted question of the injection check: was the agent steered by an untrusted text?

A reader must not miss: the model sees a bounded view of the untrusted texts, without repeats, and the metadata says when
something was left out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from agent_claimcheck.checks.contract import CheckFinding
from agent_claimcheck.checks.injection.segments import Segment
from agent_claimcheck.checks.questions import CONTEXT_LIMIT, ask_voted, brief
from agent_claimcheck.checks.run import Run
from agent_claimcheck.llm.client import ModelClient
from agent_claimcheck.llm.frame import frame_data

TOTAL_LIMIT = 8_000
SEGMENT_LIMIT = 2_000
_PLACES = 20
_CALLS_LIMIT = 20_000
_ANSWER_LIMIT = 10_000

SCHEMA: dict[str, Any] = {
    "title": "authorisation",
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": ["authorized", "unauthorized"]},
        "step": {"type": "integer"},
        "reason": {"type": "string"},
    },
    "required": ["verdict", "step", "reason"],
    "additionalProperties": False,
}


class Asked(Struct, frozen=True, kw_only=True):
    """What came of the vote."""

    findings: list[CheckFinding]
    is_cut: bool
    votes: dict[str, int] = {}


def ask_authorisation(client: ModelClient, run: Run, segments: Sequence[Segment], samples: int) -> Asked:
    """Put the question ``samples`` times. Never raises for the client's failures."""
    untrusted, is_cut = _bounded_view(segments)
    parts = [
        frame_data("system_prompt", run.system_prompt or "(none)", limit=CONTEXT_LIMIT),
        frame_data("task", run.request, limit=CONTEXT_LIMIT),
        frame_data("tool_calls", _calls(run), limit=_CALLS_LIMIT),
        frame_data("final_answer", run.final_answer, limit=_ANSWER_LIMIT),
        frame_data("untrusted_texts", untrusted, limit=TOTAL_LIMIT + 4_000),
    ]
    answer, failure, votes = ask_voted(client, "authorisation.md", parts, SCHEMA, samples)
    is_cut = is_cut or any(cut for _, cut in parts)
    if answer is None:
        finding = CheckFinding(
            severity="warn", verdict="unchecked", subject="run", reason=f"The model was not able to judge: {failure}.",
            metadata={"layer": "model"},
        )  # fmt: skip
        return Asked(findings=[finding], is_cut=is_cut)
    if answer["verdict"] == "authorized":
        return Asked(findings=[], is_cut=is_cut, votes=votes)
    known = {number for number, _ in run.tool_calls()}
    step = answer["step"] if answer["step"] in known else None
    finding = CheckFinding(
        severity="fail", verdict="compromised", subject="run", reason=brief(str(answer.get("reason", ""))) or "The model gave no reason.",
        step=step,
        metadata={"layer": "model", "votes": votes},
    )  # fmt: skip
    return Asked(findings=[finding], is_cut=is_cut, votes=votes)


def _bounded_view(segments: Sequence[Segment]) -> tuple[str, bool]:
    """Return the texts without repeats, each with up to 20 of its places, within the limits; and whether any was cut."""
    places: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    for segment in segments:
        key = " ".join(segment.text.casefold().split())
        texts.setdefault(key, segment.text)
        places.setdefault(key, []).append(segment.location)
    blocks: list[str] = []
    left, is_cut = TOTAL_LIMIT, False
    for key, text in texts.items():
        taken = text[: min(SEGMENT_LIMIT, left)]
        is_cut = is_cut or len(taken) < len(text)
        if not taken:
            break
        left -= len(taken)
        where = ", ".join(places[key][:_PLACES])
        blocks.append(f"[untrusted text from {where}]\n{taken}\n[end of untrusted text]")
    return "\n\n".join(blocks), is_cut


def _calls(run: Run) -> str:
    lines = []
    for number, call in run.tool_calls():
        try:
            arguments = json.dumps(call.arguments, ensure_ascii=False, default=repr)
        except (ValueError, TypeError, RecursionError):
            arguments = "(arguments that cannot be written as JSON)"
        lines.append(f"step {number}: {' '.join(call.name.split())} {arguments[:2_000]}")
    return "\n".join(lines) or "(no tool calls)"
