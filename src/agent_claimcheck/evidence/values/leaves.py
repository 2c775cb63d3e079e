"""The scalar leaves of JSON, and all of them as one text in which values are looked for.

A reader must not miss: the bounds of the text are part of what the learned features mean. Nearly all runs stay far below,
so a quick walk is tried first; it gives up, and the bounded one answers, as soon as a bound could matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

Leaf = str | int | float

SCALARS = frozenset((str, int, float, bool, type(None)))
"""The types of JSON that hold nothing else. Asked of all values of a record at once, they tell a flat one."""
_MOST_LEAVES = 2_000
_LONGEST_LEAF = 20_000
_LONGEST_SIDE = 200_000
"""Characters that are kept; honest runs of the training data stay far below."""
_NO_NUMBER = 10**30
"""Integers of thousands of digits cannot be printed, and are no value anybody names."""


def leaf_text(values: Sequence[Any], leaves: list[Leaf] | None = None) -> str:
    """Return the texts and numbers in ``values`` in lower case, a line each, bounded in number and length.

    ``leaves`` are what ``read_leaves`` gave for ``values``, where it was asked before.
    """
    found = read_leaves(values) if leaves is None else leaves
    if found is not None:
        text = "\n".join([leaf if type(leaf) is str else _printed(leaf) for leaf in found])
        # No leaf is longer than the whole, so below this nothing is cut.
        if len(text) <= _LONGEST_LEAF:
            return text.lower()
    return "\n".join(_bounded_texts(values)).lower()


def read_leaves(values: Sequence[Any]) -> list[Leaf] | None:
    """Return every text and number in order, ``None`` when there are over 2,000 or a type that JSON does not have."""
    leaves: list[Leaf] = []
    left: list[Iterator[Any]] = []
    inside: Iterator[Any] = iter(values)
    if len(values) > _MOST_LEAVES:
        return None
    while True:
        for value in inside:
            kind = type(value)
            if kind is str or kind is int or kind is float:
                leaves.append(value)
            elif kind is dict or kind is list:
                if len(leaves) + len(value) > _MOST_LEAVES:
                    return None
                left.append(inside)
                inside = iter(value.values() if kind is dict else value)
                break
            elif value is not None and kind is not bool:
                return None
        else:
            if not left:
                return leaves if len(leaves) <= _MOST_LEAVES else None
            inside = left.pop()


def _printed(number: Any) -> str:
    return str(number) if isinstance(number, float) or -_NO_NUMBER < number < _NO_NUMBER else ""


def _bounded_texts(values: Iterable[Any]) -> list[str]:
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
            parts.append(_printed(value))
            seen += 1
    return parts
