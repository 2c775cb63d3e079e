"""Class-conditional conformal prediction: sets of labels that hold the true one with a promised probability, per class.

A reader must not miss: the promise is about runs of each class, not about verdicts. "At most 10 % of failures get a set
without *failure*" is kept; how many of the verified runs fail also depends on how many fail at all (``risk_control``
answers that).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.samples import check_probabilities

Label = Literal["success", "failure"]


class ConformalSets(Struct, frozen=True, kw_only=True):
    """Cuts for the two labels: *success* is in the set when ``p >= success_from``, *failure* when ``p <= failure_to``.

    ``alpha`` in (0, 1) is the promised error: of the runs of each class at most this share gets a set without its label,
    in the mean over calibration sets. ``n_success`` and ``n_failure`` say on how many runs it was fitted.
    """

    alpha: float
    success_from: float
    failure_to: float
    n_success: int
    n_failure: int

    def labels(self, p: float) -> frozenset[Label]:
        """Return the prediction set of p(success): one label, both, or none.

        >>> cuts = ConformalSets(alpha=0.1, success_from=0.3, failure_to=0.6, n_success=20, n_failure=20)
        >>> sorted(cuts.labels(0.9)), sorted(cuts.labels(0.5))
        (['success'], ['failure', 'success'])
        """
        found: set[Label] = set()
        if p >= self.success_from:
            found.add("success")
        if p <= self.failure_to:
            found.add("failure")
        return frozenset(found)


def labels_needed(alpha: float) -> int:
    """Return how many labelled runs of each class a bound of ``alpha`` needs.

    >>> labels_needed(0.1), labels_needed(0.05)
    (9, 19)
    """
    if not 0 < alpha < 1:
        raise InputError(f"the promised error must lie between 0 and 1, got {alpha!r}", slug="conformal")
    return math.ceil(1 / alpha - 1e-9) - 1


def fit_conformal(p_success: Sequence[float], is_success: Sequence[bool], alpha: float) -> ConformalSets:
    """Fit the cuts on held-out probabilities of success and whether each run succeeded.

    Split conformal prediction within each class, with scores ``1 - p`` of the true label and the finite-sample quantile
    ``ceil((n + 1)(1 - alpha)) / n`` (Vovk, Gammerman and Shafer 2005; Sadinle, Lei and Wasserman 2019, JASA 114:223-234).
    Raises ``InputError`` naming the number of labels still needed when a class has too few.

    >>> cuts = fit_conformal([0.1, 0.2, 0.8, 0.9], [False, False, True, True], alpha=0.34)
    >>> cuts.success_from, cuts.failure_to
    (0.8, 0.2)
    """
    check_probabilities(p_success, is_success)
    needed = labels_needed(alpha)
    successes = sorted((p for p, won in zip(p_success, is_success, strict=True) if won), reverse=True)
    failures = sorted(p for p, won in zip(p_success, is_success, strict=True) if not won)
    short = {
        name: needed - len(rows)
        for name, rows in (("successes", successes), ("failures", failures))
        if len(rows) < needed
    }
    if short:
        missing = " and ".join(f"{count} more labelled {name}" for name, count in short.items())
        raise InputError(f"a bound of {alpha:g} needs {missing}", slug="too_few_labels")
    return ConformalSets(
        alpha=alpha,
        success_from=_quantile(successes, alpha),
        failure_to=_quantile(failures, alpha),
        n_success=len(successes),
        n_failure=len(failures),
    )


def _quantile(ordered: Sequence[float], alpha: float) -> float:
    """Return the value of finite-sample rank; ``ordered`` runs from the most to the least typical."""
    # A hair is taken off: 19 * 0.9 is 17.1 in the numbers and 17.100000000000001 in the machine.
    rank = math.ceil((len(ordered) + 1) * (1 - alpha) - 1e-9)
    return ordered[min(rank, len(ordered)) - 1]
