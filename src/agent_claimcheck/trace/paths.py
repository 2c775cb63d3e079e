"""From what a user names (files, directories, globs, ``-``) to the list of files to read, in a stable order."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.text import printable
from agent_claimcheck.trace.remote import expand_remote, is_remote, shown_name
from agent_claimcheck.trace.streams import STDIN

_SUFFIXES = tuple(f"{kind}{packed}" for kind in (".jsonl", ".json", ".ndjson") for packed in ("", ".gz", ".zst"))

RUN_SUFFIXES = (
    *(f"{kind}{packed}" for kind in (".jsonl", ".json", ".ndjson", ".traj") for packed in ("", ".gz", ".zst")),
    ".eval",
    ".parquet",
)
"""What a directory is searched for where foreign formats are read too. Files named one by one may be called anything."""


def expand_paths(
    paths: Sequence[str | os.PathLike[str]], *, suffixes: tuple[str, ...] = _SUFFIXES, kind: str = "trace"
) -> list[str]:
    """Return the files that ``paths`` name, in the given order.

    A directory stands for the files with one of ``suffixes`` below it, sorted, hidden ones left out; a pattern with
    ``*``, ``?`` or ``[`` for the sorted files it matches (``**`` crosses directories). A file found this way that was
    listed before is not repeated, and a pipe or device is passed over: it may never end. ``kind`` is what an error calls
    the files. Raises ``InputError`` for what does not exist, and for a directory or pattern without files.
    """
    listed: dict[str, None] = {}
    result: list[str] = []
    for path in paths:
        name = os.fspath(path)
        found = _expand(name, suffixes)
        if found is None:
            listed[os.path.realpath(name)] = None
            result.append(name)
            continue
        if not found:
            raise InputError(
                f"{printable(shown_name(name))}: no {kind} files found here", hint=f"looked for {' '.join(suffixes)}"
            )
        for item in found:
            real = os.path.realpath(item)
            if real not in listed:
                listed[real] = None
                result.append(item)
    return result


def _expand(name: str, suffixes: tuple[str, ...]) -> list[str] | None:
    """Return the files behind a directory or pattern; ``None`` when ``name`` is a file or standard input."""
    if name == STDIN:
        return None
    if not name.strip():
        raise InputError("the name of an input is empty", hint="is a variable unset?", slug="missing_file")
    if is_remote(name):
        return expand_remote(name, suffixes)
    try:
        path = Path(name)
        if path.is_dir():
            return sorted(_files_below(name, suffixes))
        if path.exists():
            return None
    except (OSError, ValueError):
        raise InputError(f"{printable(name)}: is not a usable path", slug="missing_file") from None
    if glob.has_magic(name):
        found: list[str] = []
        for item in sorted(glob.glob(name, recursive=True)):  # noqa: PTH207 - names may be absolute
            found += sorted(_files_below(item, suffixes)) if Path(item).is_dir() else [item] if _may_end(item) else []
        return found
    raise InputError(f"{printable(name)}: no such file or directory", slug="missing_file")


def _files_below(directory: str, suffixes: tuple[str, ...]) -> Iterator[str]:
    for root, below, names in os.walk(directory):
        below[:] = [name for name in below if not name.startswith(".")]
        for name in names:
            file = str(Path(root) / name)
            if not name.startswith(".") and name.endswith(suffixes) and _may_end(file):
                yield file


def _may_end(name: str) -> bool:
    """False for pipes, sockets and devices. What is gone or leads nowhere may end: it is told when it is opened."""
    try:
        return stat.S_ISREG(Path(name).stat().st_mode)
    except OSError:
        return True
