"""Is a tool call an error? ``is_error`` decides; without it the documented text rule, or the structured reader.

A reader must not miss: the text rule is exactly the documented one and stays the default. It is known to misread
``error: 0`` and empty outputs of tools that return nothing; ``is_error`` or the structured reading settle those.
"""

from __future__ import annotations

import re

from msgspec import Struct

from agent_claimcheck.checks.contract import ErrorReading
from agent_claimcheck.checks.run import ToolCall

_PREFIXES = ("error", "exception", "traceback")
_MARKS = ("error:", "exception:")
_SIGNS = (
    "error", "fail", "false", "status", "code", "exit", "exception", "traceback", "not found", "no such", "denied", "refused",
    "rejected", "timed out", "timeout", "killed", "abort", "cannot", "could not", "unable", "invalid", "unauthorized",
    "forbidden", "http",
)  # fmt: skip
"""Words without one of which an output is not read further: most need no more than that look."""
_NEAR_START = 300  # characters; a tool that failed says so early, a log or a file mentions errors anywhere
_NIL = r"(?:0\b|none\b|null\b|nil\b|false\b|n/a\b|no errors?\b|\Z)"
_OPENING = re.compile(rf"(?:error|exception|traceback)\b(?!\s{{0,9}}[-=:]\s{{0,9}}{_NIL})", re.IGNORECASE)
_MARK = re.compile(r"(?:error|exception):", re.IGNORECASE)
_NOTHING = re.compile(rf"\s{{0,9}}[\"'(]?{_NIL}", re.IGNORECASE)


class ErrorStatus(Struct, frozen=True):
    """Whether a call is an error, and the rule that said so.

    ``rule`` is ``declared``, ``empty``, ``prefix`` or ``contains``, ``structured:<source>`` for the structured reading,
    or ``None`` when no rule fired. ``cleared`` names the text rule that the structured reading set aside.
    """

    is_error: bool
    rule: str | None = None
    cleared: str | None = None
    reason: str = ""


def read_status(call: ToolCall, reading: ErrorReading) -> ErrorStatus:
    """Return the status of one call under the chosen reading. Linear in the length of the output."""
    if call.is_error is not None:
        return ErrorStatus(call.is_error, "declared")
    rule = text_rule(call.output)
    if reading == "text":
        return ErrorStatus(rule is not None, rule)
    return _read_structured(call, rule)


def text_rule(output: str) -> str | None:
    """Return the documented text rule that makes ``output`` an error, or ``None``.

    Surrounding white space and case do not count.

    >>> text_rule("Traceback (most recent call last)"), text_rule("a.c:3: error: no ;"), text_rule('{"error": 1}')
    ('prefix', 'contains', None)
    """
    text = output.strip().lower()
    if not text:
        return "empty"
    if text.startswith(_PREFIXES):
        return "prefix"
    if any(mark in text for mark in _MARKS):
        return "contains"
    return None


def unread_failure(call: ToolCall, status: ErrorStatus) -> str | None:
    """Return why an output that the text rule passes reads as a failure all the same; ``None`` where it does not.

    Asked of calls that declare no status.
    """
    if status.rule is not None or status.cleared is not None:
        return None
    low = call.output.lower()
    if not any(sign in low for sign in _SIGNS):
        return None
    read = _read_structured(call, None)
    return read.reason if read.is_error else None


def _read_structured(call: ToolCall, rule: str | None) -> ErrorStatus:
    # Imported here: the default reading needs none of it, and start-up stays light.
    from agent_claimcheck.evidence.receipts.reading import read_text_status

    receipt = read_text_status(call.output, tool_name=call.name, args=call.arguments)
    if receipt.state == "failed":
        return ErrorStatus(True, f"structured:{receipt.source}", reason=receipt.reason)
    if receipt.state == "unknown" and rule in ("prefix", "contains") and _says_error(call.output):
        return ErrorStatus(True, rule)
    return ErrorStatus(False, None, cleared=rule)


def _says_error(output: str) -> bool:
    """True when the text rule's words stand for an error.

    ``error: 0``, ``errors-to`` and ``exceptional`` do not, nor does a mark deep inside a long output.
    """
    text = output.strip()
    if _OPENING.match(text):
        return True
    return any(not _NOTHING.match(text, found.end()) for found in _MARK.finditer(text, 0, _NEAR_START))
