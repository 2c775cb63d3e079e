"""Logistic regression evaluated from numbers in a file: standardise, weigh, add up.

A reader must not miss: contributions are in log-odds and add up, with the intercept, to the score.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Annotated

from msgspec import Meta, Struct

from agent_claimcheck.core.errors import InputError

Scale = Annotated[float, Meta(gt=0)]


class Logistic(Struct, frozen=True, kw_only=True, tag="logistic", tag_field="kind"):
    """``log-odds = intercept + sum(coef * (x - mean) / scale)``; one mean, scale and coef a feature, in table order."""

    means: tuple[float, ...]
    scales: tuple[Scale, ...]
    coef: tuple[float, ...]
    intercept: float

    def check(self, n_features: int, path: str = "$.model") -> None:
        """Raise ``InputError`` unless there is one number of each kind for each of ``n_features`` features.

        ``path`` is where the model stands in its file.
        """
        if not len(self.means) == len(self.scales) == len(self.coef) == n_features:
            raise InputError(f"{path}: means, scales and coef must have one number for each feature", slug="artifact")

    def log_odds(self, x: Sequence[float]) -> float:
        """Return the log-odds of success for the feature values ``x``."""
        added: float = sum(map(mul, self.coef, self.standardised(x)))
        return self.intercept + added

    def contributions(self, x: Sequence[float]) -> list[float]:
        """Return what each feature adds to the log-odds."""
        return list(map(mul, self.coef, self.standardised(x)))

    def standardised(self, x: Sequence[float]) -> list[float]:
        """Return ``x`` with the training mean taken off and in units of the training spread."""
        return [(value - mean) / scale for value, mean, scale in zip(x, self.means, self.scales, strict=True)]
