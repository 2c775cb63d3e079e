"""The traces of one part, with a mark before everything that could end the process.

A reader must not miss: a place that was set aside is not touched again. It comes out as a problem that names file and
line, so that nothing is lost in silence.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.importers.contract import Imported, ImportNote
from agent_claimcheck.pipeline.runner.marks import Mark, SetMark
from agent_claimcheck.pipeline.runner.parts import Part, Piece
from agent_claimcheck.pipeline.sources import SourceOptions, read_file
from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.ranges import RangeReader

_KILLED = "set aside: it ended a worker process twice, so it was not checked"
_STOPPED = "reading stops here: reading on ended a worker process twice"


class PartReader:
    """Reads one part. ``notes`` holds the import notes once ``items`` is exhausted."""

    def __init__(self, part: Part, options: SourceOptions, set_aside: frozenset[Mark], mark: SetMark) -> None:
        self.notes: list[ImportNote] = []
        self._part = part
        # The driver stops a strict run, because only it knows what came before.
        self._options = replace(options, strict=False, keeps_repeats=True)
        self._set_aside = set_aside
        self._mark = mark

    def items(self) -> Iterator[Trace | TraceProblem]:
        """Yield the traces and problems of the part, in input order."""
        for number, piece in enumerate(self._part.pieces):
            yield from self._lines(number, piece) if piece.kind == "lines" else self._whole(number, piece)

    def _lines(self, number: int, piece: Piece) -> Iterator[Trace | TraceProblem]:
        mark, shown = self._mark, piece.shown
        skipped = {place.position for place in self._set_aside if place.piece == number}
        line = piece.first_line
        try:
            with RangeReader(piece.file, piece.start, piece.end, piece.first_line) as reader:
                for line, data in reader.lines():
                    if line in skipped:
                        yield TraceProblem(file=shown, line=line, path="", message=_KILLED)
                        continue
                    mark(number, line)
                    decoded = decode_trace(data, file=shown, line=line)
                    if isinstance(decoded, Trace):
                        yield decoded
                    else:
                        yield from decoded
                if reader.is_short:
                    yield TraceProblem(
                        file=shown, line=line, path="", message="the file became shorter while it was read"
                    )
        except OSError as error:
            message = f"reading stops here: cannot be read: {error.strerror or error}"
            yield TraceProblem(file=shown, line=line, path="", message=message)

    def _whole(self, number: int, piece: Piece) -> Iterator[Trace | TraceProblem]:
        items = self._opened(piece)
        position = 0
        while True:
            if Mark(number, position) in self._set_aside:
                yield TraceProblem(file=piece.shown, line=0, path="", message=_STOPPED)
                return
            self._mark(number, position)
            item = next(items, None)
            if item is None:
                return
            if isinstance(item, ImportNote):
                self.notes.append(item)
                continue
            if isinstance(item, Trace) and Mark(number, position + 1) in self._set_aside:
                line = item.where.line if item.where else 0
                yield TraceProblem(file=piece.shown, line=line, path="", message=_KILLED)
            else:
                self._mark(number, position + 1)
                yield item
            position += 2

    def _opened(self, piece: Piece) -> Iterator[Imported]:
        try:
            yield from read_file(piece.file, self._options, shown=piece.shown)
        except InputError as error:
            # The file was there when the parts were planned.
            yield TraceProblem(file=piece.shown, line=0, path="", message=str(error))
