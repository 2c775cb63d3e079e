"""Reading the calls that could prove one claim: which pass, which contradict, which decide nothing.

A reader must not miss: a call without a result, with an unknown ``ok``, or with an ambiguous pairing decides nothing by
itself. It never accuses, and it keeps an older failure from accusing, because it may be the recovery.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.detectors.rules.operators import (
    ABSENT_REASON,
    MISSING_SUBJECT,
    Fields,
    declared_value,
    run_against,
    run_plan,
)
from agent_claimcheck.detectors.rules.other_ids import ALIAS_REASON, ids_agree, may_be_one_record
from agent_claimcheck.detectors.rules.passing_tests import SuiteRun, read_test_run
from agent_claimcheck.detectors.rules.plans import CheckPlan, RulePlan
from agent_claimcheck.detectors.rules.same_value import is_in_a_zone_of_its_own, is_one_value
from agent_claimcheck.detectors.rules.subject import expected_from_words, written_value
from agent_claimcheck.evidence.asked.owners import is_owner_named
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import FieldResult
from agent_claimcheck.evidence.excused_failures import may_have_worked
from agent_claimcheck.evidence.receipts.reading import Receipt
from agent_claimcheck.evidence.values.record_ids import record_ids
from agent_claimcheck.trace.pairing import CallPair

CallState = Literal["passes", "contradicts", "undecided"]

_SURE = 0.8
"""Below this confidence a failure that was read from text alone does not contradict."""


class CallReading(Struct, frozen=True):
    """One matching call: its state, the step that shows it, the checks that ran, and why in words."""

    pair: CallPair
    state: CallState
    step: int
    reason: str
    checks: tuple[FieldResult, ...] = ()
    test_run: SuiteRun | None = None
    is_pending: bool = False
    is_quiet: bool = False
    """Undecided for want of a status alone: the call returned, nothing speaks of a failure, and the receipt holds."""
    told: str = ""
    """Of a quiet call: where its result says in another way that it worked (``status: created``); else empty."""

    @property
    def position(self) -> int:
        """The ``i`` of the call, which orders calls."""
        return self.pair.call.i


def read_call(pair: CallPair, plan: RulePlan, claim: SuccessClaim, evidence: Evidence) -> CallReading | None:
    """Read one call whose tool matches the rule's action; ``None`` when it is of the wrong kind to prove the claim."""
    test_run = read_test_run(pair, evidence) if plan.is_test else None
    if test_run is not None and test_run.is_test is False:
        return None
    result = pair.result
    if result is None:
        return CallReading(pair, "undecided", pair.call.i, "the call never returned")
    step = result.i
    if pair.is_ambiguous:
        return CallReading(pair, "undecided", step, "several open calls share this name; the result cannot be paired")
    receipt = evidence.receipt(pair)
    if test_run is not None and (test_run.has_failures or test_run.is_empty):
        return CallReading(pair, "contradicts", step, test_run.reason, (), test_run)
    if receipt.state == "failed":
        is_sure = receipt.confidence >= _SURE and not may_have_worked(pair, evidence)
        return CallReading(pair, "contradicts" if is_sure else "undecided", step, receipt.reason, (), test_run)
    fields = Fields(args=pair.call.args, output=result.output, subject=claim.subject, evidence=evidence)
    checks = run_checks(plan.receipt, fields, evidence)
    failed, lacking = first_failures(checks)
    if failed is None and lacking is None:
        failed = _other_record(pair, claim, evidence)
        if failed is not None and failed.reason == ALIAS_REASON:
            return CallReading(pair, "undecided", step, f"{describe_failure(failed)}; {ALIAS_REASON}", checks, test_run)
        checks += (failed,) if failed is not None else ()
    elif failed is not None and not failed.path.startswith("args.") and _may_be_the_same(failed, pair, evidence):
        return CallReading(
            pair, "undecided", step, f"it may be the same in another form: {describe_failure(failed)}", checks
        )
    state, reason = _state_of(pair, receipt, failed, lacking, test_run)
    is_pending = state == "passes" and receipt.state == "pending"
    is_quiet = result.ok is None and result.error is None and failed is None and lacking is None and bool(checks)
    told = receipt.reason if is_quiet and receipt.is_ok else ""
    return CallReading(pair, state, step, reason, checks, test_run, is_pending, is_quiet, told)


