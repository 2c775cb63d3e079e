"""The operators of a rule pack, evaluated on one field of one result.

A reader must not miss: a check *fails* only when a value is there, can be compared, and differs. A value that is absent,
or that cannot be compared (a time without a zone against one with, ``3_0`` against 30), skips the check with the reason
kept. Only ``exists`` speaks about absence itself, and null does not exist.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.core.text import shorten
from agent_claimcheck.detectors.rules.templates import expand
from agent_claimcheck.evidence.contract import FieldResult
from agent_claimcheck.evidence.payload import ABSENT, field_at, text_of
from agent_claimcheck.evidence.result_json import parse_output
from agent_claimcheck.evidence.values import Comparison, ZoneContext, compare
from agent_claimcheck.packs.language import FieldCheck

ABSENT_REASON = "absent"
MISSING_SUBJECT = "missing subject"
INCOMPARABLE = "cannot be compared"
_SHOWN = 200


class Fields:
    """What a check may read: the call's arguments, one result or probe output, the claim's subject, known zones."""

    __slots__ = ("args", "output", "subject", "zones")

    def __init__(
        self, *, args: dict[str, Any] | None, output: Any, subject: dict[str, Any], zones: ZoneContext | None = None
    ) -> None:
        self.args = args
        self.output = parse_output(output)
        self.subject = subject
        self.zones = zones


def run_check(check: FieldCheck, fields: Fields) -> FieldResult:
    """Evaluate one check. The result is ``pass``, ``fail`` or ``skipped`` with a reason."""
    actual = field_at(fields.args if check.from_args else fields.output, check.segments)
    if check.op == "exists":
        return _exists(check, actual)
    filled = expand(check.expected, fields.subject, fields.args)
    if filled.missing:
        missing_subject = any(name.startswith("subject.") for name in filled.missing)
        reason = MISSING_SUBJECT if missing_subject else f"nothing at {filled.missing[0]}"
        return _result(check, check.expected, actual, "skipped", reason)
    if actual is ABSENT or actual is None:
        if check.op == "equals" and filled.value is None:
            return _result(check, None, actual, "pass" if actual is None else "skipped", "")
        return _result(check, filled.value, actual, "skipped", ABSENT_REASON)
    outcome = _compare(check, filled.value, actual, fields.zones)
    if outcome == "incomparable":
        return _result(check, filled.value, actual, "skipped", INCOMPARABLE)
    return _result(check, filled.value, actual, "pass" if outcome == "equal" else "fail", "")


def run_against(check: FieldCheck, expected: Any, fields: Fields, reason: str) -> FieldResult:
    """Evaluate ``check`` against another expectation than the pack's (the request's value, the call's argument)."""
    actual = field_at(fields.args if check.from_args else fields.output, check.segments)
    if actual is ABSENT or actual is None:
        return _result(check, expected, actual, "skipped", ABSENT_REASON)
    outcome = _compare(check, expected, actual, fields.zones)
    if outcome == "incomparable":
        return _result(check, expected, actual, "skipped", INCOMPARABLE)
    return _result(check, expected, actual, "pass" if outcome == "equal" else "fail", reason)


def _exists(check: FieldCheck, actual: Any) -> FieldResult:
    is_there = actual is not ABSENT and actual is not None
    if is_there == bool(check.expected):
        return _result(check, check.expected, actual, "pass", "")
    return _result(check, check.expected, actual, "fail", "" if is_there else ABSENT_REASON)


def _compare(check: FieldCheck, expected: Any, actual: Any, zones: ZoneContext | None) -> Comparison:
    match check.op:
        case "equals":
            return compare(expected, actual, check.normaliser, zones)
        case "in":
            options = expected if isinstance(expected, list) else [expected]
            return _any_equal(options, actual, check, zones)
        case "contains":
            return _contains(expected, actual, check, zones)
        case "subset":
            return _subset(expected, actual, check, zones)
        case "matches":
            text = actual if isinstance(actual, str) else text_of(actual)
            return "equal" if check.pattern.search(text) else "different"
    return "incomparable"


def _any_equal(options: list[Any], actual: Any, check: FieldCheck, zones: ZoneContext | None) -> Comparison:
    seen: set[Comparison] = {compare(option, actual, check.normaliser, zones) for option in options}
    if "equal" in seen:
        return "equal"
    return "incomparable" if "incomparable" in seen or not seen else "different"


def _contains(expected: Any, actual: Any, check: FieldCheck, zones: ZoneContext | None) -> Comparison:
    if isinstance(actual, list):
        wanted = expected if isinstance(expected, list) else [expected]
        seen = [_list_contains(item, actual, check, zones) for item in wanted]
        if "different" in seen:
            return "different"
        return "equal" if seen and all(one == "equal" for one in seen) else "incomparable"
    if isinstance(actual, dict):
        return _subset(expected, actual, check, zones)
    if isinstance(actual, str):
        if isinstance(expected, dict | list):
            return "incomparable"
        wanted_text = expected if isinstance(expected, str) else text_of(expected)
        if wanted_text in actual:
            return "equal"
        return "equal" if compare(wanted_text, actual, check.normaliser, zones) == "equal" else "different"
    return "incomparable"


def _list_contains(item: Any, actual: list[Any], check: FieldCheck, zones: ZoneContext | None) -> Comparison:
    if not actual:
        return "different"
    seen = {_one_in_list(item, element, check, zones) for element in actual}
    if "equal" in seen:
        return "equal"
    return "incomparable" if "incomparable" in seen else "different"


def _one_in_list(item: Any, element: Any, check: FieldCheck, zones: ZoneContext | None) -> Comparison:
    if isinstance(element, dict) and not isinstance(item, dict):
        # A list of records ({"email": ...}) holds a value when one of the record's fields does.
        seen = {compare(item, value, check.normaliser, zones) for value in element.values()}
        return "equal" if "equal" in seen else ("incomparable" if "incomparable" in seen or not seen else "different")
    if isinstance(element, dict):
        return _subset(item, element, check, zones)
    return compare(item, element, check.normaliser, zones)


def _subset(expected: Any, actual: Any, check: FieldCheck, zones: ZoneContext | None) -> Comparison:
    if not isinstance(expected, dict) or not isinstance(actual, dict):
        return "incomparable"
    if expected and not actual:
        return "different"
    worst: Comparison = "equal"
    for key, value in expected.items():
        found = actual.get(key, ABSENT)
        if found is ABSENT or found is None:
            worst = "incomparable" if worst == "equal" else worst
            continue
        one = (
            _subset(value, found, check, zones)
            if isinstance(value, dict)
            else compare(value, found, check.normaliser, zones)
        )
        if one == "different":
            return "different"
        if one == "incomparable":
            worst = "incomparable"
    return worst


def _result(check: FieldCheck, expected: Any, actual: Any, result: Any, reason: str) -> FieldResult:
    return FieldResult(
        path=check.path, op=check.op, expected=_shown(expected), actual=_shown(actual), result=result, reason=reason
    )


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= _SHOWN else shorten(value, _SHOWN)
    if value is ABSENT:
        return None
    if isinstance(value, dict | list) and not _is_small(value):
        return shorten(text_of(value), _SHOWN)
    return value


def _is_small(value: dict[str, Any] | list[Any]) -> bool:
    """True for a short flat list or object, which is shown as it is."""
    if len(value) > 8:
        return False
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, dict | list) or (isinstance(item, str) and len(item) > 40):
            return False
    return True
