"""The doubt that work on code was to do more, or other, than it shows: to push as well, on another branch, with a test of its own.

A reader must not miss: this never accuses. Green tests show that the tests pass, and a commit that it was made; what else a
request orders is looked for in the calls, by the words a call of that kind cannot do without.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.asked_values import is_no_order, standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt, shown_text
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coding.commands import command_of
from agent_claimcheck.evidence.coding.shell import read_command
from agent_claimcheck.evidence.values.payload import text_of
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.evidence.word_lists import WordLists

_LISTS = WordLists("asked_beyond")
_LONGEST, _MOST_WRITES, _NEAR, _LONGEST_CONTENT = 4_000, 100, 80, 50_000
_NOT = late_pattern(r"\b(?:not|n't|never|without|no)\b[^.,;]{0,30}$")
_BRANCH = late_pattern(
    r"\b(?:on|to|onto|into|off) (?:the |a |my )?(?:new )?[\"'`]?(?P<name>[\w./-]{2,60})[\"'`]? branch\b"
    r"|\bbranch (?:called |named )?[\"'`]?(?P<name2>[\w./-]*[\d/_-][\w./-]*)"
)
_NO_BRANCH = frozenset(
    {"the", "this", "that", "current", "same", "new", "own", "separate", "feature", "right", "correct", "different"}
)
_TEST_KIND = late_pattern(
    r"\b(?P<kind>integration|e2e|end-to-end|smoke|acceptance|regression|performance|load|contract|ui|system|browser)[ -]"
    r"(?:tests?|suites?|specs?)\b"
)
_NEW_TEST = late_pattern(
    r"\b(?:add|write|create|include|provide|with|plus)\b(?: (?!pass|run|so|and\b)[\w-]+){0,4}? (?:unit ?)?tests?\b"
    r"(?! (?:case )?(?:data|pass|run|command|file|output))"
)
_TEST_PATH = late_pattern(r"(?<!py)(?:test|spec)", re.IGNORECASE)
_FILE = late_pattern(
    r"\b(?:fix|patch|edit|change|update|refactor|correct|repair|rewrite|rename|modify|clean up)\b"
    r"(?: (?!and\b|then\b)[\w`'\"-]+){0,5}? [`'\"]?(?P<file>[\w./-]{1,80}\.[a-z]{1,5})\b"
    r"|\b(?:document|describe|add|write|put|note|mention|record|save|export)\b(?: [\w`'\"-]+){1,5}? (?:in|to|into)(?: the)?"
    r" [`'\"]?(?P<file2>[\w./-]{1,80}\.[a-z]{1,5})\b"
)
_FILE_TOO = late_pattern(r"[`'\"]?(?:,| and|, and|,? as well as) (?:in )?[`'\"]?(?P<file>[\w./-]{1,80}\.[a-z]{1,5})\b")
"""Another file behind the first one."""
_SWITCHED_OFF = late_pattern(
    r"@pytest\.mark\.(?:skip|xfail)|\bpytest\.(?:skip|xfail)\(|@unittest\.skip|\b(?:it|test|describe)\.(?:skip|todo)\(|\bx(?:it|test|describe)\("
    r"|\bt\.Skip|@Disabled\b|@Ignore\b|#\[ignore\]"
)
"""What keeps a test from being run, or from counting."""
_MAY_SWITCH_OFF = late_pattern(r"\b(?:skip|xfail|disable|ignore|quarantine|mute|todo)")


def asks_other_work(evidence: Evidence) -> Doubt | None:
    """Doubt a run on code whose every claim is confirmed when its request orders what no call of it shows."""
    if not any(
        write.effect.is_file_change or write.effect.is_shell or _is_git(write.pair.call.name)
        for write in evidence.writes
    ):
        return None
    for turn in standing_turns(evidence):
        low = turn[:_LONGEST].casefold()
        said = next(_not_shown(low, evidence), None)
        if said is not None:
            return Doubt("undecided", f"the request says {said!r}, and no call of the run shows it")
    return None


def _is_git(name: str | None) -> bool:
    return name is not None and name.casefold().startswith(("git", "fs"))


def _not_shown(low: str, evidence: Evidence) -> Iterator[str]:
    """Yield what ``low`` orders and no call shows."""
    shown = shown_text(evidence)
    for order, proof in _orders():
        found = order.search(low)
        if found is not None and _is_ordered(low, found.start()) and proof.search(shown) is None:
            yield found[0]
    for found in _BRANCH.finditer(low):
        name = found["name"] or found["name2"]
        if name not in _NO_BRANCH and _is_ordered(low, found.start()) and not _stands(name, shown):
            yield found[0]
    for found in _TEST_KIND.finditer(low):
        if _is_ordered(low, found.start()) and found["kind"] != "regression" and not _shows_kind(found["kind"], shown):
            yield found[0]
    new = _NEW_TEST.search(low)
    if new is not None and _is_ordered(low, new.start()) and not _writes_test(evidence):
        yield new[0]
    for found in _FILE.finditer(low):
        if _is_ordered(low, found.start()):
            yield from (file for file in _files(found, low) if not _stands(file, shown))
    if _MAY_SWITCH_OFF.search(low) is None and _switches_a_test_off(evidence):
        yield "a passing test, not one that is skipped"


def _files(found: re.Match[str], low: str) -> Iterator[str]:
    yield found["file"] or found["file2"]
    end = found.end()
    while (another := _FILE_TOO.match(low, end)) is not None:
        yield another["file"]
        end = another.end()


def _switches_a_test_off(evidence: Evidence) -> bool:
    return any(
        isinstance(value, str) and _SWITCHED_OFF.search(value[:_LONGEST_CONTENT]) is not None
        for write in evidence.writes[:_MOST_WRITES]
        if not write.is_failed
        for _, value in walk_values(write.pair.call.args or {})
    )


def _is_ordered(low: str, at: int) -> bool:
    before = low[max(0, at - _NEAR) : at]
    return not is_no_order(before) and _NOT.search(before) is None


def _shows_kind(kind: str, shown: str) -> bool:
    return kind.replace("-", "") in re.sub(r"[-_ ]", "", shown)


def _stands(name: str, shown: str) -> bool:
    """True when a file or a branch stands in what is shown as a whole name, or as the end of a path."""
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)", shown) is not None


def _writes_test(evidence: Evidence) -> bool:
    """True when a change holds the path of a test; a command that runs tests is none."""
    for write in evidence.writes[:_MOST_WRITES]:
        if write.is_failed:
            continue
        command = command_of(write.pair.call)
        if command is not None and read_command(command).is_test and not _REDIRECTS.search(command):
            continue
        if _TEST_PATH.search(text_of(write.pair.call.args)):
            return True
    return False


_REDIRECTS = late_pattern(r">|<<|\b(?:sed|tee|patch|apply|cp|mv)\b")


@lru_cache(maxsize=1)
def _orders() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    rows = _LISTS.rows("code_orders")
    return tuple(
        (re.compile(order), re.compile(proof)) for order, _, proof in (" ".join(row).partition(" => ") for row in rows)
    )
