"""The line of a settings file in which a key stands, for the errors about it: the TOML reader does not tell."""

from __future__ import annotations

_LONGEST = 200
"""Characters of a line in which a table or a key begins."""
_MARKS = str.maketrans("", "", "\"' \t")


def key_lines(text: str, outer: str) -> dict[str, int]:
    """Return the number of the first line of every table and key of TOML ``text`` by dotted name, without the table ``outer``.

    A line inside a text of several lines may be taken for a key; the first of two counts.
    """
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        head = line[:_LONGEST].strip()
        if head.startswith("[") and not head.startswith("[["):
            table = head[1:].partition("]")[0].translate(_MARKS)
            table = "" if table == outer else table.removeprefix(f"{outer}.")
            lines.setdefault(table, number)
        elif "=" in head:
            name = head.partition("=")[0].translate(_MARKS)
            lines.setdefault(f"{table}.{name}" if table else name, number)
    return lines


def line_of(name: str, lines: dict[str, int]) -> int | None:
    """Return the line of a dotted name, else that of the table it stands in; ``None`` when neither is known."""
    return lines.get(name) or lines.get(name.partition(".")[0])
