"""Steps that stand flat among messages: ``{"tool": ..., "params": ...}``, then ``{"tool": ..., "result": ...}``.

A reader must not miss: this is asked only of what is no message of any dialect, and a name alone makes no call.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.events import UNKNOWN, Event, Status, called, failed, flagged, returned
from agent_claimcheck.importers.foreign_json import arguments_of, mapping, string, word
from agent_claimcheck.importers.messages.blocks import CALL_KINDS, RESULT_KINDS, result_value

_NAMES = ("tool", "tool_name", "toolName")
_RESULTS = ("result", "output", "observation", "response")
_IDS = ("call_id", "tool_call_id", "toolCallId", "tool_use_id")


def read_flat_step(record: Any, *, ref: str | None = None) -> list[Event]:
    """Return the call, the result or both that a flat record holds; none when it is no step."""
    table = mapping(record)
    kind = word(table.get("type"))
    is_named = kind in CALL_KINDS or kind in RESULT_KINDS
    name = _first(table, (*_NAMES, "name") if is_named else _NAMES)
    if not isinstance(name, str) or not name:
        return []
    call_id, ts = string(_first(table, _IDS)), table.get("timestamp") or table.get("ts")
    args = arguments_of(table)
    status = _status(table)
    has_result = (
        kind in RESULT_KINDS or any(key in table for key in _RESULTS) or (args is None and status is not UNKNOWN)
    )
    has_call = kind in CALL_KINDS or (args is not None and kind not in RESULT_KINDS)
    if has_call and has_result:
        call_id = call_id or ref
    events = [called(name, args, call_id, ts=ts, ref=ref)] if has_call else []
    if has_result:
        output = _first(table, (*_RESULTS, "content"))
        events.append(returned(name, result_value(output), call_id, status=status, ts=ts, ref=ref))
    return events


def _status(table: dict[str, Any]) -> Status:
    error = _first(table, ("error", "is_error", "isError"))
    if isinstance(error, bool):
        return flagged(error)
    if isinstance(error, str | dict) and error:
        return failed(error, "flag")
    succeeded = _first(table, ("success", "ok"))
    return flagged(not succeeded) if isinstance(succeeded, bool) else UNKNOWN


def _first(table: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((table[key] for key in keys if table.get(key) is not None), None)
