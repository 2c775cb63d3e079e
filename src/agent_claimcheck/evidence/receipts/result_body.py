"""Reads what the body of a tool result says about its call: an object, a list, a text or a bare value.

A reader must not miss: a body that says nothing gives ``None``. For a tool that only looks, a record or a text that came
back is a success; for one that acts, it is not yet proof.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.receipts.result_fields import FieldReading, read_fields, says_of_call
from agent_claimcheck.evidence.receipts.result_text import TextReading, ToolKind, read_text

Said = FieldReading | TextReading

_EMPTY = TextReading("empty", "text", 0.9, "the result is empty")
_ALL_EMPTY = TextReading("empty", "text", 0.7, "every field is empty")
_RECORD = TextReading("ok", "text", 0.6, "a record was returned")
_LIST = TextReading("ok", "text", 0.6, "a list was returned")
_VALUE = TextReading("ok", "text", 0.6, "a value was returned")
_FALSE = TextReading("failed", "text", 0.8, "the result is false")
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
_FEW_FIELDS = 20
_FILES = frozenset({"file", "files"})
_ABOUT_A_FILE = _MESSAGE_KEYS | {
    "content", "data", "encoding", "file", "file_name", "file_path", "filename", "hint", "id", "name", "path", "request_id",
    "size", "stack", "stderr", "stdout", "suggestion", "tool", "type", "uri", "url",
}  # fmt: skip
_FIRST_WORD = late_pattern(r"\W{0,4}([A-Za-z]{3,20})\b(?!\s{0,2}[:!])")
_BAD_NEWS = frozenset({"alert", "defect", "error", "exception", "fail", "failure", "problem", "timeout", "warning"})
_DONE_TO_BAD_NEWS = late_pattern(
    r"(?i)\W{0,4}(?:alert|defect|error|exception|fail|failure|fault|problem|timeout|warning)s?(?: [\w-]{1,20}){0,2}?"
    r" (?:was |were |has been |have been )?(?:added|changed|cleared|created|enabled|logged|recorded|removed|reported|reset|saved|sent|set"
    r"|updated)\b(?! (?:failed|failure|error)\b)"
)
"""What was done to a thing that is called after bad news: "Timeout updated to 30"."""
_ENDED = frozenset({"aborted", "killed", "terminated", "interrupted", "stopped"})
_ENDING = frozenset({"abort", "cancel", "end", "halt", "interrupt", "kill", "quit", "shutdown", "stop", "terminate"})


def read_body(parsed: Any, words: tuple[str, ...], tool: ToolKind) -> Said | None:
    """Return what ``parsed`` says, or ``None``. ``words`` are the words of the tool's name. Never raises."""
    if isinstance(parsed, str):
        reading = read_text(parsed, tool)
        return None if reading.state == "unknown" or _names_the_tool(reading, parsed, words) else reading
    if parsed is None or parsed == {} or parsed == []:
        return _EMPTY
    if isinstance(parsed, dict):
        return _read_object(parsed, words, tool)
    if parsed is False:
        return _FALSE if tool.is_write else None
    if not tool.is_read:
        return None
    return _LIST if isinstance(parsed, list) else _VALUE


def _names_the_tool(reading: TextReading, text: str, words: tuple[str, ...]) -> bool:
    """True when what looks like a failure is what the tool is about: "Terminated" by ``kill_job``, "Timeout set" by ``set_timeout``."""
    if reading.state != "failed" or reading.exit_code is not None:
        return False
    if _DONE_TO_BAD_NEWS.match(text):
        return True
    first = _FIRST_WORD.match(text)
    if first is None:
        return False
    word = first[1].lower()
    return (word in words and word in _BAD_NEWS) or (word in _ENDED and not _ENDING.isdisjoint(words))


def _read_object(body: dict[str, Any], words: tuple[str, ...], tool: ToolKind) -> Said | None:
    said: Said | None = read_fields(body, words, is_read=tool.is_read)
    if said is not None and said.state == "failed" and tool.is_read and _is_file_content(body, words):
        return _RECORD
    if said is not None:
        return said
    if len(body) <= 2:
        said = _read_message(body, tool)
        if said is not None:
            return said
    if "stdout" in body or "stderr" in body:
        return _read_streams(body, tool)
    if not tool.is_read:
        return None
    is_empty = len(body) <= _FEW_FIELDS and not any(body.values()) and not any(v is False for v in body.values())
    return _ALL_EMPTY if is_empty else _RECORD


def _is_file_content(body: dict[str, Any], words: tuple[str, ...]) -> bool:
    """True when a tool that reads files gave back an object with more in it than an answer about a file: what the file holds."""
    return not _FILES.isdisjoint(words) and any(
        value is not None and not says_of_call(key) and key.casefold() not in _ABOUT_A_FILE
        for key, value in islice(body.items(), _FEW_FIELDS)
    )


def _read_message(body: dict[str, Any], tool: ToolKind) -> TextReading | None:
    """``{"message": "..."}`` and ``{"detail": "..."}`` are a text in a wrapper."""
    for key, value in body.items():
        if key in _MESSAGE_KEYS and isinstance(value, str):
            reading = read_text(value, ToolKind(tool.returns_content, False, tool.is_read))
            if reading.state != "unknown":
                return reading
    return None


def _read_streams(body: dict[str, Any], tool: ToolKind) -> TextReading | None:
    for key in ("stderr", "stdout"):
        text = body.get(key)
        if isinstance(text, str) and text.strip():
            reading = read_text(text, ToolKind(tool.returns_content, True, tool.is_read))
            if reading.state == "failed":
                return reading
    return None
