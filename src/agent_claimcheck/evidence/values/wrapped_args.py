"""Arguments that lie in one object: ``{"params": {"date": ...}}`` is ``{"date": ...}``.

A reader must not miss: a rule pack may name the object (``args.params.date``), and finds what it names all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent_claimcheck.evidence.values.held_json import decode_text
from agent_claimcheck.evidence.values.payload import ABSENT, field_at

WRAPPERS = frozenset(
    {"args", "arguments", "input", "inputs", "kwargs", "parameters", "params", "payload", "request", "tool_input"}
)


def opened_args(args: dict[str, Any]) -> dict[str, Any]:
    """Return the object that is all there is in ``args``, or ``args`` itself (the same object)."""
    if len(args) != 1:
        return args
    ((name, held),) = args.items()
    if name not in WRAPPERS:
        return args
    if isinstance(held, str) and held[:1] == "{":
        held = decode_text(held)
    return held if isinstance(held, dict) else args


def argument_at(args: Any, segments: Sequence[str]) -> Any:
    """Return what ``args`` holds at a path, ``ABSENT`` for nothing; the name of an opened object may stand in front."""
    found = field_at(args, segments)
    if found is ABSENT and len(segments) > 1 and segments[0] in WRAPPERS:
        return field_at(args, segments[1:])
    return found
