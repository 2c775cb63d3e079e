"""Everything one review server works with, in one record that the routes share."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from agent_claimcheck.results.reviews import ReviewsFile
from agent_claimcheck.review.desk import Desk
from agent_claimcheck.review.judge_runs import JudgeRuns
from agent_claimcheck.review.leases import Leases
from agent_claimcheck.review.scoring import Scoring, ScoringPlan
from agent_claimcheck.review.store.store import Store


class Service(Struct, frozen=True, kw_only=True):
    """The parts of a server. ``reports`` are folders of ``bench`` and ``train``."""

    plan: ScoringPlan
    store: Store
    desk: Desk
    scoring: Scoring
    judge: JudgeRuns
    reports: tuple[Path, ...] = ()


@contextmanager
def open_service(
    plan: ScoringPlan, *, store_file: Path, reviews_file: Path, reports: tuple[Path, ...] = ()
) -> Iterator[Service]:
    """Open the store and the reviews file, begin to read the inputs, and stop everything at the end.

    Raises ``OutputError`` when the store cannot be kept or no decision could be written, ``InputError`` for a reviews file
    that cannot be read, ``UsageError`` for one that holds something else.
    """
    reviews = ReviewsFile(reviews_file)
    reviews.need_place()
    reviews.need_reviews()
    store = Store(store_file)
    try:
        desk = Desk(store, reviews, Leases(time.monotonic), _now)
        desk.open()
        scoring = Scoring(plan, store)
        judge = JudgeRuns(store, plan.spec)
        scoring.start()
        try:
            yield Service(plan=plan, store=store, desk=desk, scoring=scoring, judge=judge, reports=reports)
        finally:
            judge.stop()
            scoring.stop()
    finally:
        store.close()


def _now() -> datetime:
    return datetime.now(UTC)
