"""The doubt that a day or a time was written which the request rules out: "not on a Friday", "after 6 pm", "the day after tomorrow".

A reader must not miss: this never accuses. Only a run that wrote one day, or one time of day, is looked at, and none whose
record tells of time zones; what day it was when the user wrote is read from the record, in whatever time zone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from datetime import UTC, date, datetime, timedelta

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.asked_values import is_no_order, standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.detectors.rules.doubts.weekdays import WEEKDAYS, weekday_of
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.value_text import walk_fields

_LONGEST, _NEAR = 4_000, 80
_LONGEST_VALUE = 40
_MOST_WRITES = 20
_DAYS = "|".join(WEEKDAYS)
_RULED_OUT = late_pattern(
    r"\b(?:not(?: on| for| at)?|never(?: on)?|no|except|excluding|avoid(?:ing)?|(?:any|every) day (?:but|except)|anything but"
    rf"|but not(?: on)?)(?: an?| any| the| next| this)? (?P<day>{_DAYS}|weekend)s?\b(?! (?:but|before|after)\b)"
)
_SIDES = "not before|no earlier than|after|not after|no later than|before|by"
_BOUND = late_pattern(
    rf"\b(?P<side>{_SIDES}) (?P<hour>\d{{1,2}})(?::(?P<minute>\d{{2}}))? ?(?P<half>[ap])\.?m\b"
    rf"|\b(?P<side2>{_SIDES}) (?P<hour2>\d{{1,2}}):(?P<minute2>\d{{2}})\b(?! ?[ap]\.?m)"
)
_DAYS_SAID = frozenset(f"{day}{ending}" for day in (*WEEKDAYS, "weekend") for ending in ("", "s"))
_SIDES_SAID = frozenset({"before", "after", "earlier", "later", "by"})
_EARLIEST = frozenset({"after", "not before", "no earlier than"})
_RELATIVE = late_pattern(r"\b(?P<over>(?:the )?day after tomorrow)\b|(?<!after )\btomorrow\b")
_WEEK = late_pattern(r"\b(?P<which>next|this) week\b(?!['’]s)")
_WRITTEN_DAY = re.compile(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)")
_WRITTEN_TIME = re.compile(r"(?:^|[T ])(\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?$")
_IS_END = late_pattern(r"end|until|till|due|expir|to$|close|return|remind|created|updated|start_of", re.IGNORECASE)
_ZONES = (timedelta(hours=-8), timedelta(hours=13))
"""How far local time mostly is from that of a record."""


def falls_on_a_wrong_day(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when the one day or time that it wrote is not what the request lets be."""
    if not _may_bind(evidence.request_words) or evidence.zones.zones:
        return None
    turns = [turn[:_LONGEST].casefold() for turn in standing_turns(evidence)]
    fields = list(_written(evidence))
    days = {found for _, value in fields for found in _WRITTEN_DAY.findall(value)}
    for turn in turns:
        said = _wrong_day(turn, days, evidence) or _another_week(turn, days, evidence) or _wrong_time(turn, fields)
        if said is not None:
            return Doubt("undecided", f"the request says {said[0]!r}, and {said[1]} was written")
    return None


def _may_bind(words: Set[str]) -> bool:
    """False for a request without a word that the patterns here look for: most have none."""
    if "tomorrow" in words or "week" in words or not words.isdisjoint(_DAYS_SAID):
        return True
    return not words.isdisjoint(_SIDES_SAID) and any(word[0].isdigit() for word in words)


def _written(evidence: Evidence) -> Iterator[tuple[str, str]]:
    for write in evidence.writes[:_MOST_WRITES]:
        for key, value in walk_fields(write.pair.call.args or {}) if not write.is_failed else ():
            if isinstance(value, str) and len(value) <= _LONGEST_VALUE:
                yield key, value


def _wrong_day(turn: str, days: set[str], evidence: Evidence) -> tuple[str, str] | None:
    for found in _RULED_OUT.finditer(turn):
        out = ("saturday", "sunday") if found["day"] == "weekend" else (found["day"],)
        for day in sorted(days):
            if weekday_of(day) in out:
                return found[0], day
    told = list(_RELATIVE.finditer(turn))
    if len(told) != 1 or len(days) != 1 or is_no_order(turn[max(0, told[0].start() - _NEAR) : told[0].start()]):
        return None
    (day,) = days
    ahead = 2 if told[0]["over"] else 1
    meant = {today + timedelta(days=ahead) for today in _days_of_request(evidence)}
    return (told[0][0], day) if meant and day not in map(date.isoformat, meant) else None


def _another_week(turn: str, days: set[str], evidence: Evidence) -> tuple[str, str] | None:
    """Say when the one day that was written is not in the week the request names, wherever on earth a week begins."""
    told = list(_WEEK.finditer(turn))
    if len(told) != 1 or len(days) != 1 or is_no_order(turn[max(0, told[0].start() - _NEAR) : told[0].start()]):
        return None
    (day,) = days
    meant: set[str] = set()
    for today in _days_of_request(evidence):
        for first in (today - timedelta(days=today.weekday()), today - timedelta(days=(today.weekday() + 1) % 7)):
            start = first + timedelta(days=7 * (told[0]["which"] == "next"))
            meant.update((start + timedelta(days=ahead)).isoformat() for ahead in range(7))
    return (told[0][0], day) if meant and day not in meant else None


def _days_of_request(evidence: Evidence) -> set[date]:
    """Return the days on which the user may have written, wherever on earth; none where the record tells no passing of time."""
    times = [step.ts for step in evidence.view.steps if step.ts is not None]
    if len(set(times)) < 2:
        return set()
    asked = next((step.ts for step in evidence.view.steps if step.kind == "message" and step.role == "user"), None)
    moment = _moment(asked)
    return set() if moment is None else {(moment + shift).date() for shift in _ZONES}


def _moment(ts: object) -> datetime | None:
    if isinstance(ts, datetime):
        return ts.astimezone(UTC)
    try:
        return datetime.fromisoformat(ts).astimezone(UTC) if isinstance(ts, str) else None
    except (ValueError, OverflowError):
        return None


def _wrong_time(turn: str, fields: list[tuple[str, str]]) -> tuple[str, str] | None:
    times = {
        (int(found[1]), int(found[2])): value
        for key, value in fields
        if not _IS_END.search(key) and (found := _WRITTEN_TIME.search(value)) is not None
    }
    if len(times) != 1:
        return None
    ((written, value),) = times.items()
    for found in _BOUND.finditer(turn):
        if is_no_order(turn[max(0, found.start() - _NEAR) : found.start()]):
            continue
        bound = _clock(found)
        side = found["side"] or found["side2"]
        if written < bound if side in _EARLIEST else written > bound:
            return found[0], value
    return None


def _clock(found: re.Match[str]) -> tuple[int, int]:
    hour, minute = int(found["hour"] or found["hour2"]), int(found["minute"] or found["minute2"] or 0)
    return (hour % 12 + (12 if found["half"] == "p" else 0) if found["half"] else hour), minute
