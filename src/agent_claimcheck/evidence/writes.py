"""The calls that could have changed something, with what came of them: the ground most findings stand on.

A reader must not miss: a call of unknown effect is kept here. It may have done what was claimed, so it blocks an
accusation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from agent_claimcheck.evidence.effects import Effect
from agent_claimcheck.evidence.receipts.job_ends import end_of_job
from agent_claimcheck.evidence.receipts.reading import Receipt
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
    seen_in: CallPair | None = None
    """The later look that tells how a job ended which this call only began; ``receipt`` is then of that end."""
    begun: Receipt | None = None
    """With ``seen_in``, the receipt of the call itself."""

    @property
    def is_failed(self) -> bool:
        """True when the call surely failed. Any other one worked, was accepted, or may have worked."""
        return self.receipt.state == "failed" and self.receipt.confidence >= SURE and not self.pair.is_ambiguous

    @property
    def is_ok(self) -> bool:
        """True when the call is known to have worked."""
        return self.receipt.state == "ok" and not self.pair.is_ambiguous

    @property
    def step(self) -> int:
        """The step that shows what came of the call."""
        return (self.seen_in or self.pair).last_step


class SortedWrites:
    """The writes of a trace by what is known of them, in order: most findings need one that worked, or one that failed."""

    __slots__ = ("done", "failed", "waiting")

    def __init__(self, writes: Sequence[Write]) -> None:
        self.done: list[Write] = []
        """Surely writes, and they surely worked."""
        self.failed: list[Write] = []
        self.waiting: list[Write] = []
        """Accepted, with nothing known of the end."""
        for write in writes:
            state = write.receipt.state
            if write.pair.is_ambiguous:
                continue
            if state == "ok":
                if write.effect.kind == "write":
                    self.done.append(write)
            elif state == "failed":
                if write.receipt.confidence >= SURE:
                    self.failed.append(write)
            elif state == "pending":
                self.waiting.append(write)


def read_writes(evidence: Evidence) -> list[Write]:
    """Return the calls of a trace that are writes or of unknown effect, in order."""
    found = []
    for pair in evidence.calls:
        effect = evidence.effect(pair)
        if effect.kind != "read":
            found.append(_write_of(pair, effect, evidence))
    return found


def _write_of(pair: CallPair, effect: Effect, evidence: Evidence) -> Write:
    receipt = evidence.receipt(pair)
    ended = end_of_job(pair, receipt, evidence) if receipt.state == "pending" else None
    return Write(pair, effect, receipt) if ended is None else Write(pair, effect, ended[1], ended[0], receipt)


def surely_done(meant: Sequence[Write]) -> list[Write]:
    """Return those of ``meant`` that surely wrote; none when the outcome or the effect of some other is not known."""
    done = [write for write in meant if write.is_ok and write.effect.kind == "write"]
    return done if len(done) + sum(write.is_failed for write in meant) == len(meant) else []
