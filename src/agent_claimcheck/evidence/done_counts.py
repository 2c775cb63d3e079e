"""What the counts of a result say: ``{"matched": 1, "modified": 0}`` changed nothing, ``{"imported": 2, "errors": [...]}`` did a part.

A reader must not miss: a bare ``deleted: 0`` in a record is a flag, so such a key counts only in an answer that holds nothing
else to speak of. A count says how much was done, and never that it was the right thing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

_MOST_FIELDS = 64
_FEW = 4
_DEED = (
    "accepted|added|affected|archived|changed|created|deleted|enrolled|imported|indexed|inserted|merged|modified|moved|passed|processed"
    "|published|removed|renamed|replaced|saved|sent|stored|succeeded|success|successful|updated|uploaded|upserted|written"
)
_WHAT = "count|counts|rows|row|cells|columns|items|records|documents|docs|entries|files|lines|messages|total|range|ranges|objects|keys"
_COUNTED = re.compile(rf"(?:n|num|number|total|rows?|cells|items|records|count)_?(?:of_?)?(?:{_DEED})|(?:{_DEED})_?(?:{_WHAT})")
_BARE = re.compile(_DEED)
_UNDONE = frozenset(
    {"attempted", "blocked", "bounced", "cached", "declined", "denied", "deprecated", "errored", "excluded", "expected", "expired",
     "failed", "ignored", "invalid", "limited", "missed", "needed", "pending", "queued", "rejected", "requested", "required", "seed",
     "skipped", "speed", "submitted", "unchanged", "unmatched", "unprocessed", "feed", "need", "matched"}
)  # fmt: skip
"""Keys that end like a deed and count nothing done."""


def done_count(body: Mapping[str, Any]) -> tuple[str, int] | None:
    """Return the largest count of what was done with its key, ``None`` when ``body`` counts nothing."""
    found: tuple[str, int] | None = None
    is_small = len(body) <= _FEW
    for key, value in islice(body.items(), _MOST_FIELDS):
        if isinstance(value, bool) or not isinstance(value, int | list) or not _counts(key[:40], is_small=is_small):
            continue
        count = len(value) if isinstance(value, list) else value
        if count >= 0 and (found is None or count > found[1]):
            found = (key, count)
    return found


@lru_cache(maxsize=2048)
def _counts(key: str, *, is_small: bool) -> bool:
    low = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).lower().replace("-", "_")
    return _COUNTED.fullmatch(low) is not None or (is_small and _BARE.fullmatch(low) is not None)


def did_a_part(body: Mapping[str, Any]) -> bool:
    """True for an answer that counts something done, or holds data, beside its errors."""
    for key, value in islice(body.items(), _MOST_FIELDS):
        low = key[:40].lower()
        is_deed = low.endswith("ed") and low.rpartition("_")[2] not in _UNDONE
        if is_deed and isinstance(value, int | list) and value and not isinstance(value, bool):
            return True
    counted = done_count(body)
    if counted is not None and counted[1] > 0:
        return True
    data = body.get("data")
    return isinstance(data, dict) and any(value not in (None, [], {}, False) for value in data.values())
