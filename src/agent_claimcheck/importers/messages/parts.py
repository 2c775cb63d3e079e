"""Messages made of ``parts``: Gemini, OpenTelemetry, Vercel UI, pydantic-ai; and AutoGen's typed messages.

A reader must not miss: in these dialects one part may hold a call *and* its result (Vercel), and a "user" or "request"
message may hold nothing but results.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.events import (
    FAILED,
    SUCCEEDED,
    UNKNOWN,
    Event,
    Status,
    called,
    failed,
    flagged,
    returned,
    said,
)
from agent_claimcheck.importers.foreign_json import arguments_of, dicts, items, mapping, string, text_of
from agent_claimcheck.importers.messages.blocks import plain_text, read_block, result_value
from agent_claimcheck.trace.model import StepRole

_ROLES: dict[str, StepRole] = {
    "user": "user",
    "human": "user",
    "model": "agent",
    "assistant": "agent",
    "agent": "agent",
    "system": "system",
    "developer": "developer",
    "tool": "tool",
    "function": "tool",
}


def read_parts(message: dict[str, Any], role_word: str, ts: Any = None) -> list[Event] | None:
    """A message with a ``parts`` list: Gemini contents, OTel GenAI messages or Vercel UI messages."""
    role = _ROLES.get(role_word)
    if role is None:
        return None
    if ts is None:
        ts = message.get("timestamp") or message.get("createdAt")
    events: list[Event] = []
    for part in items(message.get("parts")):
        if isinstance(part, str):
            events.append(said(role, part, ts=ts))
        elif isinstance(part, dict):
            events.extend(_part(part, role, ts))
    return _joined(events)


def _joined(events: list[Event]) -> list[Event]:
    """Join neighbouring texts of one role: a message cut into parts is still one message."""
    out: list[Event] = []
    for event in events:
        last = out[-1] if out else None
        if last is not None and event.kind == last.kind == "message" and event.role == last.role:
            last.text = f"{last.text}\n{event.text}"
        else:
            out.append(event)
    return out


def _part(part: dict[str, Any], role: StepRole, ts: Any) -> list[Event]:
    kind = part.get("type")
    if isinstance(kind, str):
        if kind == "text":
            text = part.get("content") if isinstance(part.get("content"), str) else part.get("text")
            speaker: StepRole = "agent" if role == "tool" else role
            return [said(speaker, text, ts=ts)] if isinstance(text, str) and text else []
        if kind == "reasoning":
            text = part.get("content") or part.get("text")
            return [said("agent", text, ts=ts, kind="reasoning")] if isinstance(text, str) and text else []
        if kind.startswith("tool-") and "toolCallId" in part and "state" in part:
            return _vercel_tool(part, kind.removeprefix("tool-"), ts)
        if kind == "dynamic-tool":
            return _vercel_tool(part, string(part.get("toolName")) or "unknown", ts)
        if kind == "tool-invocation":
            return _vercel_invocation(mapping(part.get("toolInvocation")), ts)
        return read_block(part, ts=ts) or []
    return _gemini_part(part, role, ts)


def _gemini_part(part: dict[str, Any], role: StepRole, ts: Any) -> list[Event]:
    call = part.get("functionCall", part.get("function_call"))
    if isinstance(call, dict):
        return [called(call.get("name"), arguments_of(call, "args"), call.get("id"), ts=ts)]
    reply = part.get("functionResponse", part.get("function_response"))
    if isinstance(reply, dict):
        return [gemini_response(reply, ts)]
    code = mapping(part.get("executableCode") or part.get("executable_code"))
    if code:
        return [called("code_execution", {"code": text_of(code.get("code"))}, code.get("id"), ts=ts)]
    ran = mapping(part.get("codeExecutionResult") or part.get("code_execution_result"))
    if ran:
        outcome = text_of(ran.get("outcome"))
        status = SUCCEEDED if outcome.endswith("OK") else FAILED if outcome else UNKNOWN
        return [returned("code_execution", ran.get("output"), ran.get("id"), status=status, ts=ts)]
    text = part.get("text")
    if not isinstance(text, str) or not text:
        return []
    if part.get("thought") is True:
        return [said("agent", text, ts=ts, kind="reasoning")]
    return [said("agent" if role == "tool" else role, text, ts=ts)]


def gemini_response(reply: dict[str, Any], ts: Any = None) -> Event:
    """A ``functionResponse``: by convention ``response`` holds ``output`` or ``error``."""
    response = reply.get("response")
    table = mapping(response)
    status = UNKNOWN
    output: Any = response
    if table.get("error") and set(table) <= {"error", "output"}:
        status = failed(table["error"], "flag")
        output = table.get("output")
    elif set(table) <= {"output", "result"} and table:
        output = table.get("output", table.get("result"))
    return returned(reply.get("name"), result_value(output), reply.get("id"), status=status, ts=ts)


def _vercel_tool(part: dict[str, Any], name: str, ts: Any) -> list[Event]:
    call_id = part.get("toolCallId")
    events = [called(name, arguments_of(part, "input", "rawInput"), call_id, ts=ts)]
    state = part.get("state")
    if state == "output-available" and part.get("preliminary") is not True:
        events.append(returned(name, part.get("output"), call_id, status=SUCCEEDED, ts=ts))
    elif state == "output-error":
        events.append(returned(name, None, call_id, status=failed(part.get("errorText") or "error", "flag"), ts=ts))
    elif state == "output-denied":
        reason = mapping(part.get("approval")).get("reason") or "denied"
        events.append(returned(name, None, call_id, status=failed(reason, "denied", "denied"), ts=ts))
    else:
        events[0].status = Status(None, "partial", "none")
    return events


def _vercel_invocation(part: dict[str, Any], ts: Any) -> list[Event]:
    name, call_id = part.get("toolName"), part.get("toolCallId")
    events = [called(name, arguments_of(part, "args"), call_id, ts=ts)]
    if part.get("state") == "result":
        events.append(returned(name, part.get("result"), call_id, ts=ts))
    return events


def read_pydantic(message: dict[str, Any]) -> list[Event]:
    """A pydantic-ai ``ModelRequest`` or ``ModelResponse``."""
    events: list[Event] = []
    moment = message.get("timestamp")
    instructions = message.get("instructions")
    if isinstance(instructions, str) and instructions:
        events.append(said("system", instructions, ts=moment))
    for part in dicts(message.get("parts")):
        events.extend(_pydantic_part(part, part.get("timestamp") or moment))
    return events


def _pydantic_part(part: dict[str, Any], ts: Any) -> list[Event]:
    kind = part.get("part_kind")
    content = part.get("content")
    if kind == "system-prompt":
        return [said("system", plain_text(content), ts=ts)]
    if kind == "user-prompt":
        text = plain_text(content)
        return [said("user", text, ts=ts)] if text else []
    if kind == "text":
        return [said("agent", content, ts=ts)] if isinstance(content, str) and content else []
    if kind == "thinking":
        return [said("agent", content, ts=ts, kind="reasoning")] if isinstance(content, str) and content else []
    name, call_id = part.get("tool_name"), part.get("tool_call_id")
    if kind in ("tool-call", "builtin-tool-call", "native-tool-call"):
        return [called(name, arguments_of(part, "args"), call_id, ts=ts)]
    if kind in ("tool-return", "builtin-tool-return", "native-tool-return"):
        return [returned(name, content, call_id, status=_pydantic_status(part), ts=ts)]
    if kind == "retry-prompt":
        text = plain_text(content) if isinstance(content, str) else text_of(content)
        if name:
            return [returned(name, text, call_id, status=failed(text, "flag"), ts=ts)]
        return [said("environment", text, ts=ts)]
    return []


def _pydantic_status(part: dict[str, Any]) -> Status:
    outcome = part.get("outcome")
    if outcome == "success":
        return SUCCEEDED
    if outcome == "denied":
        return failed(part.get("content") or "denied", "denied", "denied")
    if outcome == "interrupted":
        return failed("interrupted", "flag", "cancelled")
    if outcome in ("failed", "retried"):
        return FAILED
    return UNKNOWN


def read_autogen(message: dict[str, Any], ts: Any = None) -> list[Event]:
    """One typed message of AutoGen 0.4 and later; ``source`` names the agent that wrote it."""
    kind = message["type"]
    content = message.get("content")
    ts = ts if ts is not None else message.get("created_at")
    source = string(message.get("source"))
    if kind in ("ToolCallRequestEvent", "AssistantMessage") and isinstance(content, list):
        calls = [
            called(c.get("name"), arguments_of(c, "arguments"), c.get("id"), ts=ts, agent_id=source)
            for c in dicts(content)
        ]
        thought = message.get("thought")
        if isinstance(thought, str) and thought:
            calls.insert(0, said("agent", thought, ts=ts, kind="reasoning", agent_id=source))
        return calls
    if kind in ("ToolCallExecutionEvent", "FunctionExecutionResultMessage"):
        return [
            returned(r.get("name"), r.get("content"), r.get("call_id"), status=flagged(r.get("is_error")), ts=ts)
            for r in dicts(content)
        ]
    if kind == "ThoughtEvent":
        return [said("agent", text_of(content), ts=ts, kind="reasoning", agent_id=source)] if content else []
    if kind in ("ModelClientStreamingChunkEvent", "UserInputRequestedEvent", "MemoryQueryEvent"):
        return []
    text = plain_text(content) or (text_of(content) if isinstance(content, dict) else "")
    if not text:
        return []
    role: StepRole = "agent"
    if kind == "SystemMessage":
        role = "system"
    elif kind == "UserMessage" or (source or "").lower() == "user":
        role = "user"
    return [said(role, text, ts=ts, agent_id=source if role == "agent" else None)]
