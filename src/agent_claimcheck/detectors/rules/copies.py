"""Whether a state probe read a copy of the record that is older than the write: from a cache, a snapshot, a replica.

A reader must not miss: a stamp decides where there is one. ``as_of`` later than the write is how it stands now.
"""

from __future__ import annotations

import re
from datetime import datetime

from agent_claimcheck.evidence.value_text import walk_fields
from agent_claimcheck.trace.model import Step

_COPY = re.compile(
    r"(?:^|_)(?:from_cache|cached?|stale|as_?of|snapshot\w*|replica\w*|last_?sync\w*|synced_?at|fetched_?at)(?:_|$)",
    re.IGNORECASE,
)
_KEPT = re.compile(r"\b(?:cache|cached|stale|snapshot)\b", re.IGNORECASE)
_PLACES = frozenset({"source", "served_from", "origin", "read_from"})


def is_copy_from_before(probe: Step, written: Step) -> bool:
    """True when some field of ``probe`` tells that it shows the record as it was before the step ``written``."""
    before = _moment(written.ts)
    for key, value in walk_fields(probe.output):
        if key.casefold() in _PLACES and isinstance(value, str) and _KEPT.search(value):
            return True
        if _COPY.search(key) is None or value in (None, False, ""):
            continue
        if value is True:
            return True
        stamp = _moment(value) if isinstance(value, str) else None
        if (
            stamp is not None
            and before is not None
            and (stamp.tzinfo is None) == (before.tzinfo is None)
            and stamp < before
        ):
            return True
    return False


def _moment(value: str) -> datetime | None:
    try:
        return datetime.fromisoformat(value[:40]) if len(value) > 10 else None
    except ValueError:
        return None
