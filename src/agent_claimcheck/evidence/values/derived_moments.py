"""Days and times that are not the written ones and still follow from the call: its end, its zone, the day on which it was made.

A reader must not miss: this keeps a value from accusing. What follows is worked out with the numbers of the call alone.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.values.eras import is_in_another_era
from agent_claimcheck.evidence.values.moments import Moment, find_zones, read_moments
from agent_claimcheck.evidence.values.value_text import walk_values

_STAMP = late_pattern(
    r"(?:^|[._])(?!(?:schedul|plann|propos|reserv|preferr|desir|need|publish|bas)ed)(?:[a-z]{3,20}ed|sent|made|bought|sold|paid|begun)_(?:on|at)$"
    r"|(?:^|[._])(?:order|submission|request|filing|entry|posting|creation)_date$|(?:^|[._])(?:now|today|as_of|timestamp|current_\w+)$"
)
"""Names of arguments that say when a thing was done or written down, and not when it takes place."""
_ZONE_KEY = late_pattern(r"(?:^|[._])(?:tz|time_?zone|zone|utc_offset)$|timeZone$")
_IN_A_ZONE = late_pattern(
    r"\b(?:[A-Z][\w-]+|local|your|their|our|his|her|home)(?:['’]s)? time\b|\b(?:UTC|GMT|Z|[A-Z]{1,4}T)\b|\bUhr in [A-Z]|\bheure de [A-Z]"
    r"|\bhora de [A-Z]"
)
_HOURS_OF_ZONES = 14
_QUARTER = 900
_LARGEST, _MOST_NUMBERS = 1_000, 20
_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
_UNITS = (
    (late_pattern(r"min"), (_MINUTE,)),
    (late_pattern(r"hour|(?:^|[._])h(?:rs?)?$"), (_HOUR,)),
    (late_pattern(r"day|night|terms"), (_DAY,)),
    (late_pattern(r"week"), (timedelta(weeks=1),)),
    (late_pattern(r"duration|length|offset|lead|buffer|before|after"), (_MINUTE, _HOUR)),
)
"""What the name of a number says of its unit; the first that fits counts."""


def is_stamp(path: str) -> bool:
    """True for the name of an argument that tells when the deed was done: ``submitted_on``, ``order_date``."""
    return _STAMP.search(path) is not None


def may_follow(said: str, written: str, args: dict[str, Any], quote: str) -> bool:
    """True when ``said`` may be the written moment in another zone or era, or that moment and a length that the call gives."""
    if is_in_another_era(said, written):
        return True
    ones, twos = read_moments(said), read_moments(written)
    if not ones or not twos:
        return False
    is_zoned = _may_be_zoned(args, twos, quote)
    lengths = _lengths(args)
    return any(
        (is_zoned and _is_a_zone_apart(one, two)) or any(_is_apart_by(one, two, length) for length in lengths)
        for one in ones
        for two in twos
    )


def _may_be_zoned(args: dict[str, Any], written: tuple[Moment, ...], quote: str) -> bool:
    """True when the words name a zone, and the call one of its own."""
    if _IN_A_ZONE.search(quote) is None and not find_zones(quote):
        return False
    return any(moment.offset is not None for moment in written) or any(
        _ZONE_KEY.search(path) is not None and value for path, value in walk_values(args)
    )


def _is_a_zone_apart(one: Moment, two: Moment) -> bool:
    if one.has_day and two.has_day and (one.clock is None or two.clock is None):
        first, second = _at(one, year=two.year), _at(two, year=one.year)
        return first is not None and second is not None and abs((first.date() - second.date()).days) <= 1
    if one.clock is None or two.clock is None:
        return False
    apart = abs(one.clock - two.clock)
    return apart % _QUARTER == 0 and (apart <= _HOURS_OF_ZONES * 3600 or 24 * 3600 - apart <= _HOURS_OF_ZONES * 3600)


def _is_apart_by(said: Moment, written: Moment, length: timedelta) -> bool:
    """True when the one moment is ``length`` after or before the other."""
    start = _at(written, year=said.year)
    if start is None:
        return False
    if not said.has_day and length >= _DAY:
        return False
    for shift in (length, -length):
        try:
            end = start + shift
        except OverflowError:
            continue
        if said.has_day and (said.month, said.day) != (end.month, end.day):
            continue
        if said.has_day and said.year is not None and written.year is not None and said.year != end.year:
            continue
        if said.clock is None or written.clock is None:
            if said.has_day and written.has_day:
                return True
            continue
        clock = end.hour * 3600 + end.minute * 60
        if clock == int(said.clock) or (said.is_half_day and clock == int(said.clock) + 12 * 3600):
            return True
    return False


def _at(moment: Moment, year: int | None = None) -> datetime | None:
    if not moment.has_day and moment.clock is None:
        return None
    try:
        day = datetime(moment.year or year or 2000, moment.month or 1, moment.day or 1)
        return day + timedelta(seconds=moment.clock or 0)
    except (ValueError, OverflowError):
        return None


def _lengths(args: dict[str, Any]) -> list[timedelta]:
    """Return the lengths of time that the numbers of a call tell, by their names."""
    found: list[timedelta] = []
    for path, value in walk_values(args):
        if type(value) is int and 0 < value <= _LARGEST and len(found) < _MOST_NUMBERS:
            units = next((units for name, units in _UNITS if name.search(path.casefold())), ())
            found += [value * unit for unit in units]
    return found
