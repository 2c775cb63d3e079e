"""Where a worker is: a few numbers in shared memory that outlive the worker.

A reader must not miss: a mark is set before a line is decoded and before a trace is checked, so after a sudden death the
mark names the culprit, even when it was killed by the system and could say nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

NOWHERE = -1


class Mark(NamedTuple):
    """A place in a part: the number of the piece, and the position in it.

    The position is the line number in a ``lines`` piece. In a ``whole`` piece it is twice the number of the item while
    that is read, and one more while it is checked.
    """

    piece: int
    position: int


SetMark = Callable[[int, int], None]


def unmarked(piece: int, position: int) -> None:
    """Keep no mark: for work in a process that nobody watches."""


class MarkBoard:
    """The shared numbers of one worker: part, piece, position, an order to stop, process id."""

    def __init__(self, cells: Any) -> None:
        """``cells`` is an array of five shared 64-bit integers."""
        self.cells = cells

    def begin_process(self, pid: int) -> None:
        """Say which process keeps its marks here."""
        self.cells[4] = pid

    @property
    def pid(self) -> int:
        """The process that keeps its marks here, 0 before it began."""
        return int(self.cells[4])

    def begin(self, part: int) -> None:
        """Say that ``part`` is under way and nothing of it was touched."""
        self.cells[2] = NOWHERE
        self.cells[0] = part

    def mark(self, piece: int, position: int) -> None:
        """Say what is about to be touched."""
        self.cells[1] = piece
        self.cells[2] = position

    def end(self) -> None:
        """Say that nothing is under way."""
        self.cells[2] = NOWHERE

    def read(self) -> Mark | None:
        """Return the last mark; ``None`` when nothing was touched."""
        return None if self.cells[2] == NOWHERE else Mark(self.cells[1], self.cells[2])

    @property
    def must_stop(self) -> bool:
        """True once the worker was told to stop."""
        return bool(self.cells[3])

    def tell_stop(self, value: bool = True) -> None:
        """Tell the worker to stop after the trace it is at."""
        self.cells[3] = int(value)
