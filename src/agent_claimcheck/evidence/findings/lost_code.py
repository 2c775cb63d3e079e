"""The last diff of a coding run shows a line of the program lost on which what stays depends, and a fix is claimed.

What it catches: a line edit meant to add a statement overwrote the ``return`` that stood there; the head of a function was
replaced, and its body now belongs to nothing; a method was put back without its indentation and left its class.
Why it matters: the edit was accepted, so it looks done, and the program is broken in a place nobody speaks of.
Example: "The setting of the key has been added", and the diff shows ``return count`` replaced by it.
Limits: Python files, in the last unified diff of its own edits that the run printed (no commit, patch file or refused edit),
with nothing after it that may have changed a file, or that shows the line. What was put back anywhere in the diff is not
lost: a condition that was rewritten, a block that moved. A return counts only when none is added to its hunk and what stands
in its place keeps no part of its value, or nothing does and an error still returns one.
One that was overwritten must be told as an addition. Words of the agent or of the request about removing a return or a
condition, or about moving a method, silence it, and so does a green test run.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coding.commands import command_of
from agent_claimcheck.evidence.coding.diffs import LONGEST_DIFF, DiffLine, Hunk, read_hunks
from agent_claimcheck.evidence.coding.shell_split import split_command
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_claim
from agent_claimcheck.evidence.tool_names import read_tool_name
from agent_claimcheck.trace.pairing import CallPair

ID = "lost_code"
POWER: Power = "accuse"

_HEAD = re.compile(
    r"\s*(?:(?P<def>(?:async\s+)?def\s+\w+\s*\(.*\).*|class\s+\w+.*)|(?P<branch>(?:if|elif)\s.*|else\s*)"
    r"|(?P<loop>for\s.+\sin\s.+|while\s.*)|(?P<guard>try\s*|except\b.*|finally\s*|(?:async\s+)?with\s.*)):\s*(?:#.*)?$"
)
"""A line that opens a block of Python; its kind is the group that matched."""
_OPENS = re.compile(
    r"\s*(?:async\s+)?(?P<word>def|class|if|elif|else|for|while|try|except|finally|with|match|case)\b(?!\s*[=.,)])"
)
"""The first word of such a line, which may go on over several."""
_BRANCHES_ON = re.compile(r"\s*(?:elif|else|except|finally)\b")
_STARTS_BRANCHES = re.compile(r"\s*(?:if|try|for|while|async\s+for)\b")
_METHOD = re.compile(r"\s*(?:async\s+)?def\s+(?P<name>\w+)\s*\(")
_STARTS_MEMBER = re.compile(r"\s*(?:@\w|(?:async\s+)?def\s|class\s)")
_RETURNS = re.compile(r"\s+return\s+(?P<value>\S.*)$")
_DOCSTRING = re.compile(r"\s*[rRbBuU]?(?:\"\"\"|''')")
_KEPT = re.compile(r"[^=()]*[^=!<>]=(?P<value>[^=].*)$")
_HANDLES = re.compile(r"\s*except\b")
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
_LEAVES = re.compile(r"\s*(?:return|raise|yield)\b")
_ENDS = re.compile(r"\b_?(?:exit|quit|abort|die|fail|redirect|render|respond|finish)\w*\(")
"""A call after which nothing is returned: the process ends, or the answer is given another way."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_ADDED = re.compile(r"\b(?:add|insert)(?:s|ed|ing)?\b|\baddition\b")
_GOES_ON = re.compile(
    r"\b(?:instead|replac\w*|(?:goes|carries|runs|keeps) (?:on|going|running)|falls? through|early|no longer)\b"
)
_TOLD = {
    "method": "the method {!r} was put back outside its class",
    "head": "{!r} was removed, and what stood under it stays",
    **dict.fromkeys(("return", "overwritten"), "{!r} was removed, and nothing is returned in its place"),
}
"""What is said of a lost line, by its kind."""
_MOST_SHOWN = 80
_CONSTANTS = frozenset({"None", "True", "False", "self", "cls"})
"""Values whose loss changes little, or is the point of the change."""
_HANDS_IN = "submit"
"""What agents of some benchmarks call at the end; it prints the diff."""
_NOT_APPLIED = re.compile(
    r"\b(?:not|n't|never)(?: \w+)? (?:applied|saved|accepted|written)\b|\breject\w*\b", re.IGNORECASE
)
_PATH = re.compile(r"\.|[^~^:]*/|(?!.*\w\.\.)[^~^:]*\w\.[a-z]\w*")
"""A file or directory, and no commit or branch: ``shop/stock.py``, ``src/``."""
_NOTICE = 600
"""Characters at the start of a result in which an edit is told to be refused."""
_LONGEST_LINE = 400
_MOST_LINES = 400
"""Longer hunks are new files and generated ones."""

