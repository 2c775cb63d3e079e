from __future__ import annotations

from agent_claimcheck.evidence.contract import Finding
from agent_claimcheck.results.baseline import Baseline
from agent_claimcheck.results.summary import FailPolicy, Summary, exit_decision


def decide(baseline: Baseline, results, *fail_on: str):
    summary = Summary()
    for result in results:
        summary.add(result)
        baseline.add(result)
    return exit_decision(summary, FailPolicy(fail_on=fail_on or ("false_success",)), baseline.fresh)


def test_what_was_known_does_not_fail_the_run(build_result):
    known = [build_result("false_success", "a"), build_result("verified", "b")]
    assert decide(Baseline(known), known).code == 0


def test_what_is_new_does(build_result):
    baseline = Baseline([build_result("false_success", "a"), build_result("verified", "b")])
    decision = decide(baseline, [build_result("false_success", "a"), build_result("false_success", "b")])
    assert decision.code == 1
    assert decision.reasons == ("1 new false_success",)


def test_runs_with_new_ids_are_known_by_their_task(build_result):
    baseline = Baseline([build_result("false_success", "a", task_id="t1")])
    assert decide(baseline, [build_result("false_success", "z", task_id="t1")]).code == 0
    assert decide(baseline, [build_result("false_success", "y", task_id="t2")]).code == 1


def test_a_new_finding_on_a_known_trace_is_new(build_result):
    def finding(name: str) -> Finding:
        return Finding(id=name, power="review", severity="warn", subject="s", reason="r")

    baseline = Baseline([build_result("verified", "a", findings=(finding("failed_write"),))])
    same = build_result("verified", "a", findings=(finding("failed_write"),))
    assert decide(baseline, [same], "failed_write", "late_timeout").code == 0
    more = build_result("verified", "a", findings=(finding("failed_write"), finding("late_timeout")))
    assert decide(baseline, [more], "failed_write", "late_timeout").reasons == ("1 new late_timeout",)


def test_what_is_known_is_told_beside_what_is_accused(build_result):
    baseline = Baseline([build_result("false_success", "a"), build_result("verified", "b")])
    results = [build_result("false_success", "a"), build_result("false_success", "b")]
    decision = decide(baseline, results)
    assert [baseline.is_known(result) for result in results] == [True, False]
    assert decision.known == 1
    assert baseline.warning() is None


def test_a_baseline_of_other_runs_is_told(build_result):
    baseline = Baseline([build_result("false_success", "a", task_id="t1")])
    decide(baseline, [build_result("false_success", "y", task_id="t2")])
    assert "none of these 1 traces is in the baseline (1 results)" in (baseline.warning() or "")


def test_an_id_that_stands_for_a_run_of_another_task_is_another_run(build_result):
    baseline = Baseline([build_result("false_success", "run-1", task_id="t1")])
    assert not baseline.is_known(build_result("false_success", "run-1", task_id="t2"))
    assert baseline.is_known(build_result("false_success", "run-1", task_id="t1"))
    assert baseline.is_known(build_result("false_success", "run-1", task_id=None))


def test_a_run_that_stands_twice_in_the_baseline_is_known_by_both_verdicts(build_result):
    baseline = Baseline([build_result("false_success", "a"), build_result("unverifiable", "a")])
    assert baseline.is_known(build_result("false_success", "a"))
    assert baseline.is_known(build_result("unverifiable", "a"))


def test_with_an_empty_baseline_everything_is_new_and_nothing_is_warned_of(build_result):
    baseline = Baseline([])
    assert decide(baseline, [build_result("false_success", "a")]).reasons == ("1 new false_success",)
    assert baseline.warning() is None
