"""Training examples: what stands in them, what is masked, how they are split."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from msgspec.structs import replace

from agent_claimcheck.detectors.judge.answer import read_answer
from agent_claimcheck.detectors.judge.prompt import load_prompt
from agent_claimcheck.evidence.case import CaseSettings
from agent_claimcheck.lab.judge.export import ExportPlan, export_examples, part_of
from agent_claimcheck.trace.model import GroundTruth, Task, Trace
from fakes import booking_trace


def labelled(outcome: str, details: dict[str, Any] | None = None, **fields: Any) -> Trace:
    truth = GroundTruth(outcome=outcome, checked_by="human", details=details)  # type: ignore[arg-type]
    return replace(booking_trace(**fields), ground_truth=truth)


def examples(*traces: Trace, prompt: str = "claim-audit", left_out: Counter[str] | None = None) -> list[list[str]]:
    plan = ExportPlan(prompt=load_prompt(prompt), case=CaseSettings())
    lines = [json.loads(line) for _, line in export_examples(traces, plan, left_out)]
    assert all([message["role"] for message in line["messages"]] == ["user", "assistant"] for line in lines)
    return [[message["content"] for message in line["messages"]] for line in lines]


def test_success_cites_what_proves_it() -> None:
    ((prompt, answer),) = examples(labelled("success"))
    read = read_answer(answer)
    assert '[2] tool_result tool "rooms.book"' in prompt
    assert (read.failure_kind, read.evidence_steps) == ("none", [1, 2])
    assert read.p_success > 0.9


def test_failure_takes_kind_and_steps_from_the_human_note() -> None:
    details = {"failure_kind": "wrong_target", "note": "Step 2 names another room, see also [1] and [99]."}
    ((_, answer),) = examples(labelled("failure", details))
    read = read_answer(answer)
    assert (read.failure_kind, read.evidence_steps) == ("wrong_target", [1, 2])
    assert read.rationale.startswith("Step 2 names another room")


def test_failure_that_the_rules_see_needs_no_note() -> None:
    ((_, answer),) = examples(labelled("failure", ok=False, error="conflict"))
    read = read_answer(answer)
    assert (read.failure_kind, read.p_success) == ("error_ignored", 0.03)
    assert 2 in read.evidence_steps


def test_failure_nobody_explains_is_left_out_and_counted() -> None:
    left_out: Counter[str] = Counter()
    traces = [
        labelled("failure"),
        labelled("unknown"),
        replace(booking_trace(), ground_truth=None),
        labelled("success", final="I had a look."),
    ]
    assert examples(*traces, left_out=left_out) == []
    assert left_out == {"unknown_failure_kind": 1, "unlabelled": 2, "no_claim": 1}


def test_longer_prompt_gets_the_steps_of_each_claim() -> None:
    for trace in (labelled("success"), labelled("failure", ok=False, error="conflict")):
        ((_, answer),) = examples(trace, prompt="claim-by-claim")
        claims = read_answer(answer).claims
        assert claims is not None and [claim["claim"] for claim in claims] == [1]
        assert claims[0]["supporting"] or claims[0]["contradicting"]


def test_secrets_and_labels_are_not_in_the_examples() -> None:
    trace = labelled(
        "success",
        {"note": "ann@example.org confirmed it", "secret_label": "canary"},
        args={"to": "ann@example.org", "password": "hunter2-canary"},
    )
    ((prompt, answer),) = examples(trace)
    assert "ann@example.org" not in prompt + answer
    assert "canary" not in prompt + answer


def test_runs_of_one_task_stay_together() -> None:
    plan = ExportPlan(prompt=load_prompt("claim-audit"), case=CaseSettings(), valid_share=0.5)
    traces = [
        replace(
            labelled("success", trace_id=f"t-{n}"),
            task=Task(id=f"task-{n % 10}", domain="other", instruction="Book it."),
        )
        for n in range(40)
    ]
    parts = [part for part, _ in export_examples(traces, plan)]
    assert parts == [part_of(f"task-{n % 10}", 0.5) for n in range(40)]
    assert len(set(parts)) == 2
