"""Reads a tool result as proof of an effect: did the call work, fail, wait, return nothing, or can nobody tell?

A reader must not miss: unset is not success and not failure. ``ok`` absent and nothing in the body gives ``unknown``,
which never accuses. A declared failure always stands; a declared success falls to a body that plainly says otherwise
(a 500, ``"success": false``, "2 failed, 40 passed").
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from agent_claimcheck.evidence.result_fields import FieldReading, read_fields
from agent_claimcheck.evidence.result_json import parse_output
from agent_claimcheck.evidence.result_text import TextReading, read_exit_code, read_text
from agent_claimcheck.evidence.shell import (
    ShellReading,
    command_of,
    command_of_args,
    is_build_command,
    is_check_command,
    is_test_command,
    read_command,
)
from agent_claimcheck.evidence.test_runs import TestSummary, read_test_summary
from agent_claimcheck.evidence.tool_names import NameReading, read_tool_name
from agent_claimcheck.trace.model import Step

__all__ = [
    "Receipt",
    "ReceiptSource",
    "ReceiptState",
    "TestSummary",
    "command_of",
    "is_build_command",
    "is_check_command",
    "is_test_command",
    "parse_output",
    "read_receipt",
    "read_test_summary",
    "read_text_status",
]

ReceiptState = Literal["ok", "failed", "pending", "empty", "unknown"]
ReceiptSource = Literal["flag", "error_field", "exit_code", "http_status", "status_field", "body_error", "text", "none"]

_ERROR_WORDS_OF_NOTHING = frozenset({"", "none", "null", "no error", "no errors", "false", "ok", "success", "n/a"})
_MESSAGE_KEYS = frozenset(
    {
        "message",
        "msg",
        "detail",
        "details",
        "reason",
        "text",
        "result",
        "output",
        "info",
        "title",
        "response",
        "content",
    }
)
_DENIED = {"denied": "the call was denied", "cancelled": "the call was cancelled", "timeout": "the call timed out",
           "invalid": "the call was invalid", "error": "the call failed"}  # fmt: skip


class Receipt(Struct, frozen=True, kw_only=True):
    """A tool result read as proof. ``source`` says where ``state`` was read, ``confidence`` (0..1) how surely.

    ``parsed`` is the output with JSON in strings decoded (also when encoded twice) and protocol wrappers of text blocks
    opened. ``tests`` holds the totals when a test run was read.
    """

    state: ReceiptState
    source: ReceiptSource
    confidence: float
    reason: str
    exit_code: int | None = None
    parsed: Any = None
    tests: TestSummary | None = None

    @property
    def is_ok(self) -> bool:
        """True when the call is known to have worked."""
        return self.state == "ok"


def read_receipt(call: Step | None, result: Step | None) -> Receipt:
    """Read ``result`` as the receipt of ``call``. Never raises, whatever the JSON.

    Order: no result, the ``error`` field, ``ok`` or ``status``, then what the body says. The body can overturn a
    declared success, never a declared failure.
    """
    if result is None:
        return Receipt(state="unknown", source="none", confidence=0.0, reason="there is no result")
    name = read_tool_name(_name_of(call, result))
    parsed = parse_output(result.output)
    shell = _shell_of(call, name)
    declared = _declared(result)
    if declared is not None and declared.state == "failed":
        code = declared.exit_code if declared.exit_code is not None else _exit_code_in(parsed)
        tests = _tests_in(parsed, name, shell, call) if shell is not None or name.verb_class == "tests_run" else None
        return Receipt(
            state="failed", source=declared.source, confidence=declared.confidence, reason=declared.reason,
            exit_code=code, parsed=parsed, tests=tests,
        )  # fmt: skip
    return _with_body(declared, parsed, name, shell, call)


def read_text_status(output: str, *, tool_name: str, args: Mapping[str, Any] | None) -> Receipt:
    """Read the text a tool returned as its receipt, with no flag at hand. Never raises."""
    name = read_tool_name(tool_name)
    command = command_of_args(args, tool_name) if args else None
    shell = read_command(command) if command is not None else None
    return _with_body(None, parse_output(output), name, shell, None, is_bare=not tool_name)


def _name_of(call: Step | None, result: Step) -> str:
    name = (call.name if call is not None else None) or result.name
    return name if isinstance(name, str) else ""


def _shell_of(call: Step | None, name: NameReading) -> ShellReading | None:
    if call is None:
        return None
    command = command_of(call)
    return read_command(command) if command is not None else None


def _declared(result: Step) -> Receipt | None:
    error = _error_text(result.error)
    if error is not None:
        return Receipt(
            state="failed",
            source="error_field",
            confidence=0.97,
            reason=f"error: {error[:120]}",
            exit_code=result.exit_code,
        )
    if result.ok is False:
        return Receipt(state="failed", source="flag", confidence=0.98, reason="ok is false", exit_code=result.exit_code)
    if result.status in _DENIED:
        sure = 0.9 if result.status_confidence != "weak" else 0.6
        return Receipt(
            state="failed", source="flag", confidence=sure, reason=_DENIED[result.status], exit_code=result.exit_code
        )
    if result.exit_code:
        return Receipt(
            state="failed",
            source="exit_code",
            confidence=0.95,
            reason=f"exit code {result.exit_code}",
            exit_code=result.exit_code,
        )
    if result.status == "partial":
        return Receipt(state="unknown", source="flag", confidence=0.6, reason="only a part was done")
    if result.ok is True:
        return Receipt(state="ok", source="flag", confidence=0.9, reason="ok is true", exit_code=result.exit_code)
    if result.status == "ok":
        return Receipt(state="ok", source="flag", confidence=0.85, reason="status is ok", exit_code=result.exit_code)
    if result.exit_code == 0:
        return Receipt(state="ok", source="exit_code", confidence=0.9, reason="exit code 0", exit_code=0)
    return None


def _error_text(error: Any) -> str | None:
    """Return what an ``error`` field says, ``None`` when it says that there was none."""
    if error is None or error is False or error == {} or error == []:
        return None
    if isinstance(error, str):
        return None if error.strip().lower() in _ERROR_WORDS_OF_NOTHING else error
    if isinstance(error, dict):
        message = error.get("message") or error.get("detail") or error.get("type") or error.get("code")
        if message in (0, 200, "OK", "ok"):
            return None
        return str(message)[:200] if message is not None else "an error object"
    return str(error)[:200]


def _with_body(
    declared: Receipt | None,
    parsed: Any,
    name: NameReading,
    shell: ShellReading | None,
    call: Step | None,
    *,
    is_bare: bool = False,
) -> Receipt:
    """Weigh what the body says against what was declared (``None`` or not a failure)."""
    runs_tests = name.verb_class == "tests_run" or (shell is not None and shell.is_test)
    is_command_line = shell is not None or name.is_shell
    if runs_tests or is_bare:
        summary = _tests_in(parsed, name, shell, call)
        if summary is not None:
            return _test_receipt(summary, declared, parsed)
    is_read = _is_read(name, shell, call)
    said = _read_body(parsed, name, shell, is_read)
    if declared is None:
        if said is None:
            return Receipt(
                state="unknown", source="none", confidence=0.0, reason="neither a flag nor the body says", parsed=parsed
            )
        return _receipt(said, parsed)
    if declared.state == "unknown" or said is None:
        return _kept(declared, parsed)
    return _weigh(declared, said, parsed, is_read, is_command_line)


def _weigh(
    declared: Receipt, said: FieldReading | TextReading, parsed: Any, is_read: bool, is_command_line: bool
) -> Receipt:
    """``ok`` was declared; say whether the body overturns it."""
    if said.state == "failed":
        if isinstance(said, FieldReading) or (said.confidence >= 0.8 and not is_command_line):
            return _receipt(said, parsed)
        return msgspec.structs.replace(
            _kept(declared, parsed), confidence=0.6, reason=f"{declared.reason}, though {said.reason}"
        )
    if said.state == "pending" or said.state == "partial":
        return _receipt(said, parsed)
    if said.state == "empty" and is_read and not is_command_line:
        return _receipt(said, parsed)
    code = said.exit_code if declared.exit_code is None else declared.exit_code
    return msgspec.structs.replace(_kept(declared, parsed), exit_code=code)


def _kept(declared: Receipt, parsed: Any) -> Receipt:
    return msgspec.structs.replace(declared, parsed=parsed)


def _receipt(said: FieldReading | TextReading, parsed: Any) -> Receipt:
    state: ReceiptState = "unknown" if said.state == "partial" else said.state
    return Receipt(
        state=state,
        source=said.source,
        confidence=said.confidence,
        reason=said.reason,
        exit_code=said.exit_code,
        parsed=parsed,
    )


def _is_read(name: NameReading, shell: ShellReading | None, call: Step | None) -> bool:
    if shell is not None:
        return shell.kind == "read"
    if name.is_editor and call is not None and isinstance(call.args, dict):
        return call.args.get("command") == "view"
    return name.kind == "read"


def _read_body(
    parsed: Any, name: NameReading, shell: ShellReading | None, is_read: bool
) -> FieldReading | TextReading | None:
    if isinstance(parsed, str):
        is_shell = shell is not None or name.is_shell or name.is_code
        reading = read_text(
            parsed,
            returns_content=(shell.kind == "read" if shell is not None else name.returns_content),
            is_shell=is_shell,
            is_read=is_read,
            is_write=name.kind == "write",
        )
        return None if reading.state == "unknown" else reading
    if parsed is None or parsed == {} or parsed == []:
        return TextReading("empty", "text", 0.9, "the result is empty")
    if isinstance(parsed, dict):
        return _read_object(parsed, name, shell, is_read)
    if parsed is False:
        return None if is_read else TextReading("failed", "text", 0.7, "the result is false")
    if isinstance(parsed, list):
        return TextReading("ok", "text", 0.6, "a list was returned") if is_read else None
    return TextReading("ok", "text", 0.6, "a value was returned") if is_read else None


def _read_object(
    body: dict[str, Any], name: NameReading, shell: ShellReading | None, is_read: bool
) -> FieldReading | TextReading | None:
    said = read_fields(body, name.words, is_read=is_read)
    if said is not None:
        return said
    if len(body) <= 2:
        # {"message": "..."} and {"detail": "..."} are a text in a wrapper.
        for key, value in body.items():
            if key in _MESSAGE_KEYS and isinstance(value, str):
                reading = read_text(
                    value,
                    returns_content=name.returns_content,
                    is_shell=False,
                    is_read=is_read,
                    is_write=name.kind == "write",
                )
                if reading.state != "unknown":
                    return reading
    if "stdout" in body or "stderr" in body:
        return _read_streams(body, shell, is_read)
    if is_read:
        if (
            all(
                value is None or value == [] or value == {} or value == "" or value == 0
                for value in list(body.values())[:20]
            )
            and len(body) <= 20
        ):
            return TextReading("empty", "text", 0.7, "every field is empty")
        return TextReading("ok", "text", 0.6, "a record was returned")
    return None


def _read_streams(body: dict[str, Any], shell: ShellReading | None, is_read: bool) -> TextReading | None:
    for key in ("stderr", "stdout"):
        text = body.get(key)
        if isinstance(text, str) and text.strip():
            reading = read_text(
                text,
                returns_content=shell is not None and shell.kind == "read",
                is_shell=True,
                is_read=is_read,
                is_write=False,
            )
            if reading.state == "failed":
                return reading
    return None


def _exit_code_in(parsed: Any) -> int | None:
    if isinstance(parsed, str):
        return read_exit_code(parsed)
    if isinstance(parsed, dict):
        said = read_fields(parsed, (), is_read=False, depth=0)
        return said.exit_code if said is not None else None
    return None


def _tests_in(parsed: Any, name: NameReading, shell: ShellReading | None, call: Step | None) -> TestSummary | None:
    if shell is not None and not shell.is_test and name.verb_class != "tests_run":
        return None
    if isinstance(parsed, str):
        return read_test_summary(parsed)
    if isinstance(parsed, dict):
        for key in ("stdout", "output", "stderr", "result", "content", "text", "summary", "message", "log", "logs"):
            text = parsed.get(key)
            if isinstance(text, str) and text:
                summary = read_test_summary(text)
                if summary is not None:
                    return summary
        return _tests_in_fields(parsed)
    return None


def _tests_in_fields(body: dict[str, Any]) -> TestSummary | None:
    """``{"passed": 12, "failed": 0}``, with counts or lists of names."""

    def count(*keys: str) -> int | None:
        for key in keys:
            value = body.get(key)
            if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
                return value
            if isinstance(value, list):
                return len(value)
        return None

    passed, failed = (
        count("passed", "num_passed", "tests_passed", "passes"),
        count("failed", "num_failed", "tests_failed", "failures"),
    )
    if passed is None or failed is None:
        return None
    errors, skipped = count("errors", "num_errors") or 0, count("skipped", "num_skipped") or 0
    total = count("total", "tests", "num_tests")
    return TestSummary(
        passed=passed,
        failed=failed,
        errors=errors,
        skipped=skipped,
        total=total or passed + failed + errors + skipped,
        runner="fields",
    )


def _test_receipt(summary: TestSummary, declared: Receipt | None, parsed: Any) -> Receipt:
    code = declared.exit_code if declared is not None and declared.exit_code is not None else _exit_code_in(parsed)
    told = f"{summary.passed} passed, {summary.failed} failed, {summary.errors} errors"
    if summary.is_red:
        return Receipt(
            state="failed",
            source="text",
            confidence=0.95,
            reason=f"tests: {told}",
            exit_code=code,
            parsed=parsed,
            tests=summary,
        )
    if code:
        return Receipt(
            state="failed",
            source="exit_code",
            confidence=0.9,
            reason=f"exit code {code} after tests: {told}",
            exit_code=code,
            parsed=parsed,
            tests=summary,
        )
    if summary.passed == 0:
        return Receipt(
            state="empty",
            source="text",
            confidence=0.85,
            reason="no test ran",
            exit_code=code,
            parsed=parsed,
            tests=summary,
        )
    return Receipt(
        state="ok",
        source="text",
        confidence=0.95,
        reason=f"tests: {told}",
        exit_code=code,
        parsed=parsed,
        tests=summary,
    )
