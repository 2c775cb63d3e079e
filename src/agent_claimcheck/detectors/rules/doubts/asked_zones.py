"""The doubt that a time was written in another time zone than it was asked for in: "14:15 in Africa/Nairobi", and Asia/Dubai.

A reader must not miss: this never accuses. Who turns the time into another zone writes other digits; the same digits in a zone
that the request does not name are another moment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from agent_claimcheck.detectors.rules.doubts.asked_values import standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.moments import zone_of
from agent_claimcheck.evidence.values.value_text import walk_fields

_ZONE = re.compile(
    r"(?<![\w/])(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Z][\w+-]{2,30}(?:/[A-Z]\w{2,20})?"
)
_CLOCK = re.compile(r"(?<!\d)(\d{1,2}):(\d{2})(?!\d)")
_MOMENT = re.compile(r"(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})")
_LONGEST, _MOST_WRITES = 4_000, 20


def is_in_another_zone(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when it wrote the time that was asked for, in another zone."""
    request = "\n".join(standing_turns(evidence))[:_LONGEST]
    asked = set(_ZONE.findall(request))
    if not asked:
        return None
    times = {(int(hour), int(minute)) for hour, minute in _CLOCK.findall(request)}
    for write in evidence.writes[:_MOST_WRITES]:
        texts = [value for _, value in walk_fields(write.pair.call.args or {}) if isinstance(value, str)]
        zones = {value for value in texts if _ZONE.fullmatch(value)}
        if write.is_failed or len(zones) != 1 or not zones.isdisjoint(asked):
            continue
        (zone,) = zones
        for moment in _moments(texts):
            if (moment.hour, moment.minute) in times and all(
                _offset(zone, moment) != _offset(one, moment) for one in asked
            ):
                return Doubt("undecided", f"the request names {min(asked)}, and {write.pair.call.name} wrote {zone}")
    return None


def _moments(texts: list[str]) -> Iterator[datetime]:
    for text in texts:
        found = _MOMENT.match(text)
        if found is not None:
            try:
                yield datetime.fromisoformat(found[0].replace(" ", "T"))  # local to whatever zone stands beside it
            except ValueError:
                continue


def _offset(name: str, moment: datetime) -> timedelta | None:
    zone = zone_of(name)
    return moment.replace(tzinfo=zone).utcoffset() if zone is not None else None
