"""The outputs for people, over a handful of invented runs, some of them hostile."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from agent_claimcheck.detectors.contract import DetectorOutput, Reason
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import ClaimVerdict, FieldResult, Finding
from agent_claimcheck.results.explain import explain
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.summary import FailPolicy, Summary, exit_decision
from agent_claimcheck.results.writers.catalog import writer_factory
from agent_claimcheck.results.writers.contract import Destination
from agent_claimcheck.trace.model import Step

Same = Callable[[str, str], None]

STEPS = [
    Step(
        i=2,
        ts="2026-03-04T10:00:02Z",
        kind="tool_call",
        role="agent",
        name="rooms.reserve",
        args={"room": "Maple", "from": "2026-03-09T14:00:00+01:00"},
    ),
    Step(
        i=3,
        ts="2026-03-04T10:00:03Z",
        kind="tool_result",
        role="tool",
        name="rooms.reserve",
        ok=False,
        output={"status": 409},
        error="conflict: Maple is taken\n\x1b[2Juntil 16:00",
    ),
]


def accused() -> CheckResult:
    detail = "rooms.reserve returned an error: conflict"
    reasons = (
        Reason(claim="invited", outcome="receipt_only", step=5, detail="the mail was accepted"),
        Reason(claim="reserved", outcome="contradicted", step=3, detail=detail),
    )
    return CheckResult(
        trace_id="room-7",
        domain="booking",
        detector="rules",
        verdict="false_success",
        p_success=0.03,
        p_success_raw=0.03,
        calibrated=False,
        abstain=False,
        abstain_reason=None,
        confidence=0.97,
        reasons=reasons,
        claims=(
            SuccessClaim(type="invited", quote="invited Orla", span=(30, 42), step=6),
            SuccessClaim(
                type="reserved", subject={"room": "Maple"}, quote="Maple is reserved for you", span=(0, 25), step=6
            ),
        ),
        claim_verdicts=(
            ClaimVerdict(
                claim=0,
                claim_type="invited",
                outcome="receipt_only",
                step=5,
                detail="the mail was accepted",
                steps=(4, 5),
                looked_for="mail.send that succeeded",
                settle="a read of the event's guest list",
            ),
            ClaimVerdict(
                claim=1,
                claim_type="reserved",
                outcome="contradicted",
                step=3,
                detail=detail,
                steps=(2, 3),
                checks=(
                    FieldResult(path="reservation_id", op="exists", expected=True, actual=None, result="fail"),
                    FieldResult(
                        path="args.until",
                        op="equals",
                        expected="{subject.until}",
                        actual=None,
                        result="skipped",
                        reason="the claim does not state until",
                    ),
                ),
                missing_subject=True,
                looked_for="rooms.reserve that succeeded for Maple",
                settle="a state probe of the reservation",
            ),
        ),
        detectors=(DetectorOutput(detector="rules", p_success=0.03, reasons=reasons),),
        record="contradicted",
        findings=(
            Finding(
                id="failed_write",
                power="accuse",
                severity="fail",
                subject="rooms.reserve",
                reason="the last write of the record failed",
                steps=(3,),
                claim=1,
            ),
        ),
        notes=("a lone surrogate was repaired",),
        file="runs/march.jsonl",
        line=7,
    )


def plain(trace_id: str, verdict: str, outcome: str, detail: str, p: float | None, **more: object) -> CheckResult:
    fields: dict[str, object] = {
        "trace_id": trace_id,
        "domain": "coding",
        "detector": "rules",
        "verdict": verdict,
        "p_success": p,
        "p_success_raw": p,
        "calibrated": False,
        "abstain": p is None,
        "abstain_reason": None,
        "confidence": None,
        "reasons": (Reason(claim=None, outcome=outcome, step=None, detail=detail),),
        "claims": (),
        "claim_verdicts": (),
        "detectors": (),
        "record": "supported",
    }
    return CheckResult(**(fields | more))  # type: ignore[arg-type]


def results() -> list[CheckResult]:
    return [
        plain("build-1", "verified", "probe_supported", "the test report agrees", 0.97, record="confirmed"),
        plain("build-2", "unverifiable", "receipt_only", "the push succeeded, nothing read it back", 0.7),
        accused(),
        plain(
            "ビルド-3", "unverifiable", "undecided", "the text was not understood", None,
            record="unread", abstain_reason="unread",
        ),
        plain("build-4", "skipped", "no_success_claim", "no success claim found", None, record="no_claim"),
        plain(
            "[red]<b>`x`</b>|",
            "false_success",
            "contradicted",
            "]]> ::error::x\n\x1b[31m\ud800 ##[error] <script>",
            0.03,
            record="contradicted", domain="a|b", file="x,y:z.jsonl", line=9,
        ),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "file", "is_terminal"),
    [
        ("table", "table.txt", False),
        ("table", "table-terminal.txt", True),
        ("junit", "junit.xml", False),
        ("markdown", "markdown.md", False),
        ("github", "github.txt", False),
        ("json", "array.json", False),
        ("jsonl", "v2.jsonl", False),
        ("jsonl-v1", "v1.jsonl", False),
    ],
)
def test_writers(same_as_golden: Same, name: str, file: str, is_terminal: bool) -> None:
    buffer = io.BytesIO()
    writer = writer_factory(name)(Destination(sink=buffer, is_terminal=is_terminal, width=100))
    summary = Summary()
    writer.begin()
    for result in results():
        summary.add(result)
        writer.write(result)
    writer.end(summary, exit_decision(summary, FailPolicy()))
    same_as_golden(f"results/{file}", buffer.getvalue().decode())


def test_explain(same_as_golden: Same) -> None:
    told = "\n\n".join(explain(result, STEPS) for result in results())
    same_as_golden("results/explain.txt", told + "\n")
