"""Scores with their labels, checked once before anything is computed from them.

A reader must not miss: a metric of a score outside [0, 1] or of NaN is refused, never computed.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent_claimcheck.core.errors import InputError


def check_probabilities(p: Sequence[float], labels: Sequence[bool]) -> None:
    """Raise ``InputError`` unless every ``p`` is a number in [0, 1] and there is one label for each of at least one.

    >>> check_probabilities([0.2, 1.0], [True, False])
    """
    if len(p) != len(labels):
        raise InputError(f"{len(p)} scores but {len(labels)} labels", slug="scores")
    if not p:
        raise InputError("there are no scores to measure", slug="scores")
    for index, value in enumerate(p):
        if not 0.0 <= value <= 1.0:
            raise InputError(f"score {index} is {value!r}, a probability in [0, 1] is needed", slug="scores")
