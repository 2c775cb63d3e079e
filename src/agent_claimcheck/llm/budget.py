"""The budget: money is set aside before a call and settled after it, under threads and across processes.

A reader must not miss: every decision is one SQLite transaction that locks out all other threads and processes. What a
process that died had set aside counts as spent when its lease ends, because the provider may have answered it.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.errors import OutputError, UsageError
from agent_claimcheck.core.text import printable, storable
from agent_claimcheck.llm.ledger import LARGEST_USD, PICO, Ledger, LedgerEntry, to_pico

Refusal = Literal["budget_exhausted", "ledger_cap"]

LEASE_EXPIRED = "lease_expired"
"""Status of the ledger line that writes off what a vanished process had set aside."""

ABANDONED = "stopped"
"""Status of the ledger line of a call that was given up before its answer came."""

_BUSY_S = 60.0
_TABLES = """
CREATE TABLE IF NOT EXISTS reservations(
    id TEXT PRIMARY KEY, run_id TEXT NOT NULL, model TEXT NOT NULL, trace_id TEXT NOT NULL, prompt TEXT NOT NULL,
    pico INTEGER NOT NULL, expires REAL NOT NULL);
CREATE TABLE IF NOT EXISTS runs(run_id TEXT PRIMARY KEY, pico INTEGER NOT NULL);
"""


class Purpose(Struct, frozen=True, kw_only=True):
    """What a call is for: the labels of its ledger line."""

    model: str
    trace_id: str
    prompt: str


class Reservation(Struct, frozen=True, kw_only=True):
    """Money set aside for one call."""

    id: str
    usd: float
    purpose: Purpose


class Spending(Struct, frozen=True, kw_only=True):
    """What a call turned out to cost. ``status`` is ``ok`` or an error code."""

    usd: float
    status: str
    tokens_in: int = 0
    tokens_out: int = 0


class Purse(Protocol):
    """What a session asks of a budget. ``Budget`` is one; another may hand every question on to it."""

    def reserve(self, usd: float, purpose: Purpose) -> Reservation | Refusal: ...

    def settle(self, reservation: Reservation, spending: Spending) -> None: ...

    def abandon(self) -> None: ...

    def note_cached(self, purpose: Purpose, *, tokens_in: int, tokens_out: int) -> None: ...

    def close(self) -> None: ...


class Budget:
    """What one run may spend, and what the whole ledger may ever reach.

    ``max_usd`` bounds the run named ``run_id`` (every process that uses the same id shares it), ``cap_usd`` all runs
    that write to ``ledger``. Reservations lie in a small SQLite file beside the ledger; without a ledger they are kept
    in memory. ``lease_s`` is how long a reservation may stay open before it is written off. Safe to use from several
    threads. Raises ``OutputError`` when ledger or reservations cannot be written.
    """

    def __init__(
        self,
        *,
        max_usd: float,
        cap_usd: float | None = None,
        ledger: Ledger | None = None,
        run_id: str | None = None,
        lease_s: float = 600.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        for amount in (max_usd, cap_usd or 0.0):
            if not 0 <= amount <= LARGEST_USD:
                raise UsageError(f"a budget of {amount!r} dollars is not between 0 and {LARGEST_USD:,.0f}")
        if cap_usd is not None and ledger is None:
            raise UsageError("a lifetime cap needs a ledger", hint="set [budget] ledger, or take the cap out")
        self.run_id = run_id or secrets.token_hex(6)
        self._max = int(max_usd * PICO)
        self._cap = None if cap_usd is None else int(cap_usd * PICO)
        self._ledger = ledger
        self._lease_s = lease_s
        self._clock = clock
        self._lock = threading.Lock()
        self._mine: dict[str, Reservation] = {}
        self._db: sqlite3.Connection | None = None
        self._pid = 0
        with self._transaction():
            pass

    def reserve(self, usd: float, purpose: Purpose) -> Reservation | Refusal:
        """Set ``usd`` aside, or say which limit forbids it. The run's own limit is looked at first."""
        amount = to_pico(usd)
        reservation = Reservation(id=secrets.token_hex(12), usd=usd, purpose=purpose)
        with self._transaction() as db:
            self._write_off_expired(db)
            held_here = _sum(db, "SELECT SUM(pico) FROM reservations WHERE run_id = ?", self.run_id)
            spent_here = _sum(db, "SELECT pico FROM runs WHERE run_id = ?", self.run_id)
            if spent_here + held_here + amount > self._max:
                return "budget_exhausted"
            if self._cap is not None and self._ledger is not None:
                held = _sum(db, "SELECT SUM(pico) FROM reservations")
                if self._ledger.total_pico() + held + amount > self._cap:
                    return "ledger_cap"
            db.execute(
                "INSERT INTO reservations VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    reservation.id,
                    self.run_id,
                    storable(purpose.model),
                    storable(purpose.trace_id),
                    storable(purpose.prompt),
                    amount,
                    self._clock() + self._lease_s,
                ),
            )
            self._mine[reservation.id] = reservation
        return reservation

    def settle(self, reservation: Reservation, spending: Spending) -> None:
        """Replace what was set aside by what the call cost, and write its ledger line.

        A reservation that was written off meanwhile is spent already: only what the call cost beyond it is added.
        """
        usd = spending.usd
        with self._transaction() as db:
            self._mine.pop(reservation.id, None)
            gone = db.execute("DELETE FROM reservations WHERE id = ?", (reservation.id,)).rowcount == 0
            if gone:
                usd = max(0.0, usd - reservation.usd)
            self._spend(db, self.run_id, to_pico(usd))
            if self._ledger is not None:
                self._ledger.append(
                    self._line(reservation.purpose, replace(spending, usd=usd), reservation.usd, cached=False)
                )
        self._sync()

    def abandon(self) -> None:
        """Book everything that is set aside and still open as spent: nobody will wait for these calls."""
        for reservation in list(self._mine.values()):
            self.settle(reservation, Spending(usd=reservation.usd, status=ABANDONED))

    def note_cached(self, purpose: Purpose, *, tokens_in: int, tokens_out: int) -> None:
        """Write the ledger line of an answer that came from the cache and cost nothing."""
        if self._ledger is None:
            return
        spending = Spending(usd=0.0, status="cached", tokens_in=tokens_in, tokens_out=tokens_out)
        with self._transaction():
            self._ledger.append(self._line(purpose, spending, 0.0, cached=True))
        self._sync()

    @property
    def spent_usd(self) -> float:
        """What this run has spent so far."""
        with self._transaction() as db:
            return _sum(db, "SELECT pico FROM runs WHERE run_id = ?", self.run_id) / PICO

    @property
    def outstanding_usd(self) -> float:
        """What is set aside for this run's calls that have not been settled."""
        with self._transaction() as db:
            return _sum(db, "SELECT SUM(pico) FROM reservations WHERE run_id = ?", self.run_id) / PICO

    def close(self) -> None:
        """Close the files. Open reservations stay and are written off when their lease ends."""
        with self._lock:
            if self._db is not None and self._pid == os.getpid():
                self._db.close()
            self._db = None
            if self._ledger is not None:
                self._ledger.close()

    def _write_off_expired(self, db: sqlite3.Connection) -> None:
        expired = db.execute(
            "DELETE FROM reservations WHERE expires <= ? RETURNING run_id, model, trace_id, prompt, pico",
            (self._clock(),),
        ).fetchall()
        for run_id, model, trace_id, prompt, pico in expired:
            self._spend(db, run_id, pico)
            if self._ledger is not None:
                purpose = Purpose(model=model, trace_id=trace_id, prompt=prompt)
                spending = Spending(usd=pico / PICO, status=LEASE_EXPIRED)
                self._ledger.append(self._line(purpose, spending, pico / PICO, cached=False, run_id=run_id))

    def _spend(self, db: sqlite3.Connection, run_id: str, pico: int) -> None:
        db.execute(
            "INSERT INTO runs VALUES (?, ?) ON CONFLICT(run_id) DO UPDATE SET pico = pico + excluded.pico",
            (run_id, pico),
        )

    def _line(
        self, purpose: Purpose, spending: Spending, reserved_usd: float, *, cached: bool, run_id: str | None = None
    ) -> LedgerEntry:
        now = datetime.fromtimestamp(self._clock(), UTC)
        return LedgerEntry(
            ts=now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            run_id=run_id or self.run_id,
            model=purpose.model,
            trace_id=purpose.trace_id,
            prompt=purpose.prompt,
            tokens_in=spending.tokens_in,
            tokens_out=spending.tokens_out,
            reserved_usd=reserved_usd,
            actual_usd=spending.usd,
            cached=cached,
            status=spending.status,
        )

    def _sync(self) -> None:
        if self._ledger is not None:
            self._ledger.sync()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                db = self._open()
                db.execute("BEGIN IMMEDIATE")
                try:
                    yield db
                except BaseException:
                    db.execute("ROLLBACK")
                    raise
                db.execute("COMMIT")
            except sqlite3.Error as error:
                raise OutputError(
                    f"{printable(self._place)}: the reservations cannot be kept: {error}",
                    hint="if no other run is active, remove this file",
                    slug="reservations",
                ) from error

    @property
    def _place(self) -> str:
        return ":memory:" if self._ledger is None else f"{self._ledger.path}.reservations"

    def _open(self) -> sqlite3.Connection:
        # A connection must not be carried over a fork, so a child opens its own.
        if self._db is None or (self._pid != os.getpid() and self._ledger is not None):
            db = sqlite3.connect(self._place, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
            try:
                # The file holds nothing beyond the calls in flight: it need not survive a power cut, only a dead process.
                db.execute("PRAGMA synchronous = OFF")
                db.execute("PRAGMA journal_mode = PERSIST")
                db.executescript(_TABLES)
            except sqlite3.Error:
                db.close()
                raise
            if self._ledger is not None:
                Path(self._place).chmod(0o600)
            self._db, self._pid = db, os.getpid()
        return self._db


def _sum(db: sqlite3.Connection, query: str, *values: str) -> int:
    row = db.execute(query, values).fetchone()
    return int(row[0] or 0) if row else 0
