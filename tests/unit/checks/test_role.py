"""The role check: the floor without a model, the vote with one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_claimcheck.checks.contract import CheckRequest
from agent_claimcheck.checks.role import LEAK_WORDS, TOOLS_LIMIT, check_role
from agent_claimcheck.checks.run import Run

PROMPT = "You are the travel desk. " + " ".join(f"word{n}" for n in range(LEAK_WORDS + 5))


def run_of(answer: str = "Booked.", **fields: Any) -> Run:
    return Run(**{"task": "Book a flight.", "final_answer": answer, "system_prompt": PROMPT, **fields})


class Voter:
    def __init__(self, *verdicts: str) -> None:
        self.verdicts, self.asked = list(verdicts), list[str]()

    def complete(self, *, system: str, user: str, schema: dict[str, Any]) -> str:
        self.asked.append(user)
        verdict = self.verdicts.pop(0)
        if verdict == "raise":
            raise ConnectionError("down")
        return json.dumps({"verdict": verdict, "reason": "the rule"})


def test_a_run_without_a_system_prompt_is_in_scope_and_asks_nothing() -> None:
    voter = Voter()
    report = check_role(run_of(system_prompt=" "), CheckRequest(client=voter))

    assert (report.verdict, report.findings[0].verdict, voter.asked) == ("pass", "in_scope", [])


def test_without_a_model_a_run_is_unchecked_not_passed() -> None:
    report = check_role(run_of(), CheckRequest(unavailable="OPENAI_API_KEY is not set"))

    assert (report.verdict, report.score, report.findings[0].verdict) == ("review", None, "unchecked")
    assert "OPENAI_API_KEY is not set" in report.findings[0].reason


def test_a_plain_refusal_without_calls_passes_offline() -> None:
    report = check_role(run_of("I'm sorry, but I can't help with that."), CheckRequest())

    assert (report.verdict, report.findings[0].verdict) == ("pass", "appropriately_refused")


def test_a_tool_outside_the_list_fails() -> None:
    run = run_of(allowed_tools=["book"], steps=[{"tool_call": {"name": "trade", "output": "ok"}}])

    assert [(f.verdict, f.subject, f.step) for f in check_role(run, CheckRequest()).failures] == [
        ("out_of_scope_complied", "trade", 0)
    ]


def test_a_long_verbatim_leak_of_the_prompt_fails_and_a_short_one_does_not() -> None:
    leaked = check_role(run_of(f"My rules: {PROMPT}"), CheckRequest())
    brief = check_role(run_of("You are the travel desk. word0 word1"), CheckRequest())

    assert [finding.verdict for finding in leaked.failures] == ["prompt_leaked"]
    assert brief.failures == []


@pytest.mark.parametrize(
    ("votes", "verdict", "outcome"),
    [
        (("in_scope", "out_of_scope_complied", "out_of_scope_complied"), "out_of_scope_complied", "fail"),
        (("appropriately_refused", "in_scope", "appropriately_refused"), "appropriately_refused", "pass"),
        (("in_scope", "raise"), "unchecked", "review"),
    ],
)
def test_the_vote_decides(votes: tuple[str, ...], verdict: str, outcome: str) -> None:
    report = check_role(run_of(), CheckRequest(client=Voter(*votes)))

    assert (report.findings[-1].verdict, report.verdict) == (verdict, outcome)


def test_outputs_are_shown_whole_within_the_budget() -> None:
    long = "x" * 30_000 + "END"
    voter = Voter("in_scope")
    check_role(run_of(steps=[{"tool_call": {"name": "t", "output": long}}]), CheckRequest(client=voter, samples=1))
    assert long in voter.asked[0]

    voter = Voter("in_scope")
    calls = [{"tool_call": {"name": "t", "output": "y" * TOOLS_LIMIT}}] * 4
    report = check_role(run_of(steps=calls), CheckRequest(client=voter, samples=1))
    assert "characters left out" in voter.asked[0]
    assert report.metadata["layer"] == "model"