def _other_record(pair: CallPair, claim: SuccessClaim, evidence: Evidence) -> FieldResult | None:
    """Return a failed check when the call was for another record than the one the claim declares under the same key.

    Two ids that one record may have (other forms, or both seen in one result) leave it open, which the reason says.
    """
    if claim.source != "structured":
        return None
    called = evidence.argument_ids(pair.call)
    if not called:
        return None
    for key, claimed in record_ids(claim.subject).items():
        actual = called.get(key, claimed)
        if ids_agree(actual, claimed) or (
            pair.result is not None and evidence.output_ids(pair.result).get(key) == claimed
        ):
            continue
        is_open = may_be_one_record(actual, claimed, evidence)
        reason = ALIAS_REASON if is_open else ""
        return FieldResult(
            path=f"args.{key}", op="equals", expected=claimed, actual=actual, result="fail", reason=reason
        )
    return None


def _state_of(
    pair: CallPair,
    receipt: Receipt,
    failed: FieldResult | None,
    lacking: FieldResult | None,
    test_run: SuiteRun | None,
) -> tuple[CallState, str]:
    """Say what a call that returned shows, and why in words, once its checks ran."""
    if failed is not None and receipt.is_ok and receipt.confidence >= _SURE:
        return "contradicts", describe_failure(failed)
    if pair.result is None or pair.result.ok is not True:
        return "undecided", "the result does not say whether it succeeded"
    if failed is not None:
        return "contradicts", describe_failure(failed)
    if lacking is not None:
        return "undecided", f"the result has no {lacking.path}"
    if test_run is not None and test_run.is_test is None:
        return "undecided", "it is not known whether this command ran tests"
    return "passes", "the call succeeded"


def run_checks(
    plans: Sequence[CheckPlan], fields: Fields, evidence: Evidence, writer: CallPair | None = None
) -> tuple[FieldResult, ...]:
    """Run the checks of a rule, then hold the same fields against the request.

    ``writer`` is the call whose effect a probe reads back: it says what a check expects that the claim names no value for.
    """
    checks: list[FieldResult] = []
    for plan in plans:
        result = run_plan(plan, fields)
        if writer is not None and result.reason == MISSING_SUBJECT and result.result == "skipped":
            written = written_value(plan, writer)
            if written is not None:
                result = run_against(plan, written, fields, "the call itself")
        checks.append(result)
        if plan.asked is None or result.result == "fail" or result.reason == ABSENT_REASON:
            continue
        asked = expected_from_words(plan, fields.subject, evidence)
        if asked is None:
            continue
        if result.result == "pass" and type(asked) is str and asked == declared_value(plan, fields.subject):
            checks.append(replace(result, reason="the request"))  # it was just compared with the same value
            continue
        again = run_against(plan, asked, fields, "the request")
        if again.result == "skipped" or (plan.asked == "email" and _is_of_another_named(again, evidence)):
            continue
        checks.append(again)
    return tuple(checks)


def _may_be_the_same(failed: FieldResult, pair: CallPair, evidence: Evidence) -> bool:
    output = pair.result.output if pair.result is not None else None
    return is_one_value(failed, output) or is_in_a_zone_of_its_own(failed, output, pair.call.args, evidence)


def _is_of_another_named(failed: FieldResult, evidence: Evidence) -> bool:
    """True when the address that was written is of somebody whom the request names, and the one it spells out of somebody else.

    That the request names another one keeps the claim from being verified all the same.
    """
    actual = failed.actual if isinstance(failed.actual, list) else [failed.actual]
    return failed.result == "fail" and any(
        isinstance(one, str) and "@" in one and is_owner_named(one, evidence.request_text) for one in actual
    )


def first_failures(checks: Sequence[FieldResult]) -> tuple[FieldResult | None, FieldResult | None]:
    """Return the first check whose field differs, and the first whose field must be there and is not."""
    failed = lacking = None
    for check in checks:
        if check.result != "fail":
            continue
        if check.reason == ABSENT_REASON:
            lacking = lacking or check
        else:
            failed = failed or check
    return failed, lacking


def describe_failure(check: FieldResult) -> str:
    """Return one line that says which field differs from what."""
    source = " (from the request)" if check.reason == "the request" else ""
    wanted = _short(check.expected) if check.op == "equals" else f"{check.op} {_short(check.expected)}"
    return f"{check.path} is {_short(check.actual)}, expected {wanted}{source}"


def has_missing_subject(checks: Sequence[FieldResult]) -> bool:
    """True when a check was skipped because the claim names no value for it."""
    return MISSING_SUBJECT in [check.reason for check in checks]


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
