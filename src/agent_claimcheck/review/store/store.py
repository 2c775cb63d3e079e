"""The store of one set of inputs: results, trace texts, the queue and the decisions on it.

A reader must not miss: it is a working copy. The inputs and the reviews file are the truth, and ``rebuild_decisions``
makes the second half from that file every time a server starts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agent_claimcheck.core.text import storable
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.reviews import Decision
from agent_claimcheck.review.store.connections import Connections
from agent_claimcheck.review.store.query import (
    PAGE,
    SEVERAL,
    SINGLE,
    Filter,
    count_question,
    cursor_of,
    ids_question,
    is_plain,
    page_question,
    row_names,
)
from agent_claimcheck.review.store.rows import (
    facets,
    item_row,
    pack_result,
    pack_trace,
    unpack_label,
    unpack_result,
    unpack_trace,
)
from agent_claimcheck.review.store.words import searchable
from agent_claimcheck.trace.model import GroundTruth, Trace

VERSION = "2"
_MAGIC = b"SQLite format 3\0"
Row = dict[str, Any]
Pair = tuple[Trace | None, CheckResult]

_DECISION = msgspec.json.Decoder(Decision)
_INSERT = """INSERT OR IGNORE INTO items
    (trace_id, verdict, record, domain, source, language, detector, p, order_p,
     turn, started_at, why, asked, claims, findings, status)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_CHOICES = 200
"""Values of one field that a filter offers."""


class Item(Struct, frozen=True, kw_only=True):
    """One item in full. ``trace`` is without its label; ``label`` may be shown only after a decision."""

    id: int
    status: str
    trace: Trace | None
    result: CheckResult
    label: GroundTruth | None
    decisions: tuple[tuple[int, Decision], ...]
    """Every decision on it with its number, in order."""


class ListPage(Struct, frozen=True, kw_only=True):
    """One page of a list; ``after`` is the cursor of the next page, ``None`` at the end."""

    rows: list[Row]
    after: str | None


