"""The strict reading of a judge's answer. What does not fit the asked form, or contradicts itself, is no answer.

A reader must not miss: nothing is repaired or guessed. A high ``p_success`` beside a named failure is refused, because
nobody can say which of the two was meant.
"""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import Struct

from agent_claimcheck.llm.structured import AnswerError

FAILURE_KINDS = frozenset(
    {
        "none", "phantom_action", "error_ignored", "wrong_target", "wrong_value", "not_persisted",
        "partial_completion", "cannot_tell",
    }
)  # fmt: skip
RATIONALE_LIMIT = 300
CANNOT_TELL = "cannot_tell"

_NEEDED = ("p_success", "failure_kind", "evidence_steps", "rationale")
_CLAIM_KEYS = frozenset({"claim", "supporting", "contradicting"})
_FENCE = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL | re.IGNORECASE)
_LONGEST = 100_000
_EVEN = 0.5


class JudgeAnswer(Struct, frozen=True, kw_only=True):
    """One answer. ``p_success`` is in [0, 1]; ``claims`` is ``None`` unless the prompt asked for it."""

    p_success: float
    failure_kind: str
    evidence_steps: list[int]
    rationale: str
    rationale_truncated: bool
    claims: list[dict[str, Any]] | None = None


def read_answer(text: str) -> JudgeAnswer:
    """Return the answer in ``text``. Raises ``AnswerError`` that says what is wrong with it.

    >>> read_answer('{"p_success": 0.9, "failure_kind": "none", "evidence_steps": [3], "rationale": "a"}').p_success
    0.9
    """
    fields = _object(text)
    unknown = sorted(set(fields) - {*_NEEDED, "claims"})
    if unknown:
        raise AnswerError(f"unknown key {ascii(unknown[0])[:40]}")
    missing = [key for key in _NEEDED if key not in fields]
    if missing:
        raise AnswerError(f"no {missing[0]}")
    p, kind, rationale = fields["p_success"], fields["failure_kind"], fields["rationale"]
    if isinstance(p, bool) or not isinstance(p, int | float) or not 0 <= p <= 1:
        raise AnswerError("p_success is no number from 0 to 1")
    if not isinstance(kind, str) or kind not in FAILURE_KINDS:
        raise AnswerError("failure_kind is none of the known kinds")
    if not isinstance(rationale, str):
        raise AnswerError("rationale is no text")
    claims = _claims(fields.get("claims"))
    _refuse_contradictions(float(p), kind, claims)
    return JudgeAnswer(
        p_success=float(p),
        failure_kind=kind,
        evidence_steps=_steps(fields["evidence_steps"], "evidence_steps"),
        rationale=rationale[:RATIONALE_LIMIT],
        rationale_truncated=len(rationale) > RATIONALE_LIMIT,
        claims=claims,
    )


def is_readable(text: str) -> bool:
    """Return whether ``text`` is an answer."""
    try:
        read_answer(text)
    except AnswerError:
        return False
    return True


def _object(text: str) -> dict[str, Any]:
    stripped = text.strip()
    if len(stripped) > _LONGEST:
        raise AnswerError("longer than any answer")
    fenced = _FENCE.match(stripped)
    try:
        value = json.loads(fenced[1] if fenced else stripped, object_pairs_hook=_no_repeats)
    except (ValueError, RecursionError) as error:
        raise AnswerError("not JSON") from error
    if not isinstance(value, dict):
        raise AnswerError("not a JSON object")
    return value


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise AnswerError("a key stands there twice")
    return fields


def _steps(value: Any, name: str) -> list[int]:
    if not isinstance(value, list) or any(isinstance(i, bool) or not isinstance(i, int) for i in value):
        raise AnswerError(f"{name} is no list of step numbers")
    return list(value)


def _claims(value: Any) -> list[dict[str, Any]] | None:
    if value is None:
        return None
    if not isinstance(value, list):
        raise AnswerError("claims is no list")
    for item in value:
        if not isinstance(item, dict) or set(item) != _CLAIM_KEYS:
            raise AnswerError("a claim has other keys than claim, supporting and contradicting")
        if isinstance(item["claim"], bool) or not isinstance(item["claim"], int):
            raise AnswerError("a claim has no number")
        _steps(item["supporting"], "supporting")
        _steps(item["contradicting"], "contradicting")
    return value


def _refuse_contradictions(p: float, kind: str, claims: list[dict[str, Any]] | None) -> None:
    if kind == "none" and p < _EVEN:
        raise AnswerError(f"p_success {p:g} without a failure kind")
    if kind not in ("none", CANNOT_TELL) and p > _EVEN:
        raise AnswerError(f"p_success {p:g} with failure kind {kind}")
    if p > _EVEN and any(item["contradicting"] and not item["supporting"] for item in claims or ()):
        raise AnswerError(f"p_success {p:g} with a claim that is only contradicted")
