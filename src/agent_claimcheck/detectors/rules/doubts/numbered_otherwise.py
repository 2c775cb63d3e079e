"""The doubt that the closing text gives a numbered thing another number than the record: "in hall 2" of ``hall: 1``.

A reader must not miss: this never accuses, and it looks at small numbers behind the very name of a field only. All other
numbers of a text count, enumerate and reckon, and are held against nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.tool_names import split_name
from agent_claimcheck.evidence.values.value_text import walk_fields

_LONGEST = 20_000
_MOST_FIELDS, _MOST_CALLS, _MOST_NUMBERS = 200, 50, 100
_NUMBERED = late_pattern(r"(?<![\w-])([a-z]{3,20})[ #]{1,2}(?:no\.? ?|number |nr\.? ?|#)?(\d{1,4})(?![\w-]|[.,:/]\d)")
_SMALL_NUMBER = late_pattern(r"[ #.or]\d{1,4}(?![\w-]|[.,:/]\d)")
"""Stands wherever ``_NUMBERED`` fits, and is found faster: it begins with one of few characters."""
_DIGITS = late_pattern(r"0*(\d{1,4})")
_OF_NUMBERS = frozenset({"no", "nr", "num", "number", "id"})
_NO_NAME = frozenset(
    {"day", "date", "time", "hour", "hours", "minute", "minutes", "year", "month", "week", "version", "step", "page"}
)
"""Fields whose number a text may give in another form, or that number parts of the text itself."""


def numbers_otherwise(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose closing text names a thing of a field by a number that no call, answer or probe has in such a field."""
    text = evidence.closing_text.casefold()[:_LONGEST]
    if not _SMALL_NUMBER.search(text):
        return None
    said = [(match[1], match[2].lstrip("0") or "0") for match in islice(_NUMBERED.finditer(text), _MOST_NUMBERS)]
    if not said:
        return None
    shown: dict[str, set[str]] = {}
    for name, number in _numbers(evidence):
        shown.setdefault(name, set()).add(number)
    for name, number in said:
        known = shown.get(name)
        if known and number not in known and not any((name, other) in said for other in known):
            return Doubt(
                "receipt_only",
                f"the closing text says '{name} {number}', and the calls and the state probes show {name} {min(known)}",
            )
    return None


def _numbers(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield the names of fields with their small whole numbers, of all that was sent and came back."""
    sources: list[Any] = [pair.call.args for pair in evidence.calls[:_MOST_CALLS]]
    sources += evidence.outputs[:_MOST_CALLS]
    sources += [probe.output for probe in evidence.probes[:_MOST_CALLS]]
    for source in sources:
        for path, value in islice(walk_fields(source), _MOST_FIELDS):
            whole = (
                _DIGITS.fullmatch(str(value)) if isinstance(value, str | int) and not isinstance(value, bool) else None
            )
            words = [word for word in split_name(path.rpartition(".")[2]) if word not in _OF_NUMBERS]
            if whole is not None and words and words[-1] not in _NO_NAME:
                yield words[-1], whole[1]
