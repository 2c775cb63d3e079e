"""Which files a coding run changed, and which of them it had made itself.

A reader must not miss: an edit whose file cannot be told is kept with the path ``None``; it may be the real fix, so it
silences whatever would accuse the run of having changed nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from agent_claimcheck.evidence.coding.commands import command_of
from agent_claimcheck.evidence.writes import Write

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_OPENS = frozenset({"open", "create", "goto", "view"})
"""Commands of line editors that make a file the current one; their ``edit`` names no file."""


class FileChange(Struct, frozen=True):
    """One successful change of one file. ``is_new`` when the run had created that file."""

    path: str | None
    is_new: bool
    step: int


def file_changes(evidence: Evidence) -> list[FileChange]:
    """Return the file changes of a run that did not surely fail, in order."""
    by_call = {write.pair.call.i: write for write in evidence.writes}
    changes: list[FileChange] = []
    created: set[str] = set()
    current: str | None = None
    for pair in evidence.calls:
        name = (pair.call.name or "").rsplit(".", 1)[-1].lower()
        if name in _OPENS:
            current = _named_file(command_of(pair.call) or _argument(pair.call.args)) or current
        write = by_call.get(pair.call.i)
        if write is None or write.is_failed or not write.effect.is_file_change:
            continue
        if write.effect.verb_class == "created" and name == "create" and current is not None:
            created.add(_base(current))
            continue
        paths: list[str | None] = [*_paths(write)] or [current]
        for path in paths:
            is_new = path is not None and _base(path) in created
            if path is not None and write.effect.verb_class == "created" and not is_new:
                created.add(_base(path))
                is_new = True
            changes.append(FileChange(path, is_new, write.step))
    return changes


def _paths(write: Write) -> list[str]:
    return [value for kind, value in write.effect.target if kind == "path"]


def _argument(args: dict[str, object] | None) -> str:
    for key in ("path", "file", "file_path", "filename", "command"):
        value = (args or {}).get(key)
        if isinstance(value, str):
            return value
    return ""


def _named_file(text: str) -> str | None:
    words = text.split()
    if words and words[0].lower() in _OPENS:
        words = words[1:]
    first = words[0].strip("\"'") if words else ""
    return first if re.search(r"(?:^|[\w-])\.\w", first) or "/" in first else None


def _base(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].lower()
