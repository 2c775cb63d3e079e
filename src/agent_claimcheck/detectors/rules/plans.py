"""What the rules need of a pack's rule, worked out once a rule instead of once a claim.

A reader must not miss: a plan says nothing that the rule does not say. It is found by the identity of the rule, and holds
it, so that another rule can never take its place.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.core.globs import is_plain_name
from agent_claimcheck.core.text import shorten
from agent_claimcheck.detectors.rules.passing_tests import is_test_claim
from agent_claimcheck.detectors.rules.templates import Reference, reference_of
from agent_claimcheck.evidence.values.leaves import SCALARS
from agent_claimcheck.evidence.values.payload import ABSENT, text_of
from agent_claimcheck.packs.language import ClaimRule, FieldCheck, Normaliser, Operator

AskedKind = Literal["email", "wall_time", "minutes", "path"]
"""The value of a request that can stand for the expected value of a check."""

_KEPT_PLANS = 4096
LONGEST_SHOWN = 200
"""Characters of a value that a result shows."""


class CheckPlan(Struct, frozen=True, kw_only=True):
    """One check with what follows from its text alone.

    ``key`` is its path when that is one segment. ``is_constant`` is true when the expected value holds no template,
    ``reference`` is there when it is one template and nothing else; ``subject_key`` is the one field of the subject it
    then refers to. ``shown`` is the expected value as results show it. ``is_textual`` is true where two equal texts are
    equal: everywhere but among numbers, where ``3_0`` is not even comparable with itself.
    """

    check: FieldCheck
    path: str
    op: Operator
    normaliser: Normaliser | None
    from_args: bool
    segments: tuple[str, ...]
    key: str | None
    is_constant: bool
    reference: Reference | None
    refers_to_subject: bool
    subject_key: str | None
    asked: AskedKind | None
    shown: Any
    is_textual: bool


class RulePlan(Struct, frozen=True):
    """One rule with its checks planned. ``must_exist`` are the probe checks that ask for a field of the probe to be there."""

    rule: ClaimRule
    is_test: bool
    has_plain_action: bool
    receipt: tuple[CheckPlan, ...]
    probe_checks: tuple[CheckPlan, ...]
    must_exist: tuple[FieldCheck, ...]


_plans: dict[int, RulePlan] = {}


def plan_of(rule: ClaimRule) -> RulePlan:
    """Return the plan of ``rule``, made when it is first asked for."""
    plan = _plans.get(id(rule))
    if plan is None:
        if len(_plans) >= _KEPT_PLANS:
            _plans.clear()
        plan = _plans[id(rule)] = RulePlan(
            rule,
            is_test_claim(rule.claim_type),
            is_plain_name(rule.action),
            tuple(map(plan_check, rule.receipt)),
            tuple(map(plan_check, rule.probe_checks)),
            tuple(check for check in rule.probe_checks if _must_exist(check)),
        )
    return plan


def plan_check(check: FieldCheck) -> CheckPlan:
    """Return the plan of one check."""
    reference = reference_of(check.expected) if isinstance(check.expected, str) else None
    refers_to_subject = reference is not None and reference.root == "subject"
    return CheckPlan(
        check=check,
        path=check.path,
        op=check.op,
        normaliser=check.normaliser,
        from_args=check.from_args,
        segments=check.segments,
        key=check.segments[0] if len(check.segments) == 1 else None,
        is_constant=not _has_brace(check.expected),
        reference=reference,
        refers_to_subject=refers_to_subject,
        subject_key=reference.segments[0] if reference and refers_to_subject and len(reference.segments) == 1 else None,
        asked=_asked_kind(check) if refers_to_subject else None,
        shown=shown(check.expected),
        is_textual=check.normaliser != "number",
    )


def shown(value: Any) -> Any:
    """Return ``value`` as a result shows it: long texts cut, large lists and objects as text, an absent value as null."""
    if isinstance(value, str):
        return value if len(value) <= LONGEST_SHOWN else shorten(value, LONGEST_SHOWN)
    if type(value) in SCALARS:
        return value
    if value is ABSENT:
        return None
    if isinstance(value, dict | list) and not _is_small(value):
        return shorten(text_of(value), LONGEST_SHOWN)
    return value


def _is_small(value: dict[str, Any] | list[Any]) -> bool:
    """True for a short flat list or object, which is shown as it is."""
    if len(value) > 8:
        return False
    for item in value.values() if isinstance(value, dict) else value:
        if len(item) > 40 if type(item) is str else isinstance(item, dict | list):
            return False
    return True


def _must_exist(check: FieldCheck) -> bool:
    return check.op == "exists" and bool(check.expected) and not check.from_args


def _has_brace(expected: Any) -> bool:
    if isinstance(expected, str):
        return "{" in expected
    if isinstance(expected, list):
        return any(map(_has_brace, expected))
    return isinstance(expected, dict) and any(map(_has_brace, expected.values()))


def _asked_kind(check: FieldCheck) -> AskedKind | None:
    match check.normaliser:
        case "email":
            return "email"
        case "datetime":
            return "wall_time"
        case "number":
            return "minutes" if "duration" in check.path or "minutes" in check.path else None
        case None:
            return "path" if check.segments and check.segments[-1] in ("path", "file", "filename") else None
    return None
