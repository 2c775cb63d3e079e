"""Records as lookups returned them: the fields of one record, and how it read before a step.

A reader must not miss: a key that stands twice in a record with two values says nothing, so it is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.record_ids import record_ids
from agent_claimcheck.evidence.values.value_text import walk_fields

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_MOST_FIELDS = 200
_MOST_OBJECTS = 500
_MOST_RECORDS = 5_000
_LONGEST_ID = 200


def fields_of(record: dict[str, Any]) -> dict[str, Any]:
    """Return the scalar fields of a record by key; a key that stands twice with two values says nothing."""
    fields: dict[str, Any] = {}
    unclear: set[str] = set()
    for count, (key, value) in enumerate(walk_fields(record)):
        if count >= _MOST_FIELDS:
            break
        if key in fields and fields[key] != value:
            unclear.add(key)
        fields[key] = value
    return {key: value for key, value in fields.items() if key not in unclear and value is not None}


def record_seen(ids: set[str], evidence: Evidence, before: int | None = None) -> dict[str, Any]:
    """Return the fields of the record with one of ``ids`` as the last lookup, before a step, returned it."""
    if not ids:
        return {}
    for pair in reversed(evidence.calls):
        if (
            pair.result is None
            or (before is not None and pair.result.i > before)
            or evidence.effect(pair).kind != "read"
        ):
            continue
        for record in objects_in(parse_output(pair.result.output)):
            if not ids.isdisjoint(record_ids(record).values()):
                return fields_of(record)
    return {}


def stand_together(one: str, two: str, evidence: Evidence) -> bool:
    """True when some lookup returned both folded values as fields of one record. Looked up once a run."""
    places: dict[str, set[int]] = evidence.shared("places_of_values", lambda: _places_of_values(evidence))
    return not places.get(one, set()).isdisjoint(places.get(two, set()))


def _places_of_values(evidence: Evidence) -> dict[str, set[int]]:
    """Return the numbers of the records that hold a value, by the value."""
    places: dict[str, set[int]] = {}
    number = 0
    for pair in evidence.calls:
        if pair.result is None or evidence.effect(pair).kind != "read":
            continue
        for record in objects_in(parse_output(pair.result.output)):
            number += 1
            if number > _MOST_RECORDS:
                return places
            for count, (_, value) in enumerate(walk_fields(record)):
                if count >= _MOST_FIELDS:
                    break
                if (
                    isinstance(value, str | int)
                    and not isinstance(value, bool)
                    and len(text := str(value)) <= _LONGEST_ID
                ):
                    places.setdefault(text.strip().casefold(), set()).add(number)
    return places


def objects_in(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the innermost objects of a result that have scalar fields, a bounded number of them."""
    level, seen = [value], 0
    while level and seen < _MOST_OBJECTS:
        node = level.pop()
        seen += 1
        if isinstance(node, list):
            level.extend(node[:_MOST_FIELDS])
        elif isinstance(node, dict):
            inner = [child for child in node.values() if isinstance(child, dict | list)]
            level.extend(inner)
            if not any(isinstance(child, dict) or (child and isinstance(child[0], dict)) for child in inner):
                yield node