_MEANT = {
    **dict.fromkeys(
        ("return", "overwritten"),
        re.compile(
            r"\b(?:remov|delet|drop|eliminat|get rid|no longer|without|instead of|early|prematur)\w*\b[^.\n]{0,60}\breturn"
            r"|\breturn\w*\b[^.\n]{0,40}\b(?:remov|delet|dropp|eliminat)\w*|\breturns? (?:none|nothing)\b",
            re.IGNORECASE,
        ),
    ),
    "method": re.compile(
        r"\b(?:module[- ]level|top[- ]level|free|plain|standalone|stand-alone|global) function\b"
        r"|\b(?:mov|extract|pull|hoist)\w*\b[^.\n]{0,60}\b(?:out of|outside|module|top level)\b",
        re.IGNORECASE,
    ),
    "head": re.compile(
        r"\b(?:remov|delet|dropp?|eliminat|simplif|flatten|inlin|merg|combin|collaps|unif|refactor|redundan|superfluous|unnecessary"
        r"|duplicat)\w*\b[^.\n]{0,60}\b(?:checks?|conditions?|conditional|branch(?:es)?|guards?|wrapper|loops?|clauses?|blocks?"
        r"|functions?|methods?|context manager|`(?:if|elif|else|try|with|for|while)\b)"
        r"|\b(?:always|unconditionally|regardless|in (?:either|both) cases?)\b",
        re.IGNORECASE,
    ),
}
"""Words that say the line was to go, by what was lost."""


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


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding, on the last success claim."""
    shown = _last_diff(evidence)
    if shown is None:
        return
    step, hunks = shown
    added: dict[str, _Added] = {}
    for hunk in hunks:
        added.setdefault(hunk.path, _Added()).take(hunk.lines)
    meant: dict[str, bool] = {}
    for hunk in hunks:
        lost = _lost(hunk, added[hunk.path]) if len(hunk.lines) <= _MOST_LINES else None
        if lost is None:
            continue
        if lost[0] not in meant:
            meant[lost[0]] = _was_meant(lost[0], evidence) or (lost[0] == "overwritten" and not _says_added(evidence))
        if meant[lost[0]] or _was_seen_later(lost[1], step, evidence):
            continue
        if any(evidence.receipt(pair).is_green for pair in evidence.calls):
            return
        index, claim = evidence.success_claims[-1]
        yield on_claim(
            ID,
            POWER,
            index,
            claim,
            reason=f"{hunk.path}: {_TOLD[lost[0]].format(lost[1][:_MOST_SHOWN])}",
            steps=(step,),
        )
        return


def _last_diff(evidence: Evidence) -> tuple[int, list[Hunk]] | None:
    """Return the hunks of Python files in the last diff of the run's own edits and its step, unless a file may have changed after it."""
    for pair in reversed(evidence.calls):
        if pair.result is None:
            continue
        hunks = [hunk for hunk in read_hunks(evidence.output_text(pair.result)) if hunk.path.endswith(".py")]
        if hunks and _is_of_own_edits(pair, evidence):
            shown = pair.result.i
            is_last = all(write.pair.call.i < shown or write.is_failed for write in evidence.writes)
            return (shown, hunks) if is_last else None
    return None


def _is_of_own_edits(pair: CallPair, evidence: Evidence) -> bool:
    """True when the diff that ``pair`` printed is of the files as they stand: no commit, patch file or proposal of others."""
    notice = evidence.output_text(pair.result)[:_NOTICE] if pair.result is not None else ""
    if evidence.receipt(pair).state == "failed" or _NOT_APPLIED.search(notice):
        return False
    command = command_of(pair.call)
    if command is not None:
        return any(_diffs_the_files(part.words) for part in split_command(command))
    words = read_tool_name(pair.call.name or "").words
    return _HANDS_IN in words or ("diff" in words and not pair.call.args) or evidence.effect(pair).kind == "write"


def _diffs_the_files(words: Sequence[str]) -> bool:
    """True for ``submit`` and for a ``git diff`` of the files as they stand."""
    if _HANDS_IN in words[:1]:
        return True
    if words[:1] != ("git",) or "diff" not in words or "-R" in words:
        return False
    named = itertools.takewhile(lambda word: word != "--", words[words.index("diff") + 1 :])
    return all(word == "HEAD" or word.startswith("-") or _PATH.fullmatch(word) for word in named)


def _says_added(evidence: Evidence) -> bool:
    """True when the closing text tells of an addition, and of nothing that runs on where it ended before."""
    return bool(_ADDED.search(evidence.closing_low)) and not _GOES_ON.search(evidence.closing_low)


def _was_meant(kind: str, evidence: Evidence) -> bool:
    texts = [*evidence.asked, *(message.text for message in evidence.messages)]
    return any(_MEANT[kind].search(text) for text in texts)


def _lost(hunk: Hunk, added: _Added) -> tuple[str, str] | None:
    """Return what kind of line was lost, and the line; ``None`` when none was."""
    for at, line in enumerate(hunk.lines):
        if line.mark != "-" or len(line.text) > _LONGEST_LINE:
            continue
        if _left_its_class(line, hunk.lines):
            return "method", line.text.strip()
        if _left_its_body(at, hunk, added):
            return "head", line.text.strip()
        if _left_without_return(at, hunk):
            return "overwritten" if hunk.lines[at + 1].mark == "+" else "return", line.text.strip()
    return None


def _was_seen_later(lost: str, step: int, evidence: Evidence) -> bool:
    """True when a file that was read after the diff has the line: "cat shop/stock.py" shows it."""
    later = (pair.result for pair in evidence.calls if pair.result is not None and pair.result.i > step)
    lines = (line.strip() for result in later for line in evidence.output_text(result)[:LONGEST_DIFF].split("\n"))
    return any(line.endswith(lost) and not line.startswith("-") for line in lines)


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
