"""How far a run lies from the runs a model was fitted on: measured against their ranges and tools, kept in the artifact.

A reader must not miss: outside what it was fitted on a learned score is a guess with decimals. Such a run is abstained
on, whatever the score says.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from agent_claimcheck.core.errors import InputError

Spread = Annotated[float, Meta(gt=0)]
MOST_OF_ONE = 3.0
"""What one feature adds at most, in spreads: a single odd number is no other world."""


MOST_UNKNOWN = 0.5
"""Share of the calls of a run that may go to tools no training run used: a new tool among known ones is the same agent."""


def unknown_share(called: Sequence[str], known: Collection[str]) -> float:
    """Return the share of the calls, given by tool name, that go to tools outside ``known``; 0 without calls.

    >>> unknown_share(["book", "book", "refund"], {"book"}), unknown_share([], {"book"})
    (0.3333333333333333, 0.0)
    """
    return sum(name not in known for name in called) / len(called) if called else 0.0


class Likeness(Struct, frozen=True, kw_only=True):
    """The range of each feature in the training runs, and how far outside a run may lie.

    ``low`` and ``high`` are the least and greatest values seen, ``spreads`` their standard deviations. ``limit`` is a
    number of spreads, summed over all features.
    """

    low: tuple[float, ...]
    high: tuple[float, ...]
    spreads: tuple[Spread, ...]
    limit: Annotated[float, Meta(ge=0)]

    def check(self, n_features: int) -> None:
        """Raise ``InputError`` unless there are as many ranges as features."""
        if not len(self.low) == len(self.high) == len(self.spreads) == n_features:
            raise InputError("$.likeness: does not fit the features", slug="artifact")

    def outside(self, x: Sequence[float]) -> list[tuple[int, float]]:
        """Return the places of the values outside the training range and how many spreads outside, at most 3 each."""
        return [
            (place, min(MOST_OF_ONE, (low - value if value < low else value - high) / self.spreads[place]))
            for place, (value, low, high) in enumerate(zip(x, self.low, self.high, strict=True))
            if not low <= value <= high
        ]

    def distance(self, x: Sequence[float]) -> float:
        """Return the distance of ``x``: 0 inside everything seen, else spreads outside it, summed over the features."""
        return float(sum([spreads for _, spreads in self.outside(x)]))
