"""What a writer is, and where it writes.

A reader must not miss: results stream. A writer gets one result at a time and may keep counts, never the results.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from msgspec import Struct

from agent_claimcheck.core.text import printable_json
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.summary import ExitDecision, Summary
from agent_claimcheck.trace.model import Trace


class Sink(Protocol):
    """Anything that takes bytes: an open file, standard output."""

    def write(self, data: bytes, /) -> object:
        """Take ``data``, all of it."""
        ...


class Destination(Struct, frozen=True, kw_only=True):
    """Where one writer's output goes, and what is known of that place.

    ``is_terminal`` allows colours (unless ``no_color``) and cuts lines to ``width`` columns. ``annotations`` is the
    stream a CI runner reads commands from. ``max_rows`` caps the rows of a table; accusations are always shown.
    ``is_known`` tells whether a baseline has the verdict of a result; without a baseline it is ``None``.
    """

    sink: Sink
    is_terminal: bool = False
    width: int = 120
    no_color: bool = False
    max_rows: int = 200
    annotations: Sink | None = None
    is_known: Callable[[CheckResult], bool] | None = None

    def put_json(self, data: bytes) -> None:
        """Write JSON text; a terminal gets what it would act on as escapes of JSON, which mean the same."""
        self.sink.write(printable_json(data) if self.is_terminal else data)

    def knows(self, result: CheckResult) -> bool:
        """True when a baseline is given and has the verdict of ``result``: it is shown, and is no failure."""
        return self.is_known is not None and self.is_known(result)


class Writer(Protocol):
    """One output format. The calls come in this order: ``begin`` once, ``write`` per result, ``end`` once."""

    def begin(self) -> None:
        """Write what stands before the first result."""
        ...

    def write(self, result: CheckResult) -> None:
        """Write one result."""
        ...

    def end(self, summary: Summary, decision: ExitDecision) -> None:
        """Write what stands after the last result."""
        ...


@runtime_checkable
class TracedWriter(Protocol):
    """What a writer that also shows the steps of a trace has besides ``write``."""

    def write_traced(self, result: CheckResult, trace: Trace) -> None:
        """Write one result with its trace, in the place of ``write``."""
        ...


@runtime_checkable
class LineWriter(Protocol):
    """What a writer of result lines has besides ``write``: it takes encoded lines as they are."""

    line_format: Literal["v1", "v2"]

    def write_lines(self, data: bytes) -> None:
        """Write whole lines of ``line_format``."""
        ...


WriterFactory = Callable[[Destination], Writer]


class OutputSpec(Struct, frozen=True, kw_only=True):
    """One ``-o FORMAT=PATH``. ``path`` is ``None`` for standard output, and where ``url`` names a remote file."""

    format: str
    path: Path | None
    url: str | None = None
