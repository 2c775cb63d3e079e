"""Reading fields of tool arguments and outputs, whatever JSON they turned out to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent_claimcheck.core.canonical import canonical_json
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.text import whole_number
from agent_claimcheck.evidence.values.held_json import brief, parse_output

ABSENT: Any = object()
"""Marks a field that is not there, as distinct from one that is null."""


def field_at(value: Any, segments: Sequence[str]) -> Any:
    """Return the value at a dotted path, ``ABSENT`` when it is not there. Digits index lists, negative ones from the end.

    JSON inside a string is opened on the way.
    """
    for segment in segments:
        if isinstance(value, str):
            value = parse_output(value)
        if isinstance(value, dict):
            if segment not in value:
                return ABSENT
            value = value[segment]
        elif isinstance(value, list):
            index = whole_number(segment)
            if index is None or not -len(value) <= index < len(value):
                return ABSENT
            value = value[index]
        else:
            return ABSENT
    return value


def text_of(value: Any) -> str:
    """Return any JSON value as text: a string as it is, anything else as canonical JSON."""
    if isinstance(value, str):
        return value
    try:
        return canonical_json(value).decode("utf-8", "replace")
    except InputError:  # it holds a number that JSON has no word for, or is nested too deep
        return _as_python_shows(value)


def _as_python_shows(value: Any) -> str:
    try:
        return str(value)
    except (RecursionError, ValueError):
        return brief(value)


def is_empty(value: Any) -> bool:
    """True for null, a blank string, and an empty list or object."""
    return value is None or value == "" or value == [] or value == {} or (isinstance(value, str) and not value.strip())
