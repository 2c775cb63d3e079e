"""Dates and times as agents, tools and people write them, compared as moments.

A reader must not miss: a time without a zone is not a moment. Against one with an offset it is compared only in a zone
the task names; otherwise the answer is ``incomparable``, and so it is for the same wall clock with offsets 30 or 60
minutes apart, which is how a forgotten daylight-saving switch looks.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.word_lists import WordLists

Comparison = Literal["equal", "different", "incomparable"]

MAX_ZONES = 20
MAX_TEXT_CHARS = 80
"""No date is longer; longer texts are sentences and are left to ``extract_values``."""


class ZoneContext(Struct, frozen=True):
    """The time zones a task names, as IANA names. One zone gives naive times their place; several leave them open."""

    zones: tuple[str, ...] = ()

    @classmethod
    def of(cls, *texts: str | None) -> ZoneContext:
        """Return the context named by ``texts`` (an instruction, a ``timezone`` field)."""
        return cls(tuple(dict.fromkeys(zone for text in texts if text for zone in zones_in(text))))


class Moment(Struct, frozen=True, kw_only=True):
    """One reading of a date or time. ``month`` and ``day`` are ``None`` for a bare time, ``year`` may be missing.

    ``clock`` is seconds after midnight, ``None`` for a bare date. ``offset`` is seconds east of UTC, ``None`` when the
    text names no zone. ``is_half_day`` marks "3:00" without am or pm, which may mean 15:00.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    clock: float | None = None
    offset: int | None = None
    zone: str | None = None
    is_half_day: bool = False

    @property
    def has_day(self) -> bool:
        """True when month and day are known."""
        return self.month is not None and self.day is not None


MONTHS = {name: int(row[0]) for row in WordLists("months").rows("months") for name in row[1:]}
MONTH_PATTERN = "(?:" + "|".join(sorted((re.escape(name) for name in MONTHS), key=len, reverse=True)) + ")"

_ZONES = WordLists("units").keys_by_word("zones")
_SHORT_ZONES = {word.upper(): zone for word, zone in _ZONES.items() if "_" not in word}
_SPOKEN_ZONES = {word.replace("_", " "): zone for word, zone in _ZONES.items() if "_" in word}
_IANA = late_pattern(
    r"(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)"
    r"/[A-Z][\w+-]{1,30}(?:/[A-Z]\w{1,30})?"
)
_SHORT_ZONE = late_pattern("|".join(map(re.escape, _SHORT_ZONES)))
"""Passes over most texts in one search; which zones they are is found one by one."""
_QUICK = late_pattern(r"\d")


def find_zones(text: str) -> list[tuple[int, int, str]]:
    """Return (start, end, IANA name) of every zone ``text`` names. Short names count in capitals only: "est" is French."""
    found = _find_iana(text) if "/" in text else []
    if _SHORT_ZONE.search(text):
        _find_named(text, _SHORT_ZONES, found)
    if " time" in text or " Time" in text:
        low = text.lower()
        if len(low) == len(text):  # a letter that grows in lower case would shift every offset
            _find_named(low, _SPOKEN_ZONES, found)
    return sorted(found)


def _find_iana(text: str) -> list[tuple[int, int, str]]:
    found = []
    match = _IANA.search(text)
    while match is not None:
        start, end = match.span()
        # Asked here and not in the pattern, which can then jump from one capital letter to the next.
        is_start = start == 0 or not (text[start - 1].isalnum() or text[start - 1] in "_/")
        if is_start:
            found.append((start, end, match.group()))
        match = _IANA.search(text, end if is_start else start + 1)
    return found


def _find_named(text: str, names: dict[str, str], found: list[tuple[int, int, str]]) -> None:
    for name, zone in names.items():
        at = text.find(name)
        while at >= 0 and len(found) < MAX_ZONES:
            end = at + len(name)
            if not text[at - 1 : at].isalnum() and not text[end : end + 1].isalnum():
                found.append((at, end, zone))
            at = text.find(name, end)


def zones_in(text: str) -> list[str]:
    """Return the IANA names of the time zones ``text`` names, in order, without repeats. Reads 100,000 characters."""
    names = [name for _, _, name in find_zones(text[:100_000])[:MAX_ZONES] if zone_of(name) is not None]
    return list(dict.fromkeys(names))


