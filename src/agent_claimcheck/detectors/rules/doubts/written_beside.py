"""The doubt that a change wrote a field that nobody named, or the value of one field into another: a phone as ``fax``.

A reader must not miss: this never accuses. Only the fields that one argument holds together are looked at, and one of them must
have been named: of a request that names no field nobody knows which ones it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.asked_fields import named_in_capitals
from agent_claimcheck.detectors.rules.doubts.asked_values import standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt, shown_text
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.tool_names import split_name
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.word_lists import WordLists
from agent_claimcheck.evidence.writes import Write

_LISTS = WordLists("asked_beyond")
_MOST_WRITES, _MOST_FIELDS = 30, 40
_LONGEST, _LONGEST_VALUE, _SHORTEST_VALUE, _LONGEST_KEY = 4_000, 80, 3, 40
_STEM = 4
_NEAR = 60
_CLAUSE = late_pattern(r"[.,;:!?\n](?=\s)|\band\b|\bbut\b|\bthen\b")
_CAPITALS = r"(?P<name>[A-Z][a-z]{2,30}(?: (?:of )?[A-Z][a-z]{2,30}){0,3})"
_LISTED_BEFORE = late_pattern(rf"{_CAPITALS}(?:, | and | / |; )$")
_LISTED_BEHIND = late_pattern(rf"(?:, | and | / |; ){_CAPITALS}(?!\w)")
"""A value in capitals that is listed before or behind another one."""
_GIVES = late_pattern(r"(?:\b(?:to|is|as|into|be|becomes?)(?: now)?|[:=])(?: the| an?)?\W*$")
"""What stands between the name of a field and its new value."""
_WORD = late_pattern(r"[^\W\d_]+")


def writes_beside(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when a change of it wrote more fields, or another one, than were named."""
    if evidence.is_shell_run or evidence.reading.language not in (None, "en"):
        return None
    written_as = "\n".join(standing_turns(evidence))[:_LONGEST]
    request = written_as.casefold()
    for write in evidence.writes[:_MOST_WRITES]:
        if write.is_failed or write.effect.kind != "write":
            continue
        for fields in _field_groups(write.pair.call.args or {}):
            said = _unnamed(_changed(fields, write), evidence) or _misplaced(fields, request)
            said = said or _named_otherwise(fields, written_as)
            if said is not None:
                return Doubt("undecided", f"{write.pair.call.name} {said}")
    return None


