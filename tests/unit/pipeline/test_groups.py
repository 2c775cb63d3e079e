"""Comparing runs of one task: who agrees, who is shown, and that nobody is accused for standing alone."""

from __future__ import annotations

from typing import Any

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.signature import RunSignature, signature_of
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.group_stage import GroupStage
from agent_claimcheck.pipeline.groups import GroupMember, compare_runs, group_key, model_of
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.reasons import deciding_reason
from agent_claimcheck.trace.model import FinalClaim, Step, Task, Trace
from agent_claimcheck.trace.view import label_free

MODELS = ("ant", "bee", "cow", "dog", "elk")


def run(
    name: str,
    model: str | None,
    args: dict[str, Any] | None = None,
    *,
    tool: str = "book_desk",
    ok: bool | None = True,
    task: str = "desk-1",
    said: str = "I have booked the desk.",
    instruction: str = "Book a desk.",
) -> Trace:
    args = {"desk_id": "D14", "day": "2026-04-06"} if args is None else args
    steps = [
        Step(i=0, ts="2026-03-02T16:50:00Z", kind="tool_call", role="agent", name=tool, args=args),
        Step(i=1, ts="2026-03-02T16:50:01Z", kind="tool_result", role="tool", name=tool, ok=ok, output={"ref": name}),
    ]
    return Trace(
        trace_id=name,
        source="test",
        task=Task(id=task, domain="other", instruction=instruction),
        steps=steps,
        final_claim=FinalClaim(text=said),
        model=model,
    )


def signature(trace: Trace) -> RunSignature:
    return signature_of(Evidence(label_free(trace)))


def grouped(traces: list[Trace], *accept: str) -> dict[str, CheckResult]:
    checker = Checker()
    with GroupStage(frozenset(accept)) as stage:
        for trace in traces:
            stage.add(trace, checker.check_one(trace))
        results = list(stage.results())
    assert [result.trace_id for result in results] == [trace.trace_id for trace in traces]
    return {result.trace_id: result for result in results}


def test_agreeing_runs_of_different_models_are_corroborated_and_keep_their_verdict() -> None:
    results = grouped([run(model, model) for model in MODELS[:4]])
    assert {result.record for result in results.values()} == {"corroborated"}
    assert {result.verdict for result in results.values()} == {"unverifiable"}
    assert "3 of 3 other runs" in results["ant"].notes[-1]


def test_accepting_corroborated_makes_the_verdict_verified() -> None:
    results = grouped([run(model, model) for model in MODELS[:4]], "corroborated")
    assert {result.verdict for result in results.values()} == {"verified"}
    reason = deciding_reason(results["ant"])
    assert reason is not None
    assert reason.outcome == "corroborated"


def test_runs_of_one_model_corroborate_nothing() -> None:
    results = grouped([run(f"run-{n}", "ant") for n in range(5)])
    assert {result.record for result in results.values()} == {"supported"}
    assert "not known to come from 3 different models (1 known model)" in results["run-0"].notes[-1]


def test_runs_of_unknown_models_corroborate_nothing() -> None:
    results = grouped([run(f"run-{n}", None) for n in range(5)])
    assert {result.record for result in results.values()} == {"supported"}


def test_the_model_of_a_v1_trace_is_read_from_its_metadata() -> None:
    trace = run("a", None)
    assert model_of(trace) is None
    assert (
        model_of(Trace(**{name: getattr(trace, name) for name in trace.__struct_fields__} | {"meta": {"model": "ant"}}))
        == "ant"
    )


def test_two_others_are_too_few() -> None:
    results = grouped([run(model, model) for model in MODELS[:3]])
    assert {result.record for result in results.values()} == {"supported"}
    assert results["ant"].notes == ()


def test_a_lone_dissenter_is_shown_and_not_accused() -> None:
    traces = [run(model, model) for model in MODELS[:4]]
    traces.append(run("elk", "elk", {"desk_id": "D15", "day": "2026-04-06"}))
    results = grouped(traces)
    assert results["elk"].record == "supported"
    assert results["elk"].verdict == "unverifiable"
    assert "book_desk.desk_id is 'd15' here and 'd14' in 4 of 4 other runs" in results["elk"].notes[-1]
    assert results["ant"].record == "corroborated"


def test_two_camps_corroborate_neither() -> None:
    traces = [run(model, model) for model in MODELS[:3]]
    traces += [run(f"{model}-2", model, {"desk_id": "D15", "day": "2026-04-06"}) for model in MODELS[:3]]
    assert {result.record for result in grouped(traces).values()} == {"supported"}


def test_byte_identical_runs_count_once() -> None:
    copies = [run("same", "ant", task="desk-1") for _ in range(4)]
    renamed = [
        Trace(**{name: getattr(trace, name) for name in trace.__struct_fields__} | {"trace_id": f"copy-{n}"})
        for n, trace in enumerate(copies)
    ]
    results = grouped([*renamed, run("bee", "bee"), run("cow", "cow")])
    assert {result.record for result in results.values()} == {"supported"}


def test_the_same_value_spelled_differently_agrees() -> None:
    spelled = {"desk_id": "d14", "day": "2026-04-06"}
    results = grouped([run(model, model) for model in MODELS[:3]] + [run("dog", "dog", spelled)])
    assert {result.record for result in results.values()} == {"corroborated"}


def test_free_text_does_not_separate_runs_but_long_text_keeps_them_from_being_corroborated() -> None:
    short = [run(model, model, {"desk_id": "D14", "note": f"for {model}"}) for model in MODELS[:4]]
    assert {result.record for result in grouped(short).values()} == {"corroborated"}
    prose = "a summary of everything that was said in the meeting on Monday by "
    long = [run(model, model, {"desk_id": "D14", "note": prose + model}) for model in MODELS[:4]]
    results = grouped(long)
    assert {result.record for result in results.values()} == {"supported"}
    assert "longer texts" in results["ant"].notes[-1]


def test_failed_calls_are_left_out() -> None:
    failed = run("a", "ant", ok=False)
    assert signature(failed).values == ()


def test_shell_runs_have_no_signature() -> None:
    assert not signature(run("a", "ant", {"command": "echo x > y.txt"}, tool="bash")).is_comparable


def test_other_tasks_and_other_instructions_are_other_groups() -> None:
    key = group_key(run("a", "ant"))
    assert key == group_key(run("b", "bee", instruction="Book  a\ndesk."))
    assert key != group_key(run("b", "bee", task="desk-2"))
    assert key != group_key(run("b", "bee", instruction="Book a room."))
    assert group_key(run("b", "bee", task="")) is None


def test_a_run_that_claims_nothing_is_left_alone() -> None:
    traces = [run(model, model) for model in MODELS[:4]] + [run("elk", "elk", said="Which desk would you like?")]
    result = grouped(traces)["elk"]
    assert (result.record, result.notes) == ("no_claim", ())


def test_many_different_runs_are_compared_in_reasonable_time() -> None:
    members = []
    for n in range(1500):
        made = signature(run(f"r{n}", f"m{n}", {"desk_id": f"D{n}", "day": "2026-04-06"}))
        members.append(GroupMember(n, b"k", f"m{n}", made))
    readings = compare_runs(members)
    assert len(readings) == 1500
    assert not any(reading.is_agreed for reading in readings.values())
