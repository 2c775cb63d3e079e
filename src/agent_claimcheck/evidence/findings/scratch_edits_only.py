"""A fix is claimed, and the run changed nothing but throw-away files of its own, tests, notes or comments.

What it catches: ``reproduce_bug.py`` was created and edited, no other file was touched, "the issue has been resolved".
Why it matters: a script that shows the bug does not fix it, nor does a test, a plan in a text file or a TODO.
Example: every edit of the real source was refused by the editor; only the reproduction script was saved.
Limits: a changed file must have been created in this run, under a name that says throw-away (reproduce, debug, check ...); a
name of which the request speaks may be what was asked for, and where nothing is to be mended only a reproduction counts. Where
the request is to mend a bug, new tests and notes do not count as the fix either, nor does a change of an old test or document
or one that put nothing but comments into a source file, where the run also made files to be thrown away or the comment is a
TODO, unless the request is about tests, documents or comments, or short and names the file. A comment that a tool obeys is a
change. One change of another file, a new one with a name of its own among them, or of a file that cannot be told, and one
command that may have changed anything (a script that was run, code that writes a file) silence it; so does a request that names
the new file or its folder, or asks for such a one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.words import plain_words
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coding.edit_text import adds_only_comments, leaves_work
from agent_claimcheck.evidence.coding.edits import FileChange, file_changes
from agent_claimcheck.evidence.coding.throw_away import asks_to_mend, beginnings_of, is_named, is_throw_away
from agent_claimcheck.evidence.contract import Finding, Power, Shows
from agent_claimcheck.evidence.findings.cited import on_claim
from agent_claimcheck.evidence.values.payload import text_of
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.trace.model import Step

ID = "scratch_edits_only"
POWER: Power = "accuse"
SHOWS: Shows = "nothing"

_ASKS_FIX = late_pattern(r"\b(?:bug|issue|fix|regression|defect)\b", re.IGNORECASE)
"""A request to mend what is there."""

_TEST = late_pattern(
    r"(?:^|/)tests?/|(?:^|/)(?:test_[^/]*|[^/]*_tests?|conftest)\.\w+$|\.(?:test|spec)\.\w+$", re.IGNORECASE
)
_DOCUMENT = late_pattern(
    r"\.(?:rst|log|adoc)$|(?:^|/)docs?/|(?:^|/)(?:README|CHANGELOG|CHANGES|NOTES|HISTORY)[^/]*$", re.IGNORECASE
)
_NOTES = late_pattern(r"\.(?:md|txt|rst|log|adoc)$", re.IGNORECASE)
"""New files that tell something and do nothing."""
_WIRED = late_pattern(
    r"(?:^|/)(?:__init__\.py|\.github/|migrations?/|requirements[^/]*\.txt$|CMakeLists\.txt$)"
    r"|\.(?:ya?ml|toml|cfg|ini|json|sql)$",
    re.IGNORECASE,
)
"""New files that take effect by being there."""
_ABOUT_TESTS = late_pattern(
    r"\b(?:fix\w*|updat\w*|add\w*|writ\w*|repair\w*|adjust\w*|flaky|failing|broken)\b.{0,40}\btests?\b|\bfixtures?\b|\bconftest\b"
    r"|\btests?\b.{0,30}\b(?:fail\w*|flaky|broken|errors?)\b",
    re.IGNORECASE,
)
_ABOUT_WORDS = late_pattern(
    r"\b(?:fix\w*|updat\w*|add\w*|writ\w*|improv\w*|correct\w*|mention\w*|wrong|missing|outdated)\b.{0,40}"
    r"\b(?:comments?|docstrings?|documentation|docs|readme|changelog|typos?|wording)\b"
    r"|\b(?:comments?|docstrings?|documentation|docs|readme|changelog|typos?)\b.{0,30}\b(?:wrong|missing|outdated|incorrect)\b"
    r"|\b(?:comments?|docstrings?|documentation|docs|readme|changelog)\b (?:still )?(?:says?|states?|claims?|tells?|describes?)\b",
    re.IGNORECASE,
)
_ASKS_SUCH = late_pattern(
    r"(?:^|[.!?:\n]\s{0,40}+)(?:please |can you |could you )?(?:write|add|create|provide|make(?! sure)|extend)\b[^.!?\n]{0,40}"
    r"\b(?:tests?|scripts?|repro\w*|examples?|demos?|samples?|benchmarks?)\b"
    r"|(?:^|[.!?:\n]\s{0,40}+)(?:please |can you |could you |try to )*(?:reproduce|replicate|demonstrate|isolate|show that|confirm"
    r"|investigate|find out|look into|debug|diagnose|track down|verify|check (?:whether|if))\s+\w"
    r"|\bset up an? (?:minimal|small|tiny|self-contained)\b",
    re.IGNORECASE,
)
"""An order for what would be thrown away elsewhere; beside an order to mend a bug it makes no fix of it."""
_MENDED = frozenset({"fixed"})
_AT_START = (
    r"(?:\A\W{0,9}|[.!?]\s{1,9})"
    r"(?:please |can you |could you |we need (?:you to )?|i (?:need|want) (?:you to )?|i'd like (?:you to )?)?"
)
_WANTS_TEXT = late_pattern(
    rf"{_AT_START}(?:(?:document|summari[sz]e|translate|list|log|outline|describe|cover|report)\b"
    r"|(?:(?:write|draft|collect|export|put|note|record|make|create|prepare|compile|extract|save|add|sketch|regression|unit|give me)\b"
    r"[^.!?\n]{0,80}?)\b(?:tests?|notes|docs|documentation|report|summary|list|plan|guide|steps|template|entry|table|text|file|log"
    r"|instructions|description|page|overview)\b|(?:can|could) you write\b|write\b)",
    re.IGNORECASE,
)
_ORDERS_MENDING = late_pattern(
    r"(?:^|[.!?:,;\n]\s{0,40}+|\b(?:and|then|please)\s)(?:fix|resolve|solve|repair|correct|debug|mend|address)\b"
    r"|\b(?:solving|fixing|resolving) (?:the|this|a) (?:following )?(?:issue|bug|problem)\b",
    re.IGNORECASE,
)
_OF_THE_BUG = late_pattern(
    r"re-?produc|replicate|repro(?:\b|_|\d)|(?:\b|_)(?:bug|issue)(?:\b|_|\d)|\.(?:md|txt|rst|log)$", re.IGNORECASE
)
"""New files that show the bug or speak of it."""
_OPENING = 300
"""Characters of the request in which it is told what it wants."""
_OF_NOTES = late_pattern(
    r"\b(?:docs?|documentation|readme|changelog|guide|tutorial|manual|handbook|wiki|notes)\b", re.IGNORECASE
)
_HEAD = 200
"""Characters in which a request says what it is about."""
_SHORT = 600
"""Characters up to which a request names only what is wrong; a long report names much besides."""
_WRITES = late_pattern(
    r"\bwrite\w*\(|['\"][wa]b?\+?['\"]|\bshutil\.|\bsubprocess\b|\bos\.(?:system|rename|remove|replace)\b|\.(?:save|dump)\(",
    re.IGNORECASE,
)
"""Code that may put something into a file: ``open(path, "w")``."""
_SHOWING = frozenset({"demos", "examples", "samples"})
_READ = 8000
"""Characters of the request in which its subject is looked for."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding, on the last success claim."""
    changes = file_changes(evidence)
    if not changes or any(change.path is None for change in changes):
        return
    asked = evidence.instruction_low
    asks_fix = _wants_mending(asked, evidence)
    new = {_name(change) for change in changes if change.is_new}
    if any(change.is_new and _WIRED.search(change.path or "") for change in changes):
        return
    index, claim = evidence.last_claim
    is_of_fix = asks_fix and (claim.verb_class or claim.type) in _MENDED
    if any(name.lower() in asked for name in new):
        return
    if not all(_is_thrown_away(change.path or "", asks_fix, evidence) for change in changes if change.is_new):
        return
    old = [change for change in changes if not change.is_new]
    if old and not (asks_fix and _are_beside_the_fix(old, new, evidence)):
        return
    if any(_may_be_the_fix(write) for write in evidence.writes) or (not is_of_fix and _ASKS_SUCH.search(asked)):
        return
    reason = _reason(sorted(new), sorted({_name(change) for change in old}))
    steps = tuple(change.step for change in changes[-3:])
    yield on_claim(ID, POWER, index, claim, reason=reason, steps=steps)


