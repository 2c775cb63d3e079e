"""What a person reads about one trace."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from agent_claimcheck.evidence.contract import Finding, Power, Severity
from agent_claimcheck.results.explain import explain, step_line
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.trace.model import Step

Build = Callable[..., CheckResult]


def step(i: int, **fields: Any) -> Step:
    return Step(**({"i": i, "ts": "2026-01-01T00:00:00Z", "kind": "tool_result", "role": "tool"} | fields))


def test_each_claim_shows_quote_check_and_cited_steps(build_result: Build) -> None:
    told = explain(build_result(), [step(0, kind="tool_call", name="cal.book", args={"day": "Fri"}), step(1, ok=False)])
    assert 'said in step 4: "Booked"' in told
    assert 'about day = "Friday"' in told
    assert "check        FAIL event_id exists true, got null" in told
    assert 'cited        [0] tool_call cal.book, args {"day":"Fri"}' in told
    assert "cited        [1] tool_result by tool, ok false" in told


def test_a_claim_of_one_word_is_shown_in_its_line(build_result: Build) -> None:
    said = step(4, kind="message", role="agent", content="Two were found.\n- Status: Booked, by mail\nBye")
    result = build_result()
    claim = replace(result.claims[0], span=(26, 32))
    assert 'said in step 4: "Booked" in the line "- Status: Booked, by mail"' in explain(
        replace(result, claims=(claim,)), [said]
    )
    assert "in the line" not in explain(result, [step(4, kind="message", role="agent", content="Booked")])


def test_an_unread_message_says_what_would_settle_it(build_result: Build) -> None:
    told = explain(build_result("unverifiable", record="unread", claims=(), claim_verdicts=()), [])
    assert "claim_patterns" in told


def test_what_would_settle_it_is_said_unless_it_is_settled(build_result: Build) -> None:
    for verdict, shown in (("unverifiable", True), ("verified", False)):
        result = build_result(verdict)
        claim = replace(result.claim_verdicts[0], settle="a read of the event")
        told = explain(replace(result, claim_verdicts=(claim,)), [])
        assert ("to settle    a read of the event" in told) is shown


def test_a_skipped_trace_says_that_nothing_was_claimed(build_result: Build) -> None:
    told = explain(build_result("skipped"), [])
    assert "skipped: nothing was claimed" in told
    assert "Claim" not in told


def test_a_step_that_is_not_there_is_named(build_result: Build) -> None:
    assert "[1] is not in the trace" in explain(build_result(), [])


def test_a_claim_that_no_rule_saw_is_not_passed_over(build_result: Build) -> None:
    assert "No rule looked at this claim." in explain(build_result("unverifiable", claim_verdicts=()), [])


def test_a_verdict_about_no_listed_claim_is_still_told(build_result: Build) -> None:
    told = explain(build_result(claims=()), [])
    assert "Claim: booked" in told


def test_findings_suppressions_and_notes_are_told(build_result: Build) -> None:
    finding = Finding(
        id="odd", power="review", severity="warn", subject="s", reason="why", evidence="proof", steps=(1,)
    )
    told = explain(build_result(findings=(finding,), suppressed=("x: known",), notes=("repaired",)), [])
    for line in ("  odd (review, warn): why", "    evidence   proof", "  x: known", "  repaired"):
        assert line in told.splitlines()


def test_a_finding_that_accuses_nobody_here_says_so(build_result: Build) -> None:
    finding = Finding(id="odd", power="accuse", severity="fail", subject="s", reason="why", steps=(1,), claim=0)
    assert "  odd (accuse, fail): why" in explain(build_result(findings=(finding,)), [])
    told = explain(build_result("unverifiable", findings=(finding,)), [])
    assert "  odd (accuse, fail; not held against this claim): why" in told


def test_values_are_listed_and_a_quote_ends_with_its_own_words(build_result: Build) -> None:
    claim = replace(build_result().claims[0], subject={"day": ["Fri", "Sat"]}, quote="Booked for Friday (")
    told = explain(build_result(claims=(claim,)), [])
    assert 'about day = "Fri", "Sat"' in told
    assert 'said in step 4: "Booked for Friday"' in told


@pytest.mark.parametrize("text", ["\x1b[31mred", "a\nFAKE LINE", "\u202egnp", "\ud800", "\r::error::x"])
def test_hostile_text_is_shown_literally_on_one_line(build_result: Build, text: str) -> None:
    result = build_result(detail=text, trace_id=text, domain=text, notes=(text,))
    plain = build_result(detail="x", trace_id="x", domain="x", notes=("x",))
    hostile_step = step(1, name=text, error=text, output={text: text}, content=text)
    plain_step = step(1, name="x", error="x", output={"x": "x"}, content="x")
    told = explain(result, [hostile_step])
    assert len(told.splitlines()) == len(explain(plain, [plain_step]).splitlines())
    assert told.replace("\n", "").isprintable()
    told.encode()


def test_huge_and_deep_values_are_cut_quickly() -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    started = time.process_time()
    line = step_line(step(1, output="x" * 5_000_000, args={"deep": deep}, error={"e": ["y"] * 100_000}))
    assert len(line) < 2000
    assert time.process_time() - started < 2


def test_a_finding_of_background_passes_nothing(build_result: Build) -> None:
    def finding(power: Power, severity: Severity) -> Finding:
        return Finding(id="last_error", power=power, severity=severity, subject="water", reason="the last call failed")

    told = explain(replace(build_result(), findings=(finding("explain", "pass"), finding("review", "warn"))), [])
    assert "last_error (explain): the last call failed" in told
    assert "last_error (review, warn): the last call failed" in told
