"""Files in object stores: ``s3://``, ``gs://`` and ``az://``, through the filesystems of pyarrow.

A reader must not miss: pyarrow is imported here on first use only, and finds credentials the way each store's own tools
do (environment, profile, instance role). A URL may carry ``?endpoint_override=...&scheme=http`` for another server.
"""

from __future__ import annotations

import fnmatch
from typing import Any, NamedTuple

from agent_claimcheck.core.errors import InputError, MissingExtraError, UsageError
from agent_claimcheck.core.text import printable

SCHEMES = ("s3://", "gs://", "az://")


class RemoteState(NamedTuple):
    """What tells one version of a remote file from another: its size in bytes and its modification time."""

    size: int
    mtime_ns: int


def is_remote(name: str) -> bool:
    """True for a URL of an object store."""
    return name.startswith(SCHEMES)


def shown_name(name: str) -> str:
    """Return ``name`` as it stands in results and messages: a URL without what follows its question mark."""
    return _split_query(name)[0] if is_remote(name) else name


def expand_remote(name: str, suffixes: tuple[str, ...]) -> list[str] | None:
    """Return the files behind a remote directory or pattern, sorted; ``None`` when ``name`` is one file.

    Raises ``InputError`` for what does not exist and ``MissingExtraError`` without pyarrow.
    """
    base, query = _split_query(name)
    pattern = base if any(char in base for char in "*?[") else ""
    folder = (
        pattern[: min(pattern.index(char) for char in "*?[" if char in pattern)].rpartition("/")[0] if pattern else base
    )
    filesystem, path = _filesystem(folder + query)
    with _Told(name):
        fs = _pyarrow_fs()
        if not pattern:
            kind = filesystem.get_file_info(path).type
            if kind == fs.FileType.File:
                return None
        found = filesystem.get_file_info(fs.FileSelector(path, recursive=True, allow_not_found=True))
    scheme = folder[: folder.index("://") + 3]
    lead = folder[len(scheme) :].rstrip("/")
    names = sorted(f"{scheme}{lead}{info.path[len(path.rstrip('/')) :]}" for info in found if info.is_file)
    if pattern:
        names = [item for item in names if fnmatch.fnmatchcase(item, pattern)]
    else:
        names = [item for item in names if item.endswith(suffixes) and "/." not in item[len(scheme) :]]
    return [item + query for item in names]


def open_remote(name: str) -> Any:
    """Return a seekable binary stream over a remote file. Raises ``InputError`` when there is none."""
    filesystem, path = _filesystem(name)
    with _Told(name):
        return filesystem.open_input_file(path)


def remote_state(name: str) -> RemoteState:
    """Return size and modification time of a remote file. Raises ``InputError`` when there is none."""
    filesystem, path = _filesystem(name)
    with _Told(name):
        info = filesystem.get_file_info(path)
    if not info.is_file:
        raise InputError(f"{printable(name)}: no such file", slug="missing_file")
    return RemoteState(info.size, info.mtime_ns or 0)


def remote_size(name: str) -> int:
    """Return the size of a remote file in bytes. Raises ``InputError`` when there is none."""
    return remote_state(name).size


def open_remote_output(name: str) -> Any:
    """Return a binary stream that writes a remote file. The file appears when the stream is closed."""
    filesystem, path = _filesystem(name)
    with _Told(name):
        return filesystem.open_output_stream(path)


def _filesystem(name: str) -> tuple[Any, str]:
    authority = name.partition("://")[2].partition("/")[0]
    if ":" in authority.partition("@")[0] and "@" in authority:
        # A URL ends up in results, manifests and shell histories.
        raise UsageError(
            f"{printable(name.partition('://')[0])}://...: keys do not belong into a URL",
            hint="give them by environment variables or a profile, as the store's own tools take them",
            slug="remote",
        )
    url = f"abfss://{name.removeprefix('az://')}" if name.startswith("az://") else name
    fs = _pyarrow_fs()
    with _Told(name):
        filesystem, path = fs.FileSystem.from_uri(url)
    return filesystem, path


def _split_query(name: str) -> tuple[str, str]:
    """Split off ``?key=value...``; a single ``?`` elsewhere is a wildcard."""
    base, mark, query = name.rpartition("?")
    return (base, mark + query) if mark and "=" in query and "/" not in query.partition("=")[0] else (name, "")


def _pyarrow_fs() -> Any:
    try:
        import pyarrow.fs

        return pyarrow.fs
    except ImportError as error:
        from agent_claimcheck.core.install import install_hint

        raise MissingExtraError("object stores need pyarrow", hint=install_hint("parquet")) from error


class _Told:
    """Turns what pyarrow raises into an ``InputError`` that names the URL."""

    def __init__(self, name: str) -> None:
        # What follows the question mark may hold keys.
        self._name = printable(shown_name(name))

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, FileNotFoundError):
            raise InputError(f"{self._name}: no such file", slug="missing_file") from None
        if isinstance(error, OSError | ValueError | NotImplementedError):
            raise InputError(f"{self._name}: {printable(str(error))[:300]}", slug="remote") from None
