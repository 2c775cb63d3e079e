"""What the gate's verdicts are worth against labels: coverage, accuracy, and the two kinds of mistake.

A reader must not miss: ``missed`` counts only false successes that were marked ``verified``. One that went to review
was neither caught nor missed.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.gate import Verdict

_VERDICTS = ("verified", "false_success", "unverifiable")


class Decisions(Struct, frozen=True, kw_only=True):
    """Counts of verdicts against labels. All counts leave out skipped traces.

    ``coverage`` is the decided share in [0, 1]; ``accuracy_on_decided`` is in [0, 1], ``None`` when nothing was decided.
    ``confusion`` maps ``success`` and ``failure`` to the number of each verdict.
    """

    n: int
    n_success: int
    n_failure: int
    coverage: float
    accuracy_on_decided: float | None
    caught: int
    missed: int
    false_alarms: int
    sent_to_review: int
    confusion: dict[str, dict[str, int]]


def count_decisions(verdicts: Sequence[Verdict], is_failure: Sequence[bool]) -> Decisions:
    """Count ``verdicts`` against whether each run failed. Raises ``InputError`` when the two differ in length.

    >>> d = count_decisions(["verified", "false_success", "unverifiable"], [True, True, False])
    >>> d.caught, d.missed, d.false_alarms, d.sent_to_review, round(d.coverage, 3), d.accuracy_on_decided
    (1, 1, 0, 1, 0.667, 0.5)
    """
    if len(verdicts) != len(is_failure):
        raise InputError(f"{len(verdicts)} verdicts but {len(is_failure)} labels", slug="scores")
    confusion = {label: dict.fromkeys(_VERDICTS, 0) for label in ("success", "failure")}
    for verdict, failed in zip(verdicts, is_failure, strict=True):
        if verdict != "skipped":
            confusion["failure" if failed else "success"][verdict] += 1
    good, bad = confusion["success"], confusion["failure"]
    n_success, n_failure = sum(good.values()), sum(bad.values())
    n = n_success + n_failure
    review = good["unverifiable"] + bad["unverifiable"]
    decided = n - review
    return Decisions(
        n=n,
        n_success=n_success,
        n_failure=n_failure,
        coverage=decided / n if n else 0.0,
        accuracy_on_decided=(good["verified"] + bad["false_success"]) / decided if decided else None,
        caught=bad["false_success"],
        missed=bad["verified"],
        false_alarms=good["false_success"],
        sent_to_review=review,
        confusion=confusion,
    )
