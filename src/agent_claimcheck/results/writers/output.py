"""Opens a writer on a file or on standard output, and sees that a file appears whole or not at all.

A reader must not miss: a file is written beside its final place and renamed at the end, so a run that stops half-way
leaves the former file as it was. What is no regular file (a pipe, a device) is written directly.
"""

from __future__ import annotations

import glob
import os
import stat
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Literal, Self

from msgspec.structs import replace

from agent_claimcheck.core.errors import OutputError
from agent_claimcheck.core.scratch import take_lock
from agent_claimcheck.core.text import printable
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.summary import ExitDecision, Summary
from agent_claimcheck.results.writers.catalog import writer_factory
from agent_claimcheck.results.writers.contract import (
    Destination,
    LineWriter,
    OutputSpec,
    Sink,
    TracedWriter,
    Writer,
    WriterFactory,
)
from agent_claimcheck.trace.model import Trace

if TYPE_CHECKING:
    from agent_claimcheck.results.writers.remote import RemoteFile

_BUFFER = 256 * 1024


class OpenOutput:
    """A writer with its file. Used as a context manager; leaving it before ``end`` throws the half-written file away.

    Every call raises ``OutputError``, naming the file, when the place cannot be written.
    """

    def __init__(self, writer: Writer, file: AtomicFile | RemoteFile | None) -> None:
        self._writer = writer
        self._traced = writer if isinstance(writer, TracedWriter) else None
        self._lines = writer if isinstance(writer, LineWriter) else None
        self._file = file

    def begin(self) -> None:
        """Write what stands before the first result."""
        self._writer.begin()

    def write(self, result: CheckResult, trace: Trace | None = None) -> None:
        """Write one result; a writer that shows steps gets its trace, where there is one."""
        if trace is not None and self._traced is not None:
            self._traced.write_traced(result, trace)
        else:
            self._writer.write(result)

    @property
    def line_format(self) -> Literal["v1", "v2"] | None:
        """Which encoded result lines ``write_lines`` takes; ``None`` when every result must go through ``write``."""
        return self._lines.line_format if self._lines is not None else None

    def write_lines(self, data: bytes) -> None:
        """Write encoded lines of ``line_format``, line ends included."""
        if self._lines is None:
            raise TypeError("this output takes no encoded lines")
        self._lines.write_lines(data)

    def end(self, summary: Summary, decision: ExitDecision) -> None:
        """Write what stands after the last result and put the file in its place."""
        self._writer.end(summary, decision)
        if self._file is not None:
            self._file.commit()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.discard()


_SURELY_LEFT_S = 60.0
"""Age of a half-written file from which it may be removed: a young one may not have its lock yet."""


def open_writer(spec: OutputSpec, stdout: Destination, *, job_summary: Path | None = None) -> OpenOutput:
    """Return the writer ``spec`` asks for, ready for ``begin``.

    ``stdout`` is used where the spec has no path, and lends its annotation stream to every writer. ``job_summary`` is
    the file a CI job shows as its summary: ``github`` without a path appends to it. Raises ``OutputError``.
    """
    factory = writer_factory(spec.format)
    path = spec.path
    annotations = stdout.annotations or stdout.sink
    if spec.url is not None:
        from agent_claimcheck.results.writers.remote import RemoteFile

        remote = RemoteFile(spec.url)
        return _on_file(factory, remote, _place(remote, stdout))
    if spec.format == "github":
        target = path or job_summary
        file = AtomicFile(target, append=True) if target else None
        to = replace(stdout, sink=file or _Nowhere(), is_terminal=False, annotations=annotations)
        return OpenOutput(factory(to), file)
    if path is None:
        return OpenOutput(factory(replace(stdout, annotations=annotations)), None)
    _remove_left_behind(path)
    file = AtomicFile(path)
    return _on_file(factory, file, _place(file, stdout))


