"""The operators of a rule pack, evaluated on one field of one result.

A reader must not miss: a check *fails* only when a value is there, can be compared, and differs. A value that is absent,
or that cannot be compared (a time without a zone against one with, ``3_0`` against 30), skips the check with the reason
kept. Only ``exists`` speaks about absence itself, and null does not exist.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.detectors.rules.plans import LONGEST_SHOWN, CheckPlan, plan_check, shown
from agent_claimcheck.detectors.rules.templates import expand
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import CheckResultWord, FieldResult
from agent_claimcheck.evidence.values.comparison import compare
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.moments import Comparison, ZoneContext
from agent_claimcheck.evidence.values.payload import ABSENT, field_at, text_of
from agent_claimcheck.packs.language import FieldCheck

ABSENT_REASON = "absent"
MISSING_SUBJECT = "missing subject"
INCOMPARABLE = "cannot be compared"


class Fields:
    """What a check may read: the call's arguments, one result or probe output, the claim's subject, known zones.

    The zones are those of ``evidence`` when it is given. They are looked up only when two times have to be compared.
    """

    __slots__ = ("_evidence", "_zones", "args", "output", "subject")

    def __init__(
        self,
        *,
        args: dict[str, Any] | None,
        output: Any,
        subject: dict[str, Any],
        zones: ZoneContext | None = None,
        evidence: Evidence | None = None,
    ) -> None:
        self.args = args
        # An object without "content" is what it is; anything else may hold JSON in a text.
        self.output = output if type(output) is dict and "content" not in output else parse_output(output)
        self.subject = subject
        self._zones = zones
        self._evidence = evidence

    @property
    def zones(self) -> ZoneContext | None:
        """The time zones the task names."""
        return self._evidence.zones if self._evidence is not None else self._zones


def run_check(check: FieldCheck, fields: Fields) -> FieldResult:
    """Evaluate one check. The result is ``pass``, ``fail`` or ``skipped`` with a reason."""
    return run_plan(plan_check(check), fields)


def run_plan(plan: CheckPlan, fields: Fields) -> FieldResult:
    """Evaluate one planned check. The result is ``pass``, ``fail`` or ``skipped`` with a reason."""
    actual = _read(plan, fields)
    if plan.op == "exists":
        return _exists(plan, actual)
    if plan.is_constant:
        expected, shown_expected = plan.check.expected, plan.shown
    elif plan.refers_to_subject:
        expected = declared_value(plan, fields.subject)
        if expected is None:
            return _result(plan, plan.shown, actual, "skipped", MISSING_SUBJECT)
        shown_expected = shown(expected)
    else:
        filled = expand(plan.check.expected, fields.subject, fields.args)
        if filled.missing:
            missing_subject = any(name.startswith("subject.") for name in filled.missing)
            reason = MISSING_SUBJECT if missing_subject else f"nothing at {filled.missing[0]}"
            return _result(plan, plan.shown, actual, "skipped", reason)
        expected, shown_expected = filled.value, shown(filled.value)
    if expected is None and (actual is ABSENT or actual is None) and plan.op == "equals":
        return _result(plan, None, actual, "pass" if actual is None else "skipped", "")
    return _judge(plan, expected, shown_expected, actual, fields, "")


def run_against(plan: CheckPlan, expected: Any, fields: Fields, reason: str) -> FieldResult:
    """Evaluate a check against another expectation than the pack's (the request's value, the call's argument)."""
    return _judge(plan, expected, shown(expected), _read(plan, fields), fields, reason)


def declared_value(plan: CheckPlan, subject: dict[str, Any]) -> Any:
    """Return what the claim's subject holds where a check refers to it, ``None`` when it holds nothing there."""
    if plan.subject_key is not None and type(subject) is dict:
        return subject.get(plan.subject_key)
    if plan.reference is None:
        return None
    found = field_at(subject, plan.reference.segments)
    return None if found is ABSENT else found


def _read(plan: CheckPlan, fields: Fields) -> Any:
    source = fields.args if plan.from_args else fields.output
    if plan.key is not None and type(source) is dict:
        return source.get(plan.key, ABSENT)
    return field_at(source, plan.segments)


def _exists(plan: CheckPlan, actual: Any) -> FieldResult:
    is_there = actual is not ABSENT and actual is not None
    if is_there == bool(plan.check.expected):
        return _result(plan, plan.shown, actual, "pass", "")
    return _result(plan, plan.shown, actual, "fail", "" if is_there else ABSENT_REASON)


def _judge(
    plan: CheckPlan, expected: Any, shown_expected: Any, actual: Any, fields: Fields, reason: str
) -> FieldResult:
    """Compare; ``reason`` goes with a result that decides."""
    # Most runs give back the very text that was claimed, and then nothing needs to be read.
    if type(actual) is str and plan.op == "equals" and plan.is_textual and actual == expected:
        return _result(plan, shown_expected, actual, "pass", reason)
    if actual is ABSENT or actual is None:
        return _result(plan, shown_expected, actual, "skipped", ABSENT_REASON)
    outcome = _compare(plan, expected, actual, fields)
    if outcome == "equal":
        return _result(plan, shown_expected, actual, "pass", reason)
    if outcome == "different":
        return _result(plan, shown_expected, actual, "fail", reason)
    return _result(plan, shown_expected, actual, "skipped", INCOMPARABLE)


def _compare(plan: CheckPlan, expected: Any, actual: Any, fields: Fields) -> Comparison:
    op, normaliser = plan.op, plan.normaliser
    check = plan.check
    match op:
        case "equals":
            if type(expected) is int and type(actual) is int and (normaliser == "number" or normaliser is None):
                return "equal" if actual == expected else "different"
            return compare(expected, actual, normaliser, _zones(plan, fields))
        case "contains":
            if type(expected) is str and plan.is_textual and type(actual) is list and expected in actual:
                return "equal"
            return _contains(expected, actual, check, _zones(plan, fields))
        case "in":
            options = expected if isinstance(expected, list) else [expected]
            if type(actual) is str and plan.is_textual and actual in options:
                return "equal"
            return _any_equal(options, actual, check, _zones(plan, fields))
        case "subset":
            return _subset(expected, actual, check, _zones(plan, fields))
        case "matches":
            text = actual if isinstance(actual, str) else text_of(actual)
            # A line end that a program printed behind a value is none of it.
            return "equal" if check.pattern.search(text) or check.pattern.search(text.strip()) else "different"
    return "incomparable"


def _zones(plan: CheckPlan, fields: Fields) -> ZoneContext | None:
    """Return the zones in which times are read, where the check may compare times at all."""
    return fields.zones if plan.normaliser is None or plan.normaliser == "datetime" else None


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


def _result(plan: CheckPlan, shown_expected: Any, actual: Any, result: CheckResultWord, reason: str) -> FieldResult:
    if type(actual) is not str or len(actual) > LONGEST_SHOWN:
        actual = shown(actual)
    return FieldResult(path=plan.path, op=plan.op, expected=shown_expected, actual=actual, result=result, reason=reason)
