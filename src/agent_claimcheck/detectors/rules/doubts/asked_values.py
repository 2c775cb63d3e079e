"""The doubt that the request names a number, a date, a weekday or a host that nothing in the run shows: room 414, two hours, gate C.

A reader must not miss: this never accuses. A number may be shown in other units, as another way to write a time or by a
range, so each of these counts as shown; what a condition or a choice names ("at least 3", "not 250") asks for nothing.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.quick import Quick
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt, shown_text
from agent_claimcheck.detectors.rules.doubts.weekdays import WEEKDAYS, weekday_of
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.word_lists import WordLists

_LISTS = WordLists("asked_beyond")
_LONGEST = 2_000
_LONGEST_STANDING = 4_000
_MOST = 40
_MOST_DIGITS = 15
_TOKEN = re.compile(r"[#$€£]?[^\W_]+(?:[-./_:,@'][^\W_]+)*")
_LISTED = re.compile(r"\d[.)]\s")
"""Stands in every numbering."""
_NUMBERING = late_pattern(r"(?m)(?:^|(?<=[.;,:]))\s{0,40}+\d{1,2}[.)]\s")
_CLAUSE = late_pattern(r"[,.;!?\n](?=\s)|\b(?:and|so|but|because|then|please|pls|und|bitte)\b")
_DIGITS = re.compile(r"\d+")
_NUMBER = late_pattern(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_PLAIN = re.compile(r"(\d+(?:\.\d+)?)(k|m|st|nd|rd|th|am|pm|h|x)?")
_CLOCK = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?(?:am|pm|z)?|\d{1,2}(?:am|pm)")
_PLAIN_CLOCK = re.compile(r"\d{1,2}(?::\d{2})?")
_HALF_OF_DAY = re.compile(r" ?([ap])\.?m\b")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?:t[\d:]+z?)?|\d{1,2}(?:[./-]\d{1,2}){1,2}(?:[./-]\d{2,4})?")
_HOST = re.compile(r"[\w-]{2,}(?:\.[\w-]{2,})*\.[a-z]{2,}")
_UNIT = re.compile(r"[ -]?(second|minute|min|hour|hr|day|night|week|month|year)s?\b")
_LENGTH_SHOWN = late_pattern(
    r"(?:(?<![\w.-])(?<!\d[:/])|(?<=\bpt)|(?<=\bp))(\d+(?:\.\d+)?)(?=[a-z_]{0,8}(?![\w:/-]|\.\d))"
)
_MOST_LENGTHS = 5_000
_HOUR_SHOWN = late_pattern(r"(?<!\d)\d{1,2}:\d{2}(?!\d)|(?<!\d)\d{1,2} ?[ap]m\b|(?<!\d)1\d{9}(?!\d)")
_CLOCK_UNITS = (("hour", "minute"),)
_COUNTED = late_pattern(r"(?:hour|minute)|(?<![a-z])(?:min|hr)s?(?![a-z_])")
"""Names of fields and units in which hours or minutes are counted: ``duration_min``."""
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_PLACES = _LISTS.words("places")
_CENTS = (1, 100)
_WORDS_OF_NUMBERS = {
    "half a": 0.5, "half an": 0.5, "one": 1, "a couple of": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "ninety": 90, "a hundred": 100, "a dozen": 12, "two dozen": 24,
}  # fmt: skip
_IN_DIGITS = {f"{number:g}": word for word, number in _WORDS_OF_NUMBERS.items()}
_LARGE = "eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|a hundred|(?:a|two) dozen"
_LENGTH_IN_WORDS = late_pattern(
    rf"\b(?:(?P<number>{'|'.join(_WORDS_OF_NUMBERS)}"
    r"|(?<!of )(?<!in )(?<!an )(?<!within )an(?= hour\b(?! (?:and|or|into|behind|ahead|away|drive|per)\b)))"
    r" (?:second|minute|min|hour|hr|day|night|week|month|year)s?\b(?! (?:ago|later|before|early|old|and a half))"
    rf"|(?P<count>{_LARGE}) [a-z]{{3,20}}s?\b)"
)
_LENGTH_WORDS = Quick(rf"\b(?:{'|'.join(_WORDS_OF_NUMBERS)}|an) [a-z]")
"""Fits wherever ``_LENGTH_IN_WORDS`` does, and in few requests."""
_AND_A_HALF = late_pattern(r"\b(?P<number>an?|one|two|three|four) (?P<unit>hour|day|week|month|year)s? and a half\b")
_HOUR_IN_WORDS = late_pattern(
    r"\b(?P<hour>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: o['’]clock)?"
    r" (?P<part>in the (?:morning|afternoon|evening)|at night)\b|\bat (?:noon|midday)\b"
)
"""A time of day in words: "three in the afternoon"."""
_PARTS_OF_DAY = Quick(r"\b(?:in the (?:morning|afternoon|evening)|at night|noon|midday)\b")
_UNIT_IN_SLASHES = late_pattern(
    r"(?<![\w/.:-])(?:in|per|as|\d) ?(?P<unit>(?!and/or|he/she|his/her|w/o|n/a|am/pm|yes/no)[a-zµμ°]{1,5}/[a-zµμ²³]{1,5})(?![\w/]|\.\w)"
)
"""A compound unit: "in mg/l"."""
_LETTER = re.compile(r"[B-HJ-WYZ](?<=[a-z] .)(?![\w'’.):/&+-])")
"""A letter by itself inside a sentence: a grade, a gate, a row. A and I are words, and X stands for anything."""
_NAMES = _PLACES | {*WEEKDAYS}
_FACTORS = {"k": (1000, 100_000), "m": (1_000_000, 1), "h": (1, 60, 3600)}
_OF_UNIT = (1, 60, 3600, 1000, 24, 1440, 7, 1 / 60, 1 / 3600)
"""How much larger or smaller the same amount may be written."""


def names_what_is_not_shown(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when a number or weekday that was asked for stands nowhere in it."""
    if evidence.is_shell_run:
        # The number of an issue or a version is told to a person, and no command need repeat it.
        return None
    shown: _Shown | None = None
    for text in standing_turns(evidence):
        for named, before, after in itertools.chain(_named(text), _in_words(text)):
            shown = shown or _Shown(evidence)
            if not shown.has(named, after, is_span=before.endswith("for ")) and not _asks_for_nothing(
                named, before, after
            ):
                said = _IN_DIGITS.get(named, named) if named not in text else named
                return Doubt(
                    "undecided", f"the request names {said!r}, which the calls and the state probes do not show"
                )
    return None


