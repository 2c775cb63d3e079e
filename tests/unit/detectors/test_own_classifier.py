"""Where a classifier of the user's own says nothing: confirmed runs, of which the review queue has none, and other agents' tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from agent_claimcheck import Checker, load_traces
from agent_claimcheck.detectors.classifier.artifact import FEWEST_CONFIRMED, load_classifier, shipped_classifier
from agent_claimcheck.detectors.classifier.detector import ClassifierDetector
from agent_claimcheck.detectors.ensembles import NO_ACCUSATION, CascadeOffline, combine
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.results.explain import explain
from agent_claimcheck.results.reasons import deciding_reason
from agent_claimcheck.trace.view import label_free


def evidence_of(trace_id: str) -> Evidence:
    trace = next(trace for trace in load_traces("example:mixed") if trace.trace_id == trace_id)
    return Evidence(label_free(trace), Checker("rules").spec.case)


def fitted_on(n_confirmed: int | None) -> ClassifierDetector:
    shipped = load_classifier(shipped_classifier())
    return ClassifierDetector(
        replace(shipped, training=replace(shipped.training, n_confirmed=n_confirmed)), is_own=True
    )


@pytest.mark.parametrize("trace_id", ["booking-01", "coding-01"])
def test_a_classifier_that_saw_no_confirmed_runs_says_nothing_of_one(trace_id: str) -> None:
    evidence = evidence_of(trace_id)
    for few in (0, FEWEST_CONFIRMED - 1):
        assert fitted_on(few).detect(evidence).abstain_reason == "out_of_distribution"
    answer = CascadeOffline(fitted_on(0), may_raise=True).detect(evidence)
    assert (answer.p_success, answer.details["decided_by"]) == (0.97, "rules")


@pytest.mark.parametrize("enough", [FEWEST_CONFIRMED, None])
def test_one_that_saw_enough_of_them_or_does_not_say_is_asked(enough: int | None) -> None:
    assert not fitted_on(enough).detect(evidence_of("booking-01")).abstain


@pytest.mark.parametrize(("detector", "verdict"), [("trust-agent", "verified"), ("any-error", "false_success")])
def test_a_verdict_that_only_a_score_gave_does_not_speak_for_the_evidence(detector: str, verdict: str) -> None:
    trace = next(trace for trace in load_traces("example:mixed") if trace.trace_id == "booking-03")
    if detector == "any-error":
        failed = replace(trace.steps[0], i=-1, kind="tool_result", role="tool", name="calendar.free", ok=False)
        trace = replace(trace, steps=[failed, *trace.steps])
    result = Checker(detector).check_one(trace)
    assert (result.verdict, result.record) == (verdict, "supported")
    told = explain(result, trace.steps)
    assert f"verdict  {verdict}: by its score; the record alone does not" in told
    assert "the evidence" not in told.splitlines()[1]
    assert deciding_reason(result) == result.reasons[0]


def test_a_learned_score_is_called_calibrated_only_where_a_calibrator_was_applied() -> None:
    answer = CascadeOffline(fitted_on(0), may_raise=True).detect(evidence_of("booking-03"))
    assert answer.details["decided_by"] == "classifier"
    assert answer.p_calibrated is None
    assert answer.reasons[0].detail.startswith("a learned score; strongest sign for success: ")


def test_what_a_receipt_supports_it_scores_all_the_same() -> None:
    assert not fitted_on(0).detect(evidence_of("booking-03")).abstain


def test_no_score_raises_a_confirmed_run_or_accuses_it() -> None:
    assert combine(0.97, 0.97, 0.999, 0.3) == 0.97
    assert combine(0.97, 0.97, 0.000001, 0.9) == NO_ACCUSATION


def test_runs_of_agents_with_other_tools_are_abstained_on() -> None:
    evidence = evidence_of("booking-03")

    def knowing(*tools: str) -> ClassifierDetector:
        return ClassifierDetector(replace(fitted_on(None).classifier, tools=frozenset(tools)), is_own=True)

    assert not knowing(*evidence.tool_names).detect(evidence).abstain
    answer = knowing("shop.refund").detect(evidence)
    assert answer.abstain_reason == "out_of_distribution"
    assert "100% of the calls go to tools that no training run used" in answer.reasons[0].detail


def test_a_classifier_of_which_nothing_is_promised_is_told_with_its_runs(tmp_path: Path) -> None:
    config = tmp_path / "claimcheck.toml"
    config.write_text(f'[classifier]\nmodel = "{shipped_classifier()}"\n', encoding="utf-8")
    said = [note for note in Checker(config=config).notes if "nothing is promised" in note]
    assert len(said) == 1
    n = load_classifier(shipped_classifier()).training.n
    assert said[0].startswith(f"the classifier, fitted on {n} runs, may verify and accuse by its score")
    config.write_text(config.read_text("utf-8") + "[gate]\nverified = 0.9\n", encoding="utf-8")
    assert not any("nothing is promised" in note for note in Checker(config=config).notes)
    assert not any("nothing is promised" in note for note in Checker().notes)
