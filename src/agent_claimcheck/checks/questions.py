"""The two questions the tool-use check may put to a model, and what becomes of the answers.

A reader must not miss: the model sees only what is documented. For the final answer that is the tool name, the error
output and the final answer; for the tool choice the task, the system prompt, the tool name and its arguments.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.checks.run import Run, ToolCall
from agent_claimcheck.llm.client import ModelClient
from agent_claimcheck.llm.frame import frame_data
from agent_claimcheck.llm.structured import read_answer

PROMPT_VERSION = "2026.11.30"

OUTPUT_LIMIT = 20_000  # characters; an error says what it is at its start or its end, and both are kept
ANSWER_LIMIT = 60_000
CONTEXT_LIMIT = 60_000
_NAME_LIMIT = 500
_REASON_LIMIT = 400

ANSWER_CHECK_SCHEMA: dict[str, Any] = {
    "title": "answer_check",
    "type": "object",
    "properties": {
        "answer": {"type": "string", "enum": ["failed", "succeeded", "not_mentioned"]},
        "reason": {"type": "string"},
    },
    "required": ["answer", "reason"],
    "additionalProperties": False,
}

TOOL_CHOICE_SCHEMA: dict[str, Any] = {
    "title": "tool_choice",
    "type": "object",
    "properties": {"appropriate": {"type": "boolean"}, "reason": {"type": "string"}},
    "required": ["appropriate", "reason"],
    "additionalProperties": False,
}


class AnswerReading(Struct, frozen=True):
    """What the final answer says about one error. ``failure`` is set when the question got no usable answer."""

    says: Literal["failed", "succeeded", "not_mentioned"] | None
    reason: str = ""
    failure: str | None = None
    is_cut: bool = False


class ChoiceReading(Struct, frozen=True):
    """Whether the tool was a reasonable choice. ``failure`` is set when the question got no usable answer."""

    appropriate: bool | None
    reason: str = ""
    failure: str | None = None
    is_cut: bool = False


def ask_answer(client: ModelClient, call: ToolCall, final_answer: str) -> AnswerReading:
    """Ask once what ``final_answer`` says about the failed ``call``. Never raises for the client's failures."""
    parts = [
        frame_data("tool_name", call.name, limit=_NAME_LIMIT),
        frame_data("error_output", call.output, limit=OUTPUT_LIMIT),
        frame_data("final_answer", final_answer, limit=ANSWER_LIMIT),
    ]
    answer, failure = ask_model(client, "answer_check.md", parts, ANSWER_CHECK_SCHEMA)
    is_cut = any(cut for _, cut in parts)
    if answer is None:
        return AnswerReading(None, failure=failure, is_cut=is_cut)
    return AnswerReading(answer["answer"], brief(answer.get("reason", "")), is_cut=is_cut)


def ask_choice(client: ModelClient, run: Run, call: ToolCall) -> ChoiceReading:
    """Ask once whether ``call`` used a reasonable tool. Never raises for the client's failures."""
    parts = [
        frame_data("task", run.request, limit=CONTEXT_LIMIT),
        frame_data("system_prompt", run.system_prompt or "(none)", limit=CONTEXT_LIMIT),
        frame_data("tool_name", call.name, limit=_NAME_LIMIT),
        frame_data("arguments", _arguments_text(call.arguments), limit=OUTPUT_LIMIT),
    ]
    answer, failure = ask_model(client, "tool_choice.md", parts, TOOL_CHOICE_SCHEMA)
    is_cut = any(cut for _, cut in parts)
    if answer is None:
        return ChoiceReading(None, failure=failure, is_cut=is_cut)
    return ChoiceReading(answer["appropriate"], brief(answer.get("reason", "")), is_cut=is_cut)


def ask_model(
    client: ModelClient, prompt: str, parts: list[tuple[str, bool]], schema: dict[str, Any]
) -> tuple[dict[str, Any] | None, str | None]:
    """Put one question once. Return the answer as ``schema`` asks for it, or ``None`` and why there is none."""
    user = "\n\n".join(text for text, _ in parts)
    try:
        # A copy, so that a client that edits its schema does not change the next question.
        text = client.complete(system=_prompt(prompt), user=user, schema=json.loads(json.dumps(schema)))
        return read_answer(text, schema, optional=("reason",)), None
    except Exception as error:  # noqa: BLE001 - the client is the user's code: whatever it raises is a failed question
        return None, brief(f"{type(error).__name__}: {error}")


def ask_voted(
    client: ModelClient, prompt: str, parts: list[tuple[str, bool]], schema: dict[str, Any], samples: int
) -> tuple[dict[str, Any] | None, str | None, dict[str, int]]:
    """Put one question ``samples`` times and return the first answer with the commonest ``verdict``, and the votes.

    ``schema`` must ask for a ``verdict``. A tie goes to the answer that came first. One failed sample fails the vote.
    """
    answers: list[dict[str, Any]] = []
    for _ in range(max(1, samples)):
        answer, failure = ask_model(client, prompt, parts, schema)
        if answer is None:
            return None, failure, {}
        answers.append(answer)
    votes: dict[str, int] = {}
    for answer in answers:
        votes[str(answer["verdict"])] = votes.get(str(answer["verdict"]), 0) + 1
    winner = max(votes, key=lambda value: votes[value])
    return next(answer for answer in answers if str(answer["verdict"]) == winner), None, votes


@cache
def _prompt(name: str) -> str:
    return (Path(__file__).with_name("prompts") / name).read_text("utf-8").strip()


def _arguments_text(arguments: dict[str, Any]) -> str:
    try:
        return json.dumps(arguments, ensure_ascii=False, default=repr)
    except (ValueError, TypeError, RecursionError):
        return "(arguments that cannot be written as JSON)"


def brief(text: str) -> str:
    """Return ``text`` on one line, cut to what a reason holds."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _REASON_LIMIT else flat[: _REASON_LIMIT - 3] + "..."
