"""The fields of tool arguments and outputs: paths a check can name, with the values they had.

A reader must not miss: a list is one field, because its places mean nothing. Paths that a pack could not name are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agent_claimcheck.evidence.signature import FREE_TEXT
from agent_claimcheck.evidence.values.held_json import parse_output

MAX_DEPTH = 4
MAX_FIELDS = 80
_PLAIN_KEY = re.compile(r"[A-Za-z_][\w-]{0,60}\Z")
_RECORD_KEY = re.compile(r"\d{5}")
"""In a key such as ``paypal_3820631``, which is the id of one record: no other run has a field of this name."""
_STATUS_WORDS = frozenset({"status", "state"})
_PLACES = frozenset({"address", "billing", "contact", "home", "location", "postal", "region", "shipping", "venue"})
_FAULT_COUNTS = frozenset({"failed", "failures", "errors", "exit_code", "error_count", "failed_count"})
_ID_ENDINGS = ("id", "ids", "uuid", "number", "reference", "ref", "sha", "key", "code", "slug")


def fields_of(value: Any) -> dict[str, Any]:
    """Return dotted path to value for every scalar, list and object of ``value``, at most ``MAX_FIELDS``."""
    found: dict[str, Any] = {}
    for path, item in _walk(parse_output(value), "", 0):
        if len(found) >= MAX_FIELDS:
            break
        found[path] = item
    return found


def _walk(value: Any, prefix: str, depth: int) -> Iterator[tuple[str, Any]]:
    if not isinstance(value, dict) or depth >= MAX_DEPTH:
        return
    for key, item in list(value.items())[:MAX_FIELDS]:
        if not isinstance(key, str) or not _PLAIN_KEY.match(key) or key == "args" or _RECORD_KEY.search(key):
            continue
        path = f"{prefix}.{key}" if prefix else key
        yield path, item
        yield from _walk(item, path, depth + 1)


def words_of(path: str) -> tuple[str, ...]:
    """Return the lower-cased words of the last part of a path: ``booking.deskId`` gives ``desk``, ``id``."""
    last = path.rsplit(".", 1)[-1]
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", last).lower().replace("-", "_")
    return tuple(word for word in spaced.split("_") if word)


def is_id(path: str) -> bool:
    """True for a field that names a record."""
    words = words_of(path)
    return bool(words) and words[-1] in _ID_ENDINGS and not is_fault_count(path)


def is_free_text(path: str) -> bool:
    """True for a field that holds prose, which a system may store in another form than it was given."""
    return path.rsplit(".", 1)[-1].lower() in FREE_TEXT


def is_status(path: str) -> bool:
    """True for a field that says how a record stands; the state of an address is a part of a country."""
    words = words_of(path)
    if not words or words[-1] not in _STATUS_WORDS:
        return False
    around = {word for part in path.split(".")[:-1] for word in words_of(part)} | set(words[:-1])
    return words[-1] == "status" or around.isdisjoint(_PLACES)


def is_fault_count(path: str) -> bool:
    """True for a field that counts what went wrong."""
    return path.rsplit(".", 1)[-1] in _FAULT_COUNTS
