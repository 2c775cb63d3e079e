"""The doubt that a look-up gave several records, and the change was made to another one than the request describes.

"Set Tom Berg's phone", the search gives Tom Berg and Tom Bergman, and the second one was changed.

A reader must not miss: this never accuses. The request must hold a value of the record that was left alone, where the changed
one has another under the same name, and no such value of the changed one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.seen_records import objects_in
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.record_ids import record_ids
from agent_claimcheck.evidence.values.value_text import walk_fields

_MOST_WRITES, _MOST_LOOKS, _MOST_RECORDS, _MOST_FIELDS = 20, 20, 50, 40
_SHORTEST, _LONGEST = 3, 80


def changed_the_other_one(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when it changed one of several records, and the request describes another."""
    writes = [write for write in evidence.writes[:_MOST_WRITES] if not write.is_failed]
    changed = {value for write in writes for value in evidence.argument_ids(write.pair.call).values()}
    if not changed or evidence.is_shell_run:
        return None
    for pair in evidence.calls[:_MOST_LOOKS]:
        if pair.result is None or evidence.effect(pair).kind != "read":
            continue
        seen = [record for record, _ in zip(objects_in(parse_output(pair.result.output)), range(_MOST_RECORDS))]  # noqa: B905
        if len(seen) < 2:
            continue
        mine = [record for record in seen if not changed.isdisjoint(record_ids(record).values())]
        others = [record for record in seen if record not in mine and record_ids(record)]
        if len(mine) != 1:
            continue
        for other in others:
            told = _described(mine[0], other, evidence)
            if told is not None:
                return Doubt(
                    "undecided", f"the look-up also gave {told!r}, which the request names, and another was changed"
                )
    return None


def _described(mine: dict[str, Any], other: dict[str, Any], evidence: Evidence) -> str | None:
    """Return a value of ``other`` that the request holds where ``mine`` has one that it does not hold; ``None`` when in doubt."""
    own = dict(_texts(mine))
    ids = {*record_ids(mine).values(), *record_ids(other).values()}
    told = None
    for key, value in _texts(other):
        held = own.get(key)
        if held is None or held == value or value in ids or held in ids:
            continue
        is_held, is_told = _stands(held, evidence), _stands(value, evidence)
        if is_held and not is_told:
            return None
        if is_told and not is_held:
            told = value
    return told


def _texts(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for count, (key, value) in enumerate(walk_fields(record)):
        if count >= _MOST_FIELDS:
            return
        if isinstance(value, str) and _SHORTEST <= len(value) <= _LONGEST:
            yield key, value.strip().casefold()


def _stands(value: str, evidence: Evidence) -> bool:
    low = evidence.request_low
    return value in low and re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", low) is not None
