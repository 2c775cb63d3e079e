"""The faithfulness check: one finding a statement, from the offline reading or from a model.

A reader must not miss: without a client the offline reading decides, and says so. It fails a statement only where the
evidence plainly says something else; what it cannot compare is ``unverifiable``, which sends the run to review. Where a
model was asked and gave no answer, what the offline reading fails still fails, so that a broken line clears nobody.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec.structs import replace

from agent_claimcheck.checks.contract import (
    CheckFinding,
    CheckReport,
    CheckRequest,
    verdict_of,
)
from agent_claimcheck.checks.faithfulness.aim import Aim
from agent_claimcheck.checks.faithfulness.ask import Verified, extract, verify
from agent_claimcheck.checks.faithfulness.deeds import RefutedDeed, refuted_deeds
from agent_claimcheck.checks.faithfulness.evidence_index import EvidenceIndex
from agent_claimcheck.checks.faithfulness.judgement import Judgement
from agent_claimcheck.checks.faithfulness.offline import judge
from agent_claimcheck.checks.faithfulness.statements import Statement, statements_of
from agent_claimcheck.checks.faithfulness.units import Piece
from agent_claimcheck.checks.questions import PROMPT_VERSION
from agent_claimcheck.checks.run import Run
from agent_claimcheck.evidence.claims.courtesies import without_courtesies
from agent_claimcheck.evidence.claims.prose import prose_of
from agent_claimcheck.evidence.contract import Severity

NAME = "faithfulness"

FaithfulnessVerdict = Literal["supported", "unsupported", "contradicted", "unverifiable", "unchecked"]

SEVERITY_OF: dict[FaithfulnessVerdict, Severity] = {
    "supported": "pass",
    "unsupported": "fail",
    "contradicted": "fail",
    "unverifiable": "warn",
    "unchecked": "warn",
}
_SUBJECT = 200


def check_faithfulness(run: Run, request: CheckRequest) -> CheckReport:
    """Compare every statement of the final answer with what the tools returned. Never raises.

    ``score`` is the share of supported among the decided statements, ``None`` for a run without evidence, without
    statements or with none that was decided.
    """
    index = EvidenceIndex(run)
    if request.client is None or not run.final_answer.strip():
        return _report(*_offline(run, index, request), index, request, layer="offline")
    statements, is_cut, failure = extract(request.client, run.final_answer, request.max_claims)
    if statements is None:
        return _unread(run, index, request, failure or "the statements could not be extracted")
    if not statements:
        # Nothing passes unread: what the model took for no statement is read by values and wording.
        return _report(
            *_offline(run, index, request), index, request, layer="offline", asked="the model listed no statement"
        )
    if index.is_empty:
        findings = [_finding(text, "unverifiable", "the run holds no evidence", None, "") for text in statements]
        return _report(findings, is_cut, index, request, layer="model")
    verdicts = verify(request.client, statements, index.pieces, request.kind)
    if all(found.verdict is None for found in verdicts):
        return _unread(run, index, request, verdicts[0].failure or "it gave no verdict")
    findings = [_of_model(text, found) for text, found in zip(statements, verdicts, strict=True)]
    if any(found.verdict is None for found in verdicts):
        findings += _failed_offline(run, index, request, findings)
    return _report(findings, is_cut, index, request, layer="model")


def _unread(run: Run, index: EvidenceIndex, request: CheckRequest, failure: str) -> CheckReport:
    """Return the offline report with a warning: a model was to read the answer, and did not."""
    asked = f"asked, without an answer: {failure}"
    report = _report(*_offline(run, index, request), index, request, layer="offline", asked=asked)
    reason = f"the model gave no answer ({failure.rstrip('.')}); the offline reading stands"
    findings = [*report.findings, _unchecked("the final answer", reason)]
    summary = f"{report.summary} The model gave no answer; the offline reading stands."
    return replace(report, findings=findings, verdict=verdict_of(findings), summary=summary)


def _failed_offline(
    run: Run, index: EvidenceIndex, request: CheckRequest, judged: list[CheckFinding]
) -> list[CheckFinding]:
    """Return what the offline reading fails, for statements that the model left open; its own verdicts go first."""
    settled = {_bare(finding.subject) for finding in judged if finding.verdict != "unchecked"}
    return [
        replace(finding, reason=f"{finding.reason} Read offline; the model did not check all of the answer.")
        for finding in _offline(run, index, request)[0]
        if finding.severity == "fail" and _bare(finding.subject) not in settled
    ]


def _bare(text: str) -> str:
    return text.casefold().strip(" .!")


def _offline(run: Run, index: EvidenceIndex, request: CheckRequest) -> tuple[list[CheckFinding], bool]:
    statements, is_cut = statements_of(without_courtesies(prose_of(run.final_answer)))
    if len(statements) > request.max_claims:
        # Every statement is read; the cap is for what a model would be paid for.
        is_cut = is_cut or False
    if index.is_empty:
        return [_finding(s.text, "unverifiable", "the run holds no evidence", None, "") for s in statements], is_cut
    carried: list[Aim] = []
    deeds = refuted_deeds(run)
    findings = []
    for statement in statements:
        found = judge(statement, index, carried)
        deed = next((deed for deed in deeds if deed.is_told_in(statement)), None)
        if deed is not None and found.verdict != "contradicted" and not statement.is_hedged:
            findings.append(_of_deed(statement, deed))
        else:
            findings.append(_of_reading(statement, found, index))
    return findings, is_cut


def _of_reading(statement: Statement, found: Judgement, index: EvidenceIndex) -> CheckFinding:
    piece = index.pieces[found.piece] if found.piece is not None else None
    return _finding(statement.text, found.verdict, found.reason, piece, found.deciding, _place(statement))


def _of_deed(statement: Statement, deed: RefutedDeed) -> CheckFinding:
    found = _finding(statement.text, "contradicted", deed.reason, None, deed.evidence or "", _place(statement))
    return replace(found, step=deed.step)


def _place(statement: Statement) -> dict[str, Any]:
    return {"start": statement.start, "end": statement.start + len(statement.text)}


def _of_model(text: str, found: Verified) -> CheckFinding:
    if found.verdict is None:
        return _unchecked(text, found.failure or "the model gave no verdict on it")
    return _finding(text, found.verdict, found.reason, None, "")


def _unchecked(text: str, failure: str) -> CheckFinding:
    return _finding(text, "unchecked", f"It was not checked: {failure}", None, "")


def _finding(
    text: str,
    verdict: FaithfulnessVerdict,
    reason: str,
    piece: Piece | None,
    deciding: str,
    metadata: dict[str, Any] | None = None,
) -> CheckFinding:
    known: dict[str, Any] = dict(metadata or {})
    if piece is not None:
        known["location"] = piece.location
        value = deciding.partition(": ")[2] or deciding
        at = piece.text.find(value) if value else -1
        if at >= 0:
            known["evidence_start"], known["evidence_end"] = at, at + len(value)
    return CheckFinding(
        severity=SEVERITY_OF[verdict],
        verdict=verdict,
        subject=text if len(text) <= _SUBJECT else text[: _SUBJECT - 3] + "...",
        reason=f"{reason[:1].upper()}{reason[1:]}." if reason and not reason.endswith((".", "!", "?")) else reason,
        evidence=deciding or None,
        step=piece.step if piece is not None else None,
        metadata=known,
    )


def _report(
    findings: list[CheckFinding],
    is_cut: bool,
    index: EvidenceIndex,
    request: CheckRequest,
    *,
    layer: str,
    asked: str = "",
) -> CheckReport:
    supported = sum(finding.verdict == "supported" for finding in findings)
    against = sum(finding.severity == "fail" for finding in findings)
    verdict = verdict_of(findings)
    metadata: dict[str, Any] = {
        "layer": layer,
        "kind": request.kind,
        "statements": len(findings),
        "evidence": len(index.pieces),
        "statements_cut": is_cut,
        "evidence_cut": any(piece.is_cut for piece in index.pieces),
    }
    if asked:
        metadata["model"] = asked
    elif layer == "offline" and request.unavailable:
        metadata["model"] = f"not asked: {request.unavailable}"
    score: float | None = None
    if supported + against and not index.is_empty:
        score = supported / (supported + against)
    return CheckReport(
        check=NAME,
        passed=verdict != "fail",
        verdict=verdict,
        score=score,
        summary=_summary(findings, supported, against, is_cut, index, layer),
        findings=findings,
        metadata=metadata,
        prompt_version=PROMPT_VERSION,
    )


def _summary(
    findings: list[CheckFinding], supported: int, against: int, is_cut: bool, index: EvidenceIndex, layer: str
) -> str:
    if not findings and index.is_answer_blank:
        return "The run has no final answer, so there was nothing to check."
    if not findings:
        return "The final answer makes no statement that could be checked."
    if index.is_empty:
        many = len(findings) != 1
        return (
            f"{len(findings)} statement{'s' if many else ''}, and no tool returned anything to check "
            f"{'them' if many else 'it'} against."
        )
    decided = supported + against
    open_ones = len(findings) - decided
    text = f"{supported}/{decided} checkable claims grounded." if decided else "No claim could be checked."
    if decided and open_ones:
        text += f" {open_ones} could not be checked."
    if layer == "offline":
        text += " Read offline, by values and wording."
    return text + (" Not all of the answer was read." if is_cut else "")
