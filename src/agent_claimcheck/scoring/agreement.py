"""How well two raters agree on yes-or-no questions, beyond what chance would give.

A reader must not miss: kappa falls when nearly all answers are of one kind, however often the raters agree. Read it
beside precision and recall.
"""

from __future__ import annotations

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.intervals import RESAMPLES, SEED, Estimate, percentile, wilson

_TAILS = (2.5, 97.5)


class Agreement(Struct, frozen=True, kw_only=True):
    """One rater against another, "yes" being the answer one looks for.

    ``both_yes`` and so on are counts. ``kappa`` is in [-1, 1], ``precision`` and ``recall`` of the first rater's "yes"
    in [0, 1]; each is ``None`` where it is not defined.
    """

    both_yes: int
    first_only: int
    second_only: int
    both_no: int
    kappa: Estimate | None
    precision: Estimate | None
    recall: Estimate | None

    @property
    def n(self) -> int:
        """Questions answered by both."""
        return self.both_yes + self.first_only + self.second_only + self.both_no


def measure_agreement(
    both_yes: int, first_only: int, second_only: int, both_no: int, *, resamples: int = RESAMPLES, seed: int = SEED
) -> Agreement:
    """Return kappa (Cohen 1960), precision and recall with 95 % intervals: Wilson's for the shares, a bootstrap for kappa.

    The bootstrap draws the four counts again from ``numpy.random.default_rng(seed)`` and takes percentiles; draws in
    which kappa is not defined are left out.

    >>> a = measure_agreement(20, 5, 10, 15)
    >>> round(a.kappa.value, 3), a.precision.value, round(a.recall.value, 3)
    (0.4, 0.8, 0.667)
    """
    counts = (both_yes, first_only, second_only, both_no)
    if min(counts) < 0:
        raise InputError(f"{counts} are no counts", slug="scores")
    return Agreement(
        both_yes=both_yes,
        first_only=first_only,
        second_only=second_only,
        both_no=both_no,
        kappa=_kappa_with_interval(counts, resamples, seed),
        precision=wilson(both_yes, both_yes + first_only),
        recall=wilson(both_yes, both_yes + second_only),
    )


def cohen_kappa(both_yes: int, first_only: int, second_only: int, both_no: int) -> float | None:
    """Return Cohen's kappa, ``None`` when there is nothing to compare or chance alone would agree always.

    >>> cohen_kappa(5, 0, 0, 5), cohen_kappa(9, 0, 0, 0)
    (1.0, None)
    """
    n = both_yes + first_only + second_only + both_no
    yes, other_yes = both_yes + first_only, both_yes + second_only
    by_chance = yes * other_yes + (n - yes) * (n - other_yes)
    # Whole numbers up to the one division: agreement as good as chance is 0 and not a rounding error below it.
    return None if by_chance >= n * n else (n * (both_yes + both_no) - by_chance) / (n * n - by_chance)


def _kappa_with_interval(counts: tuple[int, int, int, int], resamples: int, seed: int) -> Estimate | None:
    value = cohen_kappa(*counts)
    if value is None:
        return None
    import numpy as np

    n = sum(counts)
    draws = np.random.default_rng(seed).multinomial(n, [count / n for count in counts], size=resamples)
    kappas = [kappa for row in draws.tolist() if (kappa := cohen_kappa(*row)) is not None]
    low, high = (percentile(kappas, tail) for tail in _TAILS)
    return Estimate(value=value, ci_low=min(low, value), ci_high=max(high, value))
