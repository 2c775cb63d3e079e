"""The values of a text as the offline layer compares them: numbers with units, days, times, codes, names.

A reader must not miss: two numbers are the same when one is the other rounded to the digits that are shown. Every
pattern has bounded repeats, so a hostile text costs time in proportion to its size.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.checks.faithfulness.lexicon import lexicon, stem
from agent_claimcheck.evidence.values.value_text import extract_values

ReadingKind = Literal["number", "date", "time", "year", "code", "name"]

MAX_READINGS = 400
_RANGE = re.compile(r"(\d{1,2}:\d{2})[-–](?=(\d{1,2}:\d{2}))")
_YEAR = re.compile(r"(?<![\w.,:/$€£¥#-])(?:1[5-9]\d{2}|20\d{2}|21\d{2})(?![\w:/%°-]|[.,]\d)")
_IP = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])")
_PAIR = re.compile(r"(?<![\w/.])\d{2,3}/\d{2,3}(?![\w/])")
_VERSION = re.compile(r"(?<![\w.])v?\d{1,4}\.\d{1,4}\.\d{1,6}[\w.-]{0,20}(?<![.-])(?!\w)")
_CODE = re.compile(r"(?<![\w.-])(?=[\w.-]{0,40}\d)(?=[\w.-]{0,40}[A-Za-z])[A-Za-z0-9][\w-]{1,60}(?!\w)")
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<sign>(?<![\w)\]] )(?<!\w)[-−–](?=[$€£¥₹\d]))?(?P<cur>[$€£¥₹]\s?)?"
    r"(?P<num>\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,10})?|\d{1,15}(?:\.\d{1,10})?)"
    r"(?!\d)(?:\s?(?P<unit>%|°\s?[CF]|km/h|[$€£¥]|[A-Za-z]{1,12}))?"
)
_SPOKEN = re.compile(r"\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a dozen|zero)\b", re.IGNORECASE)
_TWO_PART = re.compile(
    r"\b(\d{1,4})\s?(?:h|hrs?|hours?)(?:,? and|,)?\s(\d{1,2})\s?(?:m|mins?|minutes?)\b", re.IGNORECASE
)
_NAME = re.compile(
    r"(?<![\w])[A-ZÄÖÜÉ][\w'’&-]{0,30}(?:[ .]{1,2}(?:of |de |van |von |"
    r"the )?[A-ZÄÖÜÉ][\w'’&-]{0,30}){0,4}(?: \d{1,4}(?!\w|[.,:/-]\d))?"
)
_OWNED = re.compile(r"['’]s?\Z")
_LABEL = re.compile(r"\s{0,3}:")
_BEGINS = re.compile(r"(?:[.!?:\n(\"“-]\s{0,3}|\A\s{0,4})\Z")
_IDENTIFIES = re.compile(
    r"(?:^|_|[a-z])(?:id|Id|ID)$|(?:^|_)(?:number|no|zip|zipcode|postcode|index|line|phone)$", re.IGNORECASE
)
_WORD = re.compile(r"[\w'’-]+")
_AFTER = re.compile(r"[ \t]{0,2}(?:of the |of |more |other |different |new |total )?([A-Za-z]{3,20})")


class Reading(Struct, frozen=True, kw_only=True):
    """One value. ``norm`` is its plain form, ``number`` its size in the base unit ``unit`` (``""`` without one).

    ``step`` is what the last shown digit is worth, so how far rounding may reach. ``noun`` is the stem that a number counts.
    """

    kind: ReadingKind
    norm: str
    raw: str
    start: int
    end: int
    number: float = 0.0
    unit: str = ""
    step: float = 0.0
    noun: str = ""
    is_about: bool = False


class _Taking:
    """The values found in ``text`` so far. What is taken as one value is not looked at for another."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Reading] = []
        self._taken = bytearray(len(text))

    def is_free(self, start: int, end: int) -> bool:
        """True when no character of ``[start, end)`` belongs to a value."""
        return not any(self._taken[start:end])

    def take(self, kind: ReadingKind, norm: str, start: int, end: int) -> None:
        """Take ``[start, end)`` as a value that is compared by its text, when it is free."""
        self.take_reading(Reading(kind=kind, norm=norm, raw=self.text[start:end], start=start, end=end))

    def take_reading(self, reading: Reading) -> None:
        """Take the place of ``reading``, when it is free."""
        start, end = reading.start, reading.end
        if self.is_free(start, end):
            self._taken[start:end] = b"\1" * (end - start)
            self.found.append(reading)


def read_values(text: str, *, is_cell: bool = False) -> list[Reading]:
    """Return the values of ``text`` in order, at most ``MAX_READINGS``. Never raises.

    ``is_cell`` says that the text is one field of a record, where a first word may be a name.
    """
    taking = _Taking(_RANGE.sub(r"\1 ", text))
    _take_numbered(taking)
    _take_typed(taking)
    _take_codes_and_years(taking)
    _add_numbers(taking)
    _add_names(taking, is_cell)
    return sorted(taking.found, key=lambda reading: (reading.start, reading.end))[:MAX_READINGS]


