"""Which fields of arguments and outputs name a record: ``record_id``, ``path``, ``slug`` ... but not ``request_id``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from agent_claimcheck.evidence.payload import scalar_fields
from agent_claimcheck.evidence.result_json import parse_output
from agent_claimcheck.evidence.values import walk_values

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


def record_ids(value: Any) -> dict[str, str]:
    """Return the id-like scalar fields of arguments or an output, the first of each key."""
    found: dict[str, str] = {}
    for key, item in scalar_fields(value):
        name = _id_name(key)
        if name is not None and isinstance(item, str | int) and not isinstance(item, bool):
            found.setdefault(name, str(item).strip().casefold())
    return found


def id_fields(value: Any) -> Iterator[tuple[str, str]]:
    """Yield every id-like field of an output with its value, lists included."""
    if isinstance(value, str):
        value = parse_output(value)
    for path, item in walk_values(value):
        name = _id_name(path.rsplit(".", 1)[-1])
        if name is not None and isinstance(item, str | int) and not isinstance(item, bool):
            yield name, str(item).strip().casefold()


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