def _in_words(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield what ``text`` names in words: lengths of time, large counts ("twenty"), units ("in mg/l") and letters ("gate C")."""
    low = text.casefold()
    if len(low) != len(text):
        return
    for found in _LENGTH_IN_WORDS.finditer(low) if _LENGTH_WORDS.is_in(low) else ():
        group = "number" if found["number"] else "count"
        before, after = low[max(0, found.start() - 80) : found.start()], low[found.end(group) : found.end() + 12]
        yield f"{_WORDS_OF_NUMBERS.get(found[group], 1):g}", before, after
    for found in _AND_A_HALF.finditer(low) if " and a half" in low else ():
        before = low[max(0, found.start() - 80) : found.start()]
        yield f"{_WORDS_OF_NUMBERS.get(found['number'], 1) + 0.5:g}", before, f" {found['unit']}"
    for found in _HOUR_IN_WORDS.finditer(low) if _PARTS_OF_DAY.is_in(low) else ():
        half = "am" if (found["part"] or "").endswith("morning") else "pm"
        before, after = low[max(0, found.start() - 80) : found.start()], low[found.end() : found.end() + 12]
        yield f"{_WORDS_OF_NUMBERS[found['hour']] if found['hour'] else 12:g}{half}", before, after
    for found in _UNIT_IN_SLASHES.finditer(low) if "/" in low else ():
        yield found["unit"], low[max(0, found.start() - 80) : found.start()], low[found.end() : found.end() + 12]
    for found in _LETTER.finditer(text):
        yield found[0].casefold(), low[max(0, found.start() - 80) : found.start()], low[found.end() : found.end() + 12]


def standing_turns(evidence: Evidence) -> list[str]:
    """Return what the user said, without what a later word may have corrected."""
    return evidence.shared("standing_turns", lambda: _standing(evidence.asked))


def standing_text(evidence: Evidence) -> str:
    """Return the same as one text, case-folded."""
    return evidence.shared("standing_text", lambda: "\n".join(standing_turns(evidence))[:_LONGEST_STANDING].casefold())


def _standing(asked: Sequence[str]) -> list[str]:
    turns = list(dict.fromkeys([text[:_LONGEST] for text in asked]))
    if len(turns) < 2:
        return turns
    last = max((at for at in range(1, len(turns)) if _takes_back(turns[at].casefold())), default=0)
    return turns[last:]


def _takes_back(low: str) -> bool:
    return _pattern("correcting").search(low) is not None and _pattern("repeating").search(low) is None


def _named(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield what the request names that may have to be shown, with the words before it and the few after it, case-folded."""
    low = text.casefold()
    if _LISTED.search(low):
        low = _NUMBERING.sub("\n", low)
    for start, end in _marked(low):
        for match in _TOKEN.finditer(low, start, end):
            word = match[0]
            if word in _NAMES or _DIGITS.search(word) or ("." in word and _HOST.fullmatch(word)):
                before, after = low[max(0, match.start() - 80) : match.start()], low[match.end() : match.end() + 12]
                half = _HALF_OF_DAY.match(after) if _PLAIN_CLOCK.fullmatch(word) else None
                yield f"{word}{half[1]}m" if half is not None else word, before, after


def _marked(low: str) -> Iterator[tuple[int, int]]:
    """Yield where the words stand that are more than letters, or are one of ``_NAMES``: most words are neither."""
    words = low.split()
    has_names = not _NAMES.isdisjoint(words)
    end = 0
    for word in words:
        is_plain = word.isalpha() and word not in _NAMES
        if is_plain and not has_names:  # none of the words looked for stands inside this one
            continue
        start = low.index(word, end)
        end = start + len(word)
        if not is_plain:
            yield start, end


def _asks_for_nothing(named: str, before: str, after: str) -> bool:
    if is_no_order(before):
        return True
    return _DIGITS.search(named) is not None and _pattern("not_asked_after").match(after) is not None


def is_no_order(before: str) -> bool:
    """True when the words ``before`` a name say that it is a bound or not wanted, or their clause tells what happened."""
    clause = _CLAUSE.split(before)[-1]
    if _pattern("runs_until").search(clause):
        return False
    return _pattern("not_asked").search(before[-30:]) is not None or _pattern("told").search(clause) is not None


class _Shown:
    """What the run shows, and whether something that was named stands in it."""

    def __init__(self, evidence: Evidence) -> None:
        self._text = shown_text(evidence)
        self._is_zoned = bool(evidence.zones.zones)
        self._numbers: frozenset[float] | None = None
        self._lengths: frozenset[float] | None = None

    def has(self, named: str, following: str, *, is_span: bool = False) -> bool:
        """True when ``named`` is shown in some way, or need not be. ``is_span``: it stands behind "for", as a length that is ordered."""
        word = named.lstrip("#$€£")
        if len(word) == 1 and word.isalpha():
            return re.search(rf"(?<![^\W_]){word}(?![^\W_])", self._text) is not None
        if word in WEEKDAYS:
            return self._has_weekday(word)
        if word in _PLACES:
            return word in self._text or not any(place in self._text for place in _PLACES)
        if word in self._text and not word.replace(",", "").isdigit():
            return True
        plain = _PLAIN.fullmatch(word.replace(",", ""))
        if plain is None:
            return word in self._text or self._has_parts(word)
        unit = _UNIT.match(following)
        if unit is not None and unit[1] not in self._text and not _is_measured(unit[1], self._text):
            # A length may be shown by its start and end, and a meeting has a usual one; without any hour nothing shows it.
            return not is_span or _HOUR_SHOWN.search(self._text) is not None
        if plain[2] in ("am", "pm") and self._is_zoned:
            return True
        if unit is None and plain[2] not in ("k", "am", "pm") and _stands_whole(plain[1], self._text):
            return True
        if unit is not None and not plain[2]:
            return not self.lengths.isdisjoint(round(float(plain[1]) * factor, 6) for factor in _OF_UNIT)
        return self._has_number(float(plain[1]), plain[2] or "", _OF_UNIT if unit is not None else _CENTS)

    def _has_parts(self, word: str) -> bool:
        """True for a date, a time or an id of which each number is shown; in two zones dates and times differ."""
        is_moment = _CLOCK.fullmatch(word) is not None or _DAY.fullmatch(word) is not None
        if is_moment and self._is_zoned:
            return True
        runs = _DIGITS.findall(word)
        if not is_moment:
            runs = [run for run in runs if len(run) > 1]
        half = word[-2:] if word.endswith(("am", "pm")) else ""
        if _CLOCK.fullmatch(word) and half:
            return self._has_number(float(runs[0]), half) and all(_stands_whole(run, self._text) for run in runs[1:])
        shift = "either" if _CLOCK.fullmatch(word) else ""
        return bool(runs) and all(
            _stands_whole(run, self._text) or self._has_number(float(run[:_MOST_DIGITS]), shift) for run in runs
        )

    def _has_number(self, number: float, suffix: str, factors: tuple[float, ...] = _CENTS) -> bool:
        numbers = self.numbers
        if suffix == "either":
            return not numbers.isdisjoint({number, number + 12, number - 12})
        if suffix in ("am", "pm"):
            # "12:30 pm" is half past noon, and a record that writes "pm" itself counts hours as the user does.
            hour = number % 12 + (12 if suffix == "pm" else 0)
            return hour in numbers or (number in numbers and f"{suffix[0]}m" in self._text.replace(".", ""))
        return any(round(number * factor, 6) in numbers for factor in _FACTORS.get(suffix, factors))

    @property
    def numbers(self) -> frozenset[float]:
        """All numbers that are shown: whole, and the parts of dates and ids."""
        if self._numbers is None:
            found = {float(run[:_MOST_DIGITS]) for run in _DIGITS.findall(self._text)}
            found.update(float(number.replace(",", "")[:_MOST_DIGITS]) for number in _NUMBER.findall(self._text))
            self._numbers = frozenset(found)
        return self._numbers

    @property
    def lengths(self) -> frozenset[float]:
        """All numbers that are shown by themselves or before a unit: no part of an id, a date or a time."""
        if self._lengths is None:
            found = itertools.islice(_LENGTH_SHOWN.finditer(self._text), _MOST_LENGTHS)
            self._lengths = frozenset(float(match[1][:_MOST_DIGITS]) for match in found)
        return self._lengths

    def _has_weekday(self, day: str) -> bool:
        if re.search(rf"(?<![^\W_]){day[:3]}(?:{day[3:]}s?)?(?![^\W_])", self._text) or re.search(
            rf"byday=[a-z,]*{day[:2]}", self._text
        ):
            return True
        return any(weekday_of(found[0]) == day for found in list(_ISO.finditer(self._text))[:_MOST])


def _is_measured(unit: str, text: str) -> bool:
    """True when an hour or a minute is asked for and the other is what the run counts in."""
    return any(unit in units for units in _CLOCK_UNITS) and _COUNTED.search(text) is not None


def _stands_whole(digits: str, text: str) -> bool:
    """True when ``digits`` surely stand in ``text`` as one number, which is found long before all numbers there are read."""
    if len(digits) > _MOST_DIGITS or not digits.isdecimal():
        return False
    at = text.find(digits)
    while at >= 0:
        end = at + len(digits)
        if not text[at - 1 : at].isdigit() and not text[end : end + 1].isdigit():
            return True
        at = text.find(digits, end)
    return False


@lru_cache(maxsize=4)
def _pattern(section: str) -> re.Pattern[str]:
    return re.compile(_LISTS.pattern(section))
