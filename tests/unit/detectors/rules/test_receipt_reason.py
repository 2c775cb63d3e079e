"""What only a receipt supports is told with what the request names otherwise."""

from __future__ import annotations

from msgspec.structs import replace

from agent_claimcheck import Checker, load_traces


def test_another_day_than_the_one_asked_for_is_named() -> None:
    booked = next(trace for trace in load_traces("example:mixed") if trace.trace_id == "booking-03")
    told = Checker("rules").check_one(booked).reasons[0].detail
    assert told == "the receipt agrees; nothing read the state back"
    start = next(step.args["start"] for step in booked.steps if step.args and "start" in step.args)
    day, time = start[:10], start[11:16]
    other = f"{int(day[:4]) + 1}{day[4:]}"
    asked = f"Book 'The move' on {other} at {time}."
    steps = [replace(step, content=asked) if step.role == "user" else step for step in booked.steps]
    again = replace(booked, task=replace(booked.task, instruction=asked), steps=steps)
    result = Checker("rules").check_one(again)
    assert result.verdict == "unverifiable"
    assert f"the request names {other}T{time}, and start is {start}" in result.reasons[0].detail
