"""Which record a probe read, compared with the record a call wrote.

A reader must not miss: ids are compared under the same key only when both sides carry that key; a value that appears on
both sides is the same record whatever its key. Where neither holds, the record is unknown, not another one.
"""

from __future__ import annotations

from typing import Any, Literal

from agent_claimcheck.evidence.payload import scalar_fields
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import CallPair

RecordMatch = Literal["same", "other", "unknown"]

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
    """Return the id-like scalar fields of arguments or an output, key folded to lower case without separators."""
    found: dict[str, str] = {}
    for key, item in scalar_fields(value):
        if isinstance(item, bool) or item is None or not isinstance(item, str | int):
            continue
        name = _id_name(key)
        if name is not None:
            found.setdefault(name, str(item).strip().casefold())
    return found


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


def match_record(call: CallPair, probe: Step) -> RecordMatch:
    """Say whether ``probe`` read the record that ``call`` wrote."""
    written = record_ids(call.call.args)
    if call.result is not None:
        written.update(record_ids(call.result.output))
    read = record_ids(probe.output)
    read.update(record_ids(probe.args))
    if not written or not read:
        return "unknown"
    shared = written.keys() & read.keys()
    if any(written[key] != read[key] for key in shared):
        return "other"
    if shared or set(written.values()) & set(read.values()):
        return "same"
    return "unknown"


def probe_identity(probe: Step) -> tuple[tuple[str, str], ...]:
    """Return what tells one probed record from another: its ids, empty when it carries none."""
    ids = record_ids(probe.output)
    ids.update(record_ids(probe.args))
    return tuple(sorted(ids.items()))
