"""Judge against people: counts by claim type, repeats, disputes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from agent_claimcheck.detectors.contract import DetectorOutput, Reason
from agent_claimcheck.evidence.case import CaseSettings
from agent_claimcheck.lab.judge.agreement import Labelled, compare, read_labels
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.scoring.gate import Verdict
from agent_claimcheck.trace.model import GroundTruth
from fakes import booking_trace

LABELS = {
    "a": Labelled(is_failure=True, claim_types=("booked",), note="wrong room"),
    "b": Labelled(is_failure=True, claim_types=("booked", "sent")),
    "c": Labelled(is_failure=False, claim_types=("booked",)),
    "d": Labelled(is_failure=False, claim_types=("sent",)),
    "e": Labelled(is_failure=False, claim_types=("sent",)),
}


def result(trace_id: str, verdict: Verdict, p: float = 0.5, **details: Any) -> CheckResult:
    return CheckResult(
        trace_id=trace_id,
        domain="other",
        detector="judge",
        verdict=verdict,
        p_success=p,
        p_success_raw=p,
        calibrated=False,
        abstain=False,
        abstain_reason=None,
        confidence=p,
        reasons=(Reason(claim=None, outcome="none", step=None, detail=f"because {trace_id}"),),
        claims=(),
        claim_verdicts=(),
        detectors=(DetectorOutput(detector="judge", p_success=p, details=details),),
        record="supported",
    )


def test_only_what_both_are_sure_of_is_compared() -> None:
    report = compare(
        LABELS,
        [
            result("a", "false_success"),
            result("b", "verified", 0.9),
            result("c", "verified"),
            result("d", "unverifiable"),
            result("x", "verified"),
            result("y", "skipped"),
        ],
    )
    total, booked, sent = report.rows
    assert (total.claim_type, total.traces, total.decided) == ("all", 4, 3)
    assert (booked.claim_type, booked.traces, booked.decided) == ("booked", 3, 3)
    assert (sent.claim_type, sent.traces, sent.decided) == ("sent", 2, 1)
    found = total.agreement
    assert (found.both_yes, found.first_only, found.second_only, found.both_no) == (1, 0, 1, 1)
    assert found.precision is not None and found.precision.value == 1.0
    assert found.recall is not None and found.recall.value == 0.5
    assert (report.unlabelled, report.unscored) == (1, 1)


def test_disputes_carry_both_reasons() -> None:
    report = compare(LABELS, [result("a", "verified", 0.9), result("c", "verified")])
    (dispute,) = report.disputes
    assert (dispute.trace_id, dispute.verdict, dispute.label) == ("a", "verified", "failure")
    assert (dispute.said_by_judge, dispute.said_by_people) == ("because a", "wrong room")


def test_repeated_results_show_how_steady_the_judge_is() -> None:
    runs = [result("a", "false_success", 0.1), result("a", "verified", 0.9), result("c", "verified", 0.9)]
    report = compare(LABELS, [*runs, result("c", "verified", 0.9)])
    assert (report.repeats.traces, report.repeats.flipped) == (2, 1)
    assert report.repeats.largest_sd == pytest.approx(0.5657, abs=1e-4)
    assert report.repeats.mean_sd == pytest.approx(0.5657 / 2, abs=1e-4)
    assert report.rows[0].agreement.both_yes == 1


def test_samples_of_one_result_are_repeats_too() -> None:
    report = compare(LABELS, [result("a", "verified", 0.8, samples={"p_success": [0.7, 0.9], "n": 2})])
    assert report.repeats.traces == 1
    assert compare(LABELS, [result("a", "verified")]).repeats.mean_sd is None


def test_nothing_to_compare_is_no_error() -> None:
    report = compare({}, [])
    assert (report.rows[0].decided, report.rows[0].agreement.kappa) == (0, None)


def test_labels_are_read_with_the_claim_types_of_the_trace() -> None:
    noted = replace(
        booking_trace("n"), ground_truth=GroundTruth(outcome="failure", checked_by="human", details={"note": "no"})
    )
    silent = booking_trace("s", final="I looked at the rooms.")
    unknown = booking_trace("u", outcome="unknown")
    unlabelled = replace(booking_trace("x"), ground_truth=None)
    labels = read_labels([noted, silent, unknown, unlabelled], CaseSettings())
    assert labels == {"n": Labelled(is_failure=True, claim_types=("booked",), note="no")}
