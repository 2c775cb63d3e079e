"""JSON Patch (RFC 6902) among the arguments of a call: a list of operations, each with a path, whatever the list is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def operations_of(args: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Return the operations of all patches among ``args``, in order; each has an ``op`` and a ``path``, both texts."""
    return [operation for value in (args or {}).values() if is_patch(value) for operation in value]


def is_patch(value: Any) -> bool:
    """True for a list that holds operations and nothing else."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(one, dict) and isinstance(one.get("op"), str) and isinstance(one.get("path"), str)
            for one in value
        )
    )
