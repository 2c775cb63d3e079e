"""The ledger: one JSON line for every attempted paid call and every cache hit, with tokens and cost and no content.

A reader must not miss: lines are appended only while ``Budget`` holds its lock, so lines of several processes never mix;
``sync`` comes after the lock is left, so waiting for the disk holds nobody up.
"""

from __future__ import annotations

import json
import math
import os
import threading
from pathlib import Path

import msgspec
from msgspec import Struct

from agent_claimcheck.core.canonical import canonical_json
from agent_claimcheck.core.errors import OutputError
from agent_claimcheck.core.text import printable

PICO = 10**12
"""Money is counted in whole picodollars: sums are exact, and a cent per million tokens is still 10,000 of them."""

LARGEST_USD = 1_000_000.0
"""More than this is no budget. It keeps every sum inside SQLite's 64-bit integers."""


class LedgerEntry(Struct, frozen=True, kw_only=True):
    """One documented ledger line. ``ts`` is UTC and ends in ``Z``; ``status`` is ``ok``, ``cached`` or an error code.

    ``reserved_usd`` is what was held for the call, ``actual_usd`` what it counts as spent.
    """

    ts: str
    run_id: str
    model: str
    trace_id: str
    prompt: str
    tokens_in: int
    tokens_out: int
    reserved_usd: float
    actual_usd: float
    cached: bool
    status: str


class Ledger:
    """An append-only file of ``LedgerEntry`` lines. Raises ``OutputError`` when it cannot be written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read_to = 0
        self._total = 0
        self._torn = b""
        self._fd_lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        except OSError as error:
            raise _unwritable(path, error) from error

    def append(self, entry: LedgerEntry) -> None:
        """Add one line. The caller holds the budget's lock. A line that another program left half-written is ended first."""
        line = canonical_json(msgspec.to_builtins(entry)) + b"\n"
        try:
            size = os.fstat(self._fd).st_size
            if size and os.pread(self._fd, 1, size - 1) != b"\n":
                line = b"\n" + line
            while line:
                line = line[os.write(self._fd, line) :]
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def sync(self) -> None:
        """Wait until everything appended so far is on the disk."""
        try:
            os.fsync(self._fd)
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def total_pico(self) -> int:
        """Return the sum of ``actual_usd`` over all readable lines, in picodollars. Reads only what was added since."""
        size = os.fstat(self._fd).st_size
        if size < self._read_to:
            self._read_to, self._total, self._torn = 0, 0, b""
        while self._read_to < size:
            block = os.pread(self._fd, 1 << 20, self._read_to)
            if not block:
                break
            self._read_to += len(block)
            *lines, self._torn = (self._torn + block).split(b"\n")
            self._total += sum(_spent_pico(line) for line in lines)
        return self._total + _spent_pico(self._torn)

    def close(self) -> None:
        """Close the file. A second call does nothing."""
        with self._fd_lock:
            if self._fd >= 0:
                os.close(self._fd)
                self._fd = -1


def to_pico(usd: float) -> int:
    """Return ``usd`` in picodollars, rounded up, so that nothing spent is ever counted as less."""
    return math.ceil(min(usd, LARGEST_USD) * PICO)


def _spent_pico(line: bytes) -> int:
    if not line.strip():
        return 0
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return 0
    usd = value.get("actual_usd") if isinstance(value, dict) else None
    if isinstance(usd, bool) or not isinstance(usd, int | float) or not 0 <= usd < math.inf:
        return 0
    return to_pico(float(min(usd, LARGEST_USD)))


def _unwritable(path: Path, error: OSError) -> OutputError:
    return OutputError(
        f"{printable(str(path))}: the ledger cannot be written: {error.strerror or error}",
        hint="name another file with CLAIMCHECK_LEDGER; without a ledger no paid call is made",
        slug="ledger",
    )
