"""Log-odds and the largest contributions from one look at the features.

A reader must not miss: most weights of a fitted line are zero. Adding their terms changes neither the sum nor the list, so
they are left out, and both come from the same products.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter, mul, neg, sub, truediv

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
    return lambda x: (model.log_odds(x), _largest(names, model.contributions(x)))


def _line_scorer(line: Logistic, names: Sequence[str]) -> Scorer:
    used = [place for place, coef in enumerate(line.coef) if coef]
    if len(used) < 2:
        return lambda x: (line.log_odds(x), _largest(names, line.contributions(x)))
    pick = itemgetter(*used)
    coefs, means, scales, used_names = pick(line.coef), pick(line.means), pick(line.scales), pick(names)

    def score(x: Sequence[float]) -> tuple[float, Added]:
        values = list(map(mul, coefs, map(truediv, map(sub, pick(x), means), scales)))
        added: float = sum(values)
        return line.intercept + added, _largest(used_names, values)

    return score


def _largest(names: Iterable[str], values: Sequence[float]) -> Added:
    """Return the contributions that are largest either way; of equal ones the first name comes first."""
    ranked = sorted(zip(map(neg, map(abs, values)), names, values, strict=True))
    return [(name, value) for _, name, value in ranked[:MOST_CONTRIBUTIONS] if value]
