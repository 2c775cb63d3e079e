"""Lines of Python that a diff took out and on which what stays depends: a ``return``, the head of a block, a method's place.

A reader must not miss: what was put back anywhere in the diff is not lost, as a condition that was rewritten or a block that
moved. Where it cannot be told, nothing was lost.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.coding.diffs import DiffLine, Hunk

LossKind = Literal["method", "head", "return", "overwritten"]
"""A method left its class, the head of a block is gone, a ``return`` is, or another statement stands in its place."""

_HEAD = late_pattern(
    r"\s*(?:(?P<def>(?:async\s+)?def\s+\w+\s*\(.*\).*|class\s+\w+.*)|(?P<branch>(?:if|elif)\s.*|else\s*)"
    r"|(?P<loop>for\s.+\sin\s.+|while\s.*)|(?P<guard>try\s*|except\b.*|finally\s*|(?:async\s+)?with\s.*)):\s*(?:#.*)?$"
)
"""A line that opens a block of Python; its kind is the group that matched."""
_OPENS = late_pattern(
    r"\s*(?:async\s+)?(?P<word>def|class|if|elif|else|for|while|try|except|finally|with|match|case)\b(?!\s*[=.,)])"
)
"""The first word of such a line, which may go on over several."""
_BRANCHES_ON = late_pattern(r"\s*(?:elif|else|except|finally)\b")
_STARTS_BRANCHES = late_pattern(r"\s*(?:if|try|for|while|async\s+for)\b")
_METHOD = late_pattern(r"\s*(?:async\s+)?def\s+(?P<name>\w+)\s*\(")
_STARTS_MEMBER = late_pattern(r"\s*(?:@\w|(?:async\s+)?def\s|class\s)")
_RETURNS = late_pattern(r"\s+return\s+(?P<value>\S.*)$")
_DOCSTRING = late_pattern(r"\s*[rRbBuU]?(?:\"\"\"|''')")
_KEPT = late_pattern(r"[^=()]*[^=!<>]=(?P<value>[^=].*)$")
_HANDLES = late_pattern(r"\s*except\b")
_STRING = late_pattern(r"'[^']*'|\"[^\"]*\"")
_LEAVES = late_pattern(r"\s*(?:return|raise|yield)\b")
_ENDS = late_pattern(r"\b_?(?:exit|quit|abort|die|fail|redirect|render|respond|finish)\w*\(")
"""A call after which nothing is returned: the process ends, or the answer is given another way."""
_NAME = late_pattern(r"[A-Za-z_]\w*")
_CONSTANTS = frozenset({"None", "True", "False", "self", "cls"})
"""Values whose loss changes little, or is the point of the change."""
_LONGEST_LINE = 400
_MOST_LINES = 400
"""Longer hunks are new files and generated ones."""


class LostLine(Struct, frozen=True):
    """A line that is gone from the file ``path``, without the white space around it."""

    kind: LossKind
    path: str
    text: str


def lost_lines(hunks: Sequence[Hunk]) -> Iterator[LostLine]:
    """Yield the lines that ``hunks``, all of one diff, lost: the first of each hunk that lost one."""
    added: dict[str, _Added] = {}
    for hunk in hunks:
        added.setdefault(hunk.path, _Added()).take(hunk.lines)
    for hunk in hunks:
        lost = _lost(hunk, added[hunk.path]) if len(hunk.lines) <= _MOST_LINES else None
        if lost is not None:
            yield lost


class _Added:
    """What a diff adds to one file, for quick looks: its lines, and the heads of blocks by how far they are indented."""

    def __init__(self) -> None:
        self._lines: set[str] = set()
        self._heads: set[tuple[int, bool]] = set()

    def take(self, lines: Sequence[DiffLine]) -> None:
        """Add the new lines of a hunk."""
        for line in lines:
            if line.mark == "+":
                self._lines.add(line.text.strip())
                opens = _OPENS.match(line.text)
                if opens is not None:
                    self._heads.add((line.indent, opens["word"] in ("def", "class")))

    def may_stand_for(self, line: DiffLine, head: re.Match[str]) -> bool:
        """True when the head ``line`` was put back, or another one that may have taken its place."""
        if line.text.strip() in self._lines or (line.indent, True) in self._heads:
            return True
        return head["def"] is None and (line.indent, False) in self._heads


def _lost(hunk: Hunk, added: _Added) -> LostLine | None:
    """Return the first line that ``hunk`` lost; ``None`` when it lost none."""
    for at, line in enumerate(hunk.lines):
        if line.mark != "-" or len(line.text) > _LONGEST_LINE:
            continue
        if _left_its_class(line, hunk.lines):
            return LostLine("method", hunk.path, line.text.strip())
        if _left_its_body(at, hunk, added):
            return LostLine("head", hunk.path, line.text.strip())
        if _left_without_return(at, hunk):
            kind: LossKind = "overwritten" if hunk.lines[at + 1].mark == "+" else "return"
            return LostLine(kind, hunk.path, line.text.strip())
    return None


def _left_its_class(line: DiffLine, lines: Sequence[DiffLine]) -> bool:
    """True when a method was written again at the left edge, and the class it was in goes on right below."""
    method = _METHOD.match(line.text)
    if method is None or line.indent == 0:
        return False
    for at, other in enumerate(lines):
        again = _METHOD.match(other.text) if other.mark == "+" and other.indent == 0 else None
        if again is None or again["name"] != method["name"]:
            continue
        for below in lines[at + 1 :]:
            if not below.text.strip() or below.mark == "-":
                continue
            if below.indent == 0:
                return False
            if below.mark == " " and below.indent == line.indent and _STARTS_MEMBER.match(below.text):
                return True
        return False
    return False


def _left_its_body(at: int, hunk: Hunk, added: _Added) -> bool:
    """True when the head of a block is gone, no other one took its place, and its first line stays as it was."""
    line = hunk.lines[at]
    head = _HEAD.match(line.text)
    if head is None:
        return False
    lines = hunk.lines
    place = next((n for n in range(at + 1, len(lines)) if lines[n].mark != "+" and lines[n].text.strip()), None)
    if place is None or lines[place].mark != " " or lines[place].indent <= line.indent:
        return False
    first = lines[place]
    above = next((other for other in reversed(lines[:place]) if other.mark != "-" and other.text.strip()), None)
    opens = _OPENS.match(above.text) if above is not None and above.indent < first.indent else None
    if opens is not None and (opens["word"] != "class" or head["def"] is None):
        return False  # what stood under the one head now stands under the other
    if _goes_with_its_start(line, lines[:at]):
        return False
    if head["def"] is not None and not _cannot_go_on(above, line, first):
        return False  # one function was written into the other
    if _joins_alike(line, lines[:at]):
        return False  # two conditions, or two loops, were made one
    return not added.may_stand_for(line, head)


def _goes_with_its_start(line: DiffLine, before: Sequence[DiffLine]) -> bool:
    """True when ``line`` is a later branch of a statement whose first line is gone as well: all of it was rewritten."""
    if _BRANCHES_ON.match(line.text) is None:
        return False
    starts = (other for other in reversed(before) if other.indent == line.indent and _STARTS_BRANCHES.match(other.text))
    return next((start.mark == "-" for start in starts), False)


def _joins_alike(line: DiffLine, before: Sequence[DiffLine]) -> bool:
    """True when the block right above, which the body now belongs to, opens with the same word as the head that is gone."""
    opens = _OPENS.match(line.text)
    for other in reversed(before):
        if (
            other.mark == "-"
            or not other.text.strip()
            or other.indent > line.indent
            or other.text.lstrip().startswith("#")
        ):
            continue
        above = _OPENS.match(other.text)
        return (
            other.indent == line.indent
            and opens is not None
            and above is not None
            and above["word"].removeprefix("el") == opens["word"]
        )
    return False


def _cannot_go_on(above: DiffLine | None, line: DiffLine, first: DiffLine) -> bool:
    """True when the body that stays cannot be the rest of what stands ``above`` it."""
    if above is None or above.indent <= line.indent or _DOCSTRING.match(first.text):
        return True
    return above.indent == first.indent and _LEAVES.match(above.text) is not None


def _left_without_return(at: int, hunk: Hunk) -> bool:
    """True when a line that returned a value is gone, the block it ended stays, and nothing in the hunk returns any more."""
    line = hunk.lines[at]
    returns = _RETURNS.match(line.text)
    if not hunk.is_whole or returns is None or set(_NAME.findall(returns["value"])) <= _CONSTANTS:
        return False
    if any(other.mark == "+" and _LEAVES.match(other.text) for other in hunk.lines):
        return False
    after = [other for other in hunk.lines[at + 1 :] if other.text.strip() and other.mark != "+"]
    if not after or after[0].mark != " " or after[0].indent >= line.indent or any(map(_returns, after)):
        return False
    above = [other for other in reversed(hunk.lines[:at]) if other.mark != "+" and other.text.strip()]
    block = next((other for other in above if other.indent < line.indent), None)
    if block is not None and block.mark == "-":
        return False
    below = hunk.lines[at + 1 :]
    in_place = [other.text[:_LONGEST_LINE] for other in itertools.takewhile(lambda other: other.mark == "+", below)]
    if not in_place:
        return _still_returns_on_error(above, line.indent)
    return not any(_ENDS.search(text) or _keeps_value(returns["value"], text) for text in in_place)


def _still_returns_on_error(above: Sequence[DiffLine], indent: int) -> bool:
    """True when the handler of an error above returns a value, so that only the good way now ends without one."""
    for at, other in enumerate(above):
        if other.mark == " " and other.indent == indent and _HANDLES.match(other.text):
            return any(_returns(inner) for inner in above[:at])
        if other.indent < indent:
            return False
    return False


def _returns(line: DiffLine) -> bool:
    return line.mark == " " and _LEAVES.match(line.text) is not None


def _keeps_value(value: str, text: str) -> bool:
    """True when ``text`` holds ``value`` as it was, goes on with what it begins with, or keeps its names under a name."""
    names = [name for name in _NAME.findall(_STRING.sub(" ", value)) if name not in _CONSTANTS]
    used = set(_NAME.findall(text))
    if value.strip() in text or (names and names[0] in used):
        return True
    kept = _KEPT.match(text)
    return kept is not None and not set(names).isdisjoint(_NAME.findall(kept["value"]))
