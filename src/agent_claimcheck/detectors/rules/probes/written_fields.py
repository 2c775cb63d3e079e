"""What a call was to write, field by field, and how a record that was read later reads in these fields.

A reader must not miss: an argument is taken for the field of that name. Arguments that tell how to act are no fields, and sums
may hold another unit, or tax.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.core.text import shorten
from agent_claimcheck.detectors.rules.probes.other_explanations import says_ended, states_of
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.seen_records import fields_of
from agent_claimcheck.evidence.values.comparison import compare
from agent_claimcheck.evidence.values.json_patches import operations_of
from agent_claimcheck.evidence.values.record_ids import record_ids
from agent_claimcheck.evidence.values.value_text import walk_fields
from agent_claimcheck.evidence.writes import Write

ENDING = frozenset({"remove", "revert"})
"""Families of action after which a record may be gone."""
WRITING = frozenset({"change", "mark", "create", "obtain"})
"""Families of action whose arguments are the fields of the record."""
NOT_FIELDS = frozenset(
    {"type", "kind", "action", "operation", "mode", "method", "reason", "version", "force", "limit", "filter", "by"}
)
"""Arguments that tell how to act, whatever field of that name the record has."""
SUMS = frozenset({"amount", "price", "total", "cost", "fee", "balance", "sum"})
"""Fields that may hold another unit, or tax, beside what was written."""
_MOST_FIELDS = 200


def written_fields(write: Write) -> Iterator[tuple[str, Any]]:
    """Yield the fields that the call was to write, its ids left out; of a JSON patch those of its operations."""
    for operation in operations_of(write.pair.call.args)[:_MOST_FIELDS]:
        yield operation["path"].rpartition("/")[2], operation.get("value")
    ids = record_ids(write.pair.call.args)
    for count, (key, value) in enumerate(walk_fields(write.pair.call.args or {})):
        if count >= _MOST_FIELDS:
            return
        if (
            isinstance(value, str | int | float)
            and not isinstance(value, bool)
            and str(value).strip().casefold() not in ids.values()
        ):
            yield key, value


def differing_field(shown: Any, write: Write, evidence: Evidence) -> tuple[str, str, str] | None:
    """Return the first field in which a record reads otherwise than ``write`` wrote it, with both values in short."""
    if not isinstance(shown, dict) or family_of(write.effect.verb_class) not in WRITING:
        return None
    fields = fields_of(shown)
    for key, written in written_fields(write):
        actual = fields.get(key)
        if actual is None or key in NOT_FIELDS or key in SUMS:
            continue
        if compare(actual, written, context=evidence.zones) == "different":
            return key, in_short(actual), in_short(written)
    return None


def emptied_field(shown: Any, write: Write) -> tuple[str, str, str] | None:
    """Return the first object that ``write`` filled and that a record shows empty, with both in short."""
    if not isinstance(shown, dict) or family_of(write.effect.verb_class) not in WRITING:
        return None
    for key, written in (write.pair.call.args or {}).items():
        if isinstance(written, dict) and written and shown.get(key) == {}:
            return key, "{}", in_short(written)
    return None


def state_not_ended(shown: Any, write: Write) -> tuple[str, str] | None:
    """Return the state field of a record that does not say it has ended, with its value, after a call that was to end it."""
    if not isinstance(shown, dict) or family_of(write.effect.verb_class) not in ENDING:
        return None
    fields = fields_of(shown)
    return next(((key, in_short(fields[key])) for key in states_of(fields) if not says_ended(fields[key])), None)


def in_short(value: Any) -> str:
    """Return a value on one line of at most 60 characters."""
    return shorten(" ".join(str(value)[:400].split()), 60)
