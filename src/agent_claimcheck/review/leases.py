"""Who has which item open, so that two reviewers do not decide the same one.

A reader must not miss: a lease is a courtesy with an end, not a lock. It lives in memory, ends when its reviewer opens
another item or falls silent, and a restart forgets it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from msgspec import Struct

LEASE_S = 150.0
"""Seconds a silent reviewer keeps an item. The page renews every minute."""


class Lease(Struct, frozen=True):
    """``session`` holds the item until ``ends``, in seconds of the clock; ``name`` is for the others to read."""

    session: str
    name: str
    ends: float


class Leases:
    """The leases of one server. ``clock`` gives seconds that never go back. Safe to use from several threads."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._held: dict[str, Lease] = {}
        self._of_session: dict[str, str] = {}

    def take(self, trace_id: str, session: str, name: str) -> Lease | None:
        """Lease an item to ``session`` and end the one it had; returns the lease of another that stands in the way."""
        with self._lock:
            now = self._clock()
            standing = self._held.get(trace_id)
            if standing is not None and standing.session != session and standing.ends > now:
                return standing
            self._release(session)
            self._held[trace_id] = Lease(session, name, now + LEASE_S)
            self._of_session[session] = trace_id
            return None

    def release(self, session: str) -> None:
        """End the lease of ``session``, if it has one."""
        with self._lock:
            self._release(session)

    def in_the_way(self, trace_id: str, session: str) -> Lease | None:
        """Return the lease of another reviewer on the item, ``None`` when it is free for ``session``."""
        with self._lock:
            standing = self._held.get(trace_id)
            is_others = standing is not None and standing.session != session and standing.ends > self._clock()
            return standing if is_others else None

    def held_by_others(self, session: str) -> dict[str, str]:
        """Return trace_id -> name for everything others have open."""
        with self._lock:
            now = self._clock()
            return {
                trace_id: lease.name
                for trace_id, lease in self._held.items()
                if lease.session != session and lease.ends > now
            }

    def _release(self, session: str) -> None:
        held = self._of_session.pop(session, None)
        if held is not None:
            self._held.pop(held, None)
