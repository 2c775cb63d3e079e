"""The line of a settings file in which a key stands, for the errors about it: the TOML reader does not tell."""

from __future__ import annotations

import re

_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([\w\"'. -]+?)\s*=")
_QUOTES = re.compile(r"[\"'\s]")


def key_lines(text: str, outer: str) -> dict[str, int]:
    """Return the number of the first line of every table and key of TOML ``text`` by dotted name, without the table ``outer``.

    A line inside a text of several lines may be taken for a key; the first of two counts.
    """
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        if header is not None:
            table = _QUOTES.sub("", header[1])
            table = "" if table == outer else table.removeprefix(f"{outer}.")
            lines.setdefault(table, number)
        elif (key := _KEY.match(line)) is not None:
            name = _QUOTES.sub("", key[1])
            lines.setdefault(f"{table}.{name}" if table else name, number)
    return lines


def line_of(name: str, lines: dict[str, int]) -> int | None:
    """Return the line of a dotted name, else that of the table it stands in; ``None`` when neither is known."""
    return lines.get(name) or lines.get(name.partition(".")[0])
