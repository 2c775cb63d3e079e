"""Evidence added in odds: two probabilities of one event, told apart from how often it happens at all.

A reader must not miss: adding assumes that the two know different things. Where they do not, the sum is too sure, which
is why it is calibrated before the gate sees it, or measured.
"""

from __future__ import annotations

import math

_EDGE = 1e-6


def log_odds(p: float) -> float:
    """Return ``ln(p / (1 - p))``, with ``p`` held a millionth away from 0 and 1."""
    held = min(max(p, _EDGE), 1.0 - _EDGE)
    return math.log(held / (1.0 - held))


def probability(z: float) -> float:
    """Return the probability with log-odds ``z``, without overflow."""
    if z >= 0:
        return 1.0 / (1.0 + math.exp(-z))
    e = math.exp(z)
    return e / (1.0 + e)


def add_evidence(p: float, other: float, base_rate: float) -> float:
    """Return ``p`` updated by what ``other`` says beyond the base rate; all are in [0, 1].

    >>> round(add_evidence(0.6, 0.7, 0.6), 3), round(add_evidence(0.9, 0.6, 0.6), 3)
    (0.7, 0.9)
    """
    return probability(log_odds(p) + log_odds(other) - log_odds(base_rate))
