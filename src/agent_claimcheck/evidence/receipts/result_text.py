"""Reads the state of a tool result that is plain text: shapes of failure, of success, of waiting and of nothing found.

A reader must not miss: content is not status. A page, a file or a search hit that quotes an error is an ordinary
result, so for tools that return content only a short text that opens with a failure counts.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.text import shorten
from agent_claimcheck.evidence.word_lists import WordLists

ReceiptState = Literal["ok", "failed", "pending", "empty", "unknown"]

HEAD_CHARS = 600
TAIL_CHARS = 1_200
SHORT_CHARS = 400
"""A status message is short; longer texts are content, of which only the opening and the end may be status."""
CONTENT_CHARS = 1_500
STATUS_LINES = 6
"""A longer or taller text from a tool that returns content is content, however it begins."""


class TextReading(Struct, frozen=True):
    """What a text says about its call. ``source`` is ``exit_code``, ``http_status`` or ``text``; confidence is 0..1."""

    state: ReceiptState
    source: Literal["exit_code", "http_status", "text", "none"]
    confidence: float
    reason: str
    exit_code: int | None = None


class ToolKind(Struct, frozen=True):
    """What is known of the tool that gave a text. ``returns_content``: its output is somebody else's text."""

    returns_content: bool = False
    is_shell: bool = False
    is_read: bool = False
    is_write: bool = False


class _Phrases:
    """The compiled phrase lists. Built once, on the first text that is read."""

    def __init__(self) -> None:
        lists = WordLists("result_phrases")
        lead = r"""^[\s#>*\-\[(<"'`]{0,12}(?:var_\w{1,10} = ["'])?"""
        self.opening = re.compile(lead + lists.pattern("opening"), re.IGNORECASE)
        self.strong_opening = re.compile(lead + lists.pattern("strong_opening"), re.IGNORECASE)
        self.broken = re.compile(r"\b" + lists.pattern("broken"), re.IGNORECASE)
        self.nothing = re.compile(r"""^[\s\[(<"'`]{0,6}""" + lists.pattern("nothing"), re.IGNORECASE)
        tick = r"""^[\s\[(<"'`✅✓✔☑🎉*-]{0,12}"""
        self.success = re.compile(tick + lists.pattern("success"), re.IGNORECASE)
        self.good = re.compile(tick + lists.pattern("good"), re.IGNORECASE)
        self.waiting = re.compile(r"""^[\s\[(<"'`⏳-]{0,12}""" + lists.pattern("waiting"), re.IGNORECASE)
        self.shell_end = re.compile(lists.pattern("shell_end"))


_phrases = cache(_Phrases)

_UNKNOWN = TextReading("unknown", "none", 0.0, "the text does not say")
_CONTENT = TextReading("ok", "text", 0.6, "content was returned")
_EMPTY = TextReading("empty", "text", 0.9, "the result is empty")

_EXIT_LINE = late_pattern(
    r"""(?i)[ \t\[(<{"']{0,8}(?:the |last |shell )?(?:command|process|script|program|job|task|bash)? ?(?:has |was )?"""
    r"""(?:finished|completed|exited|failed|terminated|returned|ended)? ?(?:with |and )?(?:an? )?(?:non-zero )?"""
    r"""(?:exit[ _]?(?:code|status)|return[ _]?code|exit|exited with)["']?[ \t]{0,3}[:=>]?[ \t]{0,3}(-?\d{1,5})\b.{0,40}$"""
)
_EXIT_TAG = late_pattern(r"<(?:return_?code|exit_?code)>\s{0,4}(-?\d{1,5})\s{0,4}</")
_EXIT_INLINE = late_pattern(
    r"(?i)\b(?:command|process|script|it) (?:has )?(?:failed|exited|finished|completed|terminated) with "
    r"(?:exit )?(?:code|status) (-?\d{1,5})\b|\bexit(?:ed)? (?:with )?(?:status|code):? (-?\d{1,5})[.)\]]?\s*\Z"
)
_KILLED = late_pattern(
    r"(?im)^[^\n]{0,300}\b(?:timed out and (?:has been |was )?(?:been )?killed|execution timed out|command timed out|"
    r"timed out after \d|timeout: the monitored command|killed by signal|out of memory|oom-?killed)\b"
    r"|^(?:timed out|killed|timeout|terminated)\.?\s*$"
)
_KILLED_WORDS = ("timed out", "timeout", "killed", "terminated", "out of memory")
_NO_FAILURE = late_pattern(
    r"(?i)\b(?:no|0|zero|without(?: any)?|any) (?:[\w-]{1,20} )?"
    r"(?:errors?|failures?|problems?|issues?|exceptions?|warnings?)\b"
    r"|\b(?:errors?|failures?|failed|exceptions?)[\"']?\s?[:=]\s?[\"']?"
    r"(?:0\b|none\b|null\b|\[\]|false\b|\{\}|[\"']{2})"
)
_HTTP = late_pattern(
    r"(?i)\bHTTP(?:/\d(?:\.\d)?)?[ :]{1,2}(?:error |status |code ){0,2}:?\s?([1-5]\d\d)\b"
    r"|\bstatus(?:[ _]?code)?[ :=]{1,3}([1-5]\d\d)\b|\((?:HTTP )?([45]\d\d)(?: [A-Z][\w ]{2,30})?\)"
)
_REPR_FALSE = late_pattern(
    r"""^\{['"](?:success|ok|status|error|isError|succeeded)['"]:\s{0,2}(False|false|['"](?:error|failed|failure)['"])"""
    r"""|^\{['"](?:error|errors|exception)['"]:\s{0,2}(?=\S)(?!None|null|\[\]|False|false|0\b|['"]{2})"""
)
_SHELL_HEAD = late_pattern(
    r"^(?:Exit code:? [1-9]|Command failed|<tool_use_error>|The last command [\s\S]{0,300}timed out|COMMAND FAILED"
    r"|EXECUTION TIMED)"
)
_YAML_LINE = late_pattern(r"^[\w -]{1,80}:(?:\s|$)")
_NEGATED = late_pattern(r"(?i)\b(?:not|cannot|unable|failed|never)\b|n['’]t\b")
_SENTENCE_END = late_pattern(r"[.!?](?:\s|$)")
_EMPTY_WORDS = frozenset(
    {"", "null", "none", "nil", "undefined", "{}", "[]", "()", '""', "''", "n/a", "[{}]", "no output", "(no output)"}
    | {"[no output]", "<no output>", "(empty)", "no content", "<system>tool ran without output or errors</system>"}
)