@lru_cache(maxsize=256)
def zone_of(name: str) -> tzinfo | None:
    """Return the zone of an IANA name, ``None`` when there is no such zone."""
    if name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None


def read_moments(value: Any, *, numbers: bool = False) -> tuple[Moment, ...]:
    """Return the possible readings of ``value`` as a date or time; none when it is neither.

    "04/06/2026" has two. With ``numbers``, seconds or milliseconds since 1970 (2001 to 2100) are read. An object such
    as ``{"dateTime": ..., "timeZone": ...}`` is read too. Never raises.
    """
    if isinstance(value, str):
        return _read_text(value.strip()) if 3 <= len(value) <= MAX_TEXT_CHARS else ()
    if isinstance(value, dict):
        return _read_object(value)
    if numbers and isinstance(value, int | float) and not isinstance(value, bool):
        seconds = value / 1000 if 1e12 <= value <= 4.1e12 else value
        if 1e9 <= seconds <= 4.1e9:
            return (_of_datetime(datetime.fromtimestamp(seconds, UTC)),)
    return ()


def _read_object(value: dict[str, Any]) -> tuple[Moment, ...]:
    text = value.get("dateTime") or value.get("date_time") or value.get("datetime") or value.get("date")
    if not isinstance(text, str) or len(value) > 6:
        return ()
    zone = value.get("timeZone") or value.get("timezone") or value.get("time_zone")
    moments = read_moments(text)
    if isinstance(zone, str) and zone_of(zone[:60]) is not None:
        return tuple(place(moment, zone[:60]) for moment in moments)
    return moments


def _of_datetime(moment: datetime) -> Moment:
    offset = moment.utcoffset()
    return Moment(
        year=moment.year, month=moment.month, day=moment.day,
        clock=moment.hour * 3600 + moment.minute * 60 + moment.second + moment.microsecond / 1e6,
        offset=None if offset is None else int(offset.total_seconds()),
    )  # fmt: skip


@lru_cache(maxsize=2048)
def _read_text(text: str) -> tuple[Moment, ...]:
    if text[4:5] == "-" and text[:4].isdigit():
        try:
            if len(text) == 10:
                day = date.fromisoformat(text)
                return (Moment(year=day.year, month=day.month, day=day.day),)
            return (_of_datetime(datetime.fromisoformat(text)),)
        except ValueError:
            pass
    if not _QUICK.search(text) and text.lower() not in ("noon", "midnight", "midday"):
        return ()
    from agent_claimcheck.evidence.values.moment_text import read_loose  # its patterns are needed by few values

    return read_loose(text)


def place(moment: Moment, zone: str) -> Moment:
    """Return ``moment`` with the offset ``zone`` had then; unchanged when it has an offset, no year or no time."""
    if moment.offset is not None or moment.clock is None:
        return moment
    known = zone_of(zone)
    if known is None:
        return moment
    if moment.year is None or moment.month is None or moment.day is None:
        return Moment(month=moment.month, day=moment.day, clock=moment.clock, zone=zone, is_half_day=moment.is_half_day)
    local = datetime(moment.year, moment.month, moment.day, tzinfo=known) + timedelta(seconds=moment.clock)
    offset = local.utcoffset()
    return Moment(
        year=moment.year, month=moment.month, day=moment.day, clock=moment.clock,
        offset=int(offset.total_seconds()) if offset is not None else None, zone=zone, is_half_day=moment.is_half_day,
    )  # fmt: skip


def compare_moments(a: tuple[Moment, ...], b: tuple[Moment, ...], context: ZoneContext | None) -> Comparison:
    """Compare two values by all their readings: equal if some pair is, different only if every pair is."""
    zones = context.zones if context is not None else ()
    if len(a) == len(b) == 1:
        return _compare(a[0], b[0], zones)
    seen: set[Comparison] = set()
    for one in a[:4]:
        for two in b[:4]:
            seen.add(_compare(one, two, zones))
    if "equal" in seen:
        return "equal"
    return "different" if seen == {"different"} else "incomparable"


