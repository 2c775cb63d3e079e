"""JSON bytes of a result, whatever the trace put into it.

A reader must not miss: msgspec does the work, and does it once. Only when it refuses (a lone surrogate, a key that is
no string, nesting as deep as the stack) is the value copied into plain JSON and the offending parts replaced.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from agent_claimcheck.core.text import storable

_AS_IS = msgspec.json.Encoder()
_SORTED = msgspec.json.Encoder(order="sorted")

_DEPTH_LIMIT = 200
"""The deepest a trace may nest; what lies deeper in a result is named instead of written."""


def encode(value: Any) -> bytes:
    """Return ``value`` as compact JSON: fields of a record in their own order, keys of a mapping as they stand."""
    try:
        return _AS_IS.encode(value)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return _AS_IS.encode(plain(value))


def encode_sorted(value: Any) -> bytes:
    """Return ``value`` as compact JSON with sorted keys, non-ASCII text kept."""
    try:
        return _SORTED.encode(value)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return _SORTED.encode(plain(value))


def plain(value: Any, depth: int = 0) -> Any:
    """Copy ``value`` into what JSON can hold: surrogates become U+FFFD, keys text, anything unknown its ``str``."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return storable(value)
    if depth >= _DEPTH_LIMIT:
        return "(nested too deeply to show)"
    if isinstance(value, msgspec.Struct):
        return _plain_record(value, depth)
    if isinstance(value, Mapping):
        return {storable(str(key)): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item, depth + 1) for item in value]
    return storable(str(value))


def _plain_record(record: msgspec.Struct, depth: int) -> dict[str, Any]:
    config = record.__struct_config__
    copy: dict[str, Any] = {} if config.tag is None else {str(config.tag_field): config.tag}
    for name, written in zip(record.__struct_fields__, record.__struct_encode_fields__, strict=True):
        copy[written] = plain(getattr(record, name), depth + 1)
    return copy
