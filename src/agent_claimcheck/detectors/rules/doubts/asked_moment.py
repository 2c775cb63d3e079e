"""The doubt that the one day, or the one time in the one zone, that the request names is no day or time of what was written.

A reader must not miss: this never accuses. The same digits in another order make another day ("6 May" and 2026-06-05), and the
same clock in another zone another time ("10:00 New York time" and 10:00Z).
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.detectors.rules.doubts.asked_values import standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.comparison import compare
from agent_claimcheck.evidence.values.eras import is_in_another_era
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.moments import Moment, compare_moments, place, read_moments
from agent_claimcheck.evidence.values.value_text import TypedValue, extract_values, walk_values

_LONGEST = 4_000
_LONGEST_VALUE = 80
_MOST_STEPS = 40
_MOST_VALUES = 400


def falls_on_another_day(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when all days, or times with a zone, that it wrote are others than the one asked for."""
    if evidence.is_shell_run:
        return None
    asked = [value for turn in standing_turns(evidence) for value in extract_values(turn[:_LONGEST])]
    days = {value.value[:10]: value for value in asked if value.kind in ("date", "datetime")}
    if len(days) != 1:
        return None
    (day,) = days.values()
    shown = [moment for moment in _moments(evidence) if moment.has_day]
    wanted = read_moments(day.raw)
    if not shown or not wanted:
        return None
    if all(_is_another_day(day, moment, evidence) for moment in shown):
        return Doubt("undecided", f"the request names {day.raw}, and another day was written")
    return _another_time(wanted, [value for value in asked if value.kind == "time"], shown, evidence)


def _is_another_day(day: TypedValue, moment: Moment, evidence: Evidence) -> bool:
    written = _day_of(moment)
    if compare(day.raw, written, "datetime", evidence.zones) != "different":
        return False
    if (moment.offset is not None or evidence.zones.zones) and _is_beside(read_moments(day.raw), moment):
        return False  # the same moment falls on two days in two zones
    return not is_in_another_era(day.raw, written)


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


def _another_time(
    day: tuple[Moment, ...], times: list[TypedValue], shown: list[Moment], evidence: Evidence
) -> Doubt | None:
    """Doubt a time in the one zone that is named, where every time with an offset is another moment."""
    zones = evidence.zones.zones
    placed = [moment for moment in shown if moment.offset is not None and moment.clock is not None]
    if len(zones) != 1 or len(day) != 1 or day[0].year is None or not placed:
        return None
    asked = day if day[0].clock is not None else read_moments(times[0].raw) if len(times) == 1 else ()
    if len(asked) != 1 or asked[0].clock is None or asked[0].offset is not None:
        return None
    clock = asked[0].clock
    for half in (0, 12 * 3600) if asked[0].is_half_day and clock < 12 * 3600 else (0,):
        at = Moment(year=day[0].year, month=day[0].month, day=day[0].day, clock=clock + half)
        wanted = place(at, zones[0])
        if any(compare_moments((wanted,), (moment,), evidence.zones) != "different" for moment in placed):
            return None
    return Doubt("undecided", f"the request names a time in {zones[0]}, and another one was written")


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
            if isinstance(value, str) and len(value) <= _LONGEST_VALUE:
                found = [part for part in extract_values(value) if part.kind in ("date", "datetime")]
                yield from (moment for part in found for moment in read_moments(part.raw))
            elif isinstance(value, int | float):
                yield from read_moments(value, numbers=True)
