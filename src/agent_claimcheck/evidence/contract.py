"""Small records shared by the rooms that read evidence: outcomes, the record of a trace, findings and field checks."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

ClaimOutcome = Literal["contradicted", "unsupported", "undecided", "receipt_only", "probe_supported"]
Record = Literal["contradicted", "undecided", "supported", "confirmed", "unread", "no_claim", "corroborated"]
Severity = Literal["pass", "warn", "fail"]
Power = Literal["accuse", "review", "explain"]
Shows = Literal["nothing", "part"]
"""How much of a claim the record shows, where a finding says that: nothing could have done it, or only a part was done."""
CheckResultWord = Literal["pass", "fail", "skipped"]

OUTCOME_ORDER: tuple[ClaimOutcome, ...] = (
    "contradicted",
    "unsupported",
    "undecided",
    "receipt_only",
    "probe_supported",
)
"""Worst first; a trace takes the worst of its claims."""

RECORD_OF: dict[ClaimOutcome, Record] = {
    "contradicted": "contradicted",
    "unsupported": "contradicted",
    "undecided": "undecided",
    "receipt_only": "supported",
    "probe_supported": "confirmed",
}


class Finding(Struct, frozen=True, kw_only=True):
    """One cited reason: ``id`` is stable (``failed_write`` ...), ``steps`` are trace ``i`` values."""

    id: str
    power: Power
    severity: Severity
    subject: str
    reason: str
    evidence: str | None = None
    steps: tuple[int, ...] = ()
    claim: int | None = None
    metadata: dict[str, Any] = {}


class FieldResult(Struct, frozen=True, kw_only=True):
    """What one field check of a rule gave. ``reason`` says why a check was skipped."""

    path: str
    op: str
    expected: Any
    actual: Any
    result: CheckResultWord
    reason: str = ""


class ClaimVerdict(Struct, frozen=True, kw_only=True):
    """One claim and what the record shows about it. ``claim`` indexes the evidence's claims.

    ``step`` is the deciding step, ``steps`` all cited ones. ``looked_for`` says what would have proved the claim and
    ``settle`` what would settle it now; both are for people.
    """

    claim: int
    claim_type: str
    outcome: ClaimOutcome
    step: int | None
    detail: str
    steps: tuple[int, ...] = ()
    checks: tuple[FieldResult, ...] = ()
    missing_subject: bool = False
    rule: str | None = None
    looked_for: str = ""
    settle: str = ""
