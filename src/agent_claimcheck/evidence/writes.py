"""The calls that could have changed something, with what came of them: the ground most findings stand on.

A reader must not miss: a call of unknown effect is kept here. It may have done what was claimed, so it blocks an
accusation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from agent_claimcheck.evidence.coverage import class_covers
from agent_claimcheck.evidence.effects import Effect
from agent_claimcheck.evidence.receipts import Receipt
from agent_claimcheck.trace.pairing import CallPair

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

SURE = 0.8
"""Confidence from which a failure read in a result may accuse."""


class Write(Struct, frozen=True):
    """One call that is no read: its effect and its receipt."""

    pair: CallPair
    effect: Effect
    receipt: Receipt

    @property
    def is_done(self) -> bool:
        """True when the call worked, or was accepted, or may have: anything but a sure failure."""
        return not self.is_failed

    @property
    def is_failed(self) -> bool:
        """True when the call surely failed."""
        return self.receipt.state == "failed" and self.receipt.confidence >= SURE and not self.pair.is_ambiguous

    @property
    def is_ok(self) -> bool:
        """True when the call is known to have worked."""
        return self.receipt.state == "ok" and not self.pair.is_ambiguous

    @property
    def step(self) -> int:
        """The step that shows what came of the call."""
        return self.pair.result.i if self.pair.result is not None else self.pair.call.i


def read_writes(evidence: Evidence) -> list[Write]:
    """Return the calls of a trace that are writes or of unknown effect, in order."""
    found = []
    for pair in evidence.calls:
        effect = evidence.effect(pair)
        if effect.kind != "read":
            found.append(Write(pair, effect, evidence.receipt(pair)))
    return found


def candidates(writes: Sequence[Write], claim_class: str) -> list[Write]:
    """Return the writes that could have done what a claim of this class says."""
    return [write for write in writes if class_covers(claim_class, write.effect) is not False]


_DISCLOSES = re.compile(
    r"\b(?:fail(?:ed|s|ure|ing)?|error(?:ed|s)?|unable|could(?:n['’]?t| not)|can(?:['’]?t|not| not)|did(?:n['’]?t| not)|unfortunately"
    r"|sorry|apologi[sz]\w*|issues?|problems?|not (?:possible|able|allowed|permitted|available|found|successful)|unsuccessful"
    r"|denied|rejected|declined|invalid|limit\w*|quota|instead|however|but|except|unavailable|manually|retry|still)\b",
    re.IGNORECASE,
)


def discloses_trouble(evidence: Evidence, after: int) -> bool:
    """True when the agent, after step ``after``, says anything that could own up to a failure."""
    for message in evidence.messages:
        if (message.step is None or message.step > after) and _DISCLOSES.search(message.text):
            return True
    return False
