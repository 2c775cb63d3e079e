"""The one result record, ``claimcheck-result/v2``; ``v1`` projects it onto the documented shape."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from agent_claimcheck.detectors.contract import DetectorOutput, Reason
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import ClaimVerdict, Finding, Record
from agent_claimcheck.scoring.gate import Verdict

RESULT_SCHEMA = "claimcheck-result/v2"
VERDICTS: tuple[Verdict, ...] = ("verified", "false_success", "unverifiable", "skipped")


class CheckResult(Struct, frozen=True, kw_only=True, tag_field="schema", tag=RESULT_SCHEMA, rename={"task_id": "task"}):
    """What was found out about one trace. Encoded as JSON by msgspec it is a ``claimcheck-result/v2`` object.

    ``p_success``, ``p_success_raw`` and ``confidence`` are in [0, 1] or ``None`` (skipped, abstained).
    ``record`` says what the trace itself shows, ``verdict`` what the gate made of it.
    ``file`` and ``line`` say where the trace was read; times are ISO 8601 as written in the trace.
    ``tools`` names the tools that were called, sorted, at most 64.
    ``suppressed`` lists the ids of findings that a suppression file silenced, with their reasons.
    """

    trace_id: str
    domain: str
    detector: str
    verdict: Verdict
    p_success: float | None
    p_success_raw: float | None
    calibrated: bool
    abstain: bool
    abstain_reason: str | None
    confidence: float | None
    reasons: tuple[Reason, ...]
    claims: tuple[SuccessClaim, ...]
    claim_verdicts: tuple[ClaimVerdict, ...]
    detectors: tuple[DetectorOutput, ...]
    record: Record
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    file: str | None = None
    line: int | None = None
    source: str | None = None
    model: str | None = None
    task_id: str | None = None
    started_at: str | None = None
    ended_at: str | None = None
    tools: tuple[str, ...] = ()
    cost_usd: float = 0.0
    latency_ms: float = 0.0
    cached: bool = False
    extra: dict[str, Any] = {}
