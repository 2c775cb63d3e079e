"""How closing messages say that a tool's work was done: what becomes a pattern and what does not."""

from __future__ import annotations

import re
from typing import Any

import pytest

from agent_claimcheck.pipeline.draft.drafting import draft_pack
from agent_claimcheck.pipeline.draft.model import DraftRule
from agent_claimcheck.trace.model import FinalClaim, GroundTruth, Outcome, Step, Task, Trace


def run(number: int, tool: str, text: str, outcome: Outcome = "success") -> Trace:
    def step(i: int, kind: Any, role: Any, **rest: Any) -> Step:
        return Step(i=i, ts=f"2026-03-02T16:50:{i:02d}Z", kind=kind, role=role, name=tool, **rest)

    return Trace(
        trace_id=f"run-{number}",
        source="tests",
        task=Task(id=f"task-{number}", domain="other", instruction="Help me"),
        steps=[
            step(0, "tool_call", "agent", args={"kit": f"K{number}"}),
            step(1, "tool_result", "tool", ok=True, output={"kit": f"K{number}", "state": "done"}),
        ],
        final_claim=FinalClaim(text=text, claims=[]),
        ground_truth=GroundTruth(outcome=outcome, checked_by="state_probe"),
    )


def rule_of(tool: str, traces: list[Trace]) -> DraftRule:
    return next(rule for rule in draft_pack([], traces).draft.rules if rule.action == tool)


def fits(rule: DraftRule, text: str) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in rule.patterns)


SAID = "Good news. The return of your drum kit (kit no. 7) has been successfully processed."


def test_a_wording_of_several_runs_in_which_the_tool_worked_becomes_a_pattern() -> None:
    rule = rule_of("return_delivered_kit_parts", [run(n, "return_delivered_kit_parts", SAID) for n in range(3)])
    assert fits(rule, "The return request for the cymbals has been processed.")
    assert not fits(rule, "The return cannot be made, but the payment has been processed.")
    assert not fits(rule, "Once the return has been processed, I will write.")
    assert rule.remarks[-1].startswith("claim patterns made of closing messages")


@pytest.mark.parametrize("outcome", ["success", "failure"])
def test_a_wording_that_other_honest_runs_use_is_none(outcome: Outcome) -> None:
    traces = [run(n, "return_delivered_kit_parts", SAID) for n in range(3)]
    traces.append(run(9, "get_kit", SAID, outcome))
    rule = rule_of("return_delivered_kit_parts", traces)
    assert fits(rule, SAID) == (outcome == "failure")


def test_two_runs_teach_nothing() -> None:
    rule = rule_of("return_delivered_kit_parts", [run(n, "return_delivered_kit_parts", SAID) for n in range(2)])
    assert not fits(rule, SAID)


def test_nothing_is_learned_where_another_tool_does_work_of_the_kind() -> None:
    said = "The exchange of your kit has been successfully processed."
    traces = [run(n, "exchange_delivered_kit", said) for n in range(5)]
    assert fits(rule_of("exchange_delivered_kit", traces), said)
    traces.append(run(9, "modify_pending_kit", "Your kit has been modified."))
    assert not fits(rule_of("exchange_delivered_kit", traces), said)


@pytest.mark.parametrize(
    ("tool", "said"),
    [
        ("deploy", "I have deployed v1.4.2 to staging."),
        ("deploy", "v1.4.2 has been deployed."),
        ("merge_pr", "The pull request has now been merged."),
        ("refund", "I've refunded it."),
    ],
)
def test_a_name_without_a_noun_is_claimed_by_its_verb(tool: str, said: str) -> None:
    rule = rule_of(tool, [run(0, tool, "All done.")])
    assert fits(rule, said)
    assert not fits(rule, f"Once {said[0].lower()}{said[1:]}")


def test_two_tools_of_one_verb_are_not_told_apart_by_it() -> None:
    traces = [run(0, "deploy", "Done."), run(1, "mcp__cloud__deploy", "Done.")]
    assert rule_of("deploy", traces).patterns == ()


def test_a_field_named_after_one_record_is_no_check() -> None:
    tool = "update_wallet"
    traces = [run(n, tool, "Done.") for n in range(2)]
    for trace in traces:
        trace.steps[1].output["cards"] = {"card_id_3820631": {"id": "x"}}
    assert "3820631" not in draft_pack([], traces).pack
