"""Whether the two values of a failed check may be one: ``example.com.`` and ``example.com``, 1 and ``true``, 250 and 25000 cents.

A reader must not miss: this keeps a check from accusing, and confirms nothing. Texts that hold other numbers, other names or
other words are never one value.
"""

from __future__ import annotations

import re
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.same_text import is_another_zone, reads_alike
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import FieldResult
from agent_claimcheck.evidence.values.comparison import compare, fold
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.moments import read_moments
from agent_claimcheck.evidence.values.quantities import Quantity, read_quantity
from agent_claimcheck.evidence.values.value_text import walk_fields, walk_values

_EDGES = " \t\"'`."
_RATIOS = (100.0, 1000.0)
"""How many of the smaller unit the larger one has: cents, grams, milliseconds."""
_LARGE = {"k": 1e3, "tsd": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "million": 1e6, "bn": 1e9, "mrd": 1e9, "billion": 1e9}
_YES = frozenset({"1", "true", "yes", "on", "enabled", "y"})
_NO = frozenset({"0", "false", "no", "off", "disabled", "n"})
_TRUTHS = _YES | _NO
_OLD_NAME = late_pattern(
    r"previous|former|old|before|from|request|last|desired|target|original|audit|histor|log", re.IGNORECASE
)
_ZONE_NAME = late_pattern(r"(?:^|_)(?:tz|zone|time_?zone|offset)(?:_|$)", re.IGNORECASE)
_LONGEST = 400
_MOST_VALUES = 400


def is_one_value(failed: FieldResult, output: Any = None) -> bool:
    """True when a failed check compared one value in two forms. ``output`` is the record in which it was found."""
    expected, actual = failed.expected, failed.actual
    if failed.op == "equals":
        return may_be_one(expected, actual) or stands_beside(failed.path, expected, output)
    if failed.op not in ("contains", "subset"):
        return False
    wanted, found = _opened(expected), _opened(actual)
    if isinstance(wanted, dict) and isinstance(found, dict):
        differing = [key for key, value in wanted.items() if key in found and compare(value, found[key]) == "different"]
        return bool(differing) and all(
            may_be_one(wanted[key], found[key]) or stands_beside(key, wanted[key], found) for key in differing
        )
    if found == [] and isinstance(output, dict):
        # "invites_sent: []" tells of no invitation, whoever stands in the list of guests; an organizer is named alone.
        output = {key: value for key, value in output.items() if not isinstance(value, list)}
    asked = wanted if isinstance(wanted, list) else [wanted]
    return bool(asked) and all(stands_beside(failed.path, one, output) for one in asked)


def is_in_a_zone_of_its_own(failed: FieldResult, output: Any, given: Any, evidence: Evidence) -> bool:
    """True when a time without a zone stands beside the name of one that neither the call nor the task tells, and may be the same there."""
    if failed.op != "equals" or not isinstance(failed.actual, str) or not isinstance(failed.expected, str):
        return False
    moments = read_moments(failed.actual)
    if len(moments) != 1 or moments[0].clock is None or moments[0].offset is not None:
        return False
    if not is_another_zone(failed.expected, failed.actual):
        return False
    told = {str(value) for _, value in walk_values(given or {})}
    return any(
        _ZONE_NAME.search(key) is not None
        and isinstance(value, str)
        and value not in told
        and value not in evidence.zones.zones
        for key, value in walk_fields(_opened(output))
    )


def may_be_one(expected: Any, actual: Any) -> bool:
    """True when two values that differ may be one in two forms."""
    if expected is None or actual is None or isinstance(expected, dict) or isinstance(actual, dict):
        return False
    if isinstance(expected, list) or isinstance(actual, list):
        return _is_listed(expected, actual)
    if isinstance(expected, bool) or isinstance(actual, bool):
        one, two = (str(value).strip().casefold() for value in (expected, actual))
        return {one, two} <= _YES or {one, two} <= _NO
    quantities = read_quantity(expected), read_quantity(actual)
    if quantities[0] is not None and quantities[1] is not None:
        return _may_be_one_quantity(quantities[0], quantities[1])
    if isinstance(expected, str) and isinstance(actual, str):
        one, two = (text.strip(_EDGES).casefold() for text in (expected, actual))
        if not one or len(expected) > _LONGEST or len(actual) > _LONGEST:
            return False
        return one == two or (_TRUTHS.isdisjoint((one, two)) and reads_alike(expected, actual))
    return isinstance(expected, str) is not isinstance(actual, str) and _is_code_for(expected, actual)


def _is_code_for(expected: Any, actual: Any) -> bool:
    """True for a number where a word is claimed: 3 for "Negotiation". A text with digits of its own is no word."""
    text, number = (expected, actual) if isinstance(expected, str) else (actual, expected)
    return isinstance(number, int) and not any(char.isdigit() for char in text) and text.casefold() not in _TRUTHS


def _is_listed(expected: Any, actual: Any) -> bool:
    """True when all that is expected stands in a list that holds more, or in another order, or in a text of several."""
    wanted, found = (value if isinstance(value, list) else str(value).split(",") for value in (expected, actual))
    there = {fold(str(one)) for one in found}
    return bool(wanted) and all(fold(str(one)) in there for one in wanted)


def _may_be_one_quantity(one: Quantity, two: Quantity) -> bool:
    units = {unit for unit in (one.unit, two.unit) if unit}
    if len(units) == 2 and all(len(unit) == 3 and unit.isupper() for unit in units):
        return True  # a sum in another currency says nothing of the one that was claimed
    if len(units) == 2 and not units <= {"%", "s"} and not units & _LARGE.keys():
        return True
    a, b = (quantity.value * _LARGE.get(quantity.unit, 1) for quantity in (one, two))
    if not a or not b:
        return False
    if a == b or _is_rounded(one.value, two.value) or _is_rounded(two.value, one.value):
        return True
    return round(max(a, b, key=abs) / min(a, b, key=abs), 6) in _RATIOS


def _is_rounded(short: float, long: float) -> bool:
    """True when ``short`` is ``long`` with fewer places behind the point, but one at least."""
    places = len(str(short).partition(".")[2].rstrip("0"))
    return 0 < places < len(str(long).partition(".")[2]) and round(long, places) == short


def stands_beside(path: str, expected: Any, output: Any) -> bool:
    """True when the record holds the value under another name: ``organizer`` beside ``attendees``, ``price_gross`` beside ``price``.

    A text may stand under any name but one that tells how things were; a number under one that holds the name of the field.
    """
    if expected is None or isinstance(expected, bool | dict | list) or output is None:
        return False
    if isinstance(expected, str) and len(expected) < 3:
        return False
    name = path.rsplit(".", 1)[-1].casefold()
    number = read_quantity(expected)
    for seen, (where, value) in enumerate(walk_values(_opened(output))):
        if seen >= _MOST_VALUES:
            return False
        key = where.casefold()
        field = [part for part in key.split(".") if not part.isdigit()]
        if not field or field[-1] == name or _OLD_NAME.search(key):
            continue
        if number is not None:
            other = read_quantity(value)
            if name in field[-1] and other is not None and other.value == number.value:
                return True
        elif isinstance(value, str) and (fold(value) == fold(str(expected)) or _is_key(str(expected), where)):
            return True
    return False


def _is_key(expected: str, where: str) -> bool:
    """True when an address is the name under which a record holds what it stands for."""
    return "@" in expected and fold(where).endswith(fold(expected))


def _opened(value: Any) -> Any:
    """Return a list or an object that a result shows as text as what it is."""
    return parse_output(value) if isinstance(value, str) and value[:1] in "[{" else value
