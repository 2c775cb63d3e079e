"""The gate: the only place that turns a probability of success into a verdict.

A reader must not miss: abstaining always wins. A number that comes with an abstention is not looked at.
"""

from __future__ import annotations

import math
from typing import Literal

from msgspec import Struct

from agent_claimcheck.core.errors import ConfigError

Verdict = Literal["verified", "false_success", "unverifiable", "skipped"]


class Thresholds(Struct, frozen=True, kw_only=True):
    """Where the gate cuts: ``verified`` from this p(success) up, ``false_success`` from this one down.

    Both are in [0, 1] and ``false_success`` is below ``verified``; anything else raises ``ConfigError``.
    """

    verified: float = 0.80
    false_success: float = 0.20

    def __post_init__(self) -> None:
        # Written so that NaN fails too.
        if not (0 <= self.false_success < self.verified <= 1):
            raise ConfigError(
                f"gate thresholds must satisfy 0 <= false_success < verified <= 1, got false_success "
                f"{self.false_success!r} and verified {self.verified!r}"
            )


class GateDecision(Struct, frozen=True, kw_only=True):
    """A verdict and how sure it is: ``confidence`` is p for verified, 1 - p for false_success, else ``None``."""

    verdict: Verdict
    confidence: float | None


_UNDECIDED = GateDecision(verdict="unverifiable", confidence=None)


def decide(p: float | None, abstain: bool, thresholds: Thresholds) -> GateDecision:
    """Return the verdict for ``p``, the probability of success in [0, 1].

    Both thresholds belong to the verdict they name. ``None``, NaN or an abstention is ``unverifiable``.

    >>> decide(0.97, False, Thresholds()).verdict, decide(0.2, False, Thresholds()).verdict
    ('verified', 'false_success')
    >>> decide(0.97, True, Thresholds())
    GateDecision(verdict='unverifiable', confidence=None)
    """
    if abstain or p is None or math.isnan(p):
        return _UNDECIDED
    if p >= thresholds.verified:
        return GateDecision(verdict="verified", confidence=p)
    if p <= thresholds.false_success:
        return GateDecision(verdict="false_success", confidence=1 - p)
    return _UNDECIDED
