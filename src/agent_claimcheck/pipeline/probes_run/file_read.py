"""Looks at one file below a root: is it there, what does its JSON say, what is its hash.

A reader must not miss: links are followed first and the place they lead to must lie inside the root. Only plain files are
opened, so a pipe or a device cannot hang the reading.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from agent_claimcheck.evidence.values.payload import ABSENT
from agent_claimcheck.pipeline.probes_run.definition import FileRead, Limits
from agent_claimcheck.pipeline.probes_run.parameters import TypedValue, ValueRefused, inside_root, relative_path
from agent_claimcheck.pipeline.probes_run.reading import (
    NotFound,
    Reading,
    Unavailable,
    found,
    json_or_none,
    taken,
)

_CHUNK = 1 << 20


def file_in_root(action: FileRead, values: Mapping[str, TypedValue]) -> tuple[str, Path]:
    """Return the path below the root as asked for, and where it really lies. Raises ``ValueRefused``."""
    asked = relative_path(action.path.fill({name: str(value) for name, value in values.items()}))
    return asked, inside_root(action.root, asked)


class FileReader:
    """Reads the file that an action and its values name."""

    def __init__(self, action: FileRead, limits: Limits) -> None:
        self._action = action
        self._limits = limits

    def read(self, values: Mapping[str, TypedValue]) -> Reading:
        """Return what the file shows. Raises ``NotFound`` or ``Unavailable``."""
        try:
            asked, place = file_in_root(self._action, values)
        except ValueRefused as refused:
            raise Unavailable(f"the path {refused}") from None
        if not self._action.root.is_dir():
            raise Unavailable("the root is no directory")
        try:
            info = place.lstat()
        except (FileNotFoundError, NotADirectoryError):
            raise NotFound("no file of this path") from None
        except OSError as error:
            raise Unavailable("the file cannot be looked at", str(error)) from None
        if self._action.read == "exists":
            kind = "directory" if stat.S_ISDIR(info.st_mode) else "file"
            return found({"path": asked, "exists": True, "kind": kind, "size": info.st_size})
        if not stat.S_ISREG(info.st_mode):
            raise Unavailable("this is no plain file")
        try:
            return self._content(asked, place)
        except OSError as error:
            raise Unavailable("the file cannot be read", str(error)) from None

    def _content(self, asked: str, place: Path) -> Reading:
        handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise Unavailable("this is no plain file")
            if self._action.read == "sha256":
                return self._hash(asked, stream)
            data = stream.read(self._limits.max_output_bytes + 1)
        if len(data) > self._limits.max_output_bytes:
            raise Unavailable(f"the file is larger than {self._limits.max_output_bytes} bytes")
        value = json_or_none(data)
        if value is ABSENT:
            raise Unavailable("the file holds no JSON that can be read")
        return found(taken(value, self._action.take))

    def _hash(self, asked: str, stream: BinaryIO) -> Reading:
        digest = hashlib.sha256()
        size = 0
        deadline = time.monotonic() + self._limits.timeout_s
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
            if time.monotonic() > deadline:
                raise Unavailable(f"timed out after {self._limits.timeout_s:g} s")
        return found({"path": asked, "sha256": digest.hexdigest(), "size": size})