def _ends_of(text: str) -> str:
    if len(text) <= HEAD_CHARS + TAIL_CHARS:
        return text
    return text[:HEAD_CHARS] + "\n" + text[-TAIL_CHARS:]


def read_exit_code(text: str) -> int | None:
    """Return the exit code a text states on a line of its own, near its start or end; ``None`` when there is none."""
    ends = _ends_of(text)
    low = ends.lower()
    found: re.Match[str] | None = None
    at = _next_exit(low, 0)
    while at >= 0:
        start = low.rfind("\n", 0, at) + 1
        stop = low.find("\n", at)
        stop = len(low) if stop < 0 else stop
        if at - start < 80:
            found = _EXIT_LINE.match(ends[start:stop]) or found
        at = _next_exit(low, stop)
    if found is None and ("exit" in low or "returncode" in low or "with code" in low or "with status" in low):
        found = _EXIT_TAG.search(ends) or _EXIT_INLINE.search(ends)
    if found is None:
        return None
    return int(next(group for group in found.groups() if group is not None))


def _next_exit(low: str, start: int) -> int:
    one, two = low.find("exit", start), low.find("return", start)
    return max(one, two) if one < 0 or two < 0 else min(one, two)


def read_text(text: str, tool: ToolKind) -> TextReading:
    """Say what a plain text means as a result of ``tool``. Never raises; reads the ends of long texts only."""
    stripped = text.strip()
    if stripped[:2] == "<<" and stripped[-2:] == ">>":
        stripped = stripped[2:-2].strip()
    if len(stripped) < 60 and stripped.lower() in _EMPTY_WORDS:
        return _EMPTY
    if tool.is_shell:
        return _read_shell_text(stripped, tool.returns_content)
    if tool.returns_content:
        return _read_content(stripped)
    return _read_status_text(stripped, tool.is_read)


_ERROR_PAGE = late_pattern(
    r"<(?:!doctype html|html|head)\b.{0,400}?<(?:title|h1)\b[^>]{0,80}>\s*((?:error )?[45]\d\d\b[^<]{0,60})<",
    re.IGNORECASE | re.DOTALL,
)
"""A page that a server or a proxy puts in the place of an answer."""


def _failed(confidence: float, reason: str) -> TextReading:
    return TextReading("failed", "text", confidence, reason)


def _exit_reading(code: int) -> TextReading:
    if code:
        return TextReading("failed", "exit_code", 0.97, f"exit code {code}", code)
    return TextReading("ok", "exit_code", 0.9, "exit code 0", 0)


def _was_killed(text: str) -> bool:
    low = text.lower()
    return any(word in low for word in _KILLED_WORDS) and _KILLED.search(text) is not None


