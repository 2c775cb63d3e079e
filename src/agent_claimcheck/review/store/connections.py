"""Connections to one SQLite file: one that writes, behind a lock, and a few that read.

A reader must not miss: in WAL mode readers never wait for the writer, so a page stays usable while traces are scored.
The file holds what traces say, so only its owner may read it.
"""

from __future__ import annotations

import os
import queue
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agent_claimcheck.core.errors import OutputError
from agent_claimcheck.core.text import printable

_READERS = 4
_BUSY_MS = 10_000
_CACHE_KIB = 4096


class Connections:
    """Opens ``path`` (made with mode 0600 when missing). Close it when done."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._idle: queue.LifoQueue[sqlite3.Connection] = queue.LifoQueue()
        self._slots = threading.BoundedSemaphore(_READERS)
        self._is_closed = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            path.chmod(0o600)
            os.utime(path)  # opening counts as use
            self._writer = self._open()
            self._writer.execute("PRAGMA journal_mode = WAL")
        except (OSError, sqlite3.Error) as error:
            raise OutputError(f"cannot keep the store {printable(str(path))}: {error}") from None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give the writing connection inside one transaction, which an exception undoes."""
        with self._lock:
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
            except BaseException:
                self._writer.execute("ROLLBACK")
                raise
            self._writer.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give a reading connection; waits while all are in use."""
        with self._slots:
            try:
                connection = self._idle.get_nowait()
            except queue.Empty:
                connection = self._open()
                connection.execute("PRAGMA query_only = ON")
            try:
                yield connection
            finally:
                self._idle.put(connection)

    def script(self, text: str) -> None:
        """Run several statements on the writing connection."""
        with self._lock:
            self._writer.executescript(text)

    def close(self) -> None:
        """Close every connection. Nothing may be in use."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            while not self._idle.empty():
                self._idle.get_nowait().close()
            self._writer.close()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, isolation_level=None, check_same_thread=False, timeout=_BUSY_MS / 1000, cached_statements=64
        )
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        # Everything here can be made again, so a power cut may cost the last moments of the store, never its form.
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection
