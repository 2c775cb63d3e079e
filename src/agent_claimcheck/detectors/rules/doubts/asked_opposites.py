"""The doubt that the opposite was written: "turn it off" and ``enabled: true``, "reopen it" and ``status: closed``.

A reader must not miss: this never accuses. A pack that checks the record against the arguments of the call confirms whatever
the call wrote, so the words of the request and of the claim are held against its yes-or-no fields, and against its words that
have an opposite.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.asked_values import standing_text
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.value_text import walk_fields
from agent_claimcheck.evidence.word_lists import WordLists

_LISTS = WordLists("opposites")
_LONGEST = 4_000
_LONGEST_STATE = 12
_NOT_DOING = late_pattern(r"\b(?:without|don't|do not|never|no need to|not to)(?: \w+){0,1}? (\w{4,})")
_LONGEST_KEY, _SHORTEST_KEY = 30, 4
_ENDINGS = ("ing", "e")


def says_the_opposite(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when a field that it wrote is the opposite of what was said."""
    flags: list[tuple[str, bool, str | None]] = []
    states: list[tuple[str, str, str | None]] = []
    for write in evidence.writes:
        args = write.pair.call.args
        for key, value in walk_fields(args) if args and not write.is_failed else ():
            if value is True or value is False:
                flags.append((key.casefold(), value, write.pair.call.name))
            elif isinstance(value, str) and len(value) <= _LONGEST_STATE and value.casefold() in _states():
                states.append((key, value.casefold(), write.pair.call.name))
    if not flags and not states:
        return None
    request = standing_text(evidence)
    told = evidence.closing_text[:_LONGEST].casefold()
    for key, state, tool in states:
        for_it, against = _states()[state]
        contrary = against.search(request)
        if contrary is not None and for_it.search(request) is None:
            return Doubt("undecided", f"the request says {contrary[0]!r}, and {tool} wrote {key}: {state}")
    unwanted = [_stem(word) for word in _NOT_DOING.findall(request)]
    for key, value, tool in flags:
        for source, text in (("request", request), ("closing text", told)):
            word = _opposed(key, value, text)
            if word is not None:
                return Doubt("undecided", f"the {source} says {word!r}, and {tool} wrote {key}: {str(value).lower()}")
        if value and any(stem in key for stem in unwanted):
            return Doubt("undecided", f"the request says not to, and {tool} wrote {key}: true")
        word = _asked_of(key, request, is_wanted=not value) or (
            None if value else _asked_before(key, request, evidence)
        )
        if word is not None:
            return Doubt("undecided", f"the request says {word!r}, and {tool} wrote {key}: {str(value).lower()}")
    return None


def _asked_of(key: str, request: str, *, is_wanted: bool) -> str | None:
    """Return the "with lids" or "without lids" of ``request`` for a field ``lids``, as ``is_wanted`` says."""
    word = key.rpartition(".")[2].removesuffix("s")[:_LONGEST_KEY]
    if len(word) < _SHORTEST_KEY or not word.isalpha() or word not in request:
        return None
    before = r"with|including|plus" if is_wanted else r"without|no|excluding|minus"
    found = re.search(rf"\b(?:{before})(?: (?!no\b|out\b)[a-z]+){{0,2}}? {word}", request)
    return found[0] if found is not None else None


def _asked_before(key: str, request: str, evidence: Evidence) -> str | None:
    """Return the "fasting glucose" of ``request`` for a field ``fasting`` and a value "glucose" of the same call."""
    word = key.rpartition(".")[2]
    if not _SHORTEST_KEY <= len(word) <= _LONGEST_KEY or not word.isalpha() or f"{word} " not in request:
        return None
    for write in evidence.writes:
        for _, value in walk_fields(write.pair.call.args or {}):
            told = f"{word} {value.casefold()}" if isinstance(value, str) and len(value) <= _LONGEST_KEY else ""
            if told and re.search(rf"(?<!no )(?<!non )(?<!not )(?<!non-)\b{re.escape(told)}", request):
                return told
    return None


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        word = word.removesuffix(ending)
    return word


def _opposed(key: str, value: bool, text: str) -> str | None:
    """Return the word of ``text`` that wants ``key`` the other way, when none wants it so."""
    for field, wanted, unwanted in _pairs():
        if field not in key:
            continue
        for_it, against = (wanted, unwanted) if value else (unwanted, wanted)
        found = against.search(text)
        if found is not None and for_it.search(text) is None:
            return found[0]
    return None


@lru_cache(maxsize=1)
def _pairs() -> tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]:
    """Return the fields by a part of their name, with the words that want them true and those that want them false."""
    rows = _LISTS.table("pairs").items()
    return tuple((field, _words(wanted), _words(unwanted)) for field, (wanted, unwanted) in rows)


@lru_cache(maxsize=1)
def _states() -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    """Return the words that may be written as a value, with the words that want it and those that want its opposite."""
    rows = _LISTS.table("states").items()
    return {state: (_words(wanted), _words(unwanted)) for state, (wanted, unwanted) in rows}


def _words(pattern: str) -> re.Pattern[str]:
    return late_pattern(rf"(?<![\w-])(?:{pattern.replace('_', ' ')})")
