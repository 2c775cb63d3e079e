"""The doubt that the one day, or the one time in the one zone, that the request names is no day or time of what was written.

A reader must not miss: this never accuses. The same digits in another order make another day ("6 May" and 2026-06-05), and the
same clock in another zone another time ("10:00 New York time" and 10:00Z).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.asked_values import standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.comparison import compare
from agent_claimcheck.evidence.values.eras import is_in_another_era
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.moments import MONTHS, Moment, compare_moments, place, read_moments
from agent_claimcheck.evidence.values.value_text import extract_values, walk_values

_ISO = late_pattern(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_CLOCK = late_pattern(r"(?<![\d:.])\d{1,2}:\d{2}(?: ?[ap]\.?m\b\.?)?(?![\d:])", re.IGNORECASE)
_DIGITS_OF_A_DAY = late_pattern(r"\d{4}-\d|\d[./]\d|\d{8}|[年月日년월]")
_WORD_AT_DIGITS = late_pattern(r"([^\W\d_]{3,12})\.?\W{0,3}\d|\d\W{0,3}(?:\w{2} )?([^\W\d_]{3,12})")
_LONGEST = 4_000
_LONGEST_VALUE = 80
_MOST_STEPS = 40
_MOST_VALUES = 400


def falls_on_another_day(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when all days, or times with a zone, that it wrote are others than the one asked for."""
    if evidence.is_shell_run or (len(evidence.zones.zones) != 1 and _is_written_as_asked(evidence)):
        return None
    days: dict[str, str] = {}
    times: list[str] = []
    for turn in standing_turns(evidence):
        _read_asked(turn[:_LONGEST], days, times)
    if len(days) != 1:
        return None
    (day,) = days.values()
    wanted = read_moments(day)
    other = None
    for moment in _moments(evidence) if wanted else ():
        if moment.has_day and not _is_another_day(day, moment, evidence):
            return _another_time(wanted, times, evidence)
        other = other or moment.has_day
    return Doubt("undecided", f"the request names {day}, and another day was written") if other else None


def _read_asked(turn: str, days: dict[str, str], times: list[str]) -> None:
    """Add the days that ``turn`` names, as they are written by what they are, and its times."""
    if not _may_name_a_day(_ISO.sub("", turn)):
        days.update((day, day) for day in _ISO.findall(turn))
        times += _CLOCK.findall(turn)
        return
    for value in extract_values(turn):
        if value.kind in ("date", "datetime"):
            days[value.value[:10]] = value.raw
        elif value.kind == "time":
            times.append(value.raw)


def _may_name_a_day(text: str) -> bool:
    """True unless nothing in ``text`` looks like a day, so that most texts need not be read."""
    if _DIGITS_OF_A_DAY.search(text):
        return True
    return any(word.casefold() in MONTHS for words in _WORD_AT_DIGITS.findall(text) for word in words if word)


def _is_written_as_asked(evidence: Evidence) -> bool:
    """True when a day of the request stands in a change letter by letter, so that it is not another one."""
    asked = {day for turn in standing_turns(evidence) for day in _ISO.findall(turn[:_LONGEST])}
    return bool(asked) and any(
        isinstance(value, str) and value[:10] in asked
        for write in evidence.writes[:_MOST_STEPS]
        if not write.is_failed
        for _, value in walk_values(write.pair.call.args or {})
    )


def _is_another_day(day: str, moment: Moment, evidence: Evidence) -> bool:
    written = _day_of(moment)
    if compare(day, written, "datetime", evidence.zones) != "different":
        return False
    if (moment.offset is not None or evidence.zones.zones) and _is_beside(read_moments(day), moment):
        return False  # the same moment falls on two days in two zones
    return not is_in_another_era(day, written)


def _day_of(moment: Moment) -> str:
    day = f"{moment.month:02d}-{moment.day:02d}"
    return f"{moment.year:04d}-{day}" if moment.year is not None else f"--{day}"


def _is_beside(asked: tuple[Moment, ...], moment: Moment) -> bool:
    return any(
        one.month is not None
        and one.day is not None
        and abs((one.month * 31 + one.day) - ((moment.month or 0) * 31 + (moment.day or 0))) <= 3
        for one in asked
    )


def _another_time(day: tuple[Moment, ...], times: list[str], evidence: Evidence) -> Doubt | None:
    """Doubt a time in the one zone that is named, where every time with an offset is another moment."""
    zones = evidence.zones.zones
    if len(zones) != 1 or len(day) != 1 or day[0].year is None:
        return None
    asked = day if day[0].clock is not None else read_moments(times[0]) if len(times) == 1 else ()
    if len(asked) != 1 or asked[0].clock is None or asked[0].offset is not None:
        return None
    clock = asked[0].clock
    halves = (0, 12 * 3600) if asked[0].is_half_day and clock < 12 * 3600 else (0,)
    days = [Moment(year=day[0].year, month=day[0].month, day=day[0].day, clock=clock + half) for half in halves]
    wanted = tuple(place(moment, zones[0]) for moment in days)
    is_placed = False
    for moment in _moments(evidence):
        if moment.has_day and moment.offset is not None and moment.clock is not None:
            is_placed = True
            if any(compare_moments((one,), (moment,), evidence.zones) != "different" for one in wanted):
                return None
    return (
        Doubt("undecided", f"the request names a time in {zones[0]}, and another one was written")
        if is_placed
        else None
    )


def _moments(evidence: Evidence) -> Iterator[Moment]:
    """Yield the days and times of the changes that may have worked, of what came back, and of the state probes."""
    sources = []
    for write in evidence.writes[:_MOST_STEPS]:
        if not write.is_failed:
            sources += [write.pair.call.args, write.pair.result.output if write.pair.result is not None else None]
    sources += [probe.output for probe in evidence.probes[:_MOST_STEPS]]
    for source in sources:
        for seen, (_, value) in enumerate(walk_values(parse_output(source))):
            if seen >= _MOST_VALUES:
                break
            if isinstance(value, str) and value[4:5] == "-" and _ISO.match(value) and len(value) <= _LONGEST_VALUE:
                yield from read_moments(value)
            elif isinstance(value, str) and len(value) <= _LONGEST_VALUE and _may_name_a_day(value):
                found = [part for part in extract_values(value) if part.kind in ("date", "datetime")]
                yield from (moment for part in found for moment in read_moments(part.raw))
            elif isinstance(value, int | float):
                yield from read_moments(value, numbers=True)
