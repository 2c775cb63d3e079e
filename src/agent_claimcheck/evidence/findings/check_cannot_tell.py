"""The check that is said to show the fix printed the very same before it.

What it catches: ``python reproduce_bug.py`` printed "done" before the edit and prints "done" after it, and "the script
confirms that the issue has been resolved".
Why it matters: a check that cannot tell the broken program from the mended one says nothing of the fix.
Example: a test written for the bug passed at once; it passed again after the edit and is given as the proof.
Limits: for review, it accuses nobody: the edit may be right all the same. Shell runs only, and a script or test that was
made in this run and not changed between the two runs. Any other run after the last edit silences it, and so does a closing
message that rests on no check. Times and addresses are not compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coding.commands import command_of
from agent_claimcheck.evidence.coding.edits import FileChange, file_changes
from agent_claimcheck.evidence.coding.shell_split import SHELLS, program_name, split_command
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_claim
from agent_claimcheck.trace.pairing import CallPair

ID = "check_cannot_tell"
POWER: Power = "review"

_RUNNERS = SHELLS | {"python", "python3", "pytest", "node", "ruby", "perl", "php", "deno", "bun"}
_SHOWS = late_pattern(
    r"\b(?:scripts?|tests?|runs?|re-?runs?|outputs?|results?|reproduction)\b[^.!?\n]{0,100}"
    r"\b(?:confirm|indicat|show|demonstrat|verif|suggest|prov|success|pass)\w*"
    r"|\b(?:confirm|verif)\w*\b[^.!?\n]{0,60}\b(?:scripts?|tests?|running|reproduction)\b",
    re.IGNORECASE,
)
_CHECK_WORDS = ("script", "test", "run", "output", "result", "reproduc")
"""Words one of which stands in what is looked for."""
_PASSING = re.compile(r"\b\d+(?:\.\d+)?\s?(?:m?s|seconds?)\b|\b0x[0-9a-f]+|\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\b")
"""What differs from run to run: times and addresses."""
_LONGEST = 20_000


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding, on the last success claim."""
    closing = evidence.closing
    if closing is None or not any(word in evidence.closing_low for word in _CHECK_WORDS):
        return
    changes = file_changes(evidence)
    made = {_base(change.path) for change in changes if change.path and change.is_new}
    mended = [change for change in changes if change.path and _base(change.path) not in made]
    if not made or not mended or not _SHOWS.search(closing.text):
        return
    runs = _runs(evidence)
    after = [(pair, command) for pair, command in runs if pair.call.i > mended[-1].step]
    if not after or len({command for _, command in after}) > 1:
        return
    last, command = after[-1]
    before = [pair for pair, other in runs if other == command and pair.call.i < mended[0].step]
    if not before or not _runs_one_of(made, command) or _is_changed(made, changes, before[-1], last):
        return
    if _printed(before[-1], evidence) != _printed(last, evidence) or not _printed(last, evidence):
        return
    index, claim = evidence.last_claim
    reason = f"the check that is to show the fix printed the same before it: {command[:80]}"
    yield on_claim(ID, POWER, index, claim, reason=reason, steps=(before[-1].last_step, last.last_step))


def _runs(evidence: Evidence) -> list[tuple[CallPair, str]]:
    """Return the calls that run a script or tests, with the command line."""
    found = []
    for pair in evidence.calls:
        command = command_of(pair.call)
        if command and pair.result is not None:
            parts = split_command(command)
            if any(part.words and program_name(part.words[0]) in _RUNNERS for part in parts):
                found.append((pair, command.strip()))
    return found


def _runs_one_of(made: set[str], command: str) -> bool:
    return any(
        part.words and program_name(part.words[0]) in _RUNNERS and any(_base(word) in made for word in part.words[1:])
        for part in split_command(command)
    )


def _is_changed(made: set[str], changes: list[FileChange], first: CallPair, last: CallPair) -> bool:
    """True when a file made in the run was changed between the two runs."""
    return any(
        change.path is not None and _base(change.path) in made and first.call.i < change.step < last.call.i
        for change in changes
    )


def _printed(pair: CallPair, evidence: Evidence) -> str:
    text = evidence.output_text(pair.result) if pair.result is not None else ""
    return _PASSING.sub("", text[:_LONGEST]).strip()


def _base(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].lower()