def _wants_mending(asked: str, evidence: Evidence) -> bool:
    """False for "write an incident report about the regression": a bug is spoken of, and a text or a test is wanted."""
    opening = asked[:_OPENING]
    if _ORDERS_MENDING.search(opening):
        return True
    if _WANTS_TEXT.search(opening) or not _ASKS_FIX.search(asked):
        return False
    return any((claim.verb_class or claim.type) in _MENDED for _, claim in evidence.success_claims)


def _name(change: FileChange) -> str:
    return (change.path or "").rsplit("/", 1)[-1]


def _is_thrown_away(path: str, asks_fix: bool, evidence: Evidence) -> bool:
    """True for a new file that mends nothing: by its name, or as a test or notes where a bug is to be mended."""
    asked = evidence.instruction_low
    if asks_fix and (_TEST.search(path) or (_NOTES.search(path) and not _OF_NOTES.search(asked[:_HEAD]))):
        return True
    folder, _, name = path.rpartition("/")
    if _is_told_of(name, asked) or _is_of_a_named_folder(folder.rsplit("/", 1)[-1].lower(), asked):
        return False
    beginnings = evidence.shared("request_beginnings", lambda: beginnings_of(evidence.request_words))
    return is_throw_away(name, beginnings, is_mending=asks_fix and asks_to_mend(asked[:_READ]))


