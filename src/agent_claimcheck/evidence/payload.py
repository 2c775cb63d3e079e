"""Reading fields of tool arguments and outputs, whatever JSON they turned out to be.

A reader must not miss: many tools return JSON inside a string. ``parsed_output`` opens it, so that a path reads the same
field either way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

ABSENT: Any = object()
"""Marks a field that is not there, as distinct from one that is null."""

_LARGEST_STRING = 4_000_000
_NESTED_STRINGS = 3


def parsed_output(output: Any) -> Any:
    """Return ``output`` with JSON in a string opened (up to three layers deep); anything else is returned as it is."""
    for _ in range(_NESTED_STRINGS):
        if not isinstance(output, str) or len(output) > _LARGEST_STRING:
            return output
        text = output.strip()
        if not text or text[0] not in '{["':
            return output
        try:
            output = msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return output
    return output


def field_at(value: Any, segments: Sequence[str]) -> Any:
    """Return the value at a dotted path, ``ABSENT`` when it is not there. Digits index lists, negative ones from the end."""
    for segment in segments:
        value = parsed_output(value)
        if isinstance(value, dict):
            if segment not in value:
                return ABSENT
            value = value[segment]
        elif isinstance(value, list):
            if not segment.lstrip("-").isdigit():
                return ABSENT
            index = int(segment)
            if not -len(value) <= index < len(value):
                return ABSENT
            value = value[index]
        else:
            return ABSENT
    return value


def is_empty(value: Any) -> bool:
    """True for null, a blank string, and an empty list or object."""
    return value is None or value == "" or value == [] or value == {} or (isinstance(value, str) and not value.strip())


def scalar_fields(value: Any, *, depth: int = 3) -> Iterator[tuple[str, Any]]:
    """Yield ``(key, value)`` for the scalar fields of an object, going down at most ``depth`` levels of objects."""
    value = parsed_output(value)
    if not isinstance(value, dict) or depth <= 0:
        return
    for key, item in value.items():
        if isinstance(item, dict):
            yield from scalar_fields(item, depth=depth - 1)
        elif not isinstance(item, list):
            yield key, item
