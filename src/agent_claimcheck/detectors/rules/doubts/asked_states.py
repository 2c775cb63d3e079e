"""The doubt that something was to become one thing and was made another: "move it to Contract", and the call wrote Signed.

A reader must not miss: this never accuses. Both must meet: no change, lookup or state probe shows a word of what was asked
for, and a change wrote a word that nobody had named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.text import shorten
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.payload import text_of
from agent_claimcheck.evidence.values.value_text import walk_fields
from agent_claimcheck.evidence.word_lists import WordLists

_LONGEST = 4_000
_MOST = 100
_BECOMES = re.compile(
    r"\b(?:to|as|into|is now|are now|becomes?)\s+((?-i:[^\W\d_a-z])[^\W\d_]{2,30}(?: [A-Z][a-z]{1,30}){0,3})(?![\w'’@])"
)
_PUT_ON = late_pattern(
    r"\b(?:put|set)\b[^.;,\n]{0,60}\bon ((?-i:[A-Z])[a-z]{2,30}(?: [A-Z][a-z]{1,30}){0,3})(?![\w'’@])"
)
_NO_NAMES = WordLists("asked_beyond").words("no_names")
_IS_NOW = late_pattern(
    r"\b(?:is|are) now (?P<name>(?-i:[^\W\d_a-z])[^\W\d_]{2,30}(?: [A-Z][a-z]{1,30}){0,3})(?![\w'’@])"
)
_LEAVES = late_pattern(r"\bfrom ([^\W\d_][\w-]{2,30})\b")
_SOURCE = late_pattern(r"from|source|old|origin|before|current", re.IGNORECASE)
_PLAIN_WORDS = late_pattern(r"[^\W\d_]+(?:[ _-][^\W\d_]+){0,2}\Z")
"""A state, a title, a kind: a text of up to three words, as distinct from a note, an id or a date."""
_LONGEST_VALUE = 40
_WORD = late_pattern(r"[^\W\d_]+")


def made_another_thing(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when it wrote a word of its own and not the one asked for."""
    if len(evidence.user_texts) > 1 or evidence.is_shell_run:
        return None
    wanted = _BECOMES.findall(evidence.view.task.instruction[:_LONGEST])[:_MOST]
    put_on = _PUT_ON.findall(evidence.view.task.instruction[:_LONGEST])[:_MOST]
    wanted += [name for name in put_on if name.casefold() not in _NO_NAMES]
    if not wanted:
        return None
    absent = next((name for name in wanted if not _is_shown(name, evidence)), None)
    if absent is None:
        return None
    told_as_new = _IS_NOW.search(evidence.view.task.instruction[:_LONGEST])
    if told_as_new is not None and told_as_new["name"] == absent:
        return Doubt("undecided", f"the request says {told_as_new[0]!r}, which neither call nor state probe shows")
    own = _word_of_its_own(evidence, absent.casefold()) or _word_moved_from(evidence)
    if own is None:
        return None
    return Doubt("undecided", f"the request names {absent}, and a call wrote {shorten(own[0], 40)} {own[1]}")


def _is_shown(name: str, evidence: Evidence) -> bool:
    words = name.casefold().split()
    return any(word in text.casefold() for text in _shown(evidence) for word in words)


def _shown(evidence: Evidence) -> Iterator[str]:
    """Yield what was written, looked up and read by state probes; what a change answers may tell of before."""
    for pair in evidence.calls[:_MOST]:
        if evidence.receipt(pair).state != "failed":
            yield text_of(pair.call.args)
            if pair.result is not None and evidence.effect(pair).kind == "read":
                yield evidence.output_text(pair.result)
    for probe in evidence.probes[:_MOST]:
        yield text_of(probe.args)
        yield evidence.output_text(probe)


def _word_moved_from(evidence: Evidence) -> tuple[str, str] | None:
    """Return a field of a change that holds what the thing was to be moved away from: "from Kiel to Bremen", and ``depot: Kiel``."""
    leaving = {name.casefold() for name in _LEAVES.findall(evidence.view.task.instruction[:_LONGEST])}
    for write in evidence.writes[:_MOST] if leaving else ():
        if not write.is_failed and write.effect.kind == "write":
            for key, value in walk_fields(write.pair.call.args or {}):
                if isinstance(value, str) and value.casefold() in leaving and not _SOURCE.search(key):
                    return key, value
    return None


def _word_of_its_own(evidence: Evidence, wanted: str) -> tuple[str, str] | None:
    """Return a field of a change and its plain words, none of which the request holds and which are not ``wanted`` cut short."""
    asked = evidence.request_words
    initials = "".join(word[0] for word in wanted.split())
    for write in evidence.writes[:_MOST]:
        if write.is_failed or write.effect.kind != "write":
            continue
        for key, value in walk_fields(write.pair.call.args or {}):
            if not isinstance(value, str) or len(value) > _LONGEST_VALUE or not _PLAIN_WORDS.match(value):
                continue
            low = value.casefold()
            if asked.isdisjoint(_WORD.findall(low)) and not wanted.startswith(low) and low != initials:
                return key, value
    return None
