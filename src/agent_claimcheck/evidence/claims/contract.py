"""The record every reader of claims produces, whether a claim was declared, matched by a pack or found in free text."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

ClaimSource = Literal["structured", "extracted"]

HEARD_CLAIM = 0.55
"""Confidence of the claim finder below which a claim is looked at and never accused."""
SURE_CLAIM = 0.75
"""Confidence of the claim finder from which a claim may be held against the agent."""


class SuccessClaim(Struct, frozen=True, kw_only=True):
    """ "I booked it": a type, the values it is about, and the words that said it.

    ``type`` is a pack's claim type or, for the general finder, its verb class (``booked``, ``created`` ...).
    ``span`` holds ``[start, end)`` character offsets into the text of the message that said it; ``None`` for structured
    claims. ``step`` is that message's ``i``, ``None`` when only ``final_claim.text`` holds it.
    ``confidence`` is in (0, 1]. ``is_success`` is false for types such as ``failed`` or ``partial``.
    ``said`` holds the values of the clause around a claim that a pack's pattern found; its ``subject`` keeps to the names
    the pack knows.
    """

    type: str
    subject: dict[str, Any] = {}
    source: ClaimSource = "extracted"
    span: tuple[int, int] | None = None
    step: int | None = None
    quote: str = ""
    verb_class: str | None = None
    confidence: float = 1.0
    is_success: bool = True
    said: dict[str, Any] = {}

    @property
    def values(self) -> dict[str, Any]:
        """The values the words of the claim name, by kind."""
        return self.said or self.subject