def _read_shell_text(text: str, prints_content: bool) -> TextReading:
    code = read_exit_code(text)
    if code is not None:
        return _exit_reading(code)
    if _was_killed(_ends_of(text)):
        return _failed(0.85, "timed out or was killed")
    if _SHELL_HEAD.match(text) and (not prints_content or len(text) <= SHORT_CHARS):
        return _failed(0.8, "opens with a failure of the command")
    if not prints_content and len(text) <= SHORT_CHARS and _opens_with_error(text):
        return _failed(0.7, f"opens with: {shorten(_first_line(text), 80)}")
    last = text[text.rfind("\n") + 1 :][:SHORT_CHARS].strip()
    is_one_line = "\n" not in text
    if (not prints_content or is_one_line) and _phrases().shell_end.match(last) and not _NO_FAILURE.search(last):
        return _failed(0.75, f"ends with: {shorten(last, 80)}")
    return _CONTENT if prints_content else _UNKNOWN


def _first_line(text: str) -> str:
    end = text.find("\n", 0, SHORT_CHARS)
    return text[: SHORT_CHARS if end < 0 else end]


def _opens_with_error(text: str) -> bool:
    return _phrases().strong_opening.match(text) is not None and not _NO_FAILURE.search(_first_line(text))


def _read_content(text: str) -> TextReading:
    """Content is not status: only a short text that is nothing but a failure, or nothing found, counts."""
    if len(text) > CONTENT_CHARS or text.count("\n") >= STATUS_LINES:
        return _CONTENT
    phrases = _phrases()
    if _opens_with_error(text):
        return _failed(0.85, f"opens with: {shorten(_first_line(text), 80)}")
    if len(text) <= SHORT_CHARS and text.count("\n") <= 2:
        if phrases.nothing.match(text):
            return TextReading("empty", "text", 0.8, "nothing was found")
        if phrases.opening.match(text) and not _NO_FAILURE.search(text):
            return _failed(0.7, f"opens with: {shorten(_first_line(text), 80)}")
        code = read_exit_code(text)
        if code:
            return _exit_reading(code)
    return _CONTENT


def _read_status_text(text: str, is_read: bool) -> TextReading:
    if text[0] == "<":
        page = _ERROR_PAGE.match(text[:HEAD_CHARS])
        if page is not None:
            return TextReading("failed", "http_status", 0.85, f"a page that says: {' '.join(page[1].split())}")
    phrases = _phrases()
    first = _first_line(text)
    is_short = len(text) <= SHORT_CHARS
    if text[0] == "{" and _REPR_FALSE.match(text):
        return _failed(0.85, f"opens with: {shorten(first, 80)}")
    if is_read and is_short and phrases.nothing.match(text):
        return TextReading("empty", "text", 0.75, "nothing was found")
    opens_badly = phrases.strong_opening.match(text) or ((is_short or not is_read) and phrases.opening.match(text))
    if opens_badly and not _NO_FAILURE.search(first):
        return _failed(0.85, f"opens with: {shorten(first, 80)}")
    if is_short:
        said = _read_http(text)
        if said is not None:
            return said
    code = read_exit_code(text)
    if code:
        return _exit_reading(code)
    if _was_killed(text[:HEAD_CHARS]):
        return _failed(0.8, "timed out or was killed")
    if is_short:
        return _read_short(text, first, is_read)
    is_good = phrases.success.match(first) or phrases.good.match(first)
    return TextReading("ok", "text", 0.75, f"says: {shorten(first, 80)}") if is_good else _UNKNOWN


def _read_http(text: str) -> TextReading | None:
    low = text.lower()
    if "http" not in low and "status" not in low and "(" not in low:
        return None
    found = _HTTP.search(text)
    if found is None:
        return None
    status = int(next(group for group in found.groups() if group))
    if status >= 400:
        return TextReading("failed", "http_status", 0.85, f"HTTP {status}")
    return TextReading("pending", "http_status", 0.8, "HTTP 202 Accepted") if status == 202 else None


def _read_short(text: str, first: str, is_read: bool) -> TextReading:
    """A short text without an opening that tells: waiting, a success, or a sentence that says it did not work."""
    phrases = _phrases()
    if not is_read and phrases.waiting.match(text):
        return TextReading("pending", "text", 0.7, f"says: {shorten(first, 80)}")
    said = f"says: {shorten(first, 80)}"
    if phrases.success.match(first):
        return TextReading("ok", "text", 0.75, said)
    if text[0] in "{[<-" or _YAML_LINE.match(first) or first.startswith("diff "):
        return _UNKNOWN
    found = _SENTENCE_END.search(first)
    sentence = first[: found.end()] if found else first
    is_good = phrases.good.match(first) is not None
    if phrases.broken.search(sentence) and not _NO_FAILURE.search(first):
        # "The error log was deleted" has both: nobody can tell. "R9 could not be booked" says it plainly.
        return _UNKNOWN if is_good and not _NEGATED.search(sentence) else _failed(0.65, said)
    return TextReading("ok", "text", 0.75, said) if is_good else _UNKNOWN
