"""How well scores separate failures from successes, whatever their scale: AUROC.

A reader must not miss: a *failure* is the positive class and its score is ``1 - p_success``. 1.0 means that every
false success scores lower than every genuine one, 0.5 is a coin, and below 0.5 the order is turned round.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent_claimcheck.scoring.samples import check_probabilities


def auroc(p_success: Sequence[float], is_failure: Sequence[bool]) -> float | None:
    """Return the area under the ROC curve for finding failures, in [0, 1]; ``None`` when one class is absent.

    It is the share of (failure, success) pairs in which the failure has the higher ``1 - p_success``; an equal pair
    counts half (Mann and Whitney 1947; Hanley and McNeil 1982, Radiology 143:29-36). O(n log n).

    >>> auroc([0.1, 0.4, 0.4, 0.9], [True, True, False, False])
    0.875
    >>> auroc([0.1, 0.4], [True, True]) is None
    True
    """
    check_probabilities(p_success, is_failure)
    n_failure = sum(map(bool, is_failure))
    n_success = len(is_failure) - n_failure
    if not n_failure or not n_success:
        return None
    ordered = sorted((1.0 - p, bool(failed)) for p, failed in zip(p_success, is_failure, strict=True))
    doubled_wins = successes_below = index = 0
    while index < len(ordered):
        score = ordered[index][0]
        tied_failures = tied_successes = 0
        while index < len(ordered) and ordered[index][0] == score:
            if ordered[index][1]:
                tied_failures += 1
            else:
                tied_successes += 1
            index += 1
        doubled_wins += tied_failures * (2 * successes_below + tied_successes)
        successes_below += tied_successes
    return doubled_wins / (2 * n_failure * n_success)
