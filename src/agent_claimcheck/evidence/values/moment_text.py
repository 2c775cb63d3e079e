"""Reads dates and times that are not ISO: "April 6, 2026 at 3pm CET", "06.04.2026 15:00", "15 Uhr".

A reader must not miss: the whole text must be a date or time. What is left over beside weekdays and filler words makes
it a sentence, which is no moment.
"""

from __future__ import annotations

import re
from datetime import date

from agent_claimcheck.evidence.values.moments import MONTH_PATTERN, MONTHS, Moment, find_zones, place
from agent_claimcheck.evidence.word_lists import WordLists

_LISTS = WordLists("value_patterns")
_DATE = re.compile(_LISTS.pattern("moment_date", month=MONTH_PATTERN), re.IGNORECASE)
_TIME = re.compile(_LISTS.pattern("moment_time"), re.IGNORECASE)
_FILLER = re.compile(_LISTS.pattern("moment_filler"), re.IGNORECASE)
_OFFSET = re.compile(
    r"(?:UTC|GMT)?(?P<sign>[+\-−])(?P<h>\d{2}):?(?P<m>\d{2})?(?!\d)|(?<=\d)\s?(?P<z>Z)\b", re.IGNORECASE
)


def read_loose(text: str) -> tuple[Moment, ...]:
    """Return the possible readings of a short text as a date or time, none when it is neither. Never raises."""
    rest = text
    found_date = _DATE.search(rest)
    days: tuple[tuple[int | None, int, int], ...] = ()
    if found_date:
        days = _days_of(found_date)
        if not days:
            return ()
        rest = rest[: found_date.start()] + " " + rest[found_date.end() :]
    zone, offset, rest = _take_zone(rest)
    found_time = _TIME.search(rest)
    clock: float | None = None
    is_half = False
    if found_time:
        clock, is_half = _clock_of(found_time)
        if clock is None:
            return ()
        rest = rest[: found_time.start()] + " " + rest[found_time.end() :]
    if (not days and clock is None) or _FILLER.sub("", rest):
        return ()
    if not days:
        return (_placed(Moment(clock=clock, offset=offset, is_half_day=is_half), zone),)
    return tuple(
        _placed(Moment(year=year, month=month, day=day, clock=clock, offset=offset, is_half_day=is_half), zone)
        for year, month, day in days
    )


def _placed(moment: Moment, zone: str | None) -> Moment:
    return place(moment, zone) if zone is not None and moment.offset is None else moment


def _take_zone(text: str) -> tuple[str | None, int | None, str]:
    """Return the named zone, the offset in seconds, and ``text`` without both."""
    named = find_zones(text)
    zone: str | None = None
    if named:
        start, end, zone = named[0]
        text = text[:start] + " " + text[end:]
    found = _OFFSET.search(text)
    if found is None:
        return zone, None, text
    text = text[: found.start()] + " " + text[found.end() :]
    if found.group("z"):
        return zone, 0, text
    seconds = int(found.group("h")) * 3600 + int(found.group("m") or 0) * 60
    if seconds > 14 * 3600:
        return zone, None, text
    return zone, seconds if found.group("sign") == "+" else -seconds, text


def _days_of(found: re.Match[str]) -> tuple[tuple[int | None, int, int], ...]:
    part = found.groupdict()
    if part["y1"] or part["y5"]:
        mark = "1" if part["y1"] else "5"
        options = [(int(part["y" + mark]), int(part["m" + mark]), int(part["d" + mark]))]
    elif part["y2"]:
        first, second, year = int(part["a2"]), int(part["b2"]), int(part["y2"])
        # "06.04.2026" is day first everywhere; with slashes both orders are in use.
        options = [(year, second, first)] if part["sep"] == "." else [(year, second, first), (year, first, second)]
    else:
        mark = "3" if part["n3"] else "4"
        year_text = part["y" + mark]
        month = MONTHS[part["n" + mark].lower()]
        options_open = [(int(year_text) if year_text else None, month, int(part["d" + mark]))]
        return tuple(option for option in options_open if _is_day(*option))
    return tuple(dict.fromkeys(option for option in options if _is_day(*option)))


def _is_day(year: int | None, month: int, day: int) -> bool:
    try:
        date(year or 2024, month, day)
    except ValueError:
        return False
    return True


def _clock_of(found: re.Match[str]) -> tuple[float | None, bool]:
    part = found.groupdict()
    if part["word"]:
        return (0.0 if part["word"].lower() == "midnight" else 12 * 3600.0), False
    mark = next(mark for mark in "1234" if part["h" + mark])
    hour, minute = int(part["h" + mark]), int(part.get("m" + mark) or 0)
    second = (
        float(f"{part.get('s' + mark) or 0}.{part['f1'] or 0}") if mark == "1" else float(part.get("s" + mark) or 0)
    )
    half = (part.get("p" + mark) or "").lower() if mark in "12" else ""
    if half:
        if not 1 <= hour <= 12:
            return None, False
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    if hour > 23 or minute > 59 or second >= 60:
        return None, False
    return hour * 3600 + minute * 60 + second, not half and mark == "1" and 1 <= hour <= 12 and len(part["h1"]) == 1
