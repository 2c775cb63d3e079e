"""Open zip archives of strangers: few members, bounded sizes, no paths outside.

A reader must not miss: nothing is ever written to disk under a name from the archive; members are read into memory, one
at a time, and only up to a limit that counts the bytes really decompressed.
"""

from __future__ import annotations

import struct
import tempfile
import zipfile
import zlib
from types import TracebackType
from typing import IO, NamedTuple, cast

try:
    from lzma import LZMAError
except ImportError:  # a Python built without it; zipfile then says that it cannot read such members
    LZMAError = OSError  # type: ignore[misc, assignment]

from agent_claimcheck.core.errors import MissingExtraError
from agent_claimcheck.importers.feed import Readable

MAX_TOTAL_BYTES = 8 << 30
_SPOOL = 32 << 20
_ZSTD = 93
_LOCAL_HEADER = struct.Struct("<IHHHHHIIIHH")


class ArchiveLimits(NamedTuple):
    """How much of an archive is read: members in all, bytes of one member and of all members, decompressed."""

    members: int = 50_000
    member_bytes: int = 256 << 20
    total_bytes: int = MAX_TOTAL_BYTES


DEFAULT_LIMITS = ArchiveLimits()


class SafeZip:
    """A zip file read within limits. ``fault`` names what is wrong with the archive as a whole, or is empty."""

    def __init__(self, stream: Readable, limits: ArchiveLimits = DEFAULT_LIMITS) -> None:
        self.fault = ""
        self._limits = limits
        self._total = 0
        self._zip: zipfile.ZipFile | None = None
        # zipfile needs to seek, which a pipe cannot: the archive itself (not its content) is spooled.
        self._spool = cast(IO[bytes], tempfile.SpooledTemporaryFile(max_size=_SPOOL))  # noqa: SIM115 - closed by __exit__
        size = 0
        while chunk := stream.read(1 << 20):
            size += len(chunk)
            if size > limits.total_bytes:
                self.fault = "the archive is too large"
                return
            self._spool.write(chunk)
        self._spool.seek(0)
        try:
            self._zip = zipfile.ZipFile(self._spool)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, EOFError) as error:
            self.fault = f"not a readable zip archive: {error}"
            return
        if len(self._zip.infolist()) > limits.members:
            self.fault = f"the archive has more than {limits.members} members"

    def __enter__(self) -> SafeZip:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._zip is not None:
            self._zip.close()
        self._spool.close()

    def names(self) -> list[str]:
        """The members, sorted; those whose path leads outside are left out."""
        if self._zip is None:
            return []
        return sorted({name for name in self._zip.namelist() if _is_inside(name)})

    def read(self, name: str) -> bytes | str:
        """A member's bytes, or a ``str`` that says why it cannot be read."""
        if self._zip is None or not _is_inside(name):
            return "no such member"
        try:
            info = self._zip.getinfo(name)
            if info.file_size > self._limits.member_bytes:
                return f"the member is larger than {self._limits.member_bytes >> 20} MiB"
            if info.compress_type == _ZSTD:
                data = self._read_zstd(info)
            else:
                with self._zip.open(info) as member:
                    data = member.read(self._limits.member_bytes + 1)
        except MissingExtraError as error:
            return str(error)
        except KeyError:
            return "no such member"
        except (
            zipfile.BadZipFile,
            NotImplementedError,
            RuntimeError,
            ValueError,
            OSError,
            EOFError,
            LZMAError,
            zlib.error,
        ) as error:
            return f"the member cannot be read: {error}"
        self._total += len(data)
        if len(data) > self._limits.member_bytes or self._total > self._limits.total_bytes:
            return "the archive holds more data than is read"
        return data

    def _read_zstd(self, info: zipfile.ZipInfo) -> bytes:
        """Newer writers compress members with zstd, which the standard library learns only later."""
        try:
            import zstandard
        except ImportError:
            raise MissingExtraError(
                "a member is compressed with zstd", hint="pip install 'agent-claimcheck[zstd]'"
            ) from None
        self._spool.seek(info.header_offset)
        header = self._spool.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size or info.compress_size > self._limits.member_bytes:
            raise zipfile.BadZipFile("broken local header")
        name_size, extra_size = _LOCAL_HEADER.unpack(header)[-2:]
        self._spool.seek(info.header_offset + _LOCAL_HEADER.size + name_size + extra_size)
        packed = self._spool.read(info.compress_size)
        try:
            with zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(packed) as reader:
                return bytes(reader.read(self._limits.member_bytes + 1))
        except zstandard.ZstdError as error:
            raise zipfile.BadZipFile(f"broken zstd data: {error}") from None


def _is_inside(name: str) -> bool:
    return not name.startswith(("/", "\\")) and ".." not in name.replace("\\", "/").split("/") and ":" not in name[:3]
