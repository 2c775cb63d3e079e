"""Reads a tool result as proof of an effect: did the call work, fail, wait, return nothing, or can nobody tell?

A reader must not miss: unset is not success and not failure. ``ok`` absent and nothing in the body gives ``unknown``,
which never accuses. A declared failure always stands; a declared success falls to a body that plainly says otherwise
(a 500, ``"success": false``, "2 failed, 40 passed").
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.evidence.coding.commands import command_of, command_of_args
from agent_claimcheck.evidence.coding.shell import (
    ShellReading,
    answers_by_exit_code,
    read_command,
)
from agent_claimcheck.evidence.coding.suite_summaries import SuiteSummary, read_tests
from agent_claimcheck.evidence.receipts.result_body import Said, read_body
from agent_claimcheck.evidence.receipts.result_fields import FieldReading, is_wished, read_fields
from agent_claimcheck.evidence.receipts.result_text import ReceiptState, ToolKind, read_exit_code
from agent_claimcheck.evidence.tool_names import NameReading, read_tool_name
from agent_claimcheck.evidence.values.dressed_json import bared
from agent_claimcheck.evidence.values.held_json import brief, parse_output
from agent_claimcheck.trace.model import Step

_MOST_ARGUMENTS = 50
ReceiptSource = Literal["flag", "error_field", "exit_code", "http_status", "status_field", "body_error", "text", "none"]

MARKED = "marked as failed"
"""What the reason of a declared failure begins with."""
_NO_ERROR = frozenset({"", "none", "null", "no error", "no errors", "false", "ok", "success", "n/a"})
SURE_TEXT = 0.8
"""A text this sure to be a failure overturns a declared success."""
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
    tests: SuiteSummary | None = None

    @property
    def is_ok(self) -> bool:
        """True when the call is known to have worked."""
        return self.state == "ok"

    @property
    def is_green(self) -> bool:
        """True for a test run in which something passed and nothing failed."""
        return self.tests is not None and self.tests.failed == 0 and self.tests.passed > 0


class _Setting(Struct, frozen=True):
    """What is known of the call a result belongs to."""

    name: NameReading
    shell: ShellReading | None
    tool: ToolKind

    @property
    def runs_tests(self) -> bool:
        return self.name.verb_class == "tests_run" or (self.shell is not None and self.shell.is_test)


def read_receipt(call: Step | None, result: Step | None) -> Receipt:
    """Read ``result`` as the receipt of ``call``. Never raises, whatever the JSON.

    Order: no result, the ``error`` field, ``ok`` or ``status``, then what the body says. The body can overturn a
    declared success, never a declared failure.
    """
    if result is None:
        return Receipt(state="unknown", source="none", confidence=0.0, reason="there is no result")
    name = (call.name if call is not None else None) or result.name or ""
    command = command_of(call) if call is not None else None
    setting = _setting(name, command, call.args if call is not None else None)
    parsed = parse_output(result.output)
    if parsed is False and call is not None and call.args and any(value is False for value in call.args.values()):
        # ``set_sound(on=false)`` that answers "false" tells the new state.
        parsed = "false"
    declared = _declared(result, parsed)
    if declared is None or declared.state != "failed":
        receipt = _with_body(declared, parsed, setting)
        if receipt.state != "failed":
            return receipt
        plain = _without_echo(receipt, parsed, call)
        return _as_ordered(receipt, call) if plain is None else _with_body(declared, plain, setting)
    code = declared.exit_code if declared.exit_code is not None else _exit_code_in(parsed)
    tests = read_tests(parsed) if setting.runs_tests else None
    if code is None and tests is None:
        return declared
    return _soften(replace(declared, exit_code=code, tests=tests), setting)


def _without_echo(receipt: Receipt, parsed: Any, call: Step | None) -> dict[str, Any] | str | None:
    """Return ``parsed`` without what fails it and only gives back an argument: ``fault`` of a claim, the title of a ticket.

    ``None`` when that is not all.
    """
    if call is None or not call.args:
        return None
    given = list(call.args.values())[:_MOST_ARGUMENTS]
    if any(_is_given(parsed, value) for value in given):
        return {}
    if isinstance(parsed, str):
        return _rest_of_text(parsed, given)
    if receipt.source != "body_error" or not isinstance(parsed, dict):
        return None
    key = receipt.reason.partition(": ")[0]
    if key not in parsed or key not in call.args or parsed[key] != call.args[key]:
        return None
    return {name: value for name, value in parsed.items() if name != key}


def _rest_of_text(text: str, given: list[Any]) -> str | None:
    """Return what stands behind an argument of some words with which ``text`` opens; ``None`` where it opens with none."""
    for value in given:
        if isinstance(value, str) and " " in value.strip() and text.lstrip("\"'“‘").startswith(value):
            return text.lstrip("\"'“‘")[len(value) :].lstrip("\"'”’ :,-–—")
    return None


def _is_given(parsed: Any, argument: Any) -> bool:
    """True when the whole output is what an argument holds, as JSON or as its text."""
    if isinstance(argument, str) and isinstance(parsed, dict | list):
        argument = parse_output(argument)
    return isinstance(argument, str | dict | list) and bool(argument) and parsed == argument


def _as_ordered(receipt: Receipt, call: Step | None) -> Receipt:
    """Return a failure as a success where its status is what the call set, or what it ordered by a word.

    ``update_payment(status="bounced")`` that answers "bounced", ``decide_loan(decision="decline")`` that answers "declined".
    """
    if receipt.source not in ("status_field", "http_status") or call is None or not call.args:
        return receipt
    if receipt.source == "http_status":
        code = receipt.reason.rpartition(" ")[2]
        is_set = any(type(value) is int and str(value) == code for value in list(call.args.values())[:_MOST_ARGUMENTS])
        return replace(receipt, state="ok", confidence=0.7) if is_set else receipt
    told = receipt.reason.rpartition(": ")[2].casefold()
    values = [value.casefold() for value in list(call.args.values())[:_MOST_ARGUMENTS] if isinstance(value, str)]
    if told in values or is_wished(told, (value for value in values if value.isalpha())):
        return replace(receipt, state="ok", confidence=0.7)
    return receipt


def read_text_status(output: str, *, tool_name: str, args: Mapping[str, Any] | None) -> Receipt:
    """Read the text a tool returned as its receipt, with no flag at hand. Never raises.

    Without a tool's name a test summary in the text is believed.
    """
    setting = _setting(tool_name, command_of_args(args, tool_name), args)
    held = parse_output(output)
    return _with_body(None, bared(held) if isinstance(held, str) else held, setting, is_bare=not tool_name)


def _setting(tool_name: str, command: str | None, args: Mapping[str, Any] | None) -> _Setting:
    if command is not None:
        shell = read_command(command)
        is_read = shell.kind == "read"
        return _Setting(read_tool_name(tool_name), shell, ToolKind(is_read, True, is_read))
    setting = _setting_of_name(tool_name)
    if setting.name.is_editor and args and args.get("command") == "view":
        return _Setting(setting.name, None, ToolKind(True, False, True))
    return setting


@lru_cache(maxsize=4096)
def _setting_of_name(tool_name: str) -> _Setting:
    name = read_tool_name(tool_name)
    return _Setting(
        name,
        None,
        ToolKind(name.returns_content, name.is_shell or name.is_code, name.kind == "read", name.kind == "write"),
    )


def _declare(
    state: ReceiptState, source: ReceiptSource, confidence: float, reason: str, code: int | None, parsed: Any
) -> Receipt:
    return Receipt(state=state, source=source, confidence=confidence, reason=reason, exit_code=code, parsed=parsed)


def _declared(result: Step, parsed: Any) -> Receipt | None:
    """Return what the record itself says: ``error``, ``ok``, ``status``, ``exit_code``; ``None`` when it is silent."""
    code = result.exit_code
    error = _error_text(result.error)
    if error is not None:
        return _declare("failed", "error_field", 0.97, f"error: {error}", code, parsed)
    if result.ok is False:
        return _declare("failed", "flag", 0.98, _failure_in_words(result.output), code, parsed)
    if result.status in _DENIED:
        sure = 0.6 if result.status_confidence == "weak" else 0.9
        return _declare("failed", "flag", sure, _DENIED[result.status], code, parsed)
    if code:
        return _declare("failed", "exit_code", 0.95, f"exit code {code}", code, parsed)
    if result.status == "partial":
        return _declare("unknown", "flag", 0.6, "only a part was done", code, parsed)
    if result.ok is True:
        return _declare("ok", "flag", 0.9, "ok is true", code, parsed)
    if result.status == "ok":
        return _declare("ok", "flag", 0.85, "status is ok", code, parsed)
    return _declare("ok", "exit_code", 0.9, "exit code 0", code, parsed) if code == 0 else None


def _failure_in_words(output: Any) -> str:
    body = output
    if isinstance(output, dict):
        told = [value for value in list(output.values())[:_MOST_ARGUMENTS] if isinstance(value, str)]
        body = next((output[key] for key in ("error", "message") if output.get(key)), None) or "; ".join(told[-3:])
        if isinstance(body, dict):
            body = _error_text(body)
    said = " ".join(brief(body, 120).split()) if isinstance(body, str) else ""
    return f"{MARKED}: {said}" if said else MARKED


def _error_text(error: Any) -> str | None:
    """Return what an ``error`` field says, ``None`` when it says that there was none."""
    if error is None or error is False or error == {} or error == []:
        return None
    if isinstance(error, str):
        return None if error.strip().lower() in _NO_ERROR else brief(error, 120)
    if isinstance(error, dict):
        message = error.get("message") or error.get("detail") or error.get("type") or error.get("code")
        if message in (0, 200, "OK", "ok"):
            return None
        return "an error object" if message is None else brief(message, 120)
    return brief(error, 120)


def _with_body(declared: Receipt | None, parsed: Any, setting: _Setting, *, is_bare: bool = False) -> Receipt:
    """Weigh what the body says against what was declared (``None`` or not a failure)."""
    if is_bare or setting.runs_tests:
        summary = read_tests(parsed)
        if summary is not None:
            return _test_receipt(summary, declared, parsed)
    said = read_body(parsed, setting.name.words, setting.tool)
    if declared is None:
        if said is None:
            reason = "neither a flag nor the body says"
            return Receipt(state="unknown", source="none", confidence=0.0, reason=reason, parsed=parsed)
        return _soften(_receipt(said, parsed), setting)
    if declared.state == "unknown" or said is None:
        return declared
    return _weigh(declared, said, setting.tool)


def _weigh(declared: Receipt, said: Said, tool: ToolKind) -> Receipt:
    """``ok`` was declared; say whether the body overturns it."""
    if said.state == "failed":
        # A program that exits 0 may print errors; a tool that acts and answers "Error: ..." did not.
        if isinstance(said, FieldReading) or (said.confidence >= SURE_TEXT and not tool.is_shell):
            return _receipt(said, declared.parsed)
        return replace(declared, confidence=0.6, reason=f"{declared.reason}, though {said.reason}")
    if said.state in ("pending", "partial") or (said.state == "empty" and tool.is_read and not tool.is_shell):
        return _receipt(said, declared.parsed)
    if said.exit_code is None or declared.exit_code is not None:
        return declared
    return replace(declared, exit_code=said.exit_code)


def _soften(receipt: Receipt, setting: _Setting) -> Receipt:
    """``grep`` and ``diff`` exit 1 when nothing matched: a failure in name only, so the confidence is low."""
    shell = setting.shell
    if shell is None or receipt.exit_code != 1:
        return receipt
    answer = answers_by_exit_code(shell.parts[-1]) if shell.parts else None
    is_search = shell.kind == "read" or answer is not None
    if is_search and (
        printed_nothing(receipt.parsed) or (answer == "difference" and not _printed_error(receipt.parsed))
    ):
        return replace(receipt, confidence=0.5, reason=f"{receipt.reason}; a search that found nothing exits so too")
    return receipt


def _printed_error(parsed: Any) -> bool:
    return isinstance(parsed, dict) and bool(parsed.get("stderr"))


def printed_nothing(parsed: Any) -> bool:
    """True when a command printed nothing but perhaps its exit code."""
    if isinstance(parsed, dict):
        return not any(parsed.get(key) for key in ("stdout", "stderr", "output"))
    return not parsed or (isinstance(parsed, str) and len(parsed) < 40 and read_exit_code(parsed) is not None)


def _receipt(said: Said, parsed: Any) -> Receipt:
    state: ReceiptState = "unknown" if said.state == "partial" else said.state
    return Receipt(
        state=state,
        source=said.source,
        confidence=said.confidence,
        reason=said.reason,
        exit_code=said.exit_code,
        parsed=parsed,
    )


def _exit_code_in(parsed: Any) -> int | None:
    if isinstance(parsed, str):
        return read_exit_code(parsed)
    if isinstance(parsed, dict):
        said = read_fields(parsed, (), is_read=False, depth=0)
        return said.exit_code if said is not None else None
    return None


def _test_receipt(summary: SuiteSummary, declared: Receipt | None, parsed: Any) -> Receipt:
    code = declared.exit_code if declared is not None and declared.exit_code is not None else _exit_code_in(parsed)
    told = f"{summary.passed} passed, {summary.failed} failed, {summary.errors} errors"
    receipt = Receipt(
        state="ok",
        source="text",
        confidence=0.95,
        reason=f"tests: {told}",
        exit_code=code,
        parsed=parsed,
        tests=summary,
    )
    if summary.is_red:
        return replace(receipt, state="failed")
    if code:
        return replace(
            receipt, state="failed", source="exit_code", confidence=0.9, reason=f"exit code {code} after tests: {told}"
        )
    return receipt if summary.passed else replace(receipt, state="empty", confidence=0.85, reason="no test ran")
