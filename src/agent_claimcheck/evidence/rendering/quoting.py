"""Values of a trace as text that a model reads: JSON on one line, with nothing hidden and no tag in it.

A reader must not miss: this is what keeps a trace from starting a line, forging a step or ending a block.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent_claimcheck.core.canonical import canonical_json
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.text import printable

SHORT = 240
"""Characters of a value that is there to be known by, not to be read."""
LONGEST_NAME = 120
_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
# What ``printable`` lets pass because a terminal shows it harmlessly, and a model could still read as hidden text:
# soft hyphens, fillers that look like nothing, variation selectors and private characters.
_HIDDEN = late_pattern(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u3164\ue000-\uf8ff\ufe00-\ufe0f\uffa0\U000e0100-\U0010ffff]"
)
_TEXT_SHARE = 8
_LEAST_CHARS = 12
"""Of a value in a front that has to be small: enough to know it by."""


def quote_value(value: Any, limit: int) -> tuple[str, int]:
    """Return any JSON value as one line that holds no tag, and how many characters were left out of it.

    A longer text keeps its head and its tail, because a log tells at its end how it went.

    >>> quote_value("a <b>\\nc", 100)
    ('"a \\\\u003cb\\\\u003e\\\\nc"', 0)
    >>> quote_value("x" * 10 + "y" * 90, 15)
    ('"xxxxxxxxxx" (85 characters left out) "yyyyy"', 85)
    """
    text = value if isinstance(value, str) else _json(value)
    left_out = len(text) - limit
    if left_out <= 0:
        return _harmless(_json(value)), 0
    tail = limit // 3
    head = _harmless(_json(text[: limit - tail]))
    mark = f"({left_out:,} characters left out)"
    return f"{head} {mark} {_harmless(_json(text[len(text) - tail :]))}" if tail else f"{head} {mark}", left_out


def _harmless(text: str) -> str:
    text = printable(text)
    if not text.isascii():
        text = _HIDDEN.sub(lambda match: f"\\u{{{ord(match[0]):x}}}", text)
    return text.translate(_ESCAPES)


def _json(value: Any) -> str:
    try:
        return canonical_json(value).decode()
    except InputError:
        return '"(this value is no JSON)"'


class Values:
    """Writes values and counts the ones that did not fit."""

    def __init__(self, limit: int, share: int = 1) -> None:
        self._limit = limit
        self.share = share
        """By how much everything in the front is cut down; 1 for nothing."""
        self.shortened = 0

    def write(self, value: Any) -> str:
        """Write a value at the full length."""
        return self._within(self._limit, value)

    def text(self, value: str | None) -> str:
        """Write the request or the final message: what the claims are held against may be longer than a value."""
        return self._within(max(_LEAST_CHARS, self._limit * _TEXT_SHARE // self.share), value)

    def short(self, value: Any, times: int = 1) -> str:
        """Write a value that is there to be known by, ``times`` the short length."""
        return self._within(max(_LEAST_CHARS, times * SHORT // self.share), value)

    def name(self, value: object) -> str:
        """Write the name of a tool, a type or a field."""
        return self._within(max(_LEAST_CHARS, LONGEST_NAME // self.share), value)

    def most(self, count: int) -> int:
        """Return how many of ``count`` things there is room for, at least one."""
        return max(1, count // self.share)

    def _within(self, limit: int, value: Any) -> str:
        text, left_out = quote_value(value, limit)
        self.shortened += left_out > 0
        return text


def frame(name: str, lines: Iterable[str]) -> str:
    """Return ``lines`` between the tags of a block."""
    return "\n".join((f"<{name}>", *lines, f"</{name}>"))


def size_of(text: str) -> int:
    """Return the bytes that ``text`` takes with its line end."""
    return len(text.encode("utf-8", "replace")) + 1
