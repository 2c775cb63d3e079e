"""A trace read as a run: numbering, declared status, output text and what stays open."""

from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck.checks.contract import CheckRequest
from agent_claimcheck.checks.tool_use import check_run
from agent_claimcheck.checks.trace_run import run_from_trace
from agent_claimcheck.trace.model import Artifact, FinalClaim, Step, Task, ToolDef, Trace

TS = "2031-05-01T09:00:00Z"


def call(i: int, name: str = "ship", **fields: Any) -> Step:
    return Step(i=i, ts=TS, kind="tool_call", role="agent", name=name, **fields)


def result(i: int, name: str = "ship", **fields: Any) -> Step:
    return Step(i=i, ts=TS, kind="tool_result", role="tool", name=name, **fields)


def say(i: int, text: str) -> Step:
    return Step(i=i, ts=TS, kind="message", role="agent", content=text)


def trace(*steps: Step, text: str | None = "Done.", **task: Any) -> Trace:
    return Trace(
        trace_id="t-1",
        source="test",
        task=Task(id="1", domain="other", instruction="Ship parcel 7", **task),
        steps=list(steps),
        final_claim=FinalClaim(text=text),
    )


def only_call(*steps: Step) -> Any:
    return run_from_trace(trace(*steps)).steps[0].tool_call


@pytest.mark.parametrize(
    ("closing", "answer"),
    [("You're welcome!", "Parcel 7 is shipped."), ("Great, parcel 8 too.", "Great, parcel 8 too."), (None, "")],
)
def test_the_final_answer_is_the_last_message_that_is_no_courtesy(closing: str | None, answer: str) -> None:
    run = run_from_trace(trace(say(0, "Parcel 7 is shipped."), say(1, "You're welcome!"), text=closing))
    assert run.final_answer == answer


@pytest.mark.parametrize(
    ("fields", "is_error"),
    [
        ({"ok": True}, False),
        ({"ok": False}, True),
        ({}, None),
        ({"error": "gone"}, True),
        ({"error": {"type": "E", "message": "gone"}}, True),
        ({"ok": True, "error": "a warning"}, False),
    ],
)
def test_declared_status_becomes_is_error(fields: dict[str, Any], is_error: bool | None) -> None:
    assert only_call(call(0), result(1, output="x", **fields)).is_error is is_error


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"output": "as it is"}, "as it is"),
        ({"output": {"id": 7, "n": "ü"}}, '{"id": 7, "n": "ü"}'),
        ({"output": []}, "[]"),
        ({"output": None}, ""),
        ({"output": "", "error": "gone"}, "gone"),
        ({"output": None, "error": {"type": "Lost", "message": "gone"}}, "Lost: gone"),
        ({"output": None, "error": {"message": "gone"}}, "gone"),
        ({"output": None, "error": {"code": 5}}, '{"code": 5}'),
        ({"output": "partly", "error": "gone"}, "partly"),
    ],
)
def test_output_text(fields: dict[str, Any], text: str) -> None:
    assert only_call(call(0), result(1, **fields)).output == text


@pytest.mark.parametrize(
    ("output", "confidence", "is_error"),
    [
        ("Error: room already taken", "weak", None),
        ({"success": False, "message": "closed"}, "weak", None),
        ("Error: room already taken", "strong", False),
        ("room B is yours", "weak", False),
        ("", "weak", False),
        ("see error: in the manual", "weak", False),
    ],
)
def test_a_success_that_is_only_taken_for_granted_does_not_stand_against_the_output(
    output: Any, confidence: Any, is_error: bool | None
) -> None:
    tool_call = only_call(call(0), result(1, ok=True, output=output, status_confidence=confidence))

    assert tool_call.is_error is is_error


def test_what_the_user_said_later_is_kept() -> None:
    later = Step(i=1, ts=TS, kind="message", role="user", content="And parcel 8")
    first = Step(i=0, ts=TS, kind="message", role="user", content="Ship parcel 7")

    run = run_from_trace(trace(first, later))

    assert (run.task, run.later_requests) == ("Ship parcel 7", ["And parcel 8"])
    assert run.request == "Ship parcel 7\n\nAnd parcel 8"


def test_steps_are_the_traces_own_numbers() -> None:
    run = run_from_trace(
        trace(say(2, "hm"), call(5), result(6, ok=False, output="x"), call(9), result(12, ok=True, output="y"))
    )

    report = check_run(run, CheckRequest())

    assert [(finding.step, finding.metadata["recovered_at"]) for finding in report.findings] == [(5, 9), (9, None)]
    assert "a retry at step 9 worked" in report.findings[0].reason


def test_call_without_result_is_marked() -> None:
    run = run_from_trace(trace(call(0)))

    assert run.steps[0].note == "no_result"
    assert check_run(run, CheckRequest()).verdict == "review"


def test_parallel_calls_whose_results_could_be_swapped_are_marked() -> None:
    run = run_from_trace(trace(call(0), call(1), result(2, ok=True), result(3, ok=False)))

    entries = check_run(run, CheckRequest()).metadata["calls"]

    assert [entry["note"] for entry in entries] == ["ambiguous_result", "ambiguous_result"]


def test_task_fields_carry_over() -> None:
    run = run_from_trace(
        trace(text=None, system_prompt="Be kind.", allowed_tools=[], tool_fallbacks={"ship": ["post"]})
    )

    assert (run.task, run.system_prompt, run.allowed_tools, run.tool_fallbacks, run.final_answer) == (
        "Ship parcel 7", "Be kind.", [], {"ship": ["post"]}, "",
    )  # fmt: skip


def test_tool_descriptions_join_the_system_prompt() -> None:
    given = Trace(
        trace_id="t",
        source="test",
        task=Task(id="1", domain="other", instruction="x"),
        steps=[],
        final_claim=FinalClaim(text="y"),
        tools=[ToolDef(name="ship", description="Sends a parcel."), ToolDef(name="bare")],
        artifacts=[Artifact(id="a", uri="https://files.example/a"), Artifact(id="empty")],
    )

    run = run_from_trace(given)

    assert run.system_prompt == "Tools:\n- ship: Sends a parcel."
    assert [(artifact.id, artifact.path) for artifact in run.artifacts] == [("a", "https://files.example/a")]
