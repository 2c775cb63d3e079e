"""The documented answer parser: what a judge's text must look like to count as an answer.

A reader must not miss: it is kept for replaying recorded runs, so it is as lenient and as strict as documented. The
first code fence wins, extra keys are ignored, and a high ``p_success`` beside a named failure kind is accepted.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from agent_claimcheck.detectors.judge.answer import FAILURE_KINDS, RATIONALE_LIMIT

_FENCE = "```"


class Answer(Struct, frozen=True, kw_only=True):
    """A judge's answer. ``p_success`` is in [0, 1]; ``claims`` is whatever a per-claim prompt brought back."""

    p_success: float
    failure_kind: str
    evidence_steps: list[int]
    rationale: str
    rationale_truncated: bool
    claims: Any = None


def parse_documented(text: str) -> Answer | None:
    """Return the answer in ``text``, or ``None`` where the documented parser reports a parse error. Never raises.

    >>> text = '{"p_success": 0, "failure_kind": "wrong_value", "evidence_steps": [3], "rationale": "no"}'
    >>> answer = parse_documented(text)
    >>> answer.p_success, answer.failure_kind, answer.evidence_steps
    (0.0, 'wrong_value', [3])
    >>> parse_documented("I cannot say.") is None
    True
    """
    try:
        answer = json.loads(_inside_fence(text))
    except (ValueError, RecursionError):
        return None
    if not isinstance(answer, dict):
        return None
    p, kind = answer.get("p_success"), answer.get("failure_kind")
    steps, rationale = answer.get("evidence_steps"), answer.get("rationale")
    # Compared before it is made a float: a whole number too long for one would overflow.
    if isinstance(p, bool) or not isinstance(p, (int, float)) or not 0 <= p <= 1:
        return None
    if not isinstance(kind, str) or kind not in FAILURE_KINDS or not isinstance(rationale, str):
        return None
    if not isinstance(steps, list) or any(isinstance(step, bool) or not isinstance(step, int) for step in steps):
        return None
    return Answer(
        p_success=float(p),
        failure_kind=kind,
        evidence_steps=steps,
        rationale=rationale[:RATIONALE_LIMIT],
        rationale_truncated=len(rationale) > RATIONALE_LIMIT,
        claims=answer.get("claims"),
    )


def _inside_fence(text: str) -> str:
    start = text.find(_FENCE)
    if start < 0:
        return text
    start += len(_FENCE)
    end = text.find(_FENCE, start)
    if end < 0:
        return text
    inside = text[start:end]
    # The fence's first line may name the language.
    first, newline, rest = inside.partition("\n")
    return rest if newline and not first.lstrip().startswith(("{", "[")) else inside