def _take_numbered(taking: _Taking) -> None:
    """Take what is made of several numbers: addresses, versions, pairs, and hours with minutes."""
    for pattern in (_IP, _VERSION, _PAIR):
        for match in pattern.finditer(taking.text):
            taking.take("code", match[0].lower(), *match.span())
    for match in _TWO_PART.finditer(taking.text):
        seconds = int(match[1]) * 3600 + int(match[2]) * 60
        start, end = match.span()
        taking.take_reading(_measured(float(seconds), "s", raw=match[0], start=start, end=end, step=30.0))


def _take_codes_and_years(taking: _Taking) -> None:
    text = taking.text
    for match in _CODE.finditer(text):
        if not _is_measure(match[0]):
            taking.take("code", match[0].lower(), *match.span())
    for match in _YEAR.finditer(text):
        following = _AFTER.match(text, match.end())
        is_count = following is not None and following[1].lower() not in lexicon().stop and following[1][:1].islower()
        if not is_count and len(text.strip()) > 4:
            taking.take("year", match[0], *match.span())


def _add_numbers(taking: _Taking) -> None:
    """Add the numbers that stand in no other value, and those that are spelled out."""
    text = taking.text
    taking.found += [
        _read_number(match, text)
        for match in _NUMBER.finditer(text)
        if taking.is_free(match.start("num"), match.end("num"))
    ]
    for match in _SPOKEN.finditer(text):
        number = float(lexicon().numbers[match[1].lower().removeprefix("a ")])
        noun = _noun_after(text, match.end())
        start, end = match.span()
        taking.found.append(_measured(number, "", raw=match[0], start=start, end=end, noun=noun))


def _add_names(taking: _Taking, is_cell: bool) -> None:
    """Add the names. A number that belongs to a name ("Hall 2") is no number of its own."""
    text = taking.text
    for match in _NAME.finditer(text):
        raw = _OWNED.sub("", match[0])
        start = match.start()
        if raw.startswith("The "):
            raw, start = raw[4:], start + 4
        if not taking.is_free(start, match.end()) or len(raw) < 2 or raw.lower() in lexicon().units:
            continue
        if _can_name(raw, start, text) or (is_cell and start == 0):
            end = start + len(raw)
            taking.found = [reading for reading in taking.found if not start <= reading.start < end]
            taking.found.append(Reading(kind="name", norm=_fold(raw), raw=raw, start=start, end=end))


def _can_name(raw: str, start: int, text: str) -> bool:
    """False for a lone word that is capital only because a sentence, a line or a label begins with it."""
    if "'" in raw or "’" in raw or raw.lower() in lexicon().stop or len(raw) < 2:
        return False
    if _LABEL.match(text, start + len(raw)):
        return False
    begins = _BEGINS.search(text[max(0, start - 4) : start]) is not None or start == 0
    return not (begins and " " not in raw)


def _take_typed(taking: _Taking) -> None:
    """Take addresses, days and times. A day with a time is two values."""
    text = taking.text
    for value in extract_values(text):
        start, end = value.span
        if value.kind in ("email", "url"):
            taking.take("code", value.value.lstrip("'"), start, end)
        elif value.kind == "date":
            taking.take("date", value.value, start, end)
        elif value.kind == "time":
            taking.take("time", value.value[:5], start, end)
        elif value.kind == "datetime":
            day, _, clock = value.value.partition("T")
            middle = start + 10 if text[start + 4 : start + 5] == "-" else (start + end) // 2
            taking.take("date", day, start, middle)
            taking.take("time", clock[:5], middle, end)


def numbers_of(readings: Iterable[Reading]) -> list[Reading]:
    """Return the numbers among ``readings``."""
    return [reading for reading in readings if reading.kind == "number"]


def same(one: Reading, two: Reading) -> bool:
    """True when two readings mean the same value, but for rounding, units and missing years."""
    if one.kind == "number" and two.kind == "number":
        return _same_number(one, two)
    if one.kind == "date" and two.kind == "date":
        return _same_day(one.norm, two.norm)
    if {one.kind, two.kind} == {"number", "code"}:
        code, other = (one, two) if one.kind == "code" else (two, one)
        return code.norm == other.norm
    if {one.kind, two.kind} in ({"date", "year"}, {"number", "year"}):
        year, other = (one, two) if one.kind == "year" else (two, one)
        return other.norm[:4] == year.norm if other.kind == "date" else other.number == float(year.norm)
    if one.kind == "time" and two.kind == "time":
        return one.norm == two.norm or (
            _is_half_day(one) != _is_half_day(two) and _clock(one) % 720 == _clock(two) % 720
        )
    return one.norm == two.norm


def _clock(reading: Reading) -> int:
    hours, _, minutes = reading.norm.partition(":")
    return int(hours) * 60 + int(minutes or 0)


def _is_half_day(reading: Reading) -> bool:
    """True for a time such as 3:00 without am or pm, which may be in the afternoon."""
    return reading.norm < "13" and "m" not in reading.raw.lower()


