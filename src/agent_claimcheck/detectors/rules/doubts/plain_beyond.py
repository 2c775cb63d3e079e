"""What plain words of a closing text say beyond what was confirmed: "she has agreed", "the same for Tuesday", "for 2 hours".

A reader must not miss: every word of it may be a harmless one, so these few turns are looked for by themselves. It never
accuses; it only keeps a run from being called verified.
"""

from __future__ import annotations

import re
from collections.abc import Set

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.weekdays import WEEKDAYS, weekday_of

_OTHERS = late_pattern(
    r"\b(?:he|she|they)\b(?! (?:all |both |now )?pass)(?!(?:'ll| will| can| may| should| could| might)\b)|\bby (?:her|him|them)\b"
    r"|\b(?:i|we)(?:'ve| have)? (?:also |already )?let (?!you\b)\w+ know\b"
)
"""What somebody else did or knows. Nobody looks it up in a record of this run."""
_OTHERS_WORDS = frozenset({"he", "she", "they", "her", "him", "them", "let"})
"""One of these is in all that ``_OTHERS`` finds."""
_AGAIN = late_pattern(
    r"\b(?:did|done|do|made) (?:exactly )?the same\b|\bthe same (?:for|goes|with)\b|\blikewise\b|\btwice\b"
)
_AGAIN_WORDS = frozenset({"same", "likewise", "twice"})
_LENGTH = re.compile(
    # A digit comes before what must not precede it: so the search jumps from one to the next.
    r"(\d(?<!\w\d)\d?)[ -]?(minute|min|hour|hr|day|week|month|night)s?\b(?! (?:before|earlier|ahead|notice))"
)
_SHOWN_DATE = re.compile(r"\b(\d{4}) (\d{2}) (\d{2})")
_IN_SMALLER = {"minute": (60,), "min": (60,), "hour": (60, 3600), "hr": (60, 3600), "day": (24, 1440), "week": (7,)}
"""Units, and how many of a smaller one they are."""
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})\b")
_MOST_DATES = 200
_CONDITION = late_pattern(r"\b(?:if|whether|when|whenever|should|unless|in case|until|once)\b[^,.;:!?\n]*")
_WORK = late_pattern(
    r"\b(?:i|we)(?:'ve| have)\b(?! (?:a|an|any|to|no)\b)"
    r"|\b(?:i|we) (?:also |just |already |now )?(?:put|set|let|made|did|sent|gave|told|took|got|[a-z]{3,}ed)\b"
    r"|\b(?:is|are|was|were|has|have)(?: now| also| already| been)* (?:[a-z]{3,}ed|gone|clear|away|done|set|sent|paid|off)\b"
    r"|\b(?:went|gone)\b|\bthe \w+ (?:has |have )?[a-z]{3,}ed\b"
    r"|\byou(?:'ll| will| can| may| should)(?: now| also)? (?:find|see|notice|have|get|receive|spot)\b"
)
_NO_WORK = late_pattern(r"\b(?:is|are) (?:needed|required|appreciated|welcomed)\b|\bi (?:need|appreciated)\b")


def tells_of_work(sentence: str) -> bool:
    """True when a sentence that begins like thanks or advice goes on to tell of a deed: "Thank you, your guest is informed"."""
    return _WORK.search(_NO_WORK.sub("", _CONDITION.sub("", sentence))) is not None


def told_in_plain_words(low: str, words: Set[str], shown: str, asked: str, families: Set[str | None]) -> str | None:
    """Return the part of ``low`` that goes beyond the words ``shown``, ``None`` when there is none.

    ``low`` is the text and ``asked`` what the user said, case-folded; ``words`` are those of ``low``. ``shown`` is case-folded
    and has a space before every word.
    """
    others = _OTHERS.search(low) if "speak" not in families and not words.isdisjoint(_OTHERS_WORDS) else None
    found = others or (_AGAIN.search(low) if not words.isdisjoint(_AGAIN_WORDS) else None)
    if found is not None and not _stands_in_question(low, found.end()):
        return found[0]
    return _other_length(low, shown, asked) or _other_weekday(low, words, shown, asked)


def _stands_in_question(text: str, at: int) -> bool:
    rest = re.search(r"[.!?\n]", text[at:])
    return rest is not None and rest[0] == "?"


def _other_length(low: str, shown: str, asked: str) -> str | None:
    numbers: set[str] | None = None
    for match in _LENGTH.finditer(low):
        if f" {match[1]} " in shown:
            continue
        if numbers is None:
            numbers = {*re.findall(r"\d+", shown), *re.findall(r"\d+", asked)}
        ways = {match[1], *(str(int(match[1]) * factor) for factor in _IN_SMALLER.get(match[2], ()))}
        if numbers.isdisjoint(ways):
            return match[0]
    return None


def _other_weekday(low: str, words: Set[str], shown: str, asked: str) -> str | None:
    """Return a day of the week that is neither said nor that of any date shown."""
    if words.isdisjoint(WEEKDAYS):
        return None
    told = [match[0] for match in _WEEKDAY.finditer(low)]
    shown_dates = list(_SHOWN_DATE.finditer(shown))[:_MOST_DATES]
    days = {weekday_of("-".join(match.groups())) for match in shown_dates} - {None}
    if not days:
        return None
    return next((day for day in told if day not in days and day not in asked and f" {day}" not in shown), None)
