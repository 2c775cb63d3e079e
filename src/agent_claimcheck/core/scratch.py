"""A directory for the time of one run, and the removal of those that killed runs left behind.

A reader must not miss: whether an owner still lives is told by a lock it holds, never by its process id. Ids are used
again, and mean nothing between containers that share a temporary directory.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

_PREFIX = "claimcheck-"
_OWNER = ".owner"
"""The file whose lock the owner of a directory holds. Only a directory with one is ever removed."""

try:
    import fcntl
except ImportError:  # not on this system: nobody is kept out, and nothing is known of who lives
    fcntl = None  # type: ignore[assignment]  # asked before each use


def take_lock(stream: IO[bytes]) -> bool:
    """Lock an open file unless another process holds it. The system releases it when this process ends, however it ends."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def scratch_directory() -> Iterator[Path]:
    """Yield a new temporary directory, removed on leaving."""
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as name:
        directory = Path(name)
        # Locked before it has its name, so that nobody ever sees the directory of a living run unlocked.
        unnamed = directory / f"{_OWNER}.new"
        with unnamed.open("wb") as owner:
            if fcntl is not None and take_lock(owner):
                unnamed.rename(directory / _OWNER)
            yield directory


def remove_left_behind() -> None:
    """Remove the scratch directories of this user whose run was killed. Never raises; unknown directories stay."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIX):
                with suppress(OSError):
                    _remove_if_left(entry)


def _remove_if_left(entry: os.DirEntry[str]) -> None:
    if not entry.is_dir(follow_symlinks=False) or entry.stat(follow_symlinks=False).st_uid != os.getuid():
        return
    descriptor = os.open(Path(entry.path) / _OWNER, os.O_RDWR | os.O_NOFOLLOW)
    with os.fdopen(descriptor, "r+b") as owner:
        if take_lock(owner):
            shutil.rmtree(entry.path, ignore_errors=True)
