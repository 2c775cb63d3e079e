"""From records to rows: order, abstentions, cascades."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_claimcheck.lab.bench.records import JudgeRecord
from agent_claimcheck.lab.bench.rows import Row, TraceFacts, cascade_rows, reread_answers


def row(trace_id: str = "a", *, p: float = 0.5, **fields: Any) -> Row:
    facts = TraceFacts(
        trace_id=trace_id, split="test", domain="d", is_failure=True, injection="none", evidence="receipt_only"
    )
    return Row(**{"facts": facts, "p_raw": p, "p_cal": p, "abstain": False, "latency_ms": 1.0, **fields})


@pytest.mark.parametrize("p", [0.03, 0.05, 0.97])
def test_conclusive_rules_decide_alone(p: float) -> None:
    first = row(p=p)
    assert cascade_rows([first], [row(p=0.5, cost_usd=1.0)], is_judge=True) == [first]


def test_a_receipt_alone_goes_to_the_other_detector_and_its_score_is_dropped() -> None:
    (found,) = cascade_rows([row(p=0.7)], [row(p=0.2, latency_ms=5.0, cost_usd=0.01)], is_judge=True)
    assert (found.p_raw, found.latency_ms, found.cost_usd, found.went_to_judge) == (0.2, 6.0, 0.01, True)


def test_abstaining_rules_go_on_even_with_a_conclusive_number() -> None:
    (found,) = cascade_rows([row(p=0.97, abstain=True)], [row(p=0.2)], is_judge=False)
    assert (found.p_raw, found.went_to_judge) == (0.2, False)


def test_an_abstaining_judge_is_an_abstention_without_fallback() -> None:
    (found,) = cascade_rows([row(p=0.7)], [row(p=0.6, abstain=True, abstain_reason="parse_error")], is_judge=True)
    assert (found.abstain, found.abstain_reason) == (True, "parse_error")


def test_a_trace_the_judge_never_saw_abstains() -> None:
    (found,) = cascade_rows([row("a", p=0.7)], [row("b", p=0.9)], is_judge=True)
    assert (found.facts.trace_id, found.abstain, found.abstain_reason) == ("a", True, "not_recorded")


def test_an_unmeasured_part_leaves_the_sum_unmeasured() -> None:
    (found,) = cascade_rows([row(p=0.7)], [row(p=0.9, latency_ms=None, cost_usd=None)], is_judge=True)
    assert found.latency_ms is None and found.cost_usd is None


def record(raw_text: str | None, **fields: Any) -> JudgeRecord:
    base: dict[str, Any] = {
        "detector": "judge:m", "trace_id": "a", "split": "test", "model": "m", "prompt_name": "audit",
        "abstain": False, "p_raw": 0.4, "raw_text": raw_text,
    }  # fmt: skip
    return JudgeRecord(**{**base, **fields})


def answer(p: float) -> str:
    return json.dumps({"p_success": p, "failure_kind": "none", "evidence_steps": [], "rationale": ""})


def test_answers_are_taken_as_recorded_unless_asked() -> None:
    records = [record("nonsense")]
    read, reading = reread_answers(records, "recorded")
    assert read == records
    assert (reading.mode, reading.reread, reading.changed) == ("recorded", 0, 0)


def test_reading_texts_again_finds_what_the_record_got_wrong() -> None:
    records = [
        record(answer(0.4)),
        record(answer(0.9)),
        record("nonsense"),
        record("nonsense", abstain=True, abstain_reason="parse_error"),
        record(None, abstain=True, abstain_reason="timeout"),
    ]
    read, reading = reread_answers(records, "documented")
    assert (reading.reread, reading.changed) == (4, 2)
    assert [(r.abstain, r.abstain_reason) for r in read] == [
        (False, None), (False, None), (True, "parse_error"), (True, "parse_error"), (True, "timeout"),
    ]  # fmt: skip
    assert read[1].p_raw == 0.9


def test_a_colon_in_a_model_name_makes_no_ablation() -> None:
    assert not record(None, model="llama:8b", detector="judge:llama:8b").is_ablation
    assert record(None, model="llama:8b", detector="judge:llama:8b:by-claim", prompt_name="by-claim").is_ablation
