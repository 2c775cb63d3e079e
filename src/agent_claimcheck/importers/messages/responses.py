"""Items of the OpenAI Responses API, also written by the Agents SDK and by Codex.

A reader must not miss: hosted tools (web search, code interpreter, MCP) hold the call and its result in one item, and
calls pair on ``call_id``, never on ``id``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agent_claimcheck.importers.events import (
    SUCCEEDED_WEAKLY,
    UNKNOWN,
    Event,
    Status,
    called,
    exited,
    failed,
    returned,
    said,
)
from agent_claimcheck.importers.foreign_json import arguments_of, dicts, items, mapping, string, text_of
from agent_claimcheck.importers.messages.blocks import plain_text, read_content, result_value
from agent_claimcheck.trace.model import StepRole

_ROLES: dict[str, StepRole] = {"user": "user", "assistant": "agent", "system": "system", "developer": "developer"}
_ITEM_TYPES = frozenset(
    {
        *("function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "reasoning"),
        *("web_search_call", "file_search_call", "code_interpreter_call", "mcp_call", "mcp_list_tools"),
        *("mcp_approval_request", "mcp_approval_response", "computer_call", "computer_call_output"),
        *("image_generation_call", "local_shell_call", "local_shell_call_output", "shell_call", "shell_call_output"),
        *("apply_patch_call", "apply_patch_call_output", "tool_search_call", "tool_search_output", "compaction"),
        *("program", "program_output", "item_reference", "ghost_snapshot", "agent_message"),
    }
)


def is_response_item(item: dict[str, Any]) -> bool:
    """The object is an item of the Responses API."""
    kind = item.get("type")
    if kind == "message":
        return isinstance(item.get("role"), str)
    return isinstance(kind, str) and kind in _ITEM_TYPES and "role" not in item


def read_item(item: dict[str, Any], *, ts: Any = None, ref: str | None = None) -> list[Event]:
    """Turn one item into events; an item of no interest gives none."""
    kind = item.get("type")
    call_id = item.get("call_id") or item.get("id")
    if kind == "message":
        role = _ROLES.get(str(item.get("role")))
        return read_content(item.get("content"), role, ts=ts, ref=ref) if role else []
    if kind in ("function_call", "custom_tool_call"):
        args = arguments_of(item, "arguments" if kind == "function_call" else "input")
        call = called(item.get("name"), args, call_id, ts=ts, ref=ref)
        caller = mapping(item.get("caller"))
        call.parent_call_id = string(caller.get("caller_id"))
        return [call]
    if kind in ("function_call_output", "custom_tool_call_output", "program_output"):
        return [returned(item.get("name"), result_value(item.get("output")), call_id, ts=ts, ref=ref)]
    if kind == "reasoning":
        text = plain_text(item.get("summary")) or plain_text(item.get("content"))
        return [said("agent", text, ts=ts, kind="reasoning", ref=ref)] if text else []
    if kind == "mcp_approval_response" and item.get("approve") is False:
        denied = failed(item.get("reason") or "denied", "denied", "denied")
        return [returned(None, None, item.get("approval_request_id"), status=denied, ts=ts, ref=ref)]
    if kind == "agent_message":
        text = plain_text(item.get("content")) or text_of(item.get("message"))
        return [said("agent", text, ts=ts, ref=ref)] if text else []
    reader = _HOSTED.get(str(kind))
    return reader(item, call_id, ts, ref) if reader else []


def _completed(item: dict[str, Any]) -> Status:
    status = item.get("status")
    if status == "completed":
        return SUCCEEDED_WEAKLY
    if status in ("failed", "error"):
        return failed(item.get("error") or status, "flag")
    if status == "incomplete":
        return Status(None, "partial", "none")
    return UNKNOWN


def _whole(name: str, args: Any, output: Any, status: Status) -> Callable[[Any, Any, str | None], list[Event]]:
    def make(call_id: Any, ts: Any, ref: str | None) -> list[Event]:
        call_id = string(call_id)
        call = called(name, args, call_id, ts=ts, ref=ref)
        return [call, returned(name, output, call_id, status=status, ts=ts, ref=ref)]

    return make


def _mcp(item: dict[str, Any], call_id: Any, ts: Any, ref: str | None) -> list[Event]:
    name = string(item.get("name")) or "mcp"
    error = item.get("error")
    if error:
        status = failed(error, "protocol")
    elif item.get("output") is not None:
        status = SUCCEEDED_WEAKLY
    else:
        return [called(name, item.get("arguments"), call_id, ts=ts, ref=ref)]
    return _whole(name, item.get("arguments"), item.get("output"), status)(call_id, ts, ref)


def _approval(item: dict[str, Any], call_id: Any, ts: Any, ref: str | None) -> list[Event]:
    call = called(item.get("name"), item.get("arguments"), call_id, ts=ts, ref=ref)
    call.status = Status(None, "partial", "none")
    return [call]


def _web_search(item: dict[str, Any], call_id: Any, ts: Any, ref: str | None) -> list[Event]:
    action = dict(mapping(item.get("action")))
    sources = action.pop("sources", None)
    found = {"status": item.get("status"), "sources": sources} if sources else {"status": item.get("status")}
    return _whole("web_search", action, found, _completed(item))(call_id, ts, ref)


def _file_search(item: dict[str, Any], call_id: Any, ts: Any, ref: str | None) -> list[Event]:
    args = {"queries": item.get("queries")}
    return _whole("file_search", args, item.get("results"), _completed(item))(call_id, ts, ref)


def _code(item: dict[str, Any], call_id: Any, ts: Any, ref: str | None) -> list[Event]:
    args = {"code": item.get("code")}
    return _whole("code_interpreter", args, item.get("outputs"), _completed(item))(call_id, ts, ref)


def _image(item: dict[str, Any], call_id: Any, ts: Any, ref: str | None) -> list[Event]:
    args = {"prompt": item.get("revised_prompt")}
    return _whole("image_generation", args, {"status": item.get("status")}, _completed(item))(call_id, ts, ref)


def _shell(item: dict[str, Any], call_id: Any, ts: Any, ref: str | None) -> list[Event]:
    name = str(item.get("type")).removesuffix("_call")
    return [called(name, mapping(item.get("action")), call_id, ts=ts, ref=ref)]


def _shell_output(item: dict[str, Any], call_id: Any, ts: Any, ref: str | None) -> list[Event]:
    output = item.get("output")
    status = UNKNOWN
    for chunk in dicts(output):
        outcome = mapping(chunk.get("outcome"))
        if outcome.get("type") == "timeout":
            status = failed("timeout", "flag", "timeout")
        elif outcome.get("type") == "exit" and status.ok is not False:
            status = exited(outcome.get("exit_code"))
    return [returned(None, result_value(output), call_id, status=status, ts=ts, ref=ref)]


def _patch(item: dict[str, Any], call_id: Any, ts: Any, ref: str | None) -> list[Event]:
    return [called("apply_patch", mapping(item.get("operation")) or item.get("input"), call_id, ts=ts, ref=ref)]


def _patch_output(item: dict[str, Any], call_id: Any, ts: Any, ref: str | None) -> list[Event]:
    return [returned("apply_patch", item.get("output"), call_id, status=_completed(item), ts=ts, ref=ref)]


def _computer(item: dict[str, Any], call_id: Any, ts: Any, ref: str | None) -> list[Event]:
    return [called("computer", mapping(item.get("action")), call_id, ts=ts, ref=ref)]


def _computer_output(item: dict[str, Any], call_id: Any, ts: Any, ref: str | None) -> list[Event]:
    kind = mapping(item.get("output")).get("type")
    return [returned("computer", {"type": kind, "omitted": "screenshot"}, call_id, ts=ts, ref=ref)]


def _tool_search(item: dict[str, Any], call_id: Any, ts: Any, ref: str | None) -> list[Event]:
    return [called("tool_search", item.get("arguments"), item.get("call_id"), ts=ts, ref=ref)]


def _tool_search_output(item: dict[str, Any], call_id: Any, ts: Any, ref: str | None) -> list[Event]:
    names = [string(tool.get("name")) for tool in dicts(item.get("tools"))]
    call = item.get("call_id")
    return [returned("tool_search", {"tools": names}, call, status=_completed(item), ts=ts, ref=ref)]


def _program(item: dict[str, Any], call_id: Any, ts: Any, ref: str | None) -> list[Event]:
    return [called("program", {"code": item.get("code") or item.get("input")}, call_id, ts=ts, ref=ref)]


_HOSTED: dict[str, Callable[[dict[str, Any], Any, Any, str | None], list[Event]]] = {
    "mcp_call": _mcp,
    "mcp_approval_request": _approval,
    "web_search_call": _web_search,
    "file_search_call": _file_search,
    "code_interpreter_call": _code,
    "image_generation_call": _image,
    "local_shell_call": _shell,
    "shell_call": _shell,
    "local_shell_call_output": _shell_output,
    "shell_call_output": _shell_output,
    "apply_patch_call": _patch,
    "apply_patch_call_output": _patch_output,
    "computer_call": _computer,
    "computer_call_output": _computer_output,
    "tool_search_call": _tool_search,
    "tool_search_output": _tool_search_output,
    "program": _program,
}


def response_items(response: dict[str, Any]) -> list[Any]:
    """All items of a stored response: its input, when it was kept, and its output."""
    given = response.get("input")
    before = given if isinstance(given, list) else [{"role": "user", "content": given}] if given else []
    return [*before, *items(response.get("output"))]