def _compare(a: Moment, b: Moment, zones: tuple[str, ...]) -> Comparison:
    has_day = a.has_day
    if has_day != b.has_day:
        return _compare_clocks(a, b, zones)
    if not has_day:
        return _compare_clocks(a, b, zones) if a.clock is not None and b.clock is not None else "incomparable"
    if a.clock is None or b.clock is None:
        return _compare_days(a, b, zones)
    if a.year is None or b.year is None:
        day = _compare_days(a, b, zones)
        return day if day != "equal" and (a.month, a.day) != (b.month, b.day) else _compare_clocks(a, b, zones)
    one, two = _wall(a), _wall(b)
    if a.offset is None and b.offset is None:
        return _verdict(one == two, a, b)
    if a.offset is None or b.offset is None:
        return _compare_placed(a, b, one, two, zones)
    if one - a.offset == two - b.offset:
        return "equal"
    if one == two and abs(a.offset - b.offset) in (1800, 3600):
        return "incomparable"
    return _verdict(False, a, b)


def _verdict(is_equal: bool, a: Moment, b: Moment) -> Comparison:
    if is_equal:
        return "equal"
    if a.is_half_day or b.is_half_day:
        return "incomparable"
    return "different"


def _wall(moment: Moment) -> int:
    """Return what calendar and clock show as seconds since the first day of year 1: cheaper to compare than dates."""
    day = date(moment.year or 2000, moment.month or 1, moment.day or 1).toordinal()
    return day * 86_400 + round(moment.clock or 0)


def _compare_placed(a: Moment, b: Moment, wall_a: int, wall_b: int, zones: tuple[str, ...]) -> Comparison:
    """One has an offset, the other has none: compare in each zone the task names."""
    seen: set[bool] = set()
    for zone in zones[:8]:
        one, two = place(a, zone), place(b, zone)
        if one.offset is not None and two.offset is not None:
            if wall_a == wall_b and one.offset != two.offset and abs(one.offset - two.offset) in (1800, 3600):
                return "incomparable"
            seen.add(wall_a - one.offset == wall_b - two.offset)
    if seen:
        if len(seen) > 1:
            return "incomparable"
        return "equal" if True in seen else _verdict(False, a, b)
    gap = abs(wall_a - wall_b)
    # No offset on earth is more than 14 hours, and all are multiples of 15 minutes.
    is_far = gap > 26 * 3600 or gap % 900
    return "different" if is_far and not (a.is_half_day or b.is_half_day) else "incomparable"


def _compare_days(a: Moment, b: Moment, zones: tuple[str, ...]) -> Comparison:
    """At least one is a bare date, or a year is missing."""
    same = (a.month, a.day) == (b.month, b.day) and (a.year is None or b.year is None or a.year == b.year)
    if same:
        return "equal" if a.clock is None and b.clock is None else "incomparable"
    aware = a if a.offset is not None else b if b.offset is not None else None
    if aware is not None and a.year is not None and b.year is not None:
        gap = abs(_wall(a) // 86_400 - _wall(b) // 86_400)
        if gap <= 1 and not (len(zones) == 1 and aware.offset != 0):
            return "incomparable"
    return "different"


def _compare_clocks(a: Moment, b: Moment, zones: tuple[str, ...]) -> Comparison:
    """At least one is a bare time of day."""
    if a.clock is None or b.clock is None:
        return "incomparable"
    if round(a.clock) == round(b.clock):
        return "equal" if a.offset == b.offset or a.offset is None or b.offset is None else "incomparable"
    if a.is_half_day or b.is_half_day:
        return "equal" if abs(a.clock - b.clock) == 12 * 3600 else "incomparable"
    full = a if a.has_day else b
    bare = b if a.has_day else a
    if full.offset is not None and full.year is not None and bare.offset is None:
        seen = {_clock_in(full, zone) == bare.clock for zone in zones[:8]}
        if seen == {True}:
            return "equal"
        if not seen or True in seen:
            return "incomparable"
    return "different" if a.offset == b.offset or a.offset is None or b.offset is None else "incomparable"


def _clock_in(moment: Moment, zone: str) -> float | None:
    known = zone_of(zone)
    if known is None:
        return None
    wall = datetime(moment.year or 2000, moment.month or 1, moment.day or 1) + timedelta(
        seconds=round(moment.clock or 0) - (moment.offset or 0)
    )
    local = wall.replace(tzinfo=UTC).astimezone(known)
    return float(local.hour * 3600 + local.minute * 60 + local.second)
