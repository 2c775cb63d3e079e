"""The last diff of a coding run shows a line of the program lost on which what stays depends, and a fix is claimed.

What it catches: a line edit meant to add a statement overwrote the ``return`` that stood there; the head of a function was
replaced, and its body now belongs to nothing; a method was put back without its indentation and left its class.
Why it matters: the edit was accepted, so it looks done, and the program is broken in a place nobody speaks of.
Example: "The setting of the key has been added", and the diff shows ``return count`` replaced by it.
Limits: Python files, in the last unified diff of its own edits that the run printed (no commit, patch file or refused edit),
with nothing after it that may have changed a file, or that shows the line. What was put back anywhere in the diff is not
lost: a condition that was rewritten, a block that moved. A return counts only when none is added to its hunk and what stands
in its place keeps no part of its value, or nothing does and an error still returns one;
the lines below it must show that the function ends there. One that was overwritten must be told as an addition. Words of the
agent or of the request about removing a return or a condition, or about moving a method, silence it, and so does a green
test run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coding.diffs import LONGEST_DIFF
from agent_claimcheck.evidence.coding.lost_lines import LossKind, lost_lines
from agent_claimcheck.evidence.coding.own_diffs import last_own_diff
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_claim

ID = "lost_code"
POWER: Power = "accuse"

_ADDED = late_pattern(r"\b(?:add|insert)(?:s|ed|ing)?\b|\baddition\b")
_GOES_ON = late_pattern(
    r"\b(?:instead|replac\w*|(?:goes|carries|runs|keeps) (?:on|going|running)|falls? through|early|no longer)\b"
)
_TOLD: dict[LossKind, str] = {
    "method": "the method {!r} was put back outside its class",
    "head": "{!r} was removed, and what stood under it stays",
    "return": "{!r} was removed, and nothing is returned in its place",
    "overwritten": "{!r} was removed, and nothing is returned in its place",
}
"""What is said of a lost line, by its kind."""
_MOST_SHOWN = 80
_MEANT: dict[LossKind, re.Pattern[str]] = {
    **dict.fromkeys(
        ("return", "overwritten"),
        late_pattern(
            r"\b(?:remov|delet|drop|eliminat|get rid|no longer|without|instead of|early|prematur)\w*\b[^.\n]{0,60}\breturn"
            r"|\breturn\w*\b[^.\n]{0,40}\b(?:remov|delet|dropp|eliminat)\w*|\breturns? (?:none|nothing)\b",
            re.IGNORECASE,
        ),
    ),
    "method": late_pattern(
        r"\b(?:module[- ]level|top[- ]level|free|plain|standalone|stand-alone|global) function\b"
        r"|\b(?:mov|extract|pull|hoist)\w*\b[^.\n]{0,60}\b(?:out of|outside|module|top level)\b",
        re.IGNORECASE,
    ),
    "head": late_pattern(
        r"\b(?:remov|delet|dropp?|eliminat|simplif|flatten|inlin|merg|combin|collaps|unif|refactor|redundan|superfluous|unnecessary"
        r"|duplicat)\w*\b[^.\n]{0,60}\b(?:checks?|conditions?|conditional|branch(?:es)?|guards?|wrapper|loops?|clauses?|blocks?"
        r"|functions?|methods?|context manager|`(?:if|elif|else|try|with|for|while)\b)"
        r"|\b(?:always|unconditionally|regardless|in (?:either|both) cases?)\b",
        re.IGNORECASE,
    ),
}
"""Words that say the line was to go, by what was lost."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding, on the last success claim."""
    shown = last_own_diff(evidence)
    if shown is None:
        return
    step, hunks = shown
    meant: dict[LossKind, bool] = {}
    for lost in lost_lines(hunks):
        if lost.kind not in meant:
            meant[lost.kind] = _was_meant(lost.kind, evidence)
        if meant[lost.kind] or _was_seen_later(lost.text, step, evidence):
            continue
        if any(evidence.receipt(pair).is_green for pair in evidence.calls):
            return
        index, claim = evidence.last_claim
        reason = f"{lost.path}: {_TOLD[lost.kind].format(lost.text[:_MOST_SHOWN])}"
        yield on_claim(ID, POWER, index, claim, reason=reason, steps=(step,))
        return


def _says_added(evidence: Evidence) -> bool:
    """True when the closing text tells of an addition, and of nothing that runs on where it ended before."""
    return bool(_ADDED.search(evidence.closing_low)) and not _GOES_ON.search(evidence.closing_low)


def _was_meant(kind: LossKind, evidence: Evidence) -> bool:
    """True when words of the agent or of the request say that such a line was to go."""
    if kind == "overwritten" and not _says_added(evidence):
        return True
    texts = [*evidence.asked, *(message.text for message in evidence.messages)]
    return any(_MEANT[kind].search(text) for text in texts)


def _was_seen_later(lost: str, step: int, evidence: Evidence) -> bool:
    """True when a file that was read after the diff has the line: "cat shop/stock.py" shows it."""
    later = (pair.result for pair in evidence.calls if pair.result is not None and pair.result.i > step)
    lines = (line.strip() for result in later for line in evidence.output_text(result)[:LONGEST_DIFF].split("\n"))
    return any(line.endswith(lost) and not line.startswith("-") for line in lines)