def comparable(one: Reading, two: Reading) -> bool:
    """True when the two could be answers to one question: the same kind, and numbers with units that go together."""
    if {one.kind, two.kind} == {"number", "year"}:
        return not one.unit and not two.unit
    if one.kind != two.kind:
        return False
    return one.kind != "number" or one.unit == two.unit or not one.unit or not two.unit


def read_scalar(value: object, key: str) -> Reading | None:
    """Read a JSON number under ``key``, whose last word may name its unit (``range_km``)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = float(value) if abs(value) < 1e300 else 0.0
    if number != number or number in (float("inf"), float("-inf")):
        return None
    raw = repr(value)
    if _IDENTIFIES.search(key):
        return Reading(kind="code", norm=f"{number:.12g}", raw=raw, start=0, end=len(raw))
    last = re.split(r"[_\W]", key.lower())[-1] if key else ""
    unit, factor = lexicon().key_units.get(last, ("", 1.0))
    digits = len(raw.partition(".")[2]) if "." in raw and "e" not in raw else 0
    step = factor * 10.0**-digits / 2 if digits else 0.0
    return _measured(number * factor, unit, raw=raw, start=0, end=len(raw), step=step)


def _read_number(match: re.Match[str], text: str) -> Reading:
    words = lexicon()
    digits = match["num"].replace(",", "")
    number = float(digits) * (-1 if match["sign"] else 1)
    decimals = len(digits.partition(".")[2])
    step = 10.0**-decimals / 2
    unit, factor, noun, end = "", 1.0, "", match.end("num")
    raw = match[0].strip()
    word = (match["unit"] or "").replace(" ", "")
    lower = word.lower()
    if lower in words.scales and (lower != "k" or word == "k"):
        factor, end = float(words.scales[lower]), match.end()
        following = _WORD.match(text, match.end() + 1)
        unit = words.units.get(following[0].lower(), ("", 1.0))[0] if following else ""
    elif word:
        known = words.units.get(lower)
        if match["cur"] or lower in words.stop:  # "€40 in May" are no inches
            raw = text[match.start() : end].strip()
        elif known is not None and not (len(word) == 1 and word.isalpha() and word not in "ghmskWVl"):
            unit, factor = known
            end = match.end()
        else:
            noun = stem(word)
    if match["cur"]:
        unit = words.units[match["cur"].strip()][0]
    if not noun and not unit:
        noun = _noun_after(text, match.end("num"))
    before = [found.lower() for found in _WORD.findall(text[max(0, match.start() - 16) : match.start()])[-2:]]
    is_about = bool(words.about.intersection(before)) or "~" in text[max(0, match.start() - 2) : match.start()]
    return _measured(
        number * factor, unit, raw=raw, start=match.start("num"), end=end, step=step * factor, noun=noun,
        is_about=is_about,
    )  # fmt: skip


def _noun_after(text: str, end: int) -> str:
    """Return the stem of the word that a number counts, ``""`` for none."""
    following = _AFTER.match(text, end)
    return stem(following[1]) if following and following[1].lower() not in lexicon().stop else ""


def _measured(number: float, unit: str, **read: Any) -> Reading:
    """Return the reading of a number in its base unit; ``read`` are the other fields."""
    return Reading(kind="number", norm=f"{number:.12g}{unit}", number=number, unit=unit, **read)


def _same_number(one: Reading, two: Reading) -> bool:
    a, b = one.number, two.number
    if one.unit != two.unit and one.unit and two.unit:
        return False
    if {one.unit, two.unit} == {"%", ""}:
        share = one if not one.unit else two
        other = two if share is one else one
        if abs(share.number) <= 1 and abs(share.number * 100 - other.number) <= max(other.step, 1e-9):
            return True
    reach = max(
        one.step if one.number != int(one.number) or one.step < 0.5 else 0.0, two.step if two.step < 0.5 else 0.0
    )
    whole = min(abs(a), abs(b)) >= 1 and (a == int(a)) != (b == int(b))
    reach = max(reach, max(one.step, two.step) if whole or one.step >= 1 or two.step >= 1 else 0.0)
    if one.is_about or two.is_about:
        reach = max(reach, 0.02 * max(abs(a), abs(b)))
    return abs(a - b) <= reach * (1 + 1e-9) + 1e-9


def _same_day(one: str, two: str) -> bool:
    if "T" in one or "T" in two:
        return one[:10] == two[:10]
    return one[-5:] == two[-5:] if one.startswith("--") or two.startswith("--") else one == two


def _is_measure(word: str) -> bool:
    """True for a number with its unit in one word: 30kg, 2h, 1st."""
    match = re.fullmatch(r"\d{1,15}(?:\.\d{1,10})?([A-Za-z]{1,12})", word)
    return match is not None and (
        match[1].lower() in lexicon().units or match[1].lower() in ("st", "nd", "rd", "th", "x", "am", "pm", "k")
    )


def _fold(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())
