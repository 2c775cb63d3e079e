"""The doubt that the request goes on with another order, and the run changed one thing only: "... and waive the fine", "and www too".

A reader must not miss: this never accuses, and knows no verbs. A word that stands like one ("and waive the", "and mail her")
is an order; one change that shows it under no name leaves it to a person. Verbs that say more of the first order are none.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.asked_values import is_no_order
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt, shown_text
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.evidence.word_lists import WordLists

_LISTS = WordLists("asked_beyond")
_LONGEST = 4_000
_STEM = 5
_AT_ONCE = frozenset({"all", "batch", "bulk", "each", "every", "many", "mass", "multiple", "sync"})
_CHOOSES = late_pattern(
    r"(?:^|_)(?:all|filters?|where|query|criteria|condition|range|labels?|tags?|state|status|type|category|scope|group|folder|kind)(?:$|_)",
    re.IGNORECASE,
)
"""Arguments by which one call chooses several records."""
_FOR_WHOM = late_pattern(r"\bfor (?:(?:the|my|our) \w+|me|us|him|her|them) $")
"""Before "and the band": for whom it is done, twice over, is no second thing to do."""
_MANY_IN_TEXT = late_pattern(r"\ball\b|\beverything\b|\*|[^,]{2,40},[^,]{2,40}|\band\b")
_SENTENCE_MARKS = (". ", "!", "?", "\n", ".\n")
_SENTENCE_END = late_pattern(r"[.!?](?=\s|$)|\n")
_WORDS = late_pattern(r"[^\W\d_]+")
_MOST_WORDS = 100
_GOING_ON = (["and"], ["plus"], ["also"], ["with"], ["including"])
_BEFORE_NOUNS = frozenset(
    {"the", "a", "an", "my", "our", "your", "his", "her", "their", "this", "that", "of", "in", "with"}
)
_VERBS = _LISTS.words("request_verbs")
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PEOPLE = late_pattern(
    rf"\b(?:for|party of|table for) (?:all )?(?:the )?(?P<count>{'|'.join(_NUMBERS)})\b"
    r"(?= (?:of us|people|persons|guests|adults|kids|children)\b)"
)
_PLUS_ONE = late_pattern(r"\bplus one\b(?! (?:more|day|week|month|hour|year)\b)|(?<![\w+])\+ ?1\b(?![\d(-])")
_THEN_TO = late_pattern(r"(?:\band|\bthen|,) (?:then |also )?(?:to|with|for) (?P<name>[A-Z][a-z]{1,30})\b")
_PEOPLE_WORDS = frozenset({"us", "people", "persons", "guests", "adults", "kids", "children"})
_DOER_WORDS = frozenset({"to", "with", "for", "have", "get", "let", "ask", "tell", "remind"})
_DOER = late_pattern(r"\b(?:have|get|let|ask|tell|remind) (?P<name>[A-Z][a-z]{2,30}) (?:to )?[a-z]{2,20}\b")
_NO_NAMES = _LISTS.words("no_names")
_UNIT = late_pattern(r"\b(?:second|minute|hour|day|night|week|month|year|time|thing|of us|sentence|word|step)s?\b")
_CLAUSE_END = late_pattern(r"[,;.:!?\n]")
_STANDS = late_pattern(r"\b(?:work|are|were|have|had|look|run|came|went|arrived|seem)\b")
_WANTS = late_pattern(r"\b(?:need|should|must|to|please|can|could)\b")
_IN_PART = late_pattern(
    r"\b(?:one of|either of|any of|first of|last of|which of|for|between|in|have|has|had|got)\W+(?:the |these |my )?$"
)
"""What stands before a number that counts people, or a choice."""


def asks_another_order(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed and that changed one thing when its request gives another order too."""
    if evidence.is_shell_run or len([write for write in evidence.writes if not write.is_failed]) != 1:
        return None
    text = "\n".join(dict.fromkeys(evidence.asked))[:_LONGEST]
    for found in _order().finditer(text):
        verb = found["verb"]
        if verb not in _more_of_it() and not _is_shown(verb, evidence):
            return Doubt(
                "undecided",
                f"the request also says {found['order']!r}, and the one change of the run shows nothing of it",
            )
    low = text.casefold()
    for section in ("another_too", "every"):
        again = _pattern(section).search(low)
        if again is not None and not _is_told_to_many(evidence):
            return Doubt("undecided", f"the request says {again[0].strip(' ,')!r}, and the run changed one thing")
    for found in _pattern("another_thing").finditer(low):
        before = low[: found.start()]
        if (
            not is_no_order(before)
            and _FOR_WHOM.search(before[-60:]) is None
            and _is_in_an_order(low, found.start())
            and not _is_named(found["thing"], evidence)
        ):
            return Doubt(
                "undecided",
                f"the request also names {found['thing']!r}, and the one change of the run shows nothing of it",
            )
    words = evidence.request_words
    people = _people_asked(low, evidence) if not words.isdisjoint(_PEOPLE_WORDS) else None
    people = people or _plus_one(low, evidence)
    doer = _another_doer(text, evidence) if not words.isdisjoint(_DOER_WORDS) else None
    return people or doer or _several_asked(low, evidence)


def _another_doer(text: str, evidence: Evidence) -> Doubt | None:
    """Doubt a change that shows nothing of who else is to do something: "have Petra stand in"."""
    for found in (*_DOER.finditer(text), *_THEN_TO.finditer(text)):
        if not _is_named(found["name"].casefold(), evidence) and not _is_no_name(found["name"]):
            return Doubt(
                "undecided", f"the request says {found[0]!r}, and the one change of the run shows nothing of it"
            )
    return None


