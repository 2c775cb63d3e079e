"""Tell which dialect a list of messages is in. The parser does not need it; the name of the format does.

A reader must not miss: the order of the questions matters, the narrow dialects come before plain OpenAI chat.
"""

from __future__ import annotations

from typing import Any, Literal

from agent_claimcheck.importers.foreign_json import dicts, items, loose_json, word
from agent_claimcheck.importers.messages.blocks import RESULT_KINDS
from agent_claimcheck.importers.messages.parser import AUTOGEN_TYPES, LANGCHAIN_TYPES, ROLES
from agent_claimcheck.importers.messages.responses import is_response_item

Dialect = Literal[
    "langchain", "pydantic-ai", "gemini", "otel", "vercel-ai", "autogen", "openai-responses", "agentdojo",
    "anthropic", "inspect", "tau2-bench", "mini-swe-agent", "vercel-model", "openai-chat",
]  # fmt: skip


def dialect_of(messages: list[Any]) -> Dialect | None:
    """Name the dialect of a history, from its first messages; ``None`` when it is no list of messages."""
    sample = [message for message in messages[:60] if isinstance(message, dict)]
    if not sample:
        return None
    typed = _typed_dialect(sample)
    if typed is not None:
        return typed
    if not any(isinstance(message.get("role"), str) and message["role"] in (*ROLES, "exit") for message in sample):
        return None
    if any(isinstance(message.get("parts"), list) for message in sample):
        return _parts_dialect(sample)
    return _role_dialect(sample)


def _typed_dialect(sample: list[dict[str, Any]]) -> Dialect | None:
    first = sample[0]
    if any(message.get("lc") == 1 and "kwargs" in message for message in sample):
        return "langchain"
    kinds = [message.get("type") for message in sample]
    is_typed = all(isinstance(kind, str) and kind in LANGCHAIN_TYPES for kind in kinds)
    if is_typed and ("data" in first or "role" not in first):
        return "langchain"
    if first.get("kind") in ("request", "response") and isinstance(first.get("parts"), list):
        return "pydantic-ai"
    if sum(1 for kind in kinds if isinstance(kind, str) and kind in AUTOGEN_TYPES) * 2 > len(kinds):
        return "autogen"
    if any(is_response_item(message) for message in sample):
        return "openai-responses"
    return None


def _parts_dialect(sample: list[dict[str, Any]]) -> Dialect:
    for message in sample:
        for part in dicts(message.get("parts")):
            kind = part.get("type")
            if kind in ("step-start", "dynamic-tool", "tool-invocation") or "toolCallId" in part:
                return "vercel-ai"
            if kind == "text":
                return "otel" if "content" in part else "vercel-ai"
            if kind in ("tool_call", "tool_call_response", "reasoning"):
                return "otel"
            if kind is None:
                return "gemini"
    return "gemini"


def _role_dialect(sample: list[dict[str, Any]]) -> Dialect:
    for message in sample:
        role = message.get("role")
        if role == "exit" or (
            isinstance(message.get("extra"), dict) and {"actions", "returncode"} & message["extra"].keys()
        ):
            return "mini-swe-agent"
        if "requestor" in message or "turn_idx" in message:
            return "tau2-bench"
        if role == "tool":
            if isinstance(message.get("tool_call"), dict):
                return "agentdojo"
            if isinstance(message.get("function"), str):
                return "inspect"
        blocks = list(dicts(message.get("content")))
        kinds = {word(block.get("type")) for block in blocks}
        if kinds & {"tool-call", "tool-result"}:
            return "vercel-model"
        if kinds & {"tool_use", "server_tool_use", "thinking"} or (role == "user" and kinds & RESULT_KINDS):
            return "anthropic"
        if any(block.get("type") == "text" and "content" in block and "text" not in block for block in blocks):
            return "agentdojo"
        for call in dicts(message.get("tool_calls")):
            if isinstance(call.get("function"), str):
                return "agentdojo" if "placeholder_args" in call or "args" in call else "inspect"
    return "openai-chat"


HISTORY_KEYS = (
    *(
        "messages",
        "input_messages",
        "history",
        "items",
        "conversation",
        "chat_history",
        "contents",
        "traj",
        "transcript",
    ),
    *("trajectory", "dialog", "conversations"),
)
"""Under which member of an object a history may stand, the likeliest first."""
OUTER_KEYS = (
    *("body", "request", "inputs", "outputs", "values", "state", "channel_values", "data", "kwargs", "result"),
)
"""Members of an object that may hold the object with the history."""


def _is_history(messages: list[Any]) -> bool:
    """The list holds messages, by a look at its start; cheaper than naming the dialect."""
    return dialect_of(messages[:4]) is not None or (len(messages) > 4 and dialect_of(messages) is not None)


def find_messages(value: Any) -> list[Any] | None:
    """The history inside one value of a file: the list itself, or the member of an object that holds it."""
    if isinstance(value, list):
        return value if _is_history(value) else None
    if not isinstance(value, dict):
        return None
    found = _history_of(value)
    for outer in OUTER_KEYS:
        if found is not None:
            break
        inner = value.get(outer)
        if isinstance(inner, dict):
            found = _history_of(inner)
    return found


def _history_of(table: dict[str, Any]) -> list[Any] | None:
    """The history under a member of ``table``, also one that was written as JSON text."""
    for key in HISTORY_KEYS:
        found = table.get(key)
        if isinstance(found, str) and found[:1] == "[":
            found = loose_json(found, 1)
        if isinstance(found, list) and _is_history(found):
            return found
    return None


def last_choice(value: dict[str, Any]) -> list[Any]:
    """The answer of a logged chat request: ``response.choices[0].message`` in its usual places."""
    for key in ("response", "completion", "output", "body"):
        inner = value.get(key)
        if isinstance(inner, dict):
            found = last_choice(inner)
            if found:
                return found
    for choice in dicts(items(value.get("choices"))[:1]):
        if isinstance(choice.get("message"), dict):
            return [choice["message"]]
    return []