class Store:
    """Opens or makes the store at ``path``. A file of another version is made anew. Safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        self._files = Connections(path) if _is_usable(path) else _anew(path)
        try:
            version = self.fact("version")
        except sqlite3.DatabaseError:
            version = None
        if version != VERSION:
            self._files.close()
            self._files = _anew(path)
            self._files.script((Path(__file__).parent / "schema.sql").read_text(encoding="utf-8"))
            self.set_fact("version", VERSION)

    def close(self) -> None:
        """Close the file."""
        self._files.close()

    # Facts

    def fact(self, name: str) -> str | None:
        """Return a remembered fact about the store, ``None`` when there is none."""
        with self._files.reading() as db:
            if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'facts'").fetchone():
                return None
            row = db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def set_fact(self, name: str, value: str) -> None:
        """Remember a fact about the store."""
        with self._files.writing() as db:
            db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    # Items

    def add(self, pairs: Sequence[Pair]) -> None:
        """Add traces with their results, in order. A trace_id that is already there is passed over."""
        prepared = [
            (item_row(*pair), facets(*pair), pack_trace(pair[0]), pack_result(pair[1]), searchable(*pair))
            for pair in pairs
        ]
        with self._files.writing() as db:
            for row, several, (packed, label), result, words in prepared:
                turn = db.execute(
                    "INSERT INTO kinds VALUES (?, 1) ON CONFLICT DO UPDATE SET n = n + 1 RETURNING n - 1", (row.kind,)
                ).fetchone()[0]
                status = self._status(db, row.trace_id, row.verdict)
                done = db.execute(
                    _INSERT,
                    (row.trace_id, row.verdict, row.record, row.domain, row.source, row.language, row.detector, row.p,
                     row.order_p, turn, row.started_at, row.why, row.asked, row.claims, row.findings, status),
                )  # fmt: skip
                if not done.rowcount:
                    continue
                key = done.lastrowid
                db.executemany("INSERT INTO facets VALUES (?, ?, ?)", [(kind, value, key) for kind, value in several])
                db.execute("INSERT INTO texts VALUES (?, ?, ?, ?)", (key, packed, result, label))
                db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (key, words))

    def replace_result(self, result: CheckResult) -> bool:
        """Put a new result in the place of the one of the same trace; False when that trace is not here."""
        row = item_row(None, result)
        with self._files.writing() as db:
            found = db.execute("SELECT id FROM items WHERE trace_id = ?", (row.trace_id,)).fetchone()
            if found is None:
                return False
            status = self._status(db, row.trace_id, row.verdict)
            db.execute(
                "UPDATE items SET verdict = ?, record = ?, detector = ?, p = ?, order_p = ?, why = ?, status = ?, is_judged = 1 "
                "WHERE id = ?",
                (row.verdict, row.record, row.detector, row.p, row.order_p, row.why, status, found[0]),
            )
            db.execute("UPDATE texts SET result = ? WHERE id = ?", (pack_result(result), found[0]))
        return True

    def page(self, wanted: Filter, after: str | None = None, limit: int = PAGE) -> ListPage:
        """Return the rows behind ``after``. Raises ``UsageError`` for a cursor no page gave out."""
        question = page_question(wanted, after, limit)
        with self._files.reading() as db:
            found = db.execute(question.sql, question.parameters).fetchall()
        names = row_names(wanted.sort)
        rows = [dict(zip(names, values, strict=True)) for values in found]
        return ListPage(rows=rows, after=cursor_of(rows[-1], wanted.sort) if len(rows) == limit else None)

    def count(self, wanted: Filter) -> int:
        """Return how many rows match; 10,001 stands for more than 10,000 where a filter narrows them."""
        if is_plain(wanted):
            statuses = self.counters().get("status", {})
            if wanted.view == "all":
                return sum(statuses.values())
            return statuses.get("open" if wanted.view == "queue" else "reviewed", 0)
        question = count_question(wanted)
        with self._files.reading() as db:
            counted: int = db.execute(question.sql, question.parameters).fetchone()[0]
        return counted

    def counters(self) -> dict[str, dict[str, int]]:
        """Return field -> value -> number of items, the most frequent first; at most 200 values of a field."""
        kept: dict[str, dict[str, int]] = {}
        with self._files.reading() as db:
            for kind in (*SINGLE, *SEVERAL, "status", "overview"):
                rows = db.execute(
                    "SELECT value, n FROM counters WHERE kind = ? AND n > 0 ORDER BY n DESC, value LIMIT ?",
                    (kind, _CHOICES),
                )
                kept[kind] = dict(rows.fetchall())
        return kept

    def item(self, trace_id: str) -> Item | None:
        """Return one item in full, ``None`` when it is not here."""
        with self._files.reading() as db:
            row = db.execute("SELECT id, status FROM items WHERE trace_id = ?", (storable(trace_id),)).fetchone()
            if row is None:
                return None
            packed = db.execute("SELECT trace, result, label FROM texts WHERE id = ?", (row[0],)).fetchone()
            decided = db.execute(
                "SELECT seq, record FROM decisions WHERE trace_id = ? ORDER BY seq", (storable(trace_id),)
            ).fetchall()
        return Item(
            id=row[0],
            status=row[1],
            trace=unpack_trace(packed[0]) if packed[0] is not None else None,
            result=unpack_result(packed[1]),
            label=unpack_label(packed[2]),
            decisions=tuple((seq, _DECISION.decode(record)) for seq, record in decided),
        )

    def each(self, wanted: Filter, ids: Sequence[int] | None = None) -> Iterator[Pair]:
        """Yield trace and result of every matching item, or of the items ``ids``. Memory holds one at a time."""
        if ids is None:
            question = ids_question(wanted)
            with self._files.reading() as db:
                ids = [row[0] for row in db.execute(question.sql, question.parameters)]
        for key in ids:
            with self._files.reading() as db:
                row = db.execute("SELECT trace, result FROM texts WHERE id = ?", (key,)).fetchone()
            if row is not None:
                yield unpack_trace(row[0]) if row[0] is not None else None, unpack_result(row[1])

    def ids_of(self, trace_ids: Iterable[str]) -> list[int]:
        """Return the ids of the items among ``trace_ids`` that are here, in that order."""
        with self._files.reading() as db:
            rows = [
                db.execute("SELECT id FROM items WHERE trace_id = ?", (storable(name),)).fetchone()
                for name in trace_ids
            ]
        return [row[0] for row in rows if row is not None]

    # Results of a results file

    def give(self, results: Iterable[CheckResult]) -> None:
        """Keep results until their traces are read."""
        with self._files.writing() as db:
            db.executemany(
                "INSERT OR REPLACE INTO given VALUES (?, ?)",
                ((storable(result.trace_id), pack_result(result)) for result in results),
            )

    def take(self, trace_id: str) -> CheckResult | None:
        """Return the kept result of a trace and forget it; ``None`` when there is none."""
        with self._files.writing() as db:
            row = db.execute("DELETE FROM given WHERE trace_id = ? RETURNING result", (storable(trace_id),)).fetchone()
        return unpack_result(row[0]) if row else None

    def take_some(self, limit: int) -> list[CheckResult]:
        """Return up to ``limit`` of the kept results that are left and forget them."""
        with self._files.writing() as db:
            rows = db.execute(
                "DELETE FROM given WHERE trace_id IN (SELECT trace_id FROM given LIMIT ?) RETURNING result", (limit,)
            ).fetchall()
        return [unpack_result(row[0]) for row in rows]

    # Decisions

    def rebuild_decisions(self, decisions: Iterable[Decision]) -> None:
        """Forget all decisions and take these instead."""
        with self._files.writing() as db:
            db.execute("DELETE FROM decisions")
            db.execute(
                "UPDATE items SET status = CASE verdict WHEN 'unverifiable' THEN 'open' ELSE 'settled' END "
                "WHERE status = 'reviewed'"
            )
        self.apply(decisions)

    def apply(self, decisions: Iterable[Decision]) -> int:
        """Add decisions in order; returns how many. Those on traces that are not here wait until they are."""
        count = 0
        with self._files.writing() as db:
            for decision in decisions:
                name = storable(decision.trace_id)
                record = msgspec.json.encode(decision)
                db.execute(
                    "INSERT INTO decisions (trace_id, decision, record) VALUES (?, ?, ?)",
                    (name, decision.decision, record),
                )
                row = db.execute("SELECT verdict FROM items WHERE trace_id = ?", (name,)).fetchone()
                if row is not None:
                    status = self._status(db, name, row[0])
                    db.execute("UPDATE items SET status = ? WHERE trace_id = ?", (status, name))
                count += 1
        return count

    @staticmethod
    def _status(db: sqlite3.Connection, trace_id: str, verdict: str) -> str:
        last = db.execute(
            "SELECT decision FROM decisions WHERE trace_id = ? ORDER BY seq DESC LIMIT 1", (trace_id,)
        ).fetchone()
        if last is not None and last[0] != "undone":
            return "reviewed"
        return "open" if verdict == "unverifiable" else "settled"


def forget_old_stores(folder: Path, older_than_s: float, now_s: float) -> int:
    """Delete the stores in ``folder`` that were not written for so long and return how many; one still open lives on.

    Times are seconds since 1970. Every change of inputs or settings makes a store of its own, so they would pile up.
    """
    gone = 0
    for path in folder.glob("*.sqlite"):
        with suppress(OSError):
            if now_s - path.stat().st_mtime > older_than_s:
                for suffix in ("-wal", "-shm", ""):
                    path.with_name(path.name + suffix).unlink(missing_ok=True)
                gone += 1
    return gone


def _is_usable(path: Path) -> bool:
    """Return whether ``path`` is an SQLite file, or empty, or not there."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) in (b"", _MAGIC)
    except OSError:
        return True


def _anew(path: Path) -> Connections:
    """Delete a store and the files SQLite keeps beside it, and open an empty one."""
    for suffix in ("", "-wal", "-shm"):
        with suppress(OSError):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
    return Connections(path)
