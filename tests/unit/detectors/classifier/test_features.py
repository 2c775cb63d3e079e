"""The feature tables: their length, what moves them, and what does not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from agent_claimcheck import Checker, Trace, load_traces
from agent_claimcheck.detectors.classifier.documented_claims import count_documented_claims
from agent_claimcheck.detectors.classifier.shape import shape_values
from agent_claimcheck.detectors.classifier.table import (
    EVIDENCE_TABLE,
    FIRST_EVIDENCE_TABLE,
    SHAPE_TABLE,
    TABLES,
    table_of,
)
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.trace.model import FinalClaim, Step, Task
from agent_claimcheck.trace.view import label_free

CASE = Checker("rules").spec.case
TRACES = [trace for trace in load_traces("example:mixed") if trace.final_claim.text]
FILLER = ("You're welcome!", "Let me take another look.", "Thanks for your patience.", "Anything else?", "Hello!")


def evidence_of(trace: Trace) -> Evidence:
    return Evidence(label_free(trace), CASE)


def features_of(trace: Trace) -> dict[str, float]:
    table = table_of(EVIDENCE_TABLE)
    return dict(zip(table.names, table.compute(evidence_of(trace)), strict=True))


def step(i: int, kind: str, name: str, **more: Any) -> Step:
    role = "tool" if kind == "tool_result" else "agent"
    return Step(i=i, ts="2026-01-01T00:00:00Z", kind=kind, role=role, name=name, **more)  # type: ignore[arg-type]


def run(*steps: Step, text: str = "The room is booked.", asked: str = "Book it.", domain: str = "booking") -> Trace:
    return Trace(
        trace_id="t",
        source="s",
        task=Task(id="t", domain=domain, instruction=asked),
        steps=list(steps),
        final_claim=FinalClaim(text=text),
    )


@pytest.mark.parametrize("name", list(TABLES))
def test_a_table_has_one_value_a_feature(name: str) -> None:
    table = table_of(name)
    for trace in TRACES:
        assert len(table.compute(evidence_of(trace))) == len(table.features)


@settings(max_examples=60)
@given(
    trace=st.sampled_from(TRACES),
    said=st.lists(st.sampled_from(FILLER), min_size=1, max_size=8),
    role=st.sampled_from(["agent", "user"]),
    where=st.integers(min_value=1, max_value=20),
)
def test_filler_moves_no_feature(trace: Trace, said: list[str], role: str, where: int) -> None:
    at = min(where, len(trace.steps))
    talk = [Step(i=0, ts="2026-01-01T00:00:00Z", kind="message", role=role, content=text) for text in said]  # type: ignore[arg-type]
    mixed = [*trace.steps[:at], *talk, *trace.steps[at:]]
    padded = replace(trace, steps=[replace(one, i=number) for number, one in enumerate(mixed)])
    # A second user turn may take back the first, which is why values of a longer dialogue are no plain request.
    before, after = features_of(trace), features_of(padded)
    moved = {name for name in before if before[name] != pytest.approx(after[name])}
    assert moved == set() if role == "agent" else moved <= {name for name in before if name.startswith("finding_")}


@pytest.mark.parametrize("field", ["trace_id", "source", "domain"])
def test_names_of_run_source_and_domain_move_no_feature(field: str) -> None:
    trace = TRACES[0]
    if field == "domain":
        changed = replace(trace, task=replace(trace.task, domain="other"))
    else:
        changed = replace(trace, **{field: "something-else"})
    assert features_of(changed) == features_of(trace)


def test_a_failed_write_that_nothing_made_good_is_told_from_one_that_was() -> None:
    failed = [step(0, "tool_call", "update_order", args={"id": "A7"}), step(1, "tool_result", "update_order", ok=False)]
    again = [step(2, "tool_call", "update_order", args={"id": "A7"}), step(3, "tool_result", "update_order", ok=True)]
    lost, saved = features_of(run(*failed)), features_of(run(*failed, *again))
    assert (lost["write_failed_for_good"], lost["failed_then_done"]) == (1.0, 0.0)
    assert (saved["write_failed_for_good"], saved["failed_then_done"]) == (0.0, 1.0)


def test_a_requested_address_that_no_change_carries_is_missed() -> None:
    call = step(0, "tool_call", "send_mail", args={"to": "bo@b.example"})
    done = step(1, "tool_result", "send_mail", ok=True, output={"id": "m1"})
    wrong = features_of(run(call, done, asked="Mail ann@a.example please", text="The mail was sent."))
    right = features_of(run(call, done, asked="Mail bo@b.example please", text="The mail was sent."))
    assert (wrong["request_mail_missing"], wrong["mail_not_asked"]) == (1.0, 1.0)
    assert (right["request_mail_missing"], right["mail_not_asked"]) == (0.0, 0.0)


def test_a_part_of_the_tests_is_told_from_all_of_them() -> None:
    def tested(command: str) -> dict[str, float]:
        call = step(0, "tool_call", "shell.run", args={"command": command})
        done = step(1, "tool_result", "shell.run", ok=True, output={"exit_code": 0, "stdout": "3 passed in 0.1s"})
        return features_of(run(call, done, text="All tests pass.", domain="coding"))

    assert tested("pytest tests/test_a.py")["narrow_tests"] == 1.0
    assert tested("pytest")["narrow_tests"] == 0.0


@pytest.mark.parametrize(("shown", "differs"), [("berth 4", 0.0), ("berth 9", 1.0)])
def test_an_own_look_that_shows_another_value_is_told(shown: str, differs: float) -> None:
    args = {"boat_id": "B-7", "berth": "berth 4"}
    calls = (
        step(0, "tool_call", "update_boat", args=args),
        step(1, "tool_result", "update_boat", ok=True, output={"boat_id": "B-7"}),
        step(2, "tool_call", "get_boat", args={"boat_id": "B-7"}),
        step(3, "tool_result", "get_boat", ok=True, output={"boat_id": "B-7", "berth": shown}),
    )
    assert features_of(run(*calls, text="I moved the boat."))["own_look_differs"] == differs


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.trace_id)
def test_the_first_table_is_the_first_part_of_the_second(trace: Trace) -> None:
    first, second = table_of(FIRST_EVIDENCE_TABLE), table_of(EVIDENCE_TABLE)
    assert second.names[: len(first.names)] == first.names
    values = second.compute(evidence_of(trace))
    assert first.compute(evidence_of(trace)) == values[: len(first.names)]


def test_hostile_values_are_read_in_bounded_time() -> None:
    deep: Any = "x"
    for _ in range(5_000):
        deep = [deep]
    for output in (deep, "\ud800" * 1000, 10**5000, ["1"] * 100_000, {"a@b.c" * 50: "2026-01-01" * 5_000}):
        call = step(0, "tool_call", "update_order", args={"id": "A7"})
        result = step(1, "tool_result", "update_order", ok=True, output=output)
        values = features_of(run(call, result, asked="(" * 50_000 + "7" * 50_000, text="@" * 100_000))
        assert all(value == value for value in values.values())


def test_documented_shape_features_of_a_small_run() -> None:
    trace = run(
        step(0, "tool_call", "calendar.create_event", args={"start": "2026-05-03T10:30:00"}),
        step(1, "tool_result", "calendar.create_event", ok=False, error="conflict", output={"status_code": 409}),
        step(2, "tool_call", "calendar.create_event", args={"start": "2026-05-03T11:30:00"}),
        step(3, "tool_result", "calendar.create_event", ok=True, output={"event_id": "e1", "status": "accepted"}),
        text="I think it is booked for 2026-05-03.",
        asked="Book 2026-05-03 at 10:30.",
    )
    shape = dict(zip(table_of(SHAPE_TABLE).names, shape_values(evidence_of(trace)), strict=True))
    wanted = {
        "n_steps": 4, "n_write_calls": 2, "n_retries": 1, "error_keyword_hits": 1, "pending_status_present": 1,
        "receipt_id_present": 1, "last_write_succeeded": 1, "steps_after_last_write": 1, "hedge_words_present": 1,
        "write_success_ratio": 0.5, "instruction_value_coverage": 1.0, "unsupported_value_ratio": 1.0, "n_claims": 1,
    }  # fmt: skip
    assert {name: shape[name] for name in wanted} == wanted


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Booked, and the invite is sent.", 2),
        ("I could not get it booked.", 0),
        ("All set!", 1),
        ("Nothing to say.", 0),
    ],
)
def test_documented_claims_are_counted_as_documented(text: str, count: int) -> None:
    call = step(0, "tool_call", "calendar.create_event", args={})
    assert count_documented_claims(evidence_of(run(call, text=text)))[0] == count


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.trace_id)
def test_features_nobody_looks_at_change_no_other(trace: Trace) -> None:
    table = table_of(EVIDENCE_TABLE)
    every = table.compute(evidence_of(trace))
    half = frozenset(table.names[::2])
    some = table.compute(evidence_of(trace), half)
    assert [x for name, x in zip(table.names, some, strict=True) if name in half] == list(every[::2])
    assert all(x in (0.0, y) for x, y in zip(some, every, strict=True))
