"""The case file as text for a model: what was asked, what is claimed with its receipts, and the steps.

A reader must not miss: every value of the trace is written as JSON on one line, with ``<``, ``>``, ``&`` and invisible
characters escaped. Nothing in a trace can start a line, forge a step, or end a block. The text depends on the evidence
and the limits alone.
"""

from __future__ import annotations

from msgspec import Struct

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.rendering.front import front_of, receipts_of
from agent_claimcheck.evidence.rendering.quoting import frame, size_of
from agent_claimcheck.evidence.rendering.steps import ShownSteps


class RenderLimits(Struct, frozen=True, kw_only=True):
    """How much text there may be. ``total_bytes`` bounds the three blocks together, ``value_chars`` each single value."""

    total_bytes: int = 60_000
    value_chars: int = 2000


class Cut(Struct, frozen=True, kw_only=True):
    """What was left out. ``values`` counts values that were shortened, in the request and the claims too."""

    steps: int = 0
    values: int = 0
    claims: int = 0

    @property
    def is_none(self) -> bool:
        """Whether everything is there."""
        return not (self.steps or self.values or self.claims)


class RenderedEvidence(Struct, frozen=True, kw_only=True):
    """Three framed blocks of text, the ``i`` of the steps that are in them, and what is not."""

    request: str
    claims: str
    steps: str
    shown: frozenset[int]
    cut: Cut


def render_evidence(evidence: Evidence, limits: RenderLimits | None = None) -> RenderedEvidence:
    """Return ``evidence`` as text. Work and size are bounded by the limits, however long the trace is."""
    limits = limits or RenderLimits()
    receipts = receipts_of(evidence)
    request, claims, values, n_claims = front_of(evidence, receipts, limits.total_bytes // 2, limits.value_chars)
    chosen = ShownSteps(evidence, receipts, limits.value_chars)
    chosen.take(limits.total_bytes - size_of(request) - size_of(claims) - size_of(frame("steps", ())))
    return RenderedEvidence(
        request=request,
        claims=claims,
        steps=frame("steps", chosen.lines()),
        shown=frozenset(evidence.view.steps[position].i for position in chosen.texts),
        cut=Cut(
            steps=len(evidence.view.steps) - len(chosen.texts),
            values=values.shortened + chosen.shortened,
            claims=len(evidence.success_claims) - n_claims,
        ),
    )