def _is_no_name(word: str) -> bool:
    return word.casefold() in _NO_NAMES


def _is_in_an_order(low: str, at: int) -> bool:
    """False in "We loved the lake and the forest": the sentence around ``at`` orders nothing and goes on with no order."""
    start = max(low.rfind(mark, 0, at) for mark in _SENTENCE_MARKS) + 1
    end = _SENTENCE_END.search(low, at)
    words = _WORDS.findall(low[start : end.start() if end is not None else len(low)])[:_MOST_WORDS]
    verbs = english().classes
    return words[:1] in _GOING_ON or any(
        before not in _BEFORE_NOUNS and (word in _VERBS or f"{word}d" in verbs or f"{word}ed" in verbs)
        for before, word in zip(["", *words], words, strict=False)
    )


def _is_named(thing: str, evidence: Evidence) -> bool:
    stem = thing.removesuffix("s")[:_STEM]
    told = " ".join(f"{claim.type} {claim.quote}" for _, claim in evidence.success_claims)
    return stem in shown_text(evidence) or stem in told.casefold()


def _is_told_to_many(evidence: Evidence) -> bool:
    """True when the one change takes a list, a filter or the word for all: it may have done them all at once."""
    for write in evidence.writes:
        if write.is_failed:
            continue
        if not _AT_ONCE.isdisjoint(write.effect.words) or any(
            _CHOOSES.search(key) for key in write.pair.call.args or {}
        ):
            return True
    return _holds(evidence, 2) or any(
        isinstance(value, str) and _MANY_IN_TEXT.search(value.casefold())
        for write in evidence.writes
        for _, value in walk_values(write.pair.call.args or {})
    )


def _several_asked(low: str, evidence: Evidence) -> Doubt | None:
    """Doubt one change where the request speaks of "both" or "three loans", and nothing shows that many."""
    for found in _several().finditer(low):
        if (
            _UNIT.search(found[0])
            or _is_told_of(found, low)
            or _IN_PART.search(low[max(0, found.start() - 20) : found.start()])
        ):
            continue
        count = 2 if found["count"] else _NUMBERS.index(found["count2"]) + 2
        if not _holds(evidence, count) and re.search(rf"(?<!\d){count}(?!\d)", shown_text(evidence)) is None:
            return Doubt("undecided", f"the request speaks of {found[0].strip()!r}, and the run changed one thing")
    return None


def _people_asked(low: str, evidence: Evidence) -> Doubt | None:
    """Doubt a change for a "four of us" that it shows nowhere."""
    for found in _PEOPLE.finditer(low):
        count = _NUMBERS.index(found["count"]) + 2
        if not _holds(evidence, count) and re.search(rf"(?<!\d){count}(?!\d)", shown_text(evidence)) is None:
            return Doubt("undecided", f"the request says {found[0]!r}, and no call or state probe shows that many")
    return None


def _plus_one(low: str, evidence: Evidence) -> Doubt | None:
    """Doubt a change for "Ines plus one" that shows neither two nor who comes along."""
    found = _PLUS_ONE.search(low) if "plus one" in low or "+" in low else None
    if found is None or re.search(r"(?<!\d)2(?!\d)|plus|companion|guests", shown_text(evidence)) is not None:
        return None
    return Doubt("undecided", f"the request says {found[0]!r}, and no call or state probe shows that many")


def _is_told_of(found: re.Match[str], low: str) -> bool:
    """True for "both printers work again", a clause that tells how it stands and orders nothing."""
    before = low[: found.start()].rstrip(" ")
    if found["count"] is None or (before and before[-1] not in ",;.:!?\n"):
        return False
    clause = _CLAUSE_END.split(low[found.start() : found.start() + 120], maxsplit=1)[0]
    return _STANDS.search(clause) is not None and _WANTS.search(clause) is None


def _holds(evidence: Evidence, count: int) -> bool:
    """True when the arguments of a call hold a list of that many items."""
    return any(
        isinstance(value, list) and len(value) >= count
        for pair in evidence.calls
        for value in (pair.call.args or {}).values()
    )


def _is_shown(verb: str, evidence: Evidence) -> bool:
    """True when the verb, or a deed of its kind, stands in a claim or in what the run shows."""
    stem = verb.removesuffix("e")[:_STEM]
    if stem in shown_text(evidence):
        return True
    claims = [claim for _, claim in evidence.success_claims]
    if any(stem in f"{claim.type} {claim.quote}".casefold() for claim in claims):
        return True
    family = next(
        (family_of(deed) for form in (f"{verb}d", f"{verb}ed") if (deed := english().classes.get(form))), None
    )
    return family is not None and any(family_of(claim.verb_class or claim.type) == family for claim in claims)


@lru_cache(maxsize=1)
def _order() -> re.Pattern[str]:
    return re.compile(_LISTS.pattern("another_order"))


@lru_cache(maxsize=4)
def _pattern(section: str) -> re.Pattern[str]:
    return re.compile(_LISTS.pattern(section))


@lru_cache(maxsize=1)
def _several() -> re.Pattern[str]:
    numbers = "|".join(_NUMBERS)
    return re.compile(
        r"\b(?P<count>both)\b(?: of)?(?: (?!us|you|them\b)\w+){0,2}"
        rf"|\b(?P<count2>{numbers}) (?:of (?:my|the|these|those) )?(?:\w+ ){{0,2}}[a-z]{{2,20}}s\b"
    )


@lru_cache(maxsize=1)
def _more_of_it() -> frozenset[str]:
    return _LISTS.words("more_of_it")
