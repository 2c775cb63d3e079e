"""The summary, the exit code and the last line tell one story."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.evidence.contract import Finding
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.reasons import deciding_reason, why_undecided
from agent_claimcheck.results.summary import (
    FailPolicy,
    Summary,
    exit_decision,
    headline,
    last_line,
    validate_fail_on,
)

Build = Callable[..., CheckResult]


def summarise(*results: CheckResult) -> Summary:
    summary = Summary()
    for result in results:
        summary.add(result)
    return summary


def test_headline_lists_verdicts_that_occur_in_the_documented_order(build_result: Build) -> None:
    summary = summarise(*(build_result(v) for v in ("skipped", "false_success", "verified", "skipped")))
    assert headline(summary) == "4 traces: 1 verified, 1 false_success, 2 skipped"
    assert headline(summarise(build_result("verified"))) == "1 trace: 1 verified"
    assert headline(Summary()) == "0 traces"


@pytest.mark.parametrize(
    ("verdicts", "fail_on", "code"),
    [
        (["verified"], ("false_success",), 0),
        (["verified", "false_success"], ("false_success",), 1),
        (["false_success"], (), 0),
        (["skipped"], ("skipped",), 1),
        (["unverifiable"], ("false_success", "unverifiable"), 1),
    ],
)
def test_a_verdict_in_fail_on_fails_the_run(
    build_result: Build, verdicts: list[str], fail_on: tuple[str, ...], code: int
) -> None:
    decision = exit_decision(summarise(*map(build_result, verdicts)), FailPolicy(fail_on=fail_on))
    assert decision.code == code
    assert bool(decision.reasons) == bool(code)


def test_invalid_lines_win_over_an_accusation_and_both_are_said(build_result: Build) -> None:
    summary = summarise(build_result("false_success"))
    summary.add_problems(2)
    decision = exit_decision(summary, FailPolicy())
    assert decision.code == 2
    assert decision.reasons == ("2 problems in the input", "1 false_success")


def test_no_trace_at_all_is_an_input_error() -> None:
    decision = exit_decision(Summary(), FailPolicy(fail_on=()))
    assert (decision.code, decision.reasons) == (2, ("no valid traces",))


def test_a_finding_id_in_fail_on_counts_traces_not_findings(build_result: Build) -> None:
    finding = Finding(id="retried_write", power="review", severity="warn", subject="s", reason="r")
    summary = summarise(build_result("verified", findings=(finding, finding)), build_result("verified"))
    decision = exit_decision(summary, FailPolicy(fail_on=("retried_write",)))
    assert (decision.code, decision.reasons) == (1, ("1 retried_write",))


def test_require_claims_fails_a_run_that_claimed_nothing(build_result: Build) -> None:
    policy = FailPolicy(require_claims=True)
    assert exit_decision(summarise(build_result("skipped")), policy).code == 1
    assert exit_decision(summarise(build_result("skipped"), build_result("unverifiable")), policy).code == 0
    assert exit_decision(summarise(build_result("skipped")), FailPolicy()).code == 0


@pytest.mark.parametrize(("least", "code"), [(0.0, 0), (0.5, 0), (0.51, 1), (1.0, 1)])
def test_min_checked_is_a_share_of_the_claiming_traces(build_result: Build, least: float, code: int) -> None:
    summary = summarise(*map(build_result, ("verified", "unverifiable", "skipped", "skipped")))
    assert exit_decision(summary, FailPolicy(min_checked=least)).code == code


def test_min_checked_fails_when_nothing_was_claimed(build_result: Build) -> None:
    summary = summarise(build_result("skipped"))
    assert exit_decision(summary, FailPolicy(min_checked=0.01)).code == 1
    assert exit_decision(summary, FailPolicy(min_checked=0.0)).code == 0


def test_min_checked_out_of_range_is_refused() -> None:
    with pytest.raises(UsageError, match="between 0 and 1"):
        FailPolicy(min_checked=1.5)


def test_the_last_line_says_everything_and_agrees_with_the_code(build_result: Build) -> None:
    unread = build_result("unverifiable", record="unread", abstain=True, abstain_reason="unread")
    summary = summarise(
        build_result("false_success"), build_result("verified"), build_result("unverifiable"), unread, unread,
        build_result("skipped"),
    )  # fmt: skip
    decision = exit_decision(summary, FailPolicy())
    assert last_line(summary, decision) == (
        "FAIL - 1 accused, 2 decided, 3 not decided (the text was not understood: 2; the right call succeeded, "
        "nothing independent read it back: 1), 1 not claimed - exit 1: 1 false_success"
    )
    assert last_line(summary, exit_decision(summary, FailPolicy(fail_on=()))).startswith("NO GATE - 1 accused")


def test_the_last_line_stays_short_however_many_reasons_there_are(build_result: Build) -> None:
    summary = summarise(
        *(build_result("unverifiable", abstain=True, abstain_reason=f"{'why' * 99}{i}") for i in range(50))
    )
    line = last_line(summary, exit_decision(summary, FailPolicy()))
    assert "50 not decided" in line
    assert "other reasons: 48" in line
    assert len(line) < 400


def test_accusations_that_fail_nothing_are_said_to_be_not_gated(build_result: Build) -> None:
    summary = summarise(build_result("false_success"))
    for policy, said in (
        (FailPolicy(fail_on=("verified",)), "PASS - 1 accused (not gated), 1 decided"),
        (FailPolicy(fail_on=(), require_claims=True), "PASS - 1 accused (not gated), 1 decided"),
        (FailPolicy(), "FAIL - 1 accused, 1 decided"),
        (FailPolicy(fail_on=()), "NO GATE - 1 accused, 1 decided"),
    ):
        assert last_line(summary, exit_decision(summary, policy)).startswith(said)


def test_parts_of_a_run_merge_into_the_whole(build_result: Build) -> None:
    results = [build_result(v) for v in ("verified", "false_success", "unverifiable", "skipped")]
    whole = summarise(*results)
    left, right = summarise(*results[:2]), summarise(*results[2:])
    right.add_problems()
    left.merge(right)
    whole.add_problems()
    assert vars(left) == vars(whole)


def test_fail_on_words_are_checked_with_a_suggestion() -> None:
    assert validate_fail_on([" verified ", "", "failed_write", "verified"], {"failed_write"}) == (
        "verified",
        "failed_write",
    )
    assert validate_fail_on([], ()) == ()
    with pytest.raises(UsageError, match=r"an empty list, \[\]"):
        validate_fail_on([" "], ())
    with pytest.raises(UsageError, match=r"stands alone; in the settings write fail_on = \[\]"):
        validate_fail_on(["never"], ())
    with pytest.raises(UsageError, match="did you mean false_success"):
        validate_fail_on(["false-success"], ())
    with pytest.raises(UsageError, match="known words: verified, false_success"):
        validate_fail_on(["\x1b[31m"], ())


def test_the_deciding_reason_is_the_worst_not_the_first(build_result: Build) -> None:
    result = build_result("false_success")
    fine = replace(result.reasons[0], outcome="probe_supported", detail="fine")
    scored = replace(result.reasons[0], outcome="classifier-lr", detail="a signal")
    reason = deciding_reason(replace(result, reasons=(scored, fine, result.reasons[0])))
    assert reason == result.reasons[0]
    assert deciding_reason(replace(result, reasons=(scored,))) == scored
    assert deciding_reason(replace(result, reasons=())) is None


def test_an_undecided_score_is_named_by_the_gate(build_result: Build) -> None:
    result = build_result("unverifiable")
    scored = replace(result.reasons[0], outcome="classifier-lr")
    assert why_undecided(replace(result, reasons=(scored,))) == "between_thresholds"
    assert why_undecided(result) == "receipt_only"
    assert why_undecided(replace(result, abstain=True, record="unread")) == "unread"


def test_a_run_of_which_nothing_was_asked_does_not_pass(build_result):
    summary = Summary()
    summary.add(build_result("false_success", "a"))
    decision = exit_decision(summary, FailPolicy(fail_on=()))
    assert decision.code == 0
    assert last_line(summary, decision).startswith("NO GATE - 1 accused")
    assert last_line(summary, exit_decision(summary, FailPolicy(fail_on=("verified",)))).startswith("PASS - 1 accused")
