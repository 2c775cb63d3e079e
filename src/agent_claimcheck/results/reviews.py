"""The reviews file: a person's decisions as labelled traces, one ``agent-trace/v1`` line each.

A reader must not miss: nothing is ever changed in the file. A changed or undone decision is a later line of the same
``trace_id``, and the last line counts; an undone one has the outcome ``unknown``, which labels nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.errors import InputError, OutputError, UsageError
from agent_claimcheck.core.text import printable
from agent_claimcheck.trace.model import CheckedBy, GroundTruth, Outcome, Trace
from agent_claimcheck.trace.write import to_json

DecisionWord = Literal["verified", "false_success", "undone"]

FAILURE_KINDS: tuple[str, ...] = (
    "phantom_action", "error_ignored", "wrong_target", "wrong_value", "not_persisted", "partial_completion", "other",
)  # fmt: skip
"""What a reviewer may call a false success."""

_OUTCOMES: dict[DecisionWord, Outcome] = {"verified": "success", "false_success": "failure", "undone": "unknown"}


class Decision(Struct, frozen=True, kw_only=True):
    """What a reviewer said about one trace. ``reviewed_at`` is ISO 8601 in UTC.

    ``note`` and ``reviewer`` may be empty; ``failure_kind`` is one of ``FAILURE_KINDS`` or empty.
    """

    trace_id: str
    decision: DecisionWord
    note: str = ""
    failure_kind: str = ""
    reviewer: str = ""
    previous_verdict: str = ""
    reviewed_at: str = ""


class _Truth(Struct):
    details: dict[str, Any] | None = None


class _Line(Struct):
    trace_id: str
    ground_truth: _Truth


_LINE = msgspec.json.Decoder(_Line)
_BEGINNING = b'{"final_claim":'
"""How every review begins, also one that a crash cut off."""
_LOOKED_AT = 100
"""Lines of a file that are read to see whether it holds reviews."""


def review_line(trace: Trace, decision: Decision) -> bytes:
    """Return the line that records ``decision``, without a line end. A label of the trace is replaced.

    Raises ``TraceError`` for a trace that cannot be written as agent-trace/v1.
    """
    details: dict[str, Any] = {
        "decision": decision.decision,
        "note": decision.note,
        "previous_verdict": decision.previous_verdict,
        "reviewed_at": decision.reviewed_at,
    }
    for name in ("failure_kind", "reviewer"):
        value = getattr(decision, name)
        if value:
            details[name] = value
    # "human" would tell a reader that a person vouches for the outcome, and after an undo nobody does.
    checked_by: CheckedBy = "none" if decision.decision == "undone" else "human"
    truth = GroundTruth(outcome=_OUTCOMES[decision.decision], checked_by=checked_by, details=details)
    return to_json(replace(trace, ground_truth=truth), "v1")


def read_decision(line: bytes) -> Decision | None:
    """Return the decision on one line; ``None`` for a line that is not a review (a torn line, another trace)."""
    try:
        read = _LINE.decode(line)
        details = read.ground_truth.details or {}
        wanted = {name: details[name] for name in Decision.__struct_fields__ if name in details}
        return msgspec.convert({**wanted, "trace_id": read.trace_id}, Decision)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


class ReviewsFile:
    """The reviews file of a running server: appends durably, and reads what others appended.

    Several servers may share one file; every write is one append under a lock of the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read_to = 0

    def need_place(self) -> None:
        """Raise ``OutputError`` where no decision could be written: better before somebody reads an hour of runs."""
        shown = printable(str(self.path))
        if self.path.is_dir():
            raise OutputError(f"cannot write {shown}: it is a directory", hint="name a file")
        if not self.path.parent.is_dir():
            raise OutputError(f"cannot write {shown}: no such folder", hint="create the folder first")
        if not os.access(self.path if self.path.exists() else self.path.parent, os.W_OK):
            raise OutputError(f"cannot write {shown}: permission denied", hint="name another file with --reviews")

    def need_reviews(self) -> None:
        """Raise ``UsageError`` for a file that holds something else: decisions would be hidden in it for ever."""
        if not self.path.is_file():
            return
        with _opened(self.path) as file:
            lines = [line for line in islice(file, _LOOKED_AT) if line.strip()]
        is_torn = len(lines) == 1 and lines[0].startswith(_BEGINNING) and not lines[0].endswith(b"\n")
        if lines and not is_torn and not any(read_decision(line) for line in lines):
            raise UsageError(
                f"{printable(str(self.path))} is no reviews file: no line of it holds a decision",
                hint="name another file with --reviews; a new one is made",
                slug="reviews",
            )

    def append(self, line: bytes) -> None:
        """Write one line and wait until it is on the disk. Raises ``OutputError``; then nothing was recorded."""
        try:
            with self.path.open("ab+") as file:
                _lock(file.fileno())
                end = file.seek(0, os.SEEK_END)
                is_torn = end > 0 and _last_byte(file, end) != b"\n"
                # A line that a crash cut off stays a line of its own.
                file.write((b"\n" if is_torn else b"") + line + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise OutputError(f"cannot write {printable(str(self.path))}: {error.strerror or error}") from None

    def read_new(self) -> Iterator[Decision]:
        """Yield the decisions that were appended since the last call, by anybody. A file that shrank is read anew."""
        try:
            size = self.path.stat().st_size
        except OSError:
            return
        if size == self._read_to:
            return
        if size < self._read_to:
            self._read_to = 0
        with _opened(self.path) as file:
            file.seek(self._read_to)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._read_to += len(line)
                decision = read_decision(line)
                if decision is not None:
                    yield decision


def _opened(path: Path) -> Any:
    try:
        return path.open("rb")
    except OSError as error:
        raise InputError(f"{printable(str(path))}: cannot be read: {error.strerror or error}") from None


def _last_byte(file: Any, end: int) -> bytes:
    file.seek(end - 1)
    last: bytes = file.read(1)
    file.seek(0, os.SEEK_END)
    return last


def _lock(descriptor: int) -> None:
    try:
        import fcntl
    except ImportError:  # not on Windows; there a second server on the same file is not protected
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX)
