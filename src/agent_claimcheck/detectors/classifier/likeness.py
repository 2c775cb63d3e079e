"""How far a run lies from the runs a model was fitted on: measured against their ranges, kept in the artifact.

A reader must not miss: outside what it was fitted on a learned score is a guess with decimals. Such a run is abstained
on, whatever the score says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from agent_claimcheck.core.errors import InputError

Spread = Annotated[float, Meta(gt=0)]
MOST_OF_ONE = 3.0
"""What one feature adds at most, in spreads: a single odd number is no other world."""


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
