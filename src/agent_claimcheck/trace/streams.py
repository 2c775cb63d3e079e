"""Bytes of a file or of standard input: decompressed, with look-ahead, cut into lines of bounded length.

A reader must not miss: what a file is, its first bytes say, never its name. Nothing here seeks, so pipes work, and
nothing holds more than one line.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO

from agent_claimcheck.core.byte_order_marks import UTF8_MARK, UTF16_MARKS
from agent_claimcheck.core.errors import InputError, MissingExtraError
from agent_claimcheck.core.text import printable
from agent_claimcheck.trace.limits import MAX_LINE_BYTES
from agent_claimcheck.trace.remote import RemoteBytes, is_remote

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STDIN = "-"

_BUFFER = 128 * 1024
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
_TAR = b"ustar"
_OTHER_FORMATS = (
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"BZh", "bzip2 data; decompress it first, or use gzip or zstd"),
    (b"\xfd7zXZ", "xz data; decompress it first, or use gzip or zstd"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"%PDF", "a PDF document"),
)
_AS_UTF8 = "save it as UTF-8 (`iconv -f {code} -t UTF-8 FILE`; in PowerShell `Out-File -Encoding utf8`)"
_ENCODINGS = (  # the longer marks first: that of UTF-32 little-endian begins with that of UTF-16
    (b"\xff\xfe\x00\x00", "UTF-32", "little-endian"),
    (b"\x00\x00\xfe\xff", "UTF-32", "big-endian"),
    (UTF16_MARKS[0], "UTF-16", "little-endian"),
    (UTF16_MARKS[1], "UTF-16", "big-endian"),
)


class ByteStream(io.BufferedReader):
    """A buffered reader over plain bytes. ``look`` shows what comes first without consuming it."""

    def __init__(self, source: Any, damage: tuple[type[Exception], ...] = ()) -> None:
        """``source`` has ``read`` and ``close``; ``damage`` lists what it raises for broken data."""
        self._lookahead = _LookAhead(source, damage)
        super().__init__(self._lookahead, _BUFFER)

    def look(self, n: int) -> bytes:
        """Return the first ``n`` bytes, fewer only at the end or before damage. To be called before anything is read."""
        return self._lookahead.look(n)

    def __enter__(self) -> ByteStream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class _LookAhead(io.RawIOBase):
    """The raw end of a ``ByteStream``. Damage in compressed data and failing disks become ``InputError``."""

    def __init__(self, source: Any, damage: tuple[type[Exception], ...]) -> None:
        self._source = source
        self._damage = damage
        # ``read1`` hands over what is there; on a pipe ``read`` would wait for a full buffer.
        self._read = getattr(source, "read1", source.read)
        self._head = b""
        # The text and not the error, whose traceback would keep the file open. Reading never goes on behind damage.
        self._failure = ""

    def readable(self) -> bool:
        return True

    def look(self, n: int) -> bytes:
        while len(self._head) < n:
            try:
                more = self._pull(n - len(self._head))
            except InputError:
                # What stands before the damage is still read; whoever reads as far as it is told then.
                break
            if not more:
                break
            self._head += more
        return self._head[:n]

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer).cast("B")
        if self._head:
            data, self._head = self._head[: len(view)], self._head[len(view) :]
        else:
            data = self._pull(len(view))
        view[: len(data)] = data
        return len(data)

    def _pull(self, n: int) -> bytes:
        if not self._failure:
            try:
                return self._read(n) or b""
            except self._damage as error:
                self._failure = f"compressed data is damaged: {printable(str(error))}"
            except OSError as error:
                self._failure = f"cannot be read: {printable(str(error))}"
        raise InputError(self._failure, slug="damaged")

    def close(self) -> None:
        if not self.closed:
            self._source.close()
        super().close()


def open_bytes(path: str | os.PathLike[str], *, stdin: BinaryIO | None = None) -> ByteStream:
    """Open a path or URL for reading; ``-`` is ``stdin`` (default: the standard input of the process).

    gzip and zstd data are decompressed. Raises ``InputError`` when the file is missing or cannot be opened, and
    ``MissingExtraError`` for zstd data when the library for it is absent.
    """
    name = os.fspath(path)
    if name == STDIN:
        return decompress(_Unclosed(stdin if stdin is not None else sys.stdin.buffer))
    if is_remote(name):
        return decompress(RemoteBytes(name))
    try:
        source = Path(name).open("rb", buffering=0)  # noqa: SIM115 - the returned stream closes it
    except FileNotFoundError as error:
        raise InputError(f"{printable(name)}: no such file", slug="missing_file") from error
    except IsADirectoryError as error:
        raise InputError(f"{printable(name)}: is a directory", slug="input") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{printable(name)}: cannot be opened: {reason}", slug="input") from error
    return decompress(source)


def decompress(source: Any) -> ByteStream:
    """Return the plain bytes of ``source``, any readable binary stream, whether it is compressed or not."""
    stream = ByteStream(source)
    magic = stream.look(4)
    if magic.startswith(GZIP):
        from gzip import BadGzipFile, GzipFile
        from zlib import error as zlib_error

        return ByteStream(GzipFile(fileobj=stream, mode="rb"), (EOFError, BadGzipFile, zlib_error))
    if magic == ZSTD:
        try:
            import zstandard
        except ImportError as error:
            from agent_claimcheck.core.install import install_hint

            raise MissingExtraError("zstd data needs the zstandard library", hint=install_hint("zstd")) from error
        return ByteStream(_ZstdReader(stream, zstandard.ZstdDecompressor), (EOFError, zstandard.ZstdError))
    return stream


class _ZstdReader:
    """Reads zstd frames one after the other. Unlike the library's own reader it notices a frame that is cut off."""

    # A few bytes of zstd can stand for 128 KiB, so a hostile file must be fed in small bites to bound memory.
    _BITE = 2048

    def __init__(self, source: ByteStream, new_decompressor: Any) -> None:
        self._source = source
        self._new_decompressor = new_decompressor
        self._frame: Any = None
        self._packed = b""
        self._plain = memoryview(b"")

    def read(self, n: int) -> bytes:
        while not self._plain:
            if not self._packed:
                self._packed = self._source.read(self._BITE)
            if not self._packed:
                if self._frame is not None:
                    raise EOFError("the last frame ends too early")
                return b""
            if self._frame is None:
                self._frame = self._new_decompressor().decompressobj()
            self._plain = memoryview(self._frame.decompress(self._packed))
            self._packed = b""
            if self._frame.eof:
                self._packed = self._frame.unused_data
                self._frame = None
        data = bytes(self._plain[:n])
        self._plain = self._plain[n:]
        return data

    def close(self) -> None:
        self._source.close()


