"""The doubt that the request asks for more than the run shows: another deed, another person, a name, a series.

A reader must not miss: this never accuses, and what was claimed may hold all the same. "All done" after a half of what was
asked is for a person to read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt, shown_text
from agent_claimcheck.evidence.asked.deeds import AskedDeed, asked_deeds
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coverage import class_covers, family_of
from agent_claimcheck.evidence.word_lists import WordLists

_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_SERIES = re.compile(
    r"\b(?:weekly|daily|monthly|biweekly|fortnightly|recurring|every (?:day|week|month|\w+day|(?:\w+ )?hours?)"
    r"|again and again|over and over|repeatedly|(?:each|once a|twice a) (?:day|week|month|year))\b",
    re.IGNORECASE,
)
_SERIES_WORDS = frozenset(
    {
        "weekly",
        "daily",
        "monthly",
        "biweekly",
        "fortnightly",
        "recurring",
        "every",
        "again",
        "over",
        "repeatedly",
        "each",
        "once",
        "twice",
    }
)
"""One of these is in all that ``_SERIES`` finds, and so on below: a request without them is not searched."""
_NAMED = re.compile(
    r"\b(?:titled|called|named|entitled|in (?:meeting )?room|with the (?:title|subject|note|name|agenda))\s+[\"'“‘]?"
    r"([A-Z][\w&-]{1,30}(?: [A-Z][\w&-]{1,30}){0,3})"
)
_NAMED_WORDS = frozenset(
    {"titled", "called", "named", "entitled", "room", "title", "subject", "note", "name", "agenda"}
)
_PERSON = late_pattern(r"(?<![\w@.])[A-Z][a-z]{2,30}(?![\w@])")
_NAMED_AFTER_AND = re.compile(
    r"(?<![^\W_])[A-Z][a-z]{1,30} [a-z ]{0,20}\b(?:[a-z]{1,12} )?[\w+-]{0,12} ?"
    r"\band ([A-Z][a-z]{2,30})(?: (?:with|to|a|an|the|on|in|at)\b|[.,;!?]|$)"
)
"""A name that is listed behind another one: "Grade Ida with a B and Otto with a C"."""
_AND_NAME = re.compile(r"and [A-Z]")
"""Stands in it, and is searched for as quickly as plain text."""
_WRITING_TO = frozenset({"invite", "email", "e-mail", "message", "notify", "add", "cc"})
"""Orders whose object is mostly a person."""
_NO_NAMES = WordLists("asked_beyond").words("no_names")
_APART = frozenset({"cancelled", "deleted", "paid", "sent"})
"""Deeds that no call does along: a guest may be invited by the call that makes the event, a mail is sent by one of its own."""
_QUOTED = re.compile(
    r"\b(?:note|text|comment|message|memo|saying|subject|title|remark)s?:? [\"“'‘]([^\"“”'‘’\n]{3,80})[\"”'’](?!\w)",
    re.IGNORECASE,
)
"""What is to be written, word by word."""
_QUOTED_WORDS = frozenset(
    word + ending
    for word in ("note", "text", "comment", "message", "memo", "saying", "subject", "title", "remark")
    for ending in ("", "s")
)


def asks_more_than_shown(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when its request names what neither calls nor state probes show."""
    deeds = list(asked_deeds(evidence.request_text, evidence.request_words))
    for deed in deeds:
        if not _is_done(deed, evidence):
            return _doubt(f"to {deed.verb} {deed.rest.strip()[:40].strip()}".strip())
    beyond = _not_shown(deeds, evidence)
    return _doubt(beyond) if beyond is not None else None


def _doubt(asked: str) -> Doubt:
    return Doubt("undecided", f"the request also asks for {asked!r}, which the calls and the state probes do not show")


def _is_done(deed: AskedDeed, evidence: Evidence) -> bool:
    """True when a claim is of this kind, or some call may have done it."""
    wanted = deed.wanted
    if any(family_of(claim.verb_class or claim.type) == family_of(wanted) for _, claim in evidence.success_claims):
        return True
    for write in evidence.writes:
        covers = class_covers(wanted, write.effect)
        if (
            not write.is_failed
            and covers is not False
            and (covers or write.effect.kind != "write" or wanted not in _APART)
        ):
            return True
    return False


def _not_shown(deeds: Sequence[AskedDeed], evidence: Evidence) -> str | None:
    request, words = evidence.request_text, evidence.request_words
    named = [name for part in request.split() if "@" in part for name in _EMAIL.findall(part)] if "@" in request else []
    for pattern, leading in ((_NAMED, _NAMED_WORDS), (_QUOTED, _QUOTED_WORDS)):
        if not words.isdisjoint(leading):
            named += [name.strip(" .,;:") for name in pattern.findall(request)]
    if not words.isdisjoint(_SERIES_WORDS):
        named += _SERIES.findall(request)
    for deed in deeds:
        if deed.verb in _WRITING_TO:
            named += [name for name in _PERSON.findall(deed.rest) if name.lower() not in _NO_NAMES]
    named += _NAMED_AFTER_AND.findall(request) if " and " in request and _AND_NAME.search(request) else []
    if not named:
        return None
    shown = shown_text(evidence)
    return next((name for name in named if not any(word in shown for word in _ways(name))), None)


def _ways(name: str) -> tuple[str, ...]:
    low = name.casefold()
    if _SERIES.fullmatch(low):
        return (low, low.removesuffix("ly"), low.rpartition(" ")[2], "recur", "repeat", "rrule")
    return (low,)
