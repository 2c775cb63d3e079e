"""Labelled traces as examples for training a judge: the prompt as it is sent, and the answer one would have wished.

A reader must not miss: secrets and personal data are masked before anything is rendered, and all runs of one task fall
into the same part, so a model is never tested on a task it has seen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.core.canonical import canonical_json, sha256_hex
from agent_claimcheck.core.text import shorten
from agent_claimcheck.detectors.judge.answer import CANNOT_TELL, FAILURE_KINDS, RATIONALE_LIMIT
from agent_claimcheck.detectors.judge.prompt import JudgePrompt
from agent_claimcheck.detectors.rules.engine import judge_claims
from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.evidence.contract import OUTCOME_ORDER, ClaimVerdict
from agent_claimcheck.evidence.rendering.evidence_text import RenderLimits, render_evidence
from agent_claimcheck.trace.mask import Masker
from agent_claimcheck.trace.model import GroundTruth, Trace
from agent_claimcheck.trace.view import label_free

Part = Literal["train", "valid"]

# What a model should say of a run whose outcome is known. Not 0 and 1: labels are sometimes wrong.
_SURE_SUCCESS, _SURE_FAILURE = 0.97, 0.03
_KIND_KEYS = ("failure_kind", "injection")
_CITED = re.compile(r"(?:\[|\bsteps? )(\d{1,9})\b", re.IGNORECASE)
_TARGET_FIELD = re.compile(r"(?:^|[._])(?:\w*id|to|attendees?|email|path|file|record\w*|recipient\w*)$", re.IGNORECASE)
_WITH_CLAIMS = "claim-by-claim"


class ExportPlan(Struct, frozen=True, kw_only=True):
    """How examples are made. ``valid_share`` is the share of tasks that go to the validation part, in [0, 1)."""

    prompt: JudgePrompt
    case: CaseSettings
    limits: RenderLimits = RenderLimits()
    valid_share: float = 0.1


def export_examples(
    traces: Iterable[Trace], plan: ExportPlan, left_out: Counter[str] | None = None
) -> Iterator[tuple[Part, bytes]]:
    """Yield ``(part, line)`` for every labelled trace with a success claim; a line is one chat example in JSON.

    ``left_out`` counts the others by reason: ``unlabelled``, ``no_claim``, ``unknown_failure_kind`` (neither the label's
    details nor the rules say what went wrong).
    """
    missing = left_out if left_out is not None else Counter()
    for original in traces:
        truth = original.ground_truth
        if truth is None or truth.outcome == "unknown":
            missing["unlabelled"] += 1
            continue
        trace = Masker().mask_trace(original)
        evidence = Evidence(label_free(trace), plan.case)
        if not evidence.success_claims or trace.ground_truth is None:
            missing["no_claim"] += 1
            continue
        answer = _ideal(evidence, trace.ground_truth, plan)
        if answer is None:
            missing["unknown_failure_kind"] += 1
            continue
        prompt = plan.prompt.fill(render_evidence(evidence, plan.limits))
        example = {
            "messages": [
                {"role": "user", "content": prompt},
                {"role": "assistant", "content": canonical_json(answer).decode("utf-8")},
            ]
        }
        yield part_of(trace.task.id, plan.valid_share), canonical_json(example) + b"\n"


def part_of(task_id: str, valid_share: float) -> Part:
    """Return the part a task belongs to; the same for the same id on every machine.

    >>> part_of("t-1", 0.0), part_of("t-1", 1.0)
    ('train', 'valid')
    """
    return "valid" if int(sha256_hex(task_id)[:12], 16) / 16**12 < valid_share else "train"


def _ideal(evidence: Evidence, truth: GroundTruth, plan: ExportPlan) -> dict[str, Any] | None:
    verdicts = sorted(judge_claims(evidence), key=lambda verdict: OUTCOME_ORDER.index(verdict.outcome))
    details = truth.details or {}
    is_failure = truth.outcome == "failure"
    kind = _failure_kind(details, verdicts) if is_failure else "none"
    if kind is None:
        return None
    said = details.get("note")
    note = said if isinstance(said, str) else ""
    agreeing = [verdict for verdict in verdicts if _agrees(verdict, is_failure)]
    known = {step.i for step in evidence.view.steps}
    cited = {int(number) for number in _CITED.findall(note)}
    cited |= {step for verdict in agreeing for step in (verdict.step, *verdict.steps) if step is not None}
    why = note or (agreeing[0].detail if agreeing else "people who looked at the run say so")
    answer: dict[str, Any] = {
        "p_success": _SURE_FAILURE if is_failure else _SURE_SUCCESS,
        "failure_kind": kind,
        "evidence_steps": sorted(cited & known),
        "rationale": shorten(why, RATIONALE_LIMIT),
    }
    if plan.prompt.name == _WITH_CLAIMS:
        answer["claims"] = _claims(evidence, is_failure)
    return answer


def _agrees(verdict: ClaimVerdict, is_failure: bool) -> bool:
    if verdict.outcome == "undecided":
        return False
    return (verdict.outcome in ("contradicted", "unsupported")) is is_failure


def _claims(evidence: Evidence, is_failure: bool) -> list[dict[str, Any]]:
    """Return the steps for and against each claim, where the rules and the label agree."""
    number_of = {index: number for number, (index, _) in enumerate(evidence.success_claims, 1)}
    rows: list[dict[str, Any]] = []
    for verdict in judge_claims(evidence):
        steps = sorted({step for step in (verdict.step, *verdict.steps) if step is not None})
        supports = verdict.outcome in ("receipt_only", "probe_supported")
        against = is_failure and verdict.outcome in ("contradicted", "unsupported")
        rows.append(
            {
                "claim": number_of[verdict.claim],
                "supporting": steps if supports else [],
                "contradicting": steps if against else [],
            }
        )
    return rows


def _failure_kind(details: dict[str, Any], verdicts: list[ClaimVerdict]) -> str | None:
    """Return what went wrong: as the label says, else as the rules found it, else ``None``."""
    for key in _KIND_KEYS:
        named = details.get(key)
        if isinstance(named, str) and named in FAILURE_KINDS - {"none", CANNOT_TELL}:
            return named
    accusing = next((verdict for verdict in verdicts if _agrees(verdict, is_failure=True)), None)
    if accusing is None:
        return None
    if accusing.outcome == "unsupported":
        return "phantom_action"
    failed = next((check for check in accusing.checks if check.result == "fail"), None)
    if failed is None:
        return "error_ignored"
    return "wrong_target" if _TARGET_FIELD.search(failed.path) else "wrong_value"
