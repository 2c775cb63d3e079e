"""What an engine is, and the loop that keeps one busy.

A reader must not miss: parts are planned while others run, and a part is not started when too many finished ones wait
for a slow one before them, so neither memory nor disk grows with the input.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from agent_claimcheck.pipeline.runner.parts import Part
from agent_claimcheck.pipeline.runner.report import PartReport


class Engine(Protocol):
    """Does parts at several places at once."""

    slots: int
    """How many parts may be started before one has to be waited for."""

    def start(self, part: Part) -> None:
        """Start one part. To be called only while fewer than ``slots`` parts are under way."""
        ...

    def wait(self) -> PartReport:
        """Return the report of the next part that is finished, in any order. Raises what ended a part for good."""
        ...

    def close(self) -> None:
        """Stop what is under way and end all workers."""
        ...


def run_parts(parts: Iterator[Part], engine: Engine, *, window: int | None = None) -> Iterator[PartReport]:
    """Yield the reports of ``parts``.

    With ``window`` they come in the order of the parts, and no part is started more than ``window`` after the first one
    that is not finished. Without it they come as they are finished.
    """
    waiting: dict[int, PartReport] = {}
    order: list[int] = []
    under_way = 0
    upcoming = next(parts, None)
    while upcoming is not None or under_way:
        while upcoming is not None and under_way < engine.slots and (window is None or len(order) < window):
            engine.start(upcoming)
            under_way += 1
            order.append(upcoming.index)
            upcoming = next(parts, None)
        report = engine.wait()
        under_way -= 1
        if window is None:
            order.remove(report.index)
            yield report
            continue
        waiting[report.index] = report
        while order and order[0] in waiting:
            yield waiting.pop(order.pop(0))
