"""What a state probe holds beyond the fields its checks compare: the made thing in a list, the other counts of a test run.

A reader must not miss: "the field is there" proves nothing when it is an empty list, or a list of other things.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.contract import FieldResult
from agent_claimcheck.evidence.values.comparison import fold
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.payload import ABSENT, field_at, is_empty
from agent_claimcheck.evidence.values.record_ids import record_ids
from agent_claimcheck.packs.language import FieldCheck
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import CallPair

_MOST_ITEMS = 2000
_MORE = late_pattern(r"(?:^|_)(?:next|more|cursor|truncated|remaining)(?:_|$)", re.IGNORECASE)
"""Fields by which a list says that it goes on."""
_BAD_COUNTS = ("failed", "failures", "errors", "error_count", "failed_count", "num_failed", "broken")
_ALL_COUNTS = ("total", "passed", "count", "num_tests", "tests", "ran", "collected")


def missing_item(must_exist: Sequence[FieldCheck], pair: CallPair, probe: Step) -> str | None:
    """Say that a list which must exist is empty, or holds other items than the one the call made; else ``None``.

    The item is known by its id: ``add_note`` gave back ``note_id`` 7, and every listed note has another ``note_id``.
    """
    if not must_exist:
        return None
    output = parse_output(probe.output)
    for check in must_exist:
        found = field_at(output, check.segments)
        if found is ABSENT or found is None:
            continue
        if is_empty(found):
            return f"{check.path} is empty"
        made = record_ids(pair.result.output) if pair.result is not None else {}
        if not isinstance(found, list) or not made or len(found) > _MOST_ITEMS or _goes_on(output, found):
            continue
        if _holds_others(found, made) and not _holds_text(found, pair):
            return f"{check.path} does not hold what the call made"
    return None


def unlisted_text(must_exist: Sequence[FieldCheck], pair: CallPair, probe: Step) -> str | None:
    """Say that a list of texts which must exist holds none of the texts that the call carried; else ``None``.

    A service may store a text in other words, so this only keeps the list from confirming.
    """
    output = parse_output(probe.output) if must_exist else None
    for check in must_exist:
        found = field_at(output, check.segments)
        if not isinstance(found, list) or not found or len(found) > _MOST_ITEMS:
            continue
        if all(isinstance(item, str) for item in found):
            carried = _carried(pair)
            listed = [fold(item) for item in found if item.strip()]
            if carried and not any(text in item or item in text for text in carried for item in listed):
                return f"{check.path} does not show what the call carried"
    return None


def _goes_on(output: Any, found: list[Any]) -> bool:
    """True when the record says that there are more items than it lists: a next page, a larger count."""
    if not isinstance(output, dict):
        return False
    for key, value in output.items():
        if _MORE.search(key) and value not in (None, False, "", 0):
            return True
        counts = key in _ALL_COUNTS or key.endswith(("_count", "_total"))
        if counts and isinstance(value, int) and not isinstance(value, bool) and value > len(found):
            return True
    return False


def _holds_text(found: list[Any], pair: CallPair) -> bool:
    """True when an item carries a text of the call word for word: its id may be written in another form."""
    carried = {*_carried(pair)}
    return any(
        fold(value) in carried
        for item in found
        if isinstance(item, dict)
        for value in item.values()
        if isinstance(value, str)
    )


def _carried(pair: CallPair) -> list[str]:
    """Return the arguments of several words, in one form."""
    args = pair.call.args or {}
    return [fold(value) for value in args.values() if isinstance(value, str) and " " in value.strip()]


def _holds_others(items: list[Any], made: dict[str, str]) -> bool:
    """True when every item carries an id under a key of ``made``, and it is another one each time."""
    listed = [record_ids(item) for item in items if isinstance(item, dict)]
    if len(listed) != len(items):
        return False
    return all((shared := ids.keys() & made.keys()) and all(ids[key] != made[key] for key in shared) for ids in listed)


def ran_other_tests(failed: FieldResult) -> bool:
    """True when ``failed`` compares the names of two suites: how another one ran denies nothing."""
    return isinstance(failed.expected, str) and isinstance(failed.actual, str)


def unclear_tests(output: Any) -> str | None:
    """Say why a probe that ran the tests does not show that they pass, whatever its checks say; else ``None``."""
    body = parse_output(output)
    if not isinstance(body, dict):
        return None
    for key in _BAD_COUNTS:
        if _number(body.get(key)) > 0:
            return f"the state probe counts {body[key]} {key}"
    counts = [body[key] for key in _ALL_COUNTS if isinstance(body.get(key), int) and not isinstance(body[key], bool)]
    if counts and not any(counts):
        return "the state probe ran no test"
    return None


def _number(value: Any) -> int | float:
    if isinstance(value, list | dict):
        return len(value)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else 0
