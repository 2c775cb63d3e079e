"""The review desk: takes decisions, writes them down, and keeps the queue in step with the reviews file.

A reader must not miss the order: a decision is first a line on the disk, then read back from there into the store. What
the page shows as decided is therefore always what the file says, whoever wrote it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime

from msgspec.structs import replace

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.results.reviews import FAILURE_KINDS, Decision, ReviewsFile, review_line
from agent_claimcheck.review.leases import Leases
from agent_claimcheck.review.store.store import Item, Store

NOTE_LIMIT = 1000
"""Characters of a note."""
NAME_LIMIT = 80
"""Characters of a reviewer's name."""


class Desk:
    """Decides on the items of ``store`` and records it in ``reviews``. ``now`` gives the time with a zone."""

    def __init__(self, store: Store, reviews: ReviewsFile, leases: Leases, now: Callable[[], datetime]) -> None:
        self.store = store
        self.reviews = reviews
        self.leases = leases
        self._now = now
        self._lock = threading.Lock()

    def open(self) -> None:
        """Build the decisions of the store from the reviews file. Call once, before anything else."""
        self.store.rebuild_decisions(self.reviews.read_new())

    def refresh(self) -> int:
        """Take over what was appended to the reviews file; returns how many decisions that were."""
        with self._lock:
            return self._refresh()

    def decide(self, session: str, decision: Decision) -> Item:
        """Record a decision and return the item as it then is.

        Raises ``UsageError`` with the slug ``not_found``, ``leased``, ``no_trace``, ``invalid_note`` or
        ``invalid_failure_kind``, ``TraceError`` for a trace that cannot be written, ``OutputError`` for a full disk.
        """
        if len(decision.note) > NOTE_LIMIT:
            raise UsageError(f"a note has at most {NOTE_LIMIT} characters", slug="invalid_note")
        if decision.failure_kind and (
            decision.failure_kind not in FAILURE_KINDS or decision.decision != "false_success"
        ):
            raise UsageError("no such failure kind", slug="invalid_failure_kind")
        standing = self.leases.in_the_way(decision.trace_id, session)
        if standing is not None:
            raise UsageError("another reviewer has this item open", slug="leased")
        with self._lock:
            self._refresh()
            return self._record(decision)

    def undo(self, trace_id: str, seq: int) -> Item:
        """Take decision number ``seq`` back: what stood before it stands again. Returns the item as it then is.

        Whoever holds the item open does not stand in the way. Raises ``UsageError`` with the slug ``superseded`` when a
        later decision stands, ``not_found`` or ``no_trace``, and ``OutputError`` for a full disk.
        """
        with self._lock:
            self._refresh()
            item = self._item(trace_id)
            if not item.decisions or item.decisions[-1][0] != seq:
                raise UsageError("a later decision stands", slug="superseded")
            before = [decision for number, decision in item.decisions if number < seq]
            restored = before[-1] if before else Decision(trace_id=trace_id, decision="undone")
            undone = item.decisions[-1][1]
            return self._record(replace(restored, reviewer=undone.reviewer))

    def _record(self, decision: Decision) -> Item:
        item = self._item(decision.trace_id)
        if item.trace is None:
            raise UsageError(
                "the inputs hold only the result of this trace, so no review can be written", slug="no_trace"
            )
        stamped = replace(
            decision,
            trace_id=item.trace.trace_id,
            previous_verdict=item.result.verdict,
            reviewer=decision.reviewer[:NAME_LIMIT],
            reviewed_at=self._now().isoformat(timespec="seconds").replace("+00:00", "Z"),
        )
        self.reviews.append(review_line(item.trace, stamped))
        self._refresh()
        return self._item(decision.trace_id)

    def _refresh(self) -> int:
        return self.store.apply(self.reviews.read_new())

    def _item(self, trace_id: str) -> Item:
        item = self.store.item(trace_id)
        if item is None:
            raise UsageError("no such trace", slug="not_found")
        return item