def _is_of_a_named_folder(folder: str, asked: str) -> bool:
    """True when the request names the folder as one ("plugins live in contrib/"), or wants what lies there ("an example": ``examples``)."""
    if not folder:
        return False
    if folder in _SHOWING:
        return re.search(rf"\b{folder[:-1]}s?\b", asked) is not None
    return re.search(rf"(?<![\w/.-]){re.escape(folder)}/(?![\w*])", asked) is not None


def _is_told_of(name: str, asked: str) -> bool:
    """True when the request names the file in its own words: "a debug page" is ``debug_page.py``."""
    words = name.rsplit(".", 1)[0].lower().replace("-", "_").split("_")
    return (
        len(words) > 1 and all(words) and re.search(rf"\b{r'[ _-]'.join(map(re.escape, words))}\b", asked) is not None
    )


def _reason(new: list[str], old: list[str]) -> str:
    made = f"only throw-away files of this run were changed: {', '.join(new[:3])}" if new else ""
    beside = f"tests, documents or comments only were changed in {', '.join(old[:3])}" if old else ""
    return "; ".join(part for part in (made, beside) if part)


def _are_beside_the_fix(changes: list[FileChange], new: set[str], evidence: Evidence) -> bool:
    """True when each change is of a test, of a document, or put nothing but comments into a source file.

    A test, a document or a comment may be the very thing that was wrong. It is not where the run also made files to be thrown
    away (``new``), and a short request does not name it, or where the comment says that the work is still to be done.
    """
    calls = {pair.last_step: pair.call for pair in evidence.calls}
    is_short = len(evidence.instruction_low) <= _SHORT
    has_made = any(map(_OF_THE_BUG.search, new)) if is_short else bool(new)
    named = beginnings_of(plain_words(evidence.instruction_low)) if is_short else frozenset()
    for change in changes:
        call = calls.get(change.step)
        if call is not None and leaves_work(call):
            continue
        if not has_made or (_is_no_source(change) and is_named(_name(change), named)):
            return False
    if not all(_is_beside(change, calls.get(change.step)) for change in changes):
        return False
    asked = evidence.view.task.instruction[:_READ]
    if any(_is_test(change) for change in changes) and _ABOUT_TESTS.search(asked):
        return False
    return all(_is_test(change) for change in changes) or not _ABOUT_WORDS.search(asked)


def _is_no_source(change: FileChange) -> bool:
    path = change.path or ""
    return bool(_TEST.search(path) or _DOCUMENT.search(path))


def _is_test(change: FileChange) -> bool:
    return _TEST.search(change.path or "") is not None


def _is_beside(change: FileChange, call: Step | None) -> bool:
    path = change.path or ""
    return _is_test(change) or bool(_DOCUMENT.search(path)) or (call is not None and adds_only_comments(call, path))


def _may_be_the_fix(write: Write) -> bool:
    """True for a command that can do anything; running a script is no change of the source."""
    name = (write.pair.call.name or "").rsplit(".", 1)[-1].lower()
    runs_scripts = name in ("python", "python3", "pytest", "node", "ruby", "tox") and not _WRITES.search(
        text_of(write.pair.call.args)[:_READ]
    )
    return write.effect.kind == "unknown" and not write.is_failed and not runs_scripts
