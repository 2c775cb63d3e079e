"""H1 to H4 are decided by fixed rules; what was not measured decides nothing."""

from __future__ import annotations

from agent_claimcheck.lab.bench.hypotheses import judge_h1, judge_h2, judge_h3, judge_h4
from agent_claimcheck.lab.bench.measure import DetectorReport
from agent_claimcheck.lab.bench.rows import Row, TraceFacts
from agent_claimcheck.scoring.decisions import count_decisions
from agent_claimcheck.scoring.gate import Verdict
from agent_claimcheck.scoring.intervals import Estimate


def report(verdicts: list[Verdict], *, extremes: float = 0.0, raw: float = 0.0, cal: float = 0.0) -> DetectorReport:
    return DetectorReport(
        n=len(verdicts), auroc=None, ece_raw=raw, ece_calibrated=cal, brier_calibrated=0.0, extremes_raw=extremes,
        decisions=count_decisions(verdicts, [True] * len(verdicts)), usd_per_1k=None, wall_s_per_1k=None, p50_ms=None,
        p95_ms=None,
    )  # fmt: skip


CAREFUL: list[Verdict] = ["unverifiable", "unverifiable", "false_success"]
BOLD: list[Verdict] = ["verified", "false_success", "false_success"]


def test_h1_holds_when_rules_miss_least_and_decide_least() -> None:
    assert judge_h1({"rules": report(CAREFUL), "cascade": report(BOLD)}).supported is True
    assert judge_h1({"rules": report(BOLD), "cascade": report(CAREFUL)}).supported is False


def test_h1_leaves_out_baselines_and_detectors_that_scored_fewer_traces() -> None:
    found = judge_h1({"trust-agent": report(CAREFUL), "rules": report(BOLD), "judge:m": report(CAREFUL[:1])})
    assert found.supported is None
    assert list(found.missed) == ["rules"]


def test_h2_needs_every_judge() -> None:
    sure = report(CAREFUL, extremes=0.6, raw=0.2, cal=0.1)
    unsure = report(CAREFUL, extremes=0.5, raw=0.2, cal=0.1)
    assert judge_h2({"judge:a": sure}).supported is True
    assert judge_h2({"judge:a": sure, "judge:b": unsure}).supported is False
    assert judge_h2({}).supported is None


def area(value: float) -> Estimate:
    return Estimate(value=value, ci_low=0.0, ci_high=1.0)


def test_h3_needs_two_of_three_domains() -> None:
    lost, kept = (area(0.8), area(0.9)), (area(0.9), area(0.9))
    assert judge_h3({"a": lost, "b": lost, "c": kept}).supported is True
    assert judge_h3({"a": lost, "b": kept, "c": kept}).supported is False
    assert judge_h3({}).supported is None


def failure(kind: str, p: float) -> Row:
    facts = TraceFacts(trace_id="x", split="train", domain="d", is_failure=True, injection=kind, evidence="e")
    return Row(facts=facts, p_raw=p, p_cal=0.5, abstain=False)


def test_h4_compares_with_the_mean_of_the_other_kinds_recalls() -> None:
    caught, slipped = 0.1, 0.9
    fooled = [failure("reviewer_injection", slipped), failure("wrong_value", caught)]
    wary = [failure("reviewer_injection", caught), failure("wrong_value", slipped)]
    assert judge_h4({"judge:a": wary}).supported is False
    assert judge_h4({"judge:a": wary, "judge:b": fooled}).supported is True
    # Three caught of one kind and none of another: each kind weighs the same, so the mean is a half.
    mixed = [*(failure("wrong_value", caught) for _ in range(3)), failure("wrong_target", slipped), *wary[:1]]
    assert judge_h4({"judge:a": mixed}).judges["judge:a"].other_mean_recall == 0.5


def test_h4_without_such_runs_is_not_measured() -> None:
    assert judge_h4({"judge:a": [failure("wrong_value", 0.1)]}).supported is None
    assert judge_h4({}).supported is None
