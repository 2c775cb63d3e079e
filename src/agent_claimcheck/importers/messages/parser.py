"""The one message parser: any dialect of chat message becomes events.

A reader must not miss: the dialect is told from each message's own shape, not from the file it came in, because trace
back ends carry the messages of every framework. What is not understood gives no events and is counted by the caller.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent_claimcheck.importers.events import (
    SUCCEEDED_WEAKLY,
    UNKNOWN,
    Event,
    Status,
    called,
    exited,
    flagged,
    returned,
    said,
)
from agent_claimcheck.importers.foreign_json import arguments_of, dicts, items, loose_json, mapping, string, word
from agent_claimcheck.importers.messages.blocks import inspect_status, plain_text, read_content, result_value
from agent_claimcheck.importers.messages.chunks import joined
from agent_claimcheck.importers.messages.flat_steps import read_flat_step
from agent_claimcheck.importers.messages.parts import read_autogen, read_parts, read_pydantic
from agent_claimcheck.importers.messages.responses import is_response_item, read_item
from agent_claimcheck.trace.model import StepRole

ROLES: dict[str, StepRole] = {
    "user": "user",
    "human": "user",
    "assistant": "agent",
    "ai": "agent",
    "AIMessageChunk": "agent",
    "model": "agent",
    "agent": "agent",
    "bot": "agent",
    "system": "system",
    "developer": "developer",
    "tool": "tool",
    "toolResult": "tool",
    "tool_response": "tool",
    "function": "tool",
}
LANGCHAIN_TYPES = frozenset(
    {"human", "ai", "tool", "system", "function", "chat", "remove", "developer", "AIMessageChunk"}
)
AUTOGEN_TYPES = frozenset(
    {
        *("UserMessage", "AssistantMessage", "SystemMessage", "FunctionExecutionResultMessage"),
        *("TextMessage", "ToolCallRequestEvent", "ToolCallExecutionEvent", "ToolCallSummaryMessage"),
        *("StopMessage", "HandoffMessage", "MultiModalMessage", "ThoughtEvent", "ModelClientStreamingChunkEvent"),
        *("UserInputRequestedEvent", "MemoryQueryEvent", "StructuredMessage"),
    }
)


def read_messages(messages: Iterable[Any]) -> tuple[list[Event], int]:
    """Turn a history into events, and count the messages that were not understood."""
    events: list[Event] = []
    unread = 0
    for message in joined(messages):
        made = read_message_or_step(message)
        if made is None:
            unread += 1
        else:
            events.extend(made)
    return events, unread


def read_message_or_step(message: Any, *, ref: str | None = None) -> list[Event] | None:
    """Turn one entry of a history into events: a message, or a call or result that stands flat among them."""
    made = read_message(message, ref=ref)
    if any(event.kind in ("tool_call", "tool_result") for event in made or ()):
        return made
    steps = read_flat_step(message, ref=ref)
    return [*(made or ()), *steps] if steps else made


def read_message(message: Any, *, ts: Any = None, ref: str | None = None) -> list[Event] | None:
    """Turn one message of any dialect into events; ``None`` when it is no message."""
    if isinstance(message, list):
        return _pair_message(message, ts)
    if not isinstance(message, dict):
        return None
    if message.get("lc") == 1 and isinstance(message.get("kwargs"), dict):
        return _dumped(message, ts, ref)
    kind = message.get("type")
    if isinstance(kind, str):
        if kind in LANGCHAIN_TYPES and isinstance(message.get("data"), dict):
            return read_message({**message["data"], "type": kind}, ts=ts, ref=ref)
        if kind in AUTOGEN_TYPES:
            return read_autogen(message, ts)
        if is_response_item(message):
            return read_item(message, ts=ts, ref=ref)
    if message.get("kind") in ("request", "response") and isinstance(message.get("parts"), list):
        return read_pydantic(message)
    role = message.get("role")
    if role is None and isinstance(kind, str) and kind in LANGCHAIN_TYPES:
        role = message.get("role") if kind == "chat" else kind
        if kind == "remove":
            return []
    if isinstance(role, dict):
        role = role.get("value")
    if not isinstance(role, str):
        return None
    if "content" not in message and isinstance(message.get("message"), dict):
        return read_message({"role": role, **message["message"]}, ts=ts, ref=ref)
    if isinstance(message.get("parts"), list):
        return read_parts(message, role, ts)
    return _chat(message, role, ts, ref)


def _pair_message(pair: list[Any], ts: Any) -> list[Event] | None:
    """``["user", "text"]``, as LangChain inputs may be written."""
    if len(pair) == 2 and isinstance(pair[0], str) and pair[0] in ROLES and isinstance(pair[1], str | list):
        return read_content(pair[1], ROLES[pair[0]], ts=ts)
    return None


def _dumped(message: dict[str, Any], ts: Any, ref: str | None) -> list[Event] | None:
    kwargs = message["kwargs"]
    names = items(message.get("id"))
    class_name = names[-1] if names and isinstance(names[-1], str) else ""
    kind = kwargs.get("type") or class_name.removesuffix("Chunk").removesuffix("Message").lower()
    if word(kind) not in LANGCHAIN_TYPES:
        return None
    return read_message({**kwargs, "type": kind}, ts=ts, ref=ref)


def _chat(message: dict[str, Any], role_word: str, ts: Any, ref: str | None) -> list[Event] | None:
    role = ROLES.get(role_word)
    if role is None:
        return None
    if ts is None:
        ts = message.get("timestamp") or message.get("created_at")
    content = message.get("content")
    if role == "tool":
        return _tool_message(message, content, ts, ref)
    events = read_content(content, role, ts=ts, ref=ref)
    if role == "user" and isinstance(message.get("tool_calls"), list):
        return events + _calls(message, ts, ref)
    if role == "agent":
        events = _agent_message(message, events, ts, ref)
    return events


def _agent_message(message: dict[str, Any], events: list[Event], ts: Any, ref: str | None) -> list[Event]:
    thought = message.get("reasoning_content") or message.get("reasoning")
    if isinstance(thought, str) and thought:
        events.insert(0, said("agent", thought, ts=ts, kind="reasoning", ref=ref))
    refusal = message.get("refusal") or mapping(message.get("additional_kwargs")).get("refusal")
    if isinstance(refusal, str) and refusal:
        events.append(said("agent", refusal, ts=ts, ref=ref))
    audio = mapping(message.get("audio")).get("transcript")
    if isinstance(audio, str) and audio:
        events.append(said("agent", audio, ts=ts, ref=ref))
    # A content list may already hold the calls (Anthropic blocks inside a LangChain message); ids tell.
    known = {event.call_id for event in events if event.kind == "tool_call" and event.call_id}
    calls = [call for call in _calls(message, ts, ref) if call.call_id is None or call.call_id not in known]
    group = string(message.get("id")) if len(calls) > 1 else None
    for call in calls:
        call.parallel_group = group
    return events + calls


def _calls(message: dict[str, Any], ts: Any, ref: str | None) -> list[Event]:
    entries = items(message.get("tool_calls"))
    extra = mapping(message.get("additional_kwargs"))
    if not entries:
        entries = items(extra.get("tool_calls"))
    calls = [call for entry in dicts(entries) if (call := read_call(entry, ts, ref)) is not None]
    for entry in dicts(message.get("invalid_tool_calls")):
        call = called(entry.get("name"), arguments_of(entry, "args"), entry.get("id"), ts=ts, ref=ref)
        call.status = Status(None, "invalid", "none", None, error=string(entry.get("error")))
        calls.append(call)
    legacy = mapping(message.get("function_call") or extra.get("function_call"))
    if legacy and not calls:
        calls.append(called(legacy.get("name"), arguments_of(legacy, "arguments"), None, ts=ts, ref=ref))
    return calls


def read_call(entry: dict[str, Any], ts: Any = None, ref: str | None = None) -> Event | None:
    """One entry of a ``tool_calls`` list, in the spelling of any framework."""
    if isinstance(entry.get("tool_call"), dict):
        entry = entry["tool_call"]
    call_id = entry.get("id") or entry.get("tool_call_id") or entry.get("toolCallId")
    function = entry.get("function")
    custom = mapping(entry.get("custom"))
    if isinstance(function, dict):
        name, args = function.get("name"), arguments_of(function, "arguments", "args")
    elif custom:
        name, args = custom.get("name"), arguments_of(custom, "input")
    else:
        name = function or entry.get("name") or entry.get("tool_name") or entry.get("toolName")
        args = arguments_of(entry, "args")
    if name is None and args is None and call_id is None:
        return None
    call = called(name, args, call_id, ts=ts, ref=ref)
    if entry.get("requestor") == "user":
        call.role, call.agent_id = "user", "user"
    if isinstance(entry.get("parse_error"), str):
        call.status = Status(None, "invalid", "none", None, error=entry["parse_error"])
    return call


def _tool_message(message: dict[str, Any], content: Any, ts: Any, ref: str | None) -> list[Event]:
    if isinstance(message.get("tool_messages"), list):
        events: list[Event] = []
        for entry in dicts(message["tool_messages"]):
            events.extend(_tool_message(entry, entry.get("content"), ts, ref))
        return events
    if _is_definition(content):
        return []
    echoed = _echoed_calls(content)
    if echoed:
        return [call for entry in echoed if (call := read_call(entry, ts, ref)) is not None]
    if isinstance(content, list) and any(
        isinstance(block, dict) and block.get("type") in ("tool-result", "tool_result") for block in content
    ):
        return read_content(content, "tool", ts=ts, ref=ref)
    if content is None:
        content = message.get("result", message.get("output"))
    asked = mapping(message.get("tool_call"))
    function = asked.get("function") or message.get("function")
    name = message.get("name") or message.get("toolName") or message.get("tool_name")
    if name is None:
        name = function.get("name") if isinstance(function, dict) else function or string(message.get("tool"))
    call_id = message.get("tool_call_id") or message.get("toolCallId") or message.get("call_id") or asked.get("id")
    if call_id is None and ("requestor" in message or "turn_idx" in message):
        call_id = message.get("id")
    event = returned(name, result_value(content), call_id, status=_tool_status(message), ts=ts, ref=ref)
    if message.get("requestor") == "user":
        event.agent_id = "user"
    return [event]


def _tool_status(message: dict[str, Any]) -> Status:
    status = inspect_status(message)
    if status is not UNKNOWN:
        return status
    flag = message.get("isError")
    if isinstance(flag, bool):
        return flagged(flag)
    extra = mapping(message.get("extra"))
    if "returncode" in extra:
        return exited(extra["returncode"], extra.get("exception_info"))
    if isinstance(message.get("function"), str) and "tool_call_id" in message:
        # Inspect writes ``error`` only when there was one.
        return SUCCEEDED_WEAKLY
    return UNKNOWN


def _echoed_calls(content: Any) -> list[dict[str, Any]]:
    """Some tracers write the calls of an answer as a tool message whose text is their JSON."""
    if not isinstance(content, str) or not content.startswith("[{"):
        return []
    entries = loose_json(content)
    if isinstance(entries, list) and all(
        isinstance(entry, dict) and isinstance(entry.get("function"), dict) and "id" in entry for entry in entries
    ):
        return entries
    return []


def _is_definition(content: Any) -> bool:
    """Some tracers put tool definitions into the history as tool messages."""
    table = mapping(content)
    return table.get("type") == "function" and isinstance(table.get("function"), dict)


def message_text(message: Any) -> str:
    """The plain text of one message of any dialect."""
    made = read_message(message) or []
    return "\n".join(event.text for event in made if event.kind == "message" and event.text) or plain_text(
        mapping(message).get("content")
    )
