"""The line of a settings file in which a key stands, for the errors about it: the TOML reader does not tell."""

from __future__ import annotations

_LONGEST = 200
"""Characters of a line, its indent aside, in which a table or a key begins."""
_MARKS = str.maketrans("", "", "\"' \t")


def key_lines(text: str, outer: str = "") -> dict[str, int]:
    """Return the number of the first line of every table and key of TOML ``text`` by dotted name.

    With ``outer`` only what stands in that table counts, under its name there. A line inside a text or a list of several lines
    may be taken for a key; the first of two counts.
    """
    lines: dict[str, int] = {}
    inside = outer == ""
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        head = line.lstrip()[:_LONGEST].rstrip()
        if head.startswith("["):
            name = head.strip("[").partition("]")[0].translate(_MARKS)
            inside = not outer or name == outer or name.startswith(f"{outer}.")
            table = name if not outer else name[len(outer) + 1 :]
            if inside:
                lines.setdefault(table, number)
        elif inside and "=" in head:
            key = head.partition("=")[0].translate(_MARKS)
            lines.setdefault(f"{table}.{key}" if table else key, number)
    return lines


def line_of(name: str, lines: dict[str, int]) -> int | None:
    """Return the line of a dotted name, else that of the table it stands in; ``None`` when neither is known."""
    return lines.get(name) or lines.get(name.partition(".")[0])