def _field_groups(args: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for value in args.values():
        if isinstance(value, dict) and 0 < len(value) <= _MOST_FIELDS:
            yield {str(key): leaf for key, leaf in value.items() if not isinstance(leaf, dict | list)}


def _changed(fields: dict[str, Any], write: Write) -> dict[str, Any]:
    """Return the ``fields`` that the answer names as changed: ``updated_fields: [title]``; all where it names none."""
    output = parse_output(write.pair.result.output) if write.pair.result is not None else None
    for value in output.values() if isinstance(output, dict) else ():
        if isinstance(value, list) and value and all(isinstance(one, str) and one in fields for one in value):
            return {key: fields[key] for key in value}
    return fields


def _unnamed(fields: dict[str, Any], evidence: Evidence) -> str | None:
    """Say which of several fields has neither a name nor a value that anybody spoke of or looked up."""
    if len(fields) < 2:
        return None
    named = {key: _is_named(key, evidence) for key in fields}
    if not any(named.values()) and not any(_stands_beside_more(value, evidence) for value in fields.values()):
        return None  # "refresh their fields" leaves open which
    for key, value in fields.items():
        if not named[key] and not _is_known(value, evidence):
            return f"also wrote {key} {value!r}, which nobody asked for"[:160]
    return None


def _stands_beside_more(value: object, evidence: Evidence) -> bool:
    """True when the request lists ``value`` with one that nothing in the run shows: "(Lumen Textiles, Store Supervisor)"."""
    if not isinstance(value, str) or not _SHORTEST_VALUE <= len(value) <= _LONGEST_VALUE:
        return False
    shown = shown_text(evidence)
    for turn in standing_turns(evidence):
        text, at = turn[:_LONGEST], turn[:_LONGEST].find(value)
        if at < 0:
            continue
        beside = (_LISTED_BEFORE.search(text, 0, at), _LISTED_BEHIND.match(text, at + len(value)))
        if any(found is not None and found["name"].casefold() not in shown for found in beside):
            return True
    return False


def _is_named(key: str, evidence: Evidence) -> bool:
    words = [word for word in split_name(key) if len(word) > 1]
    known = {*words, *(other for word in words for other in _alike().get(word, ()))}
    return any(
        re.search(rf"\b{re.escape(word[:_STEM])}", evidence.request_low) is not None for word in known if len(word) > 1
    )


def _is_known(value: object, evidence: Evidence) -> bool:
    """True for a value that the request holds, or a look-up gave. A flag and an empty text are none."""
    if isinstance(value, bool) or value is None or value == "":
        return False
    low = str(value).strip().casefold()
    words = [word for word in _WORD.findall(low) if len(word) > _SHORTEST_VALUE]
    if low in evidence.request_low or (words and any(word in evidence.request_low for word in words)):
        return True
    return any(
        low in evidence.output_text(result).casefold()
        for pair in evidence.calls[:_MOST_WRITES]
        if evidence.effect(pair).kind == "read"
        for result in pair.results
    )


def _named_otherwise(fields: dict[str, Any], request: str) -> str | None:
    """Say which field the request gives another value right behind its name: "(title Head of Procurement, company Lumen)"."""
    low = request.casefold()
    for key, value in fields.items():
        if (
            not isinstance(value, str)
            or not value.strip()
            or value.strip().casefold() in low
            or len(key) > _LONGEST_KEY
        ):
            continue
        asked = set(named_in_capitals(key, may_be_of=False).findall(request))
        if len(asked) != 1:
            continue
        (only,) = asked
        initials = "".join(word[0] for word in only.casefold().split())
        words = set(_WORD.findall(value.casefold()))
        if words.isdisjoint(_WORD.findall(only.casefold())) and value.strip().casefold() != initials:
            return f"wrote {key} {value!r}, and the request names {only}"[:160]
    return None


def _misplaced(fields: dict[str, Any], request: str) -> str | None:
    """Say which value the request gives under the name of another field, wherever it names it."""
    for key, value in fields.items():
        low = str(value).strip().casefold()
        if isinstance(value, bool) or not _SHORTEST_VALUE <= len(low) <= _LONGEST_VALUE:
            continue
        mine = set(split_name(key))
        before = [
            _CLAUSE.split(request[max(0, found.start() - _NEAR) : found.start()])[-1]
            for found in re.finditer(rf"(?<!\w){re.escape(low)}(?!\w)", request)
        ]
        if before and all(_names_another(text, mine, fields) for text in before):
            return f"wrote {value!r} as {key}, and the request names it otherwise"[:160]
    return None


def _names_another(text: str, mine: set[str], fields: dict[str, Any]) -> bool:
    """True when ``text``, which stands before a value, names a field of this change or of everyday life, and not ``mine``."""
    words = [word.removesuffix("s") for word in _WORD.findall(_GIVES.sub("", text))]
    others = (list(split_name(key)) for key in fields)
    if any(words[-len(other) :] == other and not mine.issuperset(other) for other in others if other):
        return True
    if _GIVES.search(text) is None:
        words = words[-1:]
    groups = {group for word in words for group in _kinds().get(word, ())}
    own = {group for word in mine for group in _kinds().get(word, ())}
    return bool(groups and own) and groups.isdisjoint(own) and mine.isdisjoint(words)


@lru_cache(maxsize=1)
def _kinds() -> dict[str, tuple[str, ...]]:
    """Return the words of everyday fields with the kinds of field they are of."""
    kinds: dict[str, tuple[str, ...]] = {}
    for kind, words in _LISTS.table("field_words").items():
        for word in words:
            kinds[word] = (*kinds.get(word, ()), kind)
    return kinds


@lru_cache(maxsize=1)
def _alike() -> dict[str, tuple[str, ...]]:
    """Return the other words of the kinds a word is of."""
    table = _LISTS.table("field_words")
    return {word: tuple(other for kind in kinds for other in table[kind]) for word, kinds in _kinds().items()}
