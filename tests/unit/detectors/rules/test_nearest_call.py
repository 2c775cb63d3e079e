"""A claim cites the call that it speaks of, not merely the last one that might have done it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from agent_claimcheck import Checker
from agent_claimcheck.trace.model import FinalClaim, Step
from fakes import booking_trace

TS = "2026-05-01T09:00:00Z"


def details(*parts: tuple[str, dict[str, Any]] | str) -> list[str]:
    """Return what was found for each claim of a run of calls that worked and of messages."""
    steps: list[Step] = []
    for part in parts:
        if isinstance(part, str):
            steps.append(Step(i=len(steps), ts=TS, kind="message", role="agent", content=part))
            continue
        name, args = part
        steps.append(Step(i=len(steps), ts=TS, kind="tool_call", role="agent", name=name, args=args))
        steps.append(
            Step(i=len(steps), ts=TS, kind="tool_result", role="tool", name=name, ok=True, output={"ok": True})
        )
    trace = replace(booking_trace("r"), steps=steps, final_claim=FinalClaim(text=steps[-1].content or ""))
    return [verdict.detail.split(";")[0] for verdict in Checker("rules").check_one(trace).claim_verdicts]


def test_each_claim_cites_its_own_call() -> None:
    moved, renamed = ("update_berth", {"boat": "B-1"}), ("update_skipper", {"boat": "B-1"})
    assert details(moved, renamed, "I updated the berth. I changed the skipper.") == [
        "update_berth succeeded", "update_skipper succeeded",
    ]  # fmt: skip


def test_a_call_after_the_claim_did_not_do_it() -> None:
    first, second = ("update_boat", {"boat": "B-1"}), ("modify_boat", {"boat": "B-2"})
    assert details(first, "I have updated the boat.", second, "I have changed the other boat.") == [
        "update_boat succeeded", "modify_boat succeeded",
    ]  # fmt: skip


def test_the_call_with_the_id_of_the_claim_is_cited() -> None:
    first, second = ("update_boat", {"boat": "B-17"}), ("modify_boat", {"boat": "B-29"})
    assert details(first, second, "Boat B-17 has been updated.") == ["update_boat succeeded"]


def test_what_would_settle_it_names_what_is_missing() -> None:
    for tool, ok, output, missing in (
        ("update_boat", True, {"ok": True}, "a state probe of that record with a rule pack"),
        ("update_boat", None, {"boat": "B-1"}, "a result that says whether the call worked"),
        ("frobnicate", None, "B-1", "a rule pack that says what frobnicate changes"),
    ):
        trace = booking_trace("r", final="I updated the boat.", output=output, ok=ok)
        steps = [replace(step, name=tool if step.name else None) for step in trace.steps]
        found = Checker("rules").check_one(replace(trace, steps=steps)).claim_verdicts[0]
        assert found.settle.startswith(missing), (tool, found.settle)