def _remove_left_behind(path: Path) -> None:
    """Remove half-written files for ``path`` whose run was killed: those that nobody holds the lock of, after a minute."""
    with suppress(OSError):
        for left in path.parent.glob(f".{glob.escape(path.name[:100])}.{'[0-9a-f]' * 12}.tmp"):
            with left.open("rb") as stream:
                if left.stat().st_mtime < time.time() - _SURELY_LEFT_S and take_lock(stream):
                    left.unlink()


def _place(sink: Sink, stdout: Destination) -> Destination:
    """Describe a file: of standard output it keeps what is not about a terminal."""
    annotations = stdout.annotations or stdout.sink
    return Destination(sink=sink, max_rows=stdout.max_rows, annotations=annotations, is_known=stdout.is_known)


def _on_file(factory: WriterFactory, file: AtomicFile | RemoteFile, to: Destination) -> OpenOutput:
    try:
        return OpenOutput(factory(to), file)
    except BaseException:
        file.discard()
        raise


class _Nowhere:
    def write(self, data: bytes, /) -> int:
        """Take ``data`` and forget it."""
        return len(data)


class AtomicFile:
    """A file that appears at ``path`` on ``commit``. With ``append`` its content is added to what is there."""

    def __init__(self, path: Path, *, append: bool = False) -> None:
        self._shown = printable(str(path))
        self._append = append
        self._temporary: Path | None = None
        # A link keeps pointing where it points: its target is what gets replaced. The links of /proc to open pipes
        # point to no name, so what is no regular file is opened by the name it was given under.
        self._final = path if is_stream(path) else Path(os.path.realpath(path))
        try:
            self._stream = self._open()
        except OSError as error:
            raise self._failure(error) from None

    def write(self, data: bytes, /) -> int:
        """Take ``data``, all of it. Raises ``OutputError``."""
        try:
            return self._stream.write(data)
        except OSError as error:
            self.discard()
            raise self._failure(error) from None

    def commit(self) -> None:
        """Put the file in its place. Raises ``OutputError``; then nothing has changed."""
        try:
            self._stream.flush()
            if self._temporary is not None:
                os.fsync(self._stream.fileno())
            self._stream.close()
            if self._temporary is not None:
                self._temporary.replace(self._final)
                self._temporary = None
        except OSError as error:
            self.discard()
            raise self._failure(error) from None

    def discard(self) -> None:
        """Close and throw away what was not committed. Harmless after ``commit``."""
        with suppress(OSError):
            self._stream.close()
        if self._temporary is not None:
            with suppress(OSError):
                self._temporary.unlink()
            self._temporary = None

    def _open(self) -> IO[bytes]:
        try:
            known = self._final.stat()
        except FileNotFoundError:
            known = None
        if self._append or (known is not None and not stat.S_ISREG(known.st_mode)):
            return self._final.open("ab" if self._append else "wb")
        temporary = self._final.with_name(f".{self._final.name[:100]}.{os.urandom(6).hex()}.tmp")
        stream = temporary.open("xb", _BUFFER)
        take_lock(stream)
        self._temporary = temporary
        if known is not None:
            with suppress(OSError):
                temporary.chmod(stat.S_IMODE(known.st_mode))
        return stream

    def _failure(self, error: OSError) -> OutputError:
        is_homeless = isinstance(error, FileNotFoundError) and not self._final.parent.is_dir()
        hint = "create the folder first" if is_homeless else ""
        return OutputError(f"cannot write {self._shown}: {error.strerror or error}", hint=hint)


def write_whole(path: Path, data: bytes) -> None:
    """Put a file of ``data`` at ``path``, whole or not at all. Raises ``OutputError``."""
    file = AtomicFile(path)
    try:
        file.write(data)
        file.commit()
    finally:
        file.discard()


def is_stream(path: Path) -> bool:
    """True for a pipe, a terminal or a device: what is written there goes on at once, and there is nothing to replace."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False
