"""Which record a call is about: the ids, addresses, paths and titles among its arguments.

A reader must not miss: the owner is not the record. Two calls with the same ``user_id`` and different ``order_id``
are about different records; with nothing but the ``user_id`` in common nobody can tell. It compares calls of any two tools;
another try of one tool is told by all of its arguments instead (``checks/retry_targets.py``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.values.held_json import decode_text
from agent_claimcheck.evidence.word_lists import WordLists

Target = tuple[str, str]

MAX_ARGS = 64
MAX_VALUES = 50
MAX_VALUE_CHARS = 300

_ID_KEY = late_pattern(
    r"(?:^|_|(?<=[a-z]))(?:id|ids|ID|IDs|Id|Ids|uuid|number|no|ref|reference|code|key|sku|slug|handle|sha|iban|pnr|confirmation)_?$"
)
_LISTS = WordLists("targets")
_ADDRESS_KEYS = _LISTS.words("address")
_EMAIL_KEYS = _LISTS.words("email")
_PATH_KEYS = _LISTS.words("path")
_URL_KEYS = _LISTS.words("url")
_TITLE_KEYS = _LISTS.words("title")
_PLAIN_TITLES = _LISTS.words("plain_title")
_OWNER_KEYS = _LISTS.words("owner")
_NOT_TARGET = _LISTS.words("not_target")
_RESULT_IDS = _LISTS.words("result_ids")
_NESTED = _LISTS.words("nested")


def targets_of(args: Mapping[str, Any], paths: tuple[str, ...], output: Any) -> tuple[Target, ...]:
    """Return the (kind, value) pairs of ``args``, of file ``paths`` and of the ids a write's ``output`` gave back."""
    found: list[Target] = []
    for seen, (key, value) in enumerate(args.items()):
        if seen >= MAX_ARGS or len(found) > MAX_VALUES:
            break
        kind = _kind_of(key)
        if kind is not None:
            _collect(found, kind, value)
        elif isinstance(value, dict) and key in _NESTED:
            for inner_key, inner in list(value.items())[:MAX_ARGS]:
                inner_kind = _kind_of(inner_key)
                if inner_kind is not None:
                    _collect(found, inner_kind, inner)
    for path in paths[:MAX_VALUES]:
        _collect(found, "path", path)
    if output is not None:
        body = decode_text(output) if isinstance(output, str) and len(output) < 20_000 else output
        if isinstance(body, dict):
            for key in list(body)[:MAX_ARGS]:
                if key in _RESULT_IDS or (key.endswith("_id") and key not in _OWNER_KEYS):
                    _collect(found, "id" if key in ("id_", "uid", "uuid") else key, body[key])
    return tuple(dict.fromkeys(found))


_KINDS: dict[str, str | None] = {}


def _kind_of(key: str) -> str | None:
    kind = _KINDS.get(key, "")
    if kind == "":
        kind = _read_key(key) if len(key) <= 80 else None
        if len(_KINDS) < 4096 and len(key) <= 80:
            _KINDS[key] = kind
    return kind


def _read_key(key: str) -> str | None:
    low = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key).lower().replace("-", "_")
    if low in _NOT_TARGET:
        return None
    if low in _PATH_KEYS or key in _PATH_KEYS:
        return "path"
    if low in _URL_KEYS:
        return "url"
    if low in _ADDRESS_KEYS:
        return "email" if low in _EMAIL_KEYS else low
    if low in _TITLE_KEYS:
        return "title" if low in _PLAIN_TITLES else low
    return low if _ID_KEY.search(key) or low.endswith(("_id", "_ids", "_number", "_ref")) or low == "id" else None


def _collect(found: list[Target], kind: str, value: Any) -> None:
    if isinstance(value, str):
        if value and len(value) <= MAX_VALUE_CHARS:
            found.append((kind, normalise_target(kind, value)))
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int):
        if abs(value) < 10**30:
            found.append((kind, str(value)))
    elif isinstance(value, list):
        for entry in value[:MAX_VALUES]:
            if isinstance(entry, str | int) and not isinstance(entry, bool):
                _collect(found, kind, entry)
            elif isinstance(entry, dict) and isinstance(entry.get("email"), str):
                _collect(found, "email", entry["email"])


def normalise_target(kind: str, value: str) -> str:
    """Return the form in which two spellings of one target are equal."""
    text = value.strip()
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    if kind == "path":
        return re.sub(r"/{2,}", "/", text).removeprefix("./").rstrip("/") or "/"
    text = text.casefold()
    if kind == "url":
        return re.sub(r"^https?://(?:www\.)?|^www\.", "", text).rstrip("/")
    if "<" in text and text.endswith(">") and "@" in text:
        return text[text.rindex("<") + 1 : -1].strip()
    return text.removeprefix("#")


def same_target(a: tuple[Target, ...], b: tuple[Target, ...]) -> bool | None:
    """True when both are about one record, False when about different ones, ``None`` when nobody can tell."""
    if not a or not b:
        return None
    left, right = _by_kind(a), _by_kind(b)
    agreed: bool | None = None
    for kind, values in left.items():
        others = right.get(kind)
        if others is None or (kind in _OWNER_KEYS and (len(left) > 1 or len(right) > 1)):
            continue
        if not _overlap(kind, values, others):
            return False
        agreed = True
    if agreed:
        return True
    # The created record came back as "id", the later call names it "event_id".
    ids_left = {value for kind, values in left.items() if _is_id(kind) for value in values}
    ids_right = {value for kind, values in right.items() if _is_id(kind) for value in values}
    return True if ids_left & ids_right else None


def _is_id(kind: str) -> bool:
    return kind not in _OWNER_KEYS and (
        kind == "id"
        or kind.endswith(("_id", "_ids", "_number", "number", "sha", "uuid", "key"))
        or kind in ("path", "url")
    )


def _by_kind(targets: tuple[Target, ...]) -> dict[str, set[str]]:
    table: dict[str, set[str]] = {}
    for kind, value in targets:
        table.setdefault(kind.removesuffix("s") if kind.endswith("_ids") else kind, set()).add(value)
    return table


def _overlap(kind: str, values: set[str], others: set[str]) -> bool:
    if values & others:
        return True
    if kind == "path":
        return any(
            one.endswith("/" + two) or two.endswith("/" + one) for one in list(values)[:20] for two in list(others)[:20]
        )
    return False
