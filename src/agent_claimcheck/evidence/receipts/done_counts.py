"""What the counts of a result say: ``{"matched": 1, "modified": 0}`` changed nothing, ``{"imported": 2, "errors": [...]}`` did a part,
and "2 files deleted" counts what it says.

A reader must not miss: a bare ``deleted: 0`` in a record is a flag, so such a key counts only in an answer that holds nothing
else to speak of. A count says how much was done, and never that it was the right thing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern

_MOST_FIELDS = 64
_FEW = 4
_DEED = (
    "accepted|added|affected|archived|changed|created|deleted|enrolled|imported|indexed|inserted|merged|modified|moved|passed|processed"
    "|published|removed|renamed|replaced|saved|sent|stored|succeeded|success|successful|updated|uploaded|upserted|written"
)
_WHAT = "count|counts|rows|row|cells|columns|items|records|documents|docs|entries|files|lines|messages|total|range|ranges|objects|keys"
_COUNTED = late_pattern(
    rf"(?:n|num|number|total|rows?|cells|items|records|count)_?(?:of_?)?(?:{_DEED})|(?:{_DEED})_?(?:{_WHAT})"
)
_BARE = late_pattern(_DEED)
_UNDONE = frozenset(
    {"attempted", "blocked", "bounced", "cached", "declined", "denied", "deprecated", "errored", "excluded", "expected", "expired",
     "failed", "ignored", "invalid", "limited", "missed", "needed", "pending", "queued", "rejected", "requested", "required", "seed",
     "skipped", "speed", "submitted", "unchanged", "unmatched", "unprocessed", "feed", "need", "matched"}
)  # fmt: skip
"""Keys that end like a deed and count nothing done."""


_LONGEST_LINE = 120
_UNIT = r"(?:[kmgt]?i?b|bytes?|ms|s|secs?|seconds?|min(?:ute)?s?|hours?|chars?|characters|percent|%)(?!\w)"
_OF = r"(?: (?:of|out of) \d{1,6})?"
_TOLD = late_pattern(
    rf"(?<![\w.,#:/-])(?P<before>\d{{1,6}})(?! {_UNIT}){_OF}(?: [a-z][\w-]*){{1,3}}?"
    rf" (?:were |was |have been |successfully )*(?:{_DEED})\b"
    rf"|\b(?:{_DEED}):? (?P<after>\d{{1,6}})(?! {_UNIT}){_OF} [a-z]",
    re.IGNORECASE,
)
_NUMBER = late_pattern(r"\d+")


def told_count(text: str) -> int | None:
    """Return how many a short line of text says were done; ``None`` when it tells another number, or none.

    >>> told_count("Deleted 2 of 3 files"), told_count("2 rows were updated"), told_count("Deleted 2 files in 14 ms")
    (2, 2, None)
    """
    line = text.strip()
    found = _TOLD.search(line) if len(line) <= _LONGEST_LINE else None
    if found is None or "\n" in line or _NUMBER.search(line[: found.start()]) or _NUMBER.search(line[found.end() :]):
        return None
    return int(found["before"] or found["after"])


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
