"""The scalar leaves of JSON as one text, in which values are looked for.

A reader must not miss: the bounds are part of what the features mean. Nearly all runs stay far below, so a quick walk is
tried first; it gives up, and the bounded one answers, as soon as a bound could matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

_MOST_LEAVES = 2_000
_LONGEST_LEAF = 20_000
_LONGEST_SIDE = 200_000
"""Characters that are kept; honest runs of the training data stay far below."""
_NO_NUMBER = 10**30
"""Integers of thousands of digits cannot be printed, and are no value anybody names."""


def leaf_text(values: Sequence[Any]) -> str:
    """Return the texts and numbers in ``values`` in lower case, a line each, bounded in number and length."""
    parts = _all_leaves(values)
    if parts is not None and len(parts) <= _MOST_LEAVES:
        text = "\n".join(parts)
        # No leaf is longer than the whole, so below this nothing is cut.
        if len(text) <= _LONGEST_LEAF:
            return text.lower()
    return "\n".join(_bounded_leaves(values)).lower()


def _all_leaves(values: Sequence[Any]) -> list[str] | None:
    """Return every leaf in order, ``None`` when there may be too many or a type that JSON does not have."""
    parts: list[str] = []
    left: list[Iterator[Any]] = []
    inside: Iterator[Any] = iter(values)
    if len(values) > _MOST_LEAVES:
        return None
    while True:
        for value in inside:
            kind = type(value)
            if kind is str:
                parts.append(value)
            elif kind is dict or kind is list:
                if len(parts) + len(value) > _MOST_LEAVES:
                    return None
                left.append(inside)
                inside = iter(value.values() if kind is dict else value)
                break
            elif kind is int:
                parts.append(str(value) if -_NO_NUMBER < value < _NO_NUMBER else "")
            elif kind is float:
                parts.append(str(value))
            elif value is not None and kind is not bool:
                return None
        else:
            if not left:
                return parts
            inside = left.pop()


def _bounded_leaves(values: Iterable[Any]) -> list[str]:
    parts: list[str] = []
    waiting = list(values)
    waiting.reverse()
    seen = size = 0
    while waiting and seen < _MOST_LEAVES and size < _LONGEST_SIDE:
        value = waiting.pop()
        if isinstance(value, str):
            parts.append(value[:_LONGEST_LEAF])
            size += len(parts[-1])
            seen += 1
        elif isinstance(value, dict):
            waiting.extend(list(value.values())[:_MOST_LEAVES][::-1])
        elif isinstance(value, list):
            waiting.extend(value[:_MOST_LEAVES][::-1])
        elif isinstance(value, int | float) and not isinstance(value, bool):
            parts.append(str(value) if isinstance(value, float) or abs(value) < _NO_NUMBER else "")
            seen += 1
    return parts
