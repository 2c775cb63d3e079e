"""Unified diffs in what tools printed: each file with its hunks, line by line.

A reader must not miss: a hunk is read as far as it was printed. Where a diff was cut, the last hunk ends early, so nothing
may be concluded from what does not follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern

LONGEST_DIFF = 200_000
"""Characters of one output in which a diff is looked for."""
_HUNK = late_pattern(r"@@ -\d+(?:,(?P<old>\d+))? \+\d+(?:,(?P<new>\d+))? @@")


class DiffLine(Struct, frozen=True):
    """One line of a hunk: ``mark`` is ``+`` (added), ``-`` (removed) or a space (kept), ``text`` the line without it."""

    mark: str
    text: str

    @property
    def indent(self) -> int:
        """Characters of white space in front."""
        return len(self.text) - len(self.text.lstrip())


class Hunk(Struct, frozen=True):
    """One hunk of one file. ``is_whole`` is false when fewer lines were printed than its header says."""

    path: str
    lines: Sequence[DiffLine]
    is_whole: bool


def read_hunks(text: str) -> Iterator[Hunk]:
    """Yield the hunks of all unified diffs in ``text``, in order; nothing where there is none."""
    if "@@ -" not in text or "+++ " not in text:
        return
    path = ""
    lines = text[:LONGEST_DIFF].split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith("+++ "):
            path = line[4:].split("\t", 1)[0].strip().removeprefix("b/")
            continue
        header = _HUNK.match(line) if path else None
        if header is None:
            continue
        old, new = int(header["old"] or 1), int(header["new"] or 1)
        found: list[DiffLine] = []
        while at < len(lines) and (old > 0 or new > 0):
            mark, rest = lines[at][:1] or " ", lines[at][1:]
            if mark not in "+- \\":
                break
            at += 1
            if mark == "\\":  # "\ No newline at end of file"
                continue
            old -= mark != "+"
            new -= mark != "-"
            found.append(DiffLine(mark, rest))
        yield Hunk(path, found, old <= 0 and new <= 0)
