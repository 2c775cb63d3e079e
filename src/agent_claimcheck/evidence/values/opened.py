"""What lies in one object is opened: ``{"params": {"date": ...}}`` asks for a date, ``{"data": {"id": ...}}`` returns an id.

A reader must not miss: a rule pack may name the object (``args.params.date``), and then it stays closed for all.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from agent_claimcheck.evidence.values.held_json import decode_text

_OF_ARGUMENTS = frozenset(
    {"args", "arguments", "input", "inputs", "kwargs", "parameters", "params", "payload", "request", "tool_input"}
)
_OF_OUTPUTS = frozenset({"data", "output", "payload", "response", "result"})


def opened_args(args: dict[str, Any], kept: Collection[str] = ()) -> dict[str, Any]:
    """Return the object that is all there is in ``args``, also as JSON in a text, or ``args`` itself (the same object).

    Under a name in ``kept`` nothing is opened.
    """
    if len(args) != 1:
        return args
    ((name, held),) = args.items()
    if name not in _OF_ARGUMENTS or name in kept:
        return args
    if isinstance(held, str) and held[:1] == "{":
        held = decode_text(held)
    return held if isinstance(held, dict) else args


def opened_output(output: Any, kept: Collection[str] = ()) -> Any:
    """Return the object that is all there is in ``output``, or ``output`` itself (the same object)."""
    if type(output) is not dict or len(output) != 1:
        return output
    ((name, held),) = output.items()
    return held if name in _OF_OUTPUTS and name not in kept and isinstance(held, dict) and held else output
