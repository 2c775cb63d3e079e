"""Which fields of arguments and outputs name a record: ``record_id``, ``path``, ``slug`` ... but not ``request_id``."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.leaves import SCALARS
from agent_claimcheck.evidence.values.value_text import walk_fields

_ID_WORDS = frozenset(
    {"id", "uuid", "guid", "key", "slug", "path", "file", "filename", "url", "number", "code", "reference"}
)
_NOT_RECORDS = frozenset(
    [
        "request",
        "trace",
        "span",
        "correlation",
        "session",
        "job",
        "batch",
        "event_log",
        "log",
        "run",
        "user",
        "agent",
        "tenant",
        "org",
        "organization",
        "workspace",
        "account",
        "calendar",
        "project",
        "board",
        "list",
        "idempotency",
        "api",
        "client",
        "app",
        "next_page",
        "page",
        "cursor",
        "etag",
        "parent",
        "owner",
        "created_by",
        "updated_by",
        "status",
        "error",
        "exit",
        "message_code",
        "zip",
        "postal",
        "country",
        "currency",
    ]
)


_DEPTH = 3
"""Levels of objects in which a record is looked for."""


def record_ids(value: Any) -> dict[str, str]:
    """Return the id-like scalar fields of arguments or an output, the first of each key."""
    found: dict[str, str] = {}
    if isinstance(value, str):
        value = parse_output(value)
    if isinstance(value, dict):
        _collect(value, _DEPTH - 1, found)
    return found


def _collect(fields: dict[str, Any], depth: int, found: dict[str, str]) -> None:
    for key, item in fields.items():
        if type(item) not in SCALARS and isinstance(item, dict):
            if depth:
                _collect(item, depth - 1, found)
            continue
        # Few keys name a record, so that is asked before what the value is.
        name = _ID_NAMES[key]
        if name is None or name in found:
            continue
        if isinstance(item, str | int) and item is not True and item is not False:
            found[name] = str(item).strip().casefold()


class _IdNames(dict[str, str | None]):
    """The names of keys seen before; a look into it costs a fraction of a cached call."""

    def __missing__(self, key: str) -> str | None:
        name = _id_name(key)
        if len(self) < _KEPT_NAMES and len(key) <= _LONGEST_KEY:
            self[key] = name
        return name


_ID_NAMES = _IdNames()
_KEPT_NAMES = 4096
_LONGEST_KEY = 80


def id_fields(value: Any) -> dict[str, set[str]]:
    """Return the values of every id-like field by its name, lists of records included. JSON in a text is not opened."""
    found: dict[str, set[str]] = {}
    for key, item in walk_fields(value):
        name = _id_name(key.rsplit(".", 1)[-1])
        if name is not None and isinstance(item, str | int) and not isinstance(item, bool):
            found.setdefault(name, set()).add(str(item).strip().casefold())
    return found


@lru_cache(maxsize=4096)
def _id_name(key: str) -> str | None:
    words = _words(key)
    if not words or words[-1] not in _ID_WORDS:
        return None
    owner = "_".join(words[:-1])
    if owner in _NOT_RECORDS:
        return None
    return "_".join(words)


def _words(key: str) -> list[str]:
    spaced = "".join(f"_{c.lower()}" if c.isupper() else c for c in key) if not key.isupper() else key.lower()
    return [word for word in spaced.replace("-", "_").replace(".", "_").split("_") if word]
