"""Log-odds and the largest contributions from one look at the features.

A reader must not miss: most weights of a fitted line are zero. Adding their terms changes neither the sum nor the list, so
they are left out, and both come from the same products.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent_claimcheck.detectors.classifier.blend import Blend
from agent_claimcheck.detectors.classifier.linear import Logistic
from agent_claimcheck.detectors.classifier.trees import LEAF, Trees

MOST_CONTRIBUTIONS = 10

Added = list[tuple[str, float]]
Scorer = Callable[[Sequence[float]], tuple[float, Added]]
"""Feature values to the log-odds of success and the largest contributions by name, the largest first."""


def weighed_by(model: Logistic | Trees | Blend, names: Sequence[str]) -> frozenset[str]:
    """Return the features that can move the score of ``model``; the values of all others do not matter to it."""
    if isinstance(model, Blend):
        return frozenset().union(*(weighed_by(member, names) for member in model.members))
    if isinstance(model, Trees):
        return frozenset(names[place] for tree in model.trees for place in tree.feature if place != LEAF)
    return frozenset(name for name, coef in zip(names, model.coef, strict=True) if coef)


def scorer_of(model: Logistic | Trees | Blend, names: Sequence[str]) -> Scorer:
    """Return the scorer of a checked model on the features called ``names``."""
    if isinstance(model, Logistic):
        return _line_scorer(model, names)
    in_order = sorted(range(len(names)), key=names.__getitem__)
    return lambda x: (model.log_odds(x), _largest(names, in_order, model.contributions(x)))


def _line_scorer(line: Logistic, names: Sequence[str]) -> Scorer:
    terms = [
        (place, coef, mean, scale)
        for place, (coef, mean, scale) in enumerate(zip(line.coef, line.means, line.scales, strict=True))
        if coef
    ]
    used = [names[place] for place, *_ in terms]
    in_order = sorted(range(len(used)), key=used.__getitem__)
    intercept = line.intercept

    def score(x: Sequence[float]) -> tuple[float, Added]:
        values = [coef * ((x[place] - mean) / scale) for place, coef, mean, scale in terms]
        added: float = sum(values)
        return intercept + added, _largest(used, in_order, values)

    return score


def largest_of(added: Added) -> Added:
    """Return the contributions that are largest either way, the largest first and equal ones in order of name."""
    return sorted((row for row in added if row[1]), key=lambda row: (-abs(row[1]), row[0]))[:MOST_CONTRIBUTIONS]


def _largest(names: Sequence[str], in_order: Sequence[int], values: Sequence[float]) -> Added:
    """Return the contributions that are largest either way; ``in_order`` are the places by name, which settles ties."""
    sizes = list(map(abs, values))
    ranked = sorted(in_order, key=sizes.__getitem__, reverse=True)
    return [(names[place], values[place]) for place in ranked[:MOST_CONTRIBUTIONS] if values[place]]
