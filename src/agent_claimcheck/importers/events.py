"""Events: what every format is turned into before a trace is built, and how a result's status is written down.

A reader must not miss: a ``Status`` is made only by the functions here, so that ``ok`` rests on a flag, an exit
code, an exception or a fault of the protocol can be checked in one place.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from agent_claimcheck.importers.foreign_json import bounded, mapping, read_args, read_output, string, text_of
from agent_claimcheck.trace.model import StatusConfidence, StatusSource, StepKind, StepRole, StepStatus


class Status(Struct, frozen=True):
    """How a call ended, as the source says it. ``error`` is the source's own text or object."""

    ok: bool | None = None
    word: StepStatus | None = None
    source: StatusSource = "none"
    confidence: StatusConfidence | None = None
    exit_code: int | None = None
    error: str | dict[str, Any] | None = None


UNKNOWN = Status()
"""Nothing was declared."""
SUCCEEDED = Status(True, "ok", "flag", "strong")
SUCCEEDED_WEAKLY = Status(True, "ok", "flag", "weak")
"""The format's default for "no error was reported"."""
FAILED = Status(False, "error", "flag", "strong")


def flagged(is_error: Any, error: Any = None, *, weak_success: bool = False) -> Status:
    """Status of an error flag: true failed, false succeeded, anything else says nothing."""
    if is_error is True:
        return Status(False, "error", "flag", "strong", error=_error_of(error))
    if is_error is False:
        return SUCCEEDED_WEAKLY if weak_success else SUCCEEDED
    return UNKNOWN


def failed(error: Any, source: StatusSource = "exception", word: StepStatus = "error") -> Status:
    """Status of a call that raised, was refused or broke the protocol."""
    return Status(False, word, source, "strong", error=_error_of(error))


def exited(code: Any, error: Any = None) -> Status:
    """Status of a finished process: 0 succeeded, any other whole number failed."""
    if isinstance(code, bool) or not isinstance(code, int) or not -(2**31) <= code < 2**32:
        return UNKNOWN
    if code == 0:
        return Status(True, "ok", "exit_code", "strong", 0)
    return Status(False, "error", "exit_code", "strong", code, _error_of(error))


def spanned(word: Any, message: Any = None) -> Status:
    """Status of a trace span: ``ERROR`` failed, an explicit ``OK`` succeeded weakly, unset says nothing."""
    text = word.upper().rpartition("_")[2] if isinstance(word, str) else word
    if text in ("ERROR", 2, "2"):
        return Status(False, "error", "span_status", "strong", error=_error_of(message))
    if text in ("OK", 1, "1"):
        return Status(True, "ok", "span_status", "weak")
    return UNKNOWN


def _error_of(error: Any) -> str | dict[str, Any] | None:
    """The error as text or an object; ``None`` for an empty one."""
    if isinstance(error, dict):
        return bounded(error) if error else None
    text = text_of(error)
    return text or None


_EXIT_TEXT = re.compile(
    r"(?im)^\s*(?:<returncode>\s*(-?\d{1,6})\s*</returncode>"
    r"|(?:process )?exit(?:ed with)?[ _]?(?:code|status)[:= ]{1,3}(-?\d{1,6})\s*$)"
)
_ERROR_TEXT = re.compile(r"(?i)\A\W{0,3}(?:error|exception|traceback|fatal)\b")
_SHOWN = 4000
"""How far into an output (and from its end) text is searched for an exit code."""


def exit_code_in(text: str) -> int | None:
    """The exit code that a runner printed on a line of its own near either end of an output."""
    window = text if len(text) <= 2 * _SHOWN else text[:_SHOWN] + "\n" + text[-_SHOWN:]
    match = _EXIT_TEXT.search(window)
    if not match:
        return None
    return int(match.group(1) or match.group(2))


def from_text(output: Any, policy: str) -> Status:
    """Status guessed from output text, for those who asked: ``exit-code`` or ``text``."""
    if policy == "strict" or not isinstance(output, str):
        return UNKNOWN
    code = exit_code_in(output)
    if code is not None:
        return exited(code)
    if policy == "text" and _ERROR_TEXT.match(output):
        return Status(False, "error", "text", "weak")
    return UNKNOWN


class Event(Struct, kw_only=True):
    """One thing that happened, before numbering. ``ts`` is whatever the source wrote."""

    kind: StepKind
    role: StepRole
    text: str | None = None
    name: str | None = None
    args: dict[str, Any] | None = None
    raw_args: str | None = None
    call_id: str | None = None
    output: Any = None
    status: Status = UNKNOWN
    ts: Any = None
    ts_end: Any = None
    agent_id: str | None = None
    parent_call_id: str | None = None
    parallel_group: str | None = None
    blocks: list[Any] | None = None
    ref: str | None = None
    is_final: bool = False


def said(role: StepRole, text: str, *, ts: Any = None, kind: StepKind = "message", **more: Any) -> Event:
    """A message, a thought (``kind="reasoning"``) or a system event."""
    return Event(kind=kind, role=role, text=text, ts=ts, **more)


def called(name: Any, args: Any, call_id: Any = None, *, ts: Any = None, **more: Any) -> Event:
    """A tool call. ``args`` may be an object, JSON text or anything else."""
    value, raw = read_args(args)
    return Event(
        kind="tool_call",
        role="agent",
        name=string(name) or "unknown",
        args=value,
        raw_args=raw,
        call_id=string(call_id),
        ts=ts,
        **more,
    )


def returned(name: Any, output: Any, call_id: Any = None, *, status: Status = UNKNOWN, **more: Any) -> Event:
    """A tool result. Text that is a JSON object or array is decoded."""
    return Event(
        kind="tool_result",
        role="tool",
        name=string(name),
        output=read_output(output),
        call_id=string(call_id),
        status=status,
        **more,
    )


def error_message(value: Any) -> Any:
    """The ``message`` of an error object, with its type before it when there is one."""
    table = mapping(value)
    if not table:
        return value
    message = table.get("message") or table.get("error")
    kind = table.get("type")
    if isinstance(message, str) and isinstance(kind, str):
        return {"type": kind, "message": message}
    return table