def peek(stream: ByteStream, n: int) -> bytes:
    """Return the first ``n`` bytes of a fresh ``stream`` without consuming them."""
    return stream.look(n)


def iter_lines(stream: BinaryIO, *, first_line: int = 1) -> Iterator[tuple[int, bytes]]:
    """Yield (line number from ``first_line``, line without its end) for every line that is not blank.

    A byte order mark is dropped. A line over 64 MiB is cut to one byte more than that, so that decoding refuses it
    without the rest ever being held.
    """
    number = first_line - 1
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            _skip_rest_of_line(stream)
        if number == 1 and line.startswith(UTF8_MARK):
            line = line[len(UTF8_MARK) :]
        line = line.rstrip(b"\r\n")
        # Text in UTF-16, cut at line feeds, leaves lone zero bytes behind.
        if line.strip(b" \t\r\x00"):
            yield number, line


def name_format(head: bytes) -> str | None:
    """Return what a file that starts with ``head`` is and what to do, when it is plainly no JSON in UTF-8, else ``None``."""
    if head[257:262] == _TAR:
        return "a tar archive; unpack it first"
    for magic, name in _OTHER_FORMATS:
        if head.startswith(magic):
            return name
    for mark, code, order in _ENCODINGS:
        if head.startswith(mark):
            return f"{code} text ({order}, by its byte order mark); {_AS_UTF8.format(code=code)}"
    if b"\x00" not in head:
        return None
    if _may_be_utf16(head):
        code = "UTF-16BE" if head.startswith(b"\x00") else "UTF-16LE"
        return f"text that looks like {code} without a byte order mark; {_AS_UTF8.format(code=code)}"
    return "binary data"


def _may_be_utf16(head: bytes) -> bool:
    sample = head[:64]
    return sample.count(0) * 3 > len(sample) and not all(byte == 0 for byte in sample[:2])


def _skip_rest_of_line(stream: BinaryIO) -> None:
    while piece := stream.readline(_BUFFER):
        if piece.endswith(b"\n"):
            return


class _Unclosed:
    """Standard input, which stays open when the stream over it is closed."""

    def __init__(self, source: BinaryIO) -> None:
        self.read = source.read
        if hasattr(source, "read1"):
            self.read1 = source.read1

    def close(self) -> None:
        """Leave the source open."""
