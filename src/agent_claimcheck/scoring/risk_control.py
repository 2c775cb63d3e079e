"""Gate thresholds that keep a promise: "at most 5 % of the verified runs are failures, with 90 % confidence".

A reader must not miss: the promise is about runs like the labelled ones. It is refused, with the number still needed,
when there are too few labels to make it, and it is made on scores that were not fitted on the same labels.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.samples import check_probabilities

Side = Literal["verified", "false_success"]
_HALF = 0.5


class PromisedCut(Struct, frozen=True, kw_only=True):
    """A threshold on one side of the gate with what is promised of it.

    With ``confidence`` (of the labelled runs being a fair sample) at most ``bound`` of the runs beyond ``threshold`` get
    the wrong verdict. ``n`` labelled tasks lie beyond it, ``wrong`` of them with a run that would be wrong; ``coverage``
    is the share of all labelled runs beyond it.
    """

    side: Side
    threshold: float
    bound: float
    confidence: float
    n: int
    wrong: int
    coverage: float


def labels_needed(bound: float, confidence: float) -> int:
    """Return how many labelled tasks, all right, a promise needs at least.

    >>> labels_needed(0.05, 0.9)
    45
    """
    _check(bound, confidence)
    return math.ceil(math.log(1 - confidence) / math.log(1 - bound) - 1e-9)


def binomial_cdf(k: int, n: int, p: float) -> float:
    """Return the probability of at most ``k`` hits in ``n`` draws of probability ``p``.

    >>> round(binomial_cdf(1, 3, 0.5), 3)
    0.5
    """
    if p <= 0:
        return 1.0
    if p >= 1:
        return 1.0 if k >= n else 0.0
    log_p, log_q = math.log(p), math.log1p(-p)
    choose = math.lgamma(n + 1)
    terms = (
        math.exp(choose - math.lgamma(i + 1) - math.lgamma(n - i + 1) + i * log_p + (n - i) * log_q)
        for i in range(min(k, n) + 1)
    )
    return min(1.0, math.fsum(terms))


def promise_threshold(
    p_success: Sequence[float],
    is_success: Sequence[bool],
    *,
    side: Side = "verified",
    bound: float = 0.05,
    confidence: float = 0.9,
    tasks: Sequence[Hashable] | None = None,
) -> PromisedCut:
    """Return the most permissive threshold for which the promise holds.

    Learn-then-test with a fixed sequence (Angelopoulos et al. 2022, arXiv:2110.01052): the hypotheses "more than
    ``bound`` of the runs beyond t are wrong" are tested with exact binomial tails from the strictest threshold that
    could pass to looser ones, and testing stops at the first that fails, so the error over all of them is at most
    ``1 - confidence``. Only thresholds on the side's own half of [0, 1] count: a run that more likely succeeded is
    accused by no promise. ``tasks`` groups runs that are not independent: a task counts once, and as wrong when any of
    its runs beyond the threshold is. ``p_success`` must come from models fitted on other runs. Raises ``InputError``
    with the number of labelled tasks still needed, or when no threshold keeps the promise.

    >>> cut = promise_threshold([0.99] * 60 + [0.2] * 10, [True] * 60 + [False] * 10)
    >>> cut.threshold, cut.n, cut.wrong
    (0.99, 60, 0)
    """
    check_probabilities(p_success, is_success)
    needed = labels_needed(bound, confidence)
    groups: Sequence[Hashable] = range(len(p_success)) if tasks is None else tasks
    if len(groups) != len(p_success):
        raise InputError(f"{len(p_success)} scores but {len(groups)} tasks", slug="scores")
    total = len(set(groups))
    if total < needed:
        raise InputError(
            f"a bound of {bound:g} with confidence {confidence:g} needs {needed} labelled tasks at least, there are {total}",
            hint=f"label {needed - total} more",
            slug="too_few_labels",
        )
    own_half = (step for step in _steps(p_success, is_success, groups, side) if _is_on_side(step.threshold, side))
    best = _loosest((step for step in own_half if step.n >= needed), bound, confidence)
    if best is None:
        raise InputError(
            f"no threshold keeps a bound of {bound:g} for {side} with confidence {confidence:g}: among the {needed} "
            "surest labelled tasks are too many wrong ones",
            hint="more labels help only if the surest scores are right; a wider bound may hold",
            slug="no_promise",
        )
    return PromisedCut(
        side=side,
        threshold=best.threshold,
        bound=bound,
        confidence=confidence,
        n=best.n,
        wrong=best.wrong,
        coverage=best.runs / len(p_success),
    )


class _Step(NamedTuple):
    """One threshold: the tasks beyond it, how many of them are wrong, and the runs beyond it."""

    threshold: float
    n: int
    wrong: int
    runs: int


def _is_on_side(threshold: float, side: Side) -> bool:
    return threshold >= _HALF if side == "verified" else threshold <= _HALF


def _loosest(steps: Iterable[_Step], bound: float, confidence: float) -> _Step | None:
    """Return the last of ``steps`` (strictest first) before the first that fails its test."""
    best: _Step | None = None
    for step in steps:
        if binomial_cdf(step.wrong, step.n, bound) > 1 - confidence:
            break
        best = step
    return best


def _steps(
    p_success: Sequence[float], is_success: Sequence[bool], groups: Sequence[Hashable], side: Side
) -> list[_Step]:
    """Return every threshold that the scores allow, strictest first."""
    rows: dict[float, list[tuple[Hashable, bool]]] = {}
    for p, won, group in zip(p_success, is_success, groups, strict=True):
        is_wrong = not won if side == "verified" else bool(won)
        rows.setdefault(float(p), []).append((group, is_wrong))
    seen: set[Hashable] = set()
    bad: set[Hashable] = set()
    runs = 0
    found = []
    for threshold in sorted(rows, reverse=side == "verified"):
        for group, is_wrong in rows[threshold]:
            seen.add(group)
            runs += 1
            if is_wrong:
                bad.add(group)
        found.append(_Step(threshold, len(seen), len(bad), runs))
    return found


def _check(bound: float, confidence: float) -> None:
    if not 0 < bound < 1 or not 0 < confidence < 1:
        raise InputError(
            f"bound and confidence must lie between 0 and 1, got {bound!r} and {confidence!r}", slug="risk_control"
        )
