"""Thousands of claims against thousands of calls: the work stays bounded, and what was not compared is undecided."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import json

from agent_claimcheck import Checker, load_traces

CALLS = 1500
CLAIMS = 200


def _run() -> dict[str, Any]:
    steps: list[dict[str, Any]] = []
    for number in range(CALLS):
        record = {"record_id": f"rec_{number:05d}"}
        common = {"ts": "2031-02-03T10:00:00Z", "name": "crm.update_contact"}
        steps.append({**common, "i": 2 * number, "kind": "tool_call", "role": "agent", "args": record})
        steps.append(
            {**common, "i": 2 * number + 1, "kind": "tool_result", "role": "tool", "ok": True, "output": record}
        )
    claims = [{"type": "updated", "subject": {"record_id": f"rec_{number:05d}"}} for number in range(CLAIMS)]
    return {
        "schema": "agent-trace/v1",
        "trace_id": "many",
        "source": "unit",
        "task": {"id": "many", "domain": "crm", "instruction": "Update them all."},
        "steps": steps,
        "final_claim": {"text": "Updated.", "claims": claims},
    }


def test_claims_beyond_the_bound_are_undecided_and_never_waved_through(tmp_path: Path) -> None:
    source = tmp_path / "many.jsonl"
    source.write_bytes(json.encode(_run()) + b"\n")
    (result,) = Checker().check(load_traces(source))
    outcomes = [verdict.outcome for verdict in result.claim_verdicts]
    assert len(outcomes) == CLAIMS
    assert outcomes[0] == "receipt_only"
    assert outcomes[-1] == "undecided"
    assert result.verdict == "unverifiable"
    assert "not compared" in result.claim_verdicts[-1].detail
