"""The first bytes of a file, parsed as far as they go: what recognition looks at.

A reader must not miss: the bytes may end in the middle of a document. ``complete_prefix`` closes what is open, so the
keys seen so far can be looked at as if the document were whole.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from agent_claimcheck.core.byte_order_marks import UTF8_MARK, UTF16_MARKS
from agent_claimcheck.importers.foreign_json import BadJson, decode_json

HEAD_BYTES = 1 << 20
"""How much of a file recognition looks at. Documents with a long preamble (a policy, a task list) need about half."""
MAX_ROWS = 40

TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{},]|"', re.DOTALL)
"""Strings, brackets and commas of JSON text; a lone quote is a string that the bytes at hand do not finish."""

Layout = Literal["object", "array", "lines", "concatenated", "zip", "parquet", "text", "empty"]


class Head:
    """The start of a file. ``rows`` holds at most ``MAX_ROWS`` values; ``first`` is the object or the first row."""

    def __init__(self, raw: bytes) -> None:
        self.raw = without_bom(raw)
        self.layout: Layout = "empty"
        self.rows: list[Any] = []
        self.fault = ""
        """Why the bytes are no one JSON document, as they begin like one; a document that goes on beyond them is cut."""
        self._parse()

    @property
    def first(self) -> Any:
        """The one object, or the first row; ``None`` for a file that is not JSON."""
        return self.rows[0] if self.rows else None

    @property
    def object(self) -> dict[str, Any]:
        """The first value when it is an object, else an empty one."""
        first = self.first
        return first if isinstance(first, dict) else {}

    @property
    def records(self) -> list[dict[str, Any]]:
        """The rows that are objects."""
        return [row for row in self.rows if isinstance(row, dict)]

    def has(self, *keys: str) -> bool:
        """The first object has all these keys."""
        first = self.object
        return all(key in first for key in keys)

    def _parse(self) -> None:
        raw = self.raw
        stripped = raw.lstrip()
        if not stripped:
            return
        if raw.startswith(b"PK\x03\x04"):
            self.layout = "zip"
            return
        if raw.startswith(b"PAR1"):
            self.layout = "parquet"
            return
        if stripped[:1] not in (b"{", b"["):
            self.layout = "text"
            self._take_lines(stripped)
            return
        if self._is_line_wise(stripped):
            self.layout = "lines"
            self._take_lines(stripped)
            return
        self._take_document(stripped)

    def _is_line_wise(self, stripped: bytes) -> bool:
        first, rest = split_line(stripped)
        if not rest.strip():
            return False
        return is_complete(first) or (stripped[:1] == b"{" and starts_complete_line(rest))

    def _take_lines(self, stripped: bytes) -> None:
        for line in stripped.split(b"\n", MAX_ROWS)[:MAX_ROWS]:
            line = line.strip()
            if line[:1] in (b"{", b"["):
                try:
                    self.rows.append(decode_json(line))
                except BadJson:
                    # The last line of the head is usually cut; what it shows so far still tells the format.
                    if not self.rows:
                        self.rows.extend(_tolerant(line))

    def _take_document(self, stripped: bytes) -> None:
        value = None
        try:
            value = decode_json(stripped)
        except BadJson as error:
            self.fault = "" if error.goes_on else str(error)
            found = _tolerant(stripped)
            value = found[0] if found else None
        if isinstance(value, list):
            self.layout = "array"
            self.rows = value[:MAX_ROWS]
        elif isinstance(value, dict):
            self.layout = "object"
            self.rows = [value]
        else:
            self.layout = "text"


def _tolerant(data: bytes) -> list[Any]:
    try:
        return [decode_json(complete_prefix(data))]
    except BadJson:
        return []


def without_bom(raw: bytes) -> bytes:
    """Drop a byte order mark; UTF-16 text is turned to UTF-8."""
    if raw.startswith(UTF8_MARK):
        return raw[len(UTF8_MARK) :]
    if raw.startswith(UTF16_MARKS):
        return raw[: len(raw) // 2 * 2].decode("utf-16", "replace").encode("utf-8", "replace")
    return raw


def split_line(data: bytes) -> tuple[bytes, bytes]:
    """The first line and the rest."""
    line, _, rest = data.partition(b"\n")
    return line, rest


def is_complete(line: bytes) -> bool:
    """The line is one whole JSON value."""
    line = line.strip()
    if not line or line[-1:] not in (b"}", b"]"):
        return False
    try:
        decode_json(line)
    except BadJson:
        return False
    return True


def starts_complete_line(rest: bytes) -> bool:
    """One of the next lines is a whole object that starts in the first column: the file is line-wise."""
    return any(line[:1] == b"{" and is_complete(line) for line in rest.split(b"\n", 5)[:5])


def complete_prefix(data: bytes) -> bytes:
    """Cut JSON text after its last whole member and close what is open.

    >>> complete_prefix(b'{"a": [1, {"b": 2}, {"c": "unfini')
    b'{"a": [1, {"b": 2}, {}]}'
    """
    stack: list[bytes] = []
    cut, closers = 0, b""
    for match in TOKEN.finditer(data):
        token = match.group()
        if token in (b"{", b"["):
            stack.append(b"}" if token == b"{" else b"]")
            if len(stack) > 100:
                break
            cut, closers = match.end(), b"".join(reversed(stack))
        elif token in (b"}", b"]"):
            if not stack or stack[-1] != token:
                break
            stack.pop()
            cut, closers = match.end(), b"".join(reversed(stack))
            if not stack:
                break
        elif token == b",":
            cut, closers = match.start(), b"".join(reversed(stack))
        elif token == b'"':
            break
    return data[:cut] + closers
