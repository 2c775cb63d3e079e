"""A trace with its result as a page shows it."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from msgspec.structs import replace

from agent_claimcheck.detectors.contract import DetectorOutput
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.loading import load_traces
from agent_claimcheck.results.page.present import present
from agent_claimcheck.results.page.shown import Shown, clean
from agent_claimcheck.results.page.timeline import MAX_ENTRIES
from agent_claimcheck.trace.model import Claim, FinalClaim, Step, Trace
from fakes import booking_trace

CHECKER = Checker("rules")


def shown(trace: Trace) -> dict[str, Any]:
    return present(CHECKER.check_one(trace), trace)


def example(name: str) -> Trace:
    return next(trace for trace in load_traces("example:mixed") if trace.trace_id == name)


def step(i: int, kind: str, **fields: Any) -> Step:
    role = {"tool_call": "agent", "tool_result": "tool", "state_probe": "environment"}.get(kind, "agent")
    return Step(i=i, ts=f"2026-05-01T09:00:{i:02d}Z", kind=kind, role=role, **fields)  # type: ignore[arg-type]


def run_of(*steps: Step) -> Trace:
    return replace(booking_trace("r"), steps=list(steps))


def test_expected_and_found_stand_side_by_side() -> None:
    checks = shown(example("crm-02"))["claims"][0]["verdicts"][0]["checks"]
    failed = [check for check in checks if check["result"] == "fail"]
    assert [(check["path"], check["expected"], check["found"]) for check in failed] == [
        ("record_id", "rec_70113", "rec_22890")
    ]


def test_a_run_without_times_has_no_start() -> None:
    timed = run_of(step(0, "message", content="Booked."))
    assert shown(timed)["started_at"] == "2026-05-01T09:00:00Z"
    untimed = run_of(replace(timed.steps[0], ts="1970-01-01T00:00:00Z"))
    assert "started_at" not in shown(untimed)


def test_every_step_is_shown_once_and_results_inside_their_calls() -> None:
    page = shown(example("booking-01"))
    numbers = [
        i for entry in page["timeline"] for i in (entry["i"], *(result["i"] for result in entry.get("results", ())))
    ]
    assert sorted(numbers) == list(range(len(example("booking-01").steps)))
    calls = [entry for entry in page["timeline"] if entry["kind"] == "call"]
    assert all(entry["results"] for entry in calls)


def test_a_failed_call_that_is_made_again_says_where() -> None:
    page = shown(
        run_of(
            step(0, "tool_call", name="rooms.book", args={"a": 1}),
            step(1, "tool_result", name="rooms.book", ok=False, error="busy"),
            step(2, "tool_call", name="rooms.book", args={"a": 1}),
            step(3, "tool_result", name="rooms.book", ok=True, output={"id": 1}),
            step(4, "tool_call", name="rooms.get"),
            step(5, "tool_result", name="other"),
        )
    )
    first, second, third, orphan = page["timeline"]
    assert (first["state"], first["retried"], first["results"][0]["ms"]) == ("failed", 2, 1000)
    assert (second["state"], "retried" in second) == ("ok", False)
    assert (third["state"], third["results"], orphan["kind"]) == ("missing", [], "orphan")


def test_the_words_of_a_found_claim_are_marked_in_message_and_answer() -> None:
    page = shown(booking_trace("a", final="Hello. 🙂 I booked the room for Monday."))
    marked = [piece for piece in page["said"] if "c" in piece]
    assert marked and "booked" in marked[0]["t"] and marked[0]["c"] == [1]
    assert "".join(piece["t"] for piece in page["said"]) == "Hello. 🙂 I booked the room for Monday."
    assert [piece for piece in page["timeline"][-1]["content"] if "c" in piece] == marked


def test_the_words_of_a_declared_claim_are_looked_for() -> None:
    trace = booking_trace("a")
    final = FinalClaim(text="I booked the room for you.", claims=[Claim(type="booked"), Claim(type="paid")])
    marked = [piece["c"] for piece in shown(replace(trace, final_claim=final))["said"] if "c" in piece]
    assert marked == [[1]]


def test_labels_metadata_and_their_like_are_no_part_of_it() -> None:
    trace = replace(
        booking_trace("a", outcome="failure"), meta={"hidden": "hidden-meta"}, usage={"hidden": "hidden-usage"}
    )
    text = json.dumps(shown(trace))
    assert "hidden" not in text and "ground_truth" not in text


def test_without_the_trace_the_evidence_of_the_result_is_still_there() -> None:
    page = present(CHECKER.check_one(example("crm-02")))
    assert page["claims"][0]["verdicts"][0]["outcome"] == "contradicted"
    assert "timeline" not in page and "instruction" not in page


def test_contributions_and_the_judge_are_told() -> None:
    parts = (
        DetectorOutput(detector="classifier-lr", p_success=0.4, details={"contributions": [
            {"feature": "n_retries", "value": 1.5}, {"feature": "some_new_feature", "value": -2},
            {"feature": "said:all set", "value": 0.5}, {"feature": "call:a_b:failed", "value": -0.5},
            {"feature": "x", "value": "no number"}, "nonsense"]}),
        DetectorOutput(detector="judge", p_success=0.1, details={
            "model": "m", "failure_kind": "wrong_value", "evidence_steps": [2, "x"], "rationale": "because"}),
    )  # fmt: skip
    whole = DetectorOutput(detector="cascade", p_success=0.1, components=parts, details={"decided_by": "judge"})
    page = present(replace(CHECKER.check_one(booking_trace("a")), detectors=(whole,)))
    assert [detector["name"] for detector in page["detectors"]] == ["cascade", "classifier-lr", "judge"]
    assert page["detectors"][1]["contributions"] == [
        {"words": "number of calls made again after a failure", "value": 1.5},
        {"words": "some new feature", "value": -2.0},
        {"words": '"all set" was said', "value": 0.5},
        {"words": "a result of a_b reads as failed", "value": -0.5},
    ]
    assert page["detectors"][2]["judge"]["steps"] == [2]
    assert page["detectors"][2]["judge"]["failure_kind"] == "wrong value"


def test_what_could_mislead_the_eye_is_made_visible() -> None:
    assert clean("a\u202eb\x1b[2Jc\x00\u200bd\te\r\nf") == "a\\u202eb\\x1b[2Jc\\x00\\u200bd    e\nf"


def test_long_values_are_cut_and_say_by_how_much() -> None:
    text = Shown().value("x" * 50_000)
    assert len(text) < 21_000 and text.endswith("… 30,000 more characters in the raw JSON")
    assert Shown(limit=10).value(["a" * 100]).startswith('[\n  "aaaaa\n')


def deep(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = {"k": [value]}
    return value


@pytest.mark.parametrize(
    "output",
    [deep(95), ["x" * 1000] * 5000, {str(n): n for n in range(50_000)}, "\u0301" * 300_000, "<script>" * 100_000,
     "\ud800", float("nan"), [deep(90)] * 50, 10**300],
    ids=["deep", "long", "wide", "marks", "markup", "surrogate", "nan", "deep-wide", "huge-number"],
)  # fmt: skip
def test_hostile_values_are_shown_in_bounded_size_and_time(output: Any) -> None:
    trace = booking_trace("h", output=output, args={"a": output})
    began = time.process_time()
    page = shown(trace)
    assert time.process_time() - began < 5
    assert len(json.dumps(page)) < 20_000_000


def test_a_run_of_very_many_steps_is_cut_and_says_so() -> None:
    steps = [step(0, "message", content="go")]
    steps += [replace(step(0, "message", content="x" * 5000), i=n) for n in range(1, 5000)]
    page = shown(run_of(*steps))
    assert (len(page["timeline"]), page["left_out"]) == (MAX_ENTRIES, 5000 - MAX_ENTRIES)
    assert len(json.dumps(page)) < 4_000_000


def test_tool_use_is_told_where_it_went_wrong() -> None:
    trace = booking_trace("a", ok=False, error="denied", output={"error": "denied"}, final="The room is booked.")
    (finding,) = shown(trace)["tool_use"]
    assert (finding["step"], finding["severity"]) == (1, "warn")
    assert "no later call made up for it" in finding["reason"]
    assert shown(booking_trace("b"))["tool_use"] == []
    forbidden = replace(trace, task=replace(trace.task, allowed_tools=[]))
    assert [found["severity"] for found in shown(forbidden)["tool_use"]] == ["fail"]
