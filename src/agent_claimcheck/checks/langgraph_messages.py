"""LangGraph and LangChain messages, as they are in memory, to a run. No import of those libraries is needed.

A reader must not miss: messages are told apart by class name or by ``type``/``role`` in a dict. ``ToolMessage.status``
is kept; its silent default ``success`` is no declaration, because every hand-made tool message carries it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from agent_claimcheck.checks.run import Run, RunStep, ToolCall

_KINDS = {
    "system": "system",
    "developer": "system",
    "human": "human",
    "user": "human",
    "ai": "ai",
    "assistant": "ai",
    "tool": "tool",
}
_NO_STATUS = object()


def from_langgraph_messages(
    messages: Iterable[Any],
    *,
    task: str | None = None,
    final_answer: str | None = None,
    system_prompt: str | None = None,
    allowed_tools: list[str] | None = None,
    tool_fallbacks: Mapping[str, list[str]] | None = None,
    response_tool: str | None = None,
) -> Run:
    """Return the run that ``messages`` record.

    Each tool call becomes one step whose thought is its message's text; results are joined by tool call id. Unless
    given, ``task`` is the first human message, ``system_prompt`` the first system message and ``final_answer`` the last
    text of the assistant without tool calls. ``response_tool`` names a tool that only hands over the answer: its calls
    are no steps, and its arguments are the final answer when there is no other.
    """
    items = [_unwrap(message) for message in messages]
    results = {_field(item, "tool_call_id"): item for item in items if _kind(item) == "tool"}
    steps: list[RunStep] = []
    answer = handed_over = ""
    for item in items:
        kind = _kind(item)
        text = _text(_field(item, "content"))
        if kind == "human" and task is None:
            task = text
        elif kind == "system" and system_prompt is None:
            system_prompt = text
        elif kind == "ai":
            calls = _calls(item)
            for name, arguments, call_id in calls:
                if name == response_tool:
                    handed_over = json.dumps(arguments, ensure_ascii=False, default=str)
                else:
                    steps.append(_step(name, arguments, results.get(call_id), text))
            if not calls and text:
                answer = text
    return Run(
        task=task or "",
        final_answer=(answer or handed_over) if final_answer is None else final_answer,
        system_prompt=system_prompt,
        allowed_tools=allowed_tools,
        tool_fallbacks=dict(tool_fallbacks or {}),
        steps=steps,
    )


def _step(name: str, arguments: dict[str, Any], result: Any, thought: str) -> RunStep:
    if result is None:
        return RunStep(thought=thought or None, tool_call=ToolCall(name=name, arguments=arguments), note="no_result")
    call = ToolCall(
        name=name, arguments=arguments, output=_text(_field(result, "content")), is_error=_declared_error(result)
    )
    return RunStep(thought=thought or None, tool_call=call)


def _declared_error(result: Any) -> bool | None:
    status = _field(result, "status")
    if status == "error":
        return True
    if status != "success" or isinstance(result, Mapping):
        # A message written out as a dict carries the default as well; nothing shows who set it.
        return None
    given = getattr(result, "model_fields_set", _NO_STATUS)
    return None if isinstance(given, (set, frozenset)) and "status" not in given else False


def _calls(message: Any) -> list[tuple[str, dict[str, Any], Any]]:
    found: list[tuple[str, dict[str, Any], Any]] = []
    raw = _field(message, "tool_calls")
    for call in raw if isinstance(raw, (list, tuple)) else ():
        function = _field(call, "function")
        holder = call if function is None else function
        name = _field(holder, "name")
        arguments = _field(call, "args") if function is None else _field(function, "arguments")
        if isinstance(name, str):
            found.append((name, _arguments(arguments), _field(call, "id")))
    return found


def _arguments(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {"input": value}
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    return {} if value is None else {"input": value}


def _unwrap(message: Any) -> Any:
    """Open the two written forms that hold the message inside: ``{type, data}`` and ``{lc, id, kwargs}``."""
    if not isinstance(message, Mapping):
        return message
    if isinstance(message.get("data"), Mapping) and "content" not in message:
        return {**message["data"], "type": message.get("type")}
    if isinstance(message.get("kwargs"), Mapping) and isinstance(message.get("id"), list) and message["id"]:
        return {**message["kwargs"], "type": _class_kind(str(message["id"][-1]))}
    return message


def _class_kind(name: str) -> str:
    return name.removesuffix("Chunk").removesuffix("Message").lower()


def _kind(message: Any) -> str | None:
    if isinstance(message, Mapping):
        name = message.get("type") if message.get("type") in _KINDS else message.get("role")
        return _KINDS.get(name) if isinstance(name, str) else None
    return _KINDS.get(_class_kind(type(message).__name__))


def _field(holder: Any, name: str) -> Any:
    return holder.get(name) if isinstance(holder, Mapping) else getattr(holder, name, None)


def _text(content: Any) -> str:
    """The text of a message. What is not text leaves a mark, so that an image is not taken for an empty output."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, (list, tuple)):
        return "" if content is None else str(content)
    parts: list[str] = []
    for block in content:
        if isinstance(block, str):
            parts.append(block)
        elif isinstance(block, Mapping):
            if isinstance(block.get("text"), str):
                parts.append(block["text"])
            elif block.get("type") not in ("tool_use", "tool_call", "thinking", "reasoning"):
                parts.append(f"[{block.get('type', 'content')}]")
    return "\n".join(parts)
