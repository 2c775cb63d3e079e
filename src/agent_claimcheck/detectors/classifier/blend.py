"""Several fitted models as one: the mean of their log-odds.

A reader must not miss: a line and a set of trees err in different places, which is the whole reason to ask both.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.detectors.classifier.linear import Logistic
from agent_claimcheck.detectors.classifier.trees import Trees


class Blend(Struct, frozen=True, kw_only=True, tag="blend", tag_field="kind"):
    """The mean of the members' log-odds."""

    members: tuple[Logistic | Trees, ...]

    def check(self, n_features: int, path: str = "$.model") -> None:
        """Raise ``InputError`` for a broken member, or when there is none."""
        if not self.members:
            raise InputError(f"{path}.members: a blend needs at least one member", slug="artifact")
        for place, member in enumerate(self.members):
            member.check(n_features, f"{path}.members[{place}]")

    def log_odds(self, x: Sequence[float]) -> float:
        """Return the log-odds of success for the feature values ``x``."""
        return sum(member.log_odds(x) for member in self.members) / len(self.members)

    def contributions(self, x: Sequence[float]) -> list[float]:
        """Return what each feature adds to the log-odds."""
        rows = [member.contributions(x) for member in self.members]
        return [sum(column) / len(rows) for column in zip(*rows, strict=True)]
