"""Whether a state probe read a copy of the record that is older than the write: from a cache, a snapshot, a replica.

A reader must not miss: a stamp decides where there is one. ``as_of`` later than the write is how it stands now.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.value_text import walk_fields
from agent_claimcheck.trace.model import Step

_COPY = re.compile(
    r"(?:^|_)(?:from_cache|cached?|stale|as_?of|snapshot\w*|replica\w*|last_?sync\w*|synced_?at|fetched_?at)(?:_|$)",
    re.IGNORECASE,
)
_KEPT = late_pattern(r"\b(?:cache|cached|stale|snapshot)\b", re.IGNORECASE)
_LONGEST_KEY = 80
_PLACES = frozenset({"source", "served_from", "origin", "read_from"})


def is_copy_from_before(probe: Step, written: Step, evidence: Evidence) -> bool:
    """True when some field of ``probe`` tells that it shows the record as it was before the step ``written``."""
    known: dict[int, list[Any]] = evidence.shared("copy_fields", dict)
    if probe.i not in known:
        known[probe.i] = list(_telling(probe))
    for value in known[probe.i]:
        if value is True:
            return True
        stamp, before = _moment(value), _moment(written.ts)
        if stamp is None or before is None or (stamp.tzinfo is None) != (before.tzinfo is None):
            continue
        if stamp < before:
            return True
    return False


def _telling(probe: Step) -> Iterator[Any]:
    """Yield what tells of a copy: ``True``, or the text that may say of when it is."""
    for key, value in walk_fields(probe.output):
        told = _told_by(key) if len(key) <= _LONGEST_KEY else ""
        if not told:
            continue
        if "place" in told and isinstance(value, str) and _KEPT.search(value):
            yield True
        elif "copy" in told and (value is True or (isinstance(value, str) and value)):
            yield value


# The few names of fields come again and again.
@lru_cache(maxsize=2048)
def _told_by(key: str) -> str:
    """Return what a field named ``key`` tells of: of a ``place``, of a ``copy``, of both or, as most do, of neither."""
    place = "place" if key.casefold() in _PLACES else ""
    return f"{place} copy" if _COPY.search(key) else place


def _moment(value: str) -> datetime | None:
    try:
        return datetime.fromisoformat(value[:40]) if len(value) > 10 else None
    except ValueError:
        return None
