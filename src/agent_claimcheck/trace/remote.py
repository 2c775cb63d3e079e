"""Files in object stores: ``s3://``, ``gs://`` and ``az://``, through the filesystems of pyarrow.

A reader must not miss: pyarrow is imported on first use only, and everything it raises, an error of its own kind too,
becomes an ``InputError`` that names the place without what follows its question mark.
"""

from __future__ import annotations

import fnmatch
import re
import shutil
from typing import IO, Any, NamedTuple

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.text import printable
from agent_claimcheck.trace.stores import SCHEMES, find_store, import_filesystems, split_query, where_keys_come_from

_COPIED_AT_ONCE = 8 << 20
_SIGNATURE = re.compile(r"(?i)\bsig(nature)?=[^&\s'\"]+")
_ABOUT_KEYS = re.compile(
    r"(?i)access.?denied|credential|authenticat|authoriz|permission|forbidden|signature|token|base64|\b40[13]\b"
)


class RemoteState(NamedTuple):
    """What tells one version of a remote file from another: its size in bytes and its modification time."""

    size: int
    mtime_ns: int


def is_remote(name: str) -> bool:
    """True for a URL of an object store."""
    return name.startswith(SCHEMES)


def shown_name(name: str) -> str:
    """Return ``name`` as it stands in results and messages: a URL without what follows its question mark."""
    return split_query(name)[0] if is_remote(name) else name


def expand_remote(name: str, suffixes: tuple[str, ...]) -> list[str] | None:
    """Return the files behind a remote directory or pattern, sorted; ``None`` when ``name`` is one file.

    Raises ``InputError`` for what does not exist and ``MissingExtraError`` without pyarrow.
    """
    base, query = split_query(name)
    pattern = base if any(char in base for char in "*?[") else ""
    folder = (
        pattern[: min(pattern.index(char) for char in "*?[" if char in pattern)].rpartition("/")[0] if pattern else base
    )
    folder = folder.rstrip("/") if is_remote(folder.rstrip("/")) else folder
    fs = import_filesystems()
    with _Told(name):
        filesystem, path = find_store(folder + query)
        path = path.rstrip("/")
        if not pattern:
            kind = filesystem.get_file_info(path).type
            if kind == fs.FileType.File:
                return None
            if kind == fs.FileType.NotFound:
                raise FileNotFoundError
        found = filesystem.get_file_info(fs.FileSelector(path, recursive=True, allow_not_found=True))
    names = sorted(f"{folder}{info.path[len(path) :]}" for info in found if info.is_file)
    if pattern:
        names = [item for item in names if fnmatch.fnmatchcase(item, pattern)]
    else:
        names = [item for item in names if item.endswith(suffixes) and "/." not in item[len(folder) :]]
    return [item + query for item in names]


def open_remote(name: str) -> Any:
    """Return a seekable binary stream over a remote file. Raises ``InputError`` when there is none."""
    with _Told(name):
        filesystem, path = find_store(name)
        return filesystem.open_input_file(path)


class RemoteBytes:
    """A remote file, read from start to end. What the store says on the way becomes ``OSError``, as of any file."""

    def __init__(self, name: str) -> None:
        """Raises ``InputError`` when there is no such file."""
        self._name = name
        self._stream = open_remote(name)

    def read(self, n: int) -> bytes:
        """Return at most ``n`` bytes; none at the end. Raises ``OSError``."""
        try:
            with _Told(self._name):
                data: bytes = self._stream.read(n)
        except InputError as error:
            raise OSError(error.message) from None
        return data

    def close(self) -> None:
        """Let go of the file."""
        self._stream.close()


def remote_state(name: str) -> RemoteState:
    """Return size and modification time of a remote file. Raises ``InputError`` when there is none."""
    with _Told(name):
        filesystem, path = find_store(name)
        info = filesystem.get_file_info(path)
        if not info.is_file:
            raise FileNotFoundError
    return RemoteState(info.size, info.mtime_ns or 0)


def remote_size(name: str) -> int:
    """Return the size of a remote file in bytes. Raises ``InputError`` when there is none."""
    return remote_state(name).size


def require_place(name: str) -> None:
    """Raise ``InputError`` when nothing can be written to ``name``, as far as that shows before.

    A store that only says that it may not be asked is taken to be there: some keys open it for writing alone.
    """
    try:
        with _Told(name):
            filesystem, path = find_store(name)
            bucket, _, key = path.partition("/")
            if not key or key.endswith("/"):
                raise ValueError("names no file")
            if filesystem.get_file_info(bucket).type == import_filesystems().FileType.NotFound:
                raise ValueError(f"there is no bucket or container {bucket!r}")
    except InputError as error:
        if not error.hint:
            raise


def upload(source: IO[bytes], name: str) -> None:
    """Write all of ``source`` to a remote file, which appears at the end. Raises ``InputError``, also for ``source``."""
    with _Told(name):
        filesystem, path = find_store(name)
        with filesystem.open_output_stream(path) as stream:
            shutil.copyfileobj(source, stream, _COPIED_AT_ONCE)


class _Told:
    """Turns what pyarrow raises into an ``InputError`` that names the URL."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: object) -> None:
        # What follows the question mark is left out everywhere: it is long, and the path says it all.
        shown = printable(shown_name(self._name))
        if isinstance(error, FileNotFoundError):
            raise InputError(f"{shown}: no such file", slug="missing_file") from None
        if isinstance(error, OSError | ValueError | NotImplementedError) or _is_of_arrow(error):
            # A library that quotes an address quotes a signature with it.
            said = _SIGNATURE.sub("sig=hidden", printable(str(error)))[:300]
            hint = where_keys_come_from(self._name.partition("://")[0]) if _ABOUT_KEYS.search(said) else ""
            raise InputError(f"{shown}: {said}", hint=hint, slug="remote") from None


def _is_of_arrow(error: BaseException | None) -> bool:
    if error is None:
        return False
    from pyarrow import ArrowException

    return isinstance(error, ArrowException)
