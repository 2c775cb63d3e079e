"""Reading the calls that could prove one claim: which pass, which contradict, which decide nothing.

A reader must not miss: a call without a result, with an unknown ``ok``, or with an ambiguous pairing decides nothing. It
never accuses, and it keeps an older failure from accusing, because it may be the recovery.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.detectors.rules.operators import ABSENT_REASON, MISSING_SUBJECT, Fields, run_against, run_check
from agent_claimcheck.detectors.rules.subject import expected_from_words
from agent_claimcheck.detectors.rules.test_runs import TestRun, is_test_claim, read_test_run
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import FieldResult
from agent_claimcheck.evidence.writes import may_have_worked
from agent_claimcheck.packs.language import ClaimRule
from agent_claimcheck.trace.pairing import CallPair

CallState = Literal["passes", "contradicts", "undecided"]

_SURE = 0.8
"""Below this confidence a failure that was read from text alone does not contradict."""


class CallReading(Struct, frozen=True, kw_only=True):
    """One matching call: its state, the step that shows it, the checks that ran, and why in words."""

    pair: CallPair
    state: CallState
    step: int
    reason: str
    checks: tuple[FieldResult, ...] = ()
    is_pending: bool = False
    test_run: TestRun | None = None

    @property
    def position(self) -> int:
        """The ``i`` of the call, which orders calls."""
        return self.pair.call.i


def read_call(pair: CallPair, rule: ClaimRule, claim: SuccessClaim, evidence: Evidence) -> CallReading | None:
    """Read one call whose tool matches the rule's action; ``None`` when it is of the wrong kind to prove the claim."""
    test_run = read_test_run(pair, evidence) if is_test_claim(claim.type) else None
    if test_run is not None and test_run.is_test is False:
        return None
    if pair.result is None:
        return _reading(pair, "undecided", pair.call.i, "the call never returned")
    step = pair.result.i
    if pair.is_ambiguous:
        return _reading(pair, "undecided", step, "several open calls share this name; the result cannot be paired")
    receipt = evidence.receipt(pair)
    if test_run is not None and test_run.has_failures:
        return _reading(pair, "contradicts", step, test_run.reason, test_run=test_run)
    if receipt.state == "failed":
        is_sure = receipt.confidence >= _SURE and not may_have_worked(pair, evidence)
        return _reading(pair, "contradicts" if is_sure else "undecided", step, receipt.reason, test_run=test_run)
    checks = run_checks(rule, claim, pair, evidence)
    failed = [check for check in checks if check.result == "fail" and check.reason != ABSENT_REASON]
    lacking = [check for check in checks if check.result == "fail" and check.reason == ABSENT_REASON]
    if pair.result.ok is not True:
        return _reading(
            pair, "undecided", step, "the result does not say whether it succeeded", checks, test_run=test_run
        )
    if failed:
        return _reading(pair, "contradicts", step, describe_failure(failed[0]), checks, test_run=test_run)
    if lacking:
        return _reading(pair, "undecided", step, f"the result has no {lacking[0].path}", checks, test_run=test_run)
    if test_run is not None and test_run.is_test is None:
        return _reading(
            pair, "undecided", step, "it is not known whether this command ran tests", checks, test_run=test_run
        )
    return _reading(
        pair, "passes", step, "the call succeeded", checks, is_pending=receipt.state == "pending", test_run=test_run
    )


def run_checks(rule: ClaimRule, claim: SuccessClaim, pair: CallPair, evidence: Evidence) -> tuple[FieldResult, ...]:
    """Run the receipt checks of ``rule`` on ``pair``, then hold the same fields against the request."""
    fields = Fields(
        args=pair.call.args,
        output=pair.result.output if pair.result else None,
        subject=claim.subject,
        zones=evidence.zones,
    )
    checks: list[FieldResult] = []
    for check in rule.receipt:
        result = run_check(check, fields)
        checks.append(result)
        asked = expected_from_words(check, claim.subject, evidence)
        if asked is not None and result.result != "fail":
            again = run_against(check, asked, fields, "the request")
            if again.result != "skipped":
                checks.append(again)
    return tuple(checks)


def describe_failure(check: FieldResult) -> str:
    """Return one line that says which field differs from what."""
    source = " (from the request)" if check.reason == "the request" else ""
    wanted = _short(check.expected) if check.op == "equals" else f"{check.op} {_short(check.expected)}"
    return f"{check.path} is {_short(check.actual)}, expected {wanted}{source}"


def has_missing_subject(checks: tuple[FieldResult, ...]) -> bool:
    """True when a check was skipped because the claim names no value for it."""
    return any(check.reason == MISSING_SUBJECT for check in checks)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _reading(
    pair: CallPair,
    state: CallState,
    step: int,
    reason: str,
    checks: tuple[FieldResult, ...] = (),
    *,
    is_pending: bool = False,
    test_run: TestRun | None = None,
) -> CallReading:
    return CallReading(
        pair=pair, state=state, step=step, reason=reason, checks=checks, is_pending=is_pending, test_run=test_run
    )
