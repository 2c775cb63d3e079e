"""How large and how deep a trace may be, and the quick test of a decoded one."""

from __future__ import annotations

from typing import Any

# Deeper than any tool output seen, and far below where JSON readers overflow their stack.
MAX_DEPTH = 200
# A whole line is held in memory several times while it is read.
MAX_LINE_BYTES = 64 * 1024 * 1024
# Integers beyond 64 bits change value in most readers of JSON.
MIN_INTEGER = -(2**63)
MAX_INTEGER = 2**64 - 1


def is_within_limits(value: Any) -> bool:
    """Tell whether ``value`` (JSON as Python objects) is at most ``MAX_DEPTH`` deep and its integers fit 64 bits."""
    level: list[Any] = [value]
    depth = 0
    while level:
        depth += 1
        below: list[Any] = []
        for item in level:
            kind = type(item)
            if kind is dict or kind is list:
                if depth > MAX_DEPTH:
                    return False
                below.extend(item.values() if kind is dict else item)
            elif kind is int and not MIN_INTEGER <= item <= MAX_INTEGER:
                return False
        level = below
    return True


def is_deeper(value: Any, most: int = MAX_DEPTH) -> bool:
    """Tell whether ``value`` (JSON as Python objects) nests more than ``most`` levels of objects and lists."""
    level: list[Any] = [value]
    for _ in range(most + 1):
        containers = [item for item in level if type(item) is dict or type(item) is list]
        if not containers:
            return False
        level = [below for item in containers for below in (item.values() if type(item) is dict else item)]
    return True
