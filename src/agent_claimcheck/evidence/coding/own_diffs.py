"""The last unified diff of a run's own edits.

A reader must not miss: a commit, a patch file, a proposal of others and a refused edit are no such diff, and a diff after
which a file may have changed does not show how the files stand.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.coding.commands import command_of
from agent_claimcheck.evidence.coding.diffs import Hunk, read_hunks
from agent_claimcheck.evidence.coding.shell_split import split_command
from agent_claimcheck.evidence.tool_names import read_tool_name
from agent_claimcheck.trace.pairing import CallPair

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_HANDS_IN = "submit"
"""What agents of some benchmarks call at the end; it prints the diff."""
_NOT_APPLIED = late_pattern(
    r"\b(?:not|n't|never)(?: \w+)? (?:applied|saved|accepted|written)\b|\breject\w*\b", re.IGNORECASE
)
_PATH = late_pattern(r"\.|[^~^:]*/|(?!.*\w\.\.)[^~^:]*\w\.[a-z]\w*")
"""A file or directory, and no commit or branch: ``shop/stock.py``, ``src/``."""
_NOTICE = 600
"""Characters at the start of a result in which an edit is told to be refused."""


def last_own_diff(evidence: Evidence) -> tuple[int, list[Hunk]] | None:
    """Return the hunks of Python files in the last diff of the run's own edits and its step, unless a file may have changed after it."""
    return evidence.shared("last_own_diff", lambda: _read_last(evidence))


def _read_last(evidence: Evidence) -> tuple[int, list[Hunk]] | None:
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
