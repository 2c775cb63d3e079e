"""What a detector is: it takes one ``Evidence`` and returns one ``DetectorOutput``, or abstains with a reason code."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from agent_claimcheck.evidence.case import Evidence

BASE_RATE = 0.6
"""What an abstaining detector reports as ``p_success`` when nothing better is known (the documented base rate)."""


class Reason(Struct, frozen=True, kw_only=True):
    """Why: the claim type it is about, an outcome word, the step that shows it, and at most 200 characters of detail."""

    claim: str | None
    outcome: str
    step: int | None
    detail: str


class DetectorOutput(Struct, frozen=True, kw_only=True):
    """One detector's answer for one trace.

    ``p_success`` is in [0, 1] and means nothing while ``abstain`` is true. ``details`` is free-form and public.
    """

    detector: str
    p_success: float
    abstain: bool = False
    abstain_reason: str | None = None
    p_calibrated: float | None = None
    reasons: tuple[Reason, ...] = ()
    cost_usd: float = 0.0
    latency_ms: float = 0.0
    cached: bool = False
    components: tuple[DetectorOutput, ...] = ()
    details: dict[str, Any] = {}


@runtime_checkable
class Detector(Protocol):
    """Anything with a ``name`` and a ``detect`` method."""

    name: str

    def detect(self, evidence: Evidence) -> DetectorOutput:
        """Answer for one trace. Must not raise on hostile input; abstain instead."""
        ...


def call_if_there(detector: Detector, method: str) -> None:
    """Call ``stop``, ``abandon`` or ``close``, which only detectors have that wait for something or hold it open."""
    found = getattr(detector, method, None)
    if callable(found):
        found()
