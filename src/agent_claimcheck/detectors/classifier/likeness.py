"""How far a run lies from the runs a model was fitted on: a distance measured in the training data, kept in the artifact.

A reader must not miss: outside what it was fitted on a learned score is a guess with decimals. Such a run is abstained
on, whatever the score says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul
from typing import Annotated

from msgspec import Meta, Struct

from agent_claimcheck.core.errors import InputError

Spread = Annotated[float, Meta(gt=0)]
CLIP = 6.0
"""Standardised values are cut here: one feature alone, however odd, is no other world."""


class Likeness(Struct, frozen=True, kw_only=True):
    """Distance from the training runs: spread along their main directions, and what those directions leave over.

    ``means`` and ``scales`` standardise the features; each row of ``directions`` is a unit vector, ``spreads`` are the
    standard deviations of the training runs along them, ``rest`` is the root mean square of what is left over.
    ``limit`` is the distance that all but one in a hundred training runs keep, held out of the fit.
    """

    means: tuple[float, ...]
    scales: tuple[Spread, ...]
    directions: tuple[tuple[float, ...], ...]
    spreads: tuple[Spread, ...]
    rest: Spread
    limit: Spread

    def check(self, n_features: int) -> None:
        """Raise ``InputError`` unless the lists fit each other and ``n_features``."""
        rows = (self.means, self.scales, *self.directions)
        if any(len(row) != n_features for row in rows) or len(self.spreads) != len(self.directions):
            raise InputError("the likeness measure does not fit the features", slug="artifact")

    def distance(self, x: Sequence[float]) -> float:
        """Return the distance of ``x``, 0 at the middle of the training runs and about 1 for an ordinary one."""
        z = [
            max(-CLIP, min(CLIP, (value - mean) / scale))
            for value, mean, scale in zip(x, self.means, self.scales, strict=True)
        ]
        left = sum(map(mul, z, z))
        along = 0.0
        for direction, spread in zip(self.directions, self.spreads, strict=True):
            reach = sum(map(mul, direction, z))
            left -= reach * reach
            along += (reach / spread) ** 2
        rest = max(left, 0.0) / (self.rest * self.rest)
        return math.sqrt((along + rest) / (len(self.directions) + 1))

    def is_unlike(self, x: Sequence[float]) -> bool:
        """True when ``x`` lies further out than the limit."""
        return self.distance(x) > self.limit
