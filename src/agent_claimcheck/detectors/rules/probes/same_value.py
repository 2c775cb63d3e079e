"""Whether the two values of a failed check may be one: ``example.com.`` and ``example.com``, 1 and ``true``, 250 and 25000 cents.

A reader must not miss: this keeps a check from accusing, and confirms nothing.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.evidence.contract import FieldResult

_RATIOS = (100.0, 1000.0)
"""How many of the smaller unit the larger one has: cents, grams, milliseconds."""
_EDGES = " \t\"'`."
_YES = frozenset({"1", "true", "yes", "on", "enabled"})
_NO = frozenset({"0", "false", "no", "off", "disabled"})


def is_one_value(failed: FieldResult) -> bool:
    """True when a failed ``equals`` compared one value in two forms."""
    if failed.op != "equals":
        return False
    expected, actual = failed.expected, failed.actual
    if isinstance(expected, bool) or isinstance(actual, bool):
        one, two = (str(value).strip().casefold() for value in (expected, actual))
        return {one, two} <= _YES or {one, two} <= _NO
    if isinstance(expected, str) and isinstance(actual, str):
        return bool(expected.strip(_EDGES)) and expected.strip(_EDGES).casefold() == actual.strip(_EDGES).casefold()
    return _differ_in_unit(expected, actual)


def _differ_in_unit(one: Any, two: Any) -> bool:
    if not isinstance(one, int | float) or not isinstance(two, int | float) or not one or not two:
        return False
    return round(max(one, two, key=abs) / min(one, two, key=abs), 6) in _RATIOS
