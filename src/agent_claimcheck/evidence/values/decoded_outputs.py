"""Outputs and arguments as what they hold: JSON in a text, or in a protocol's text blocks, is decoded before anything reads a
run, and the one object in which all of them lie ("params", "data") is opened.

A reader must not miss: this is why a record reads the same in whichever dress it was recorded.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from msgspec.structs import replace

from agent_claimcheck.evidence.values.dressed_json import bared
from agent_claimcheck.evidence.values.held_json import unwrapped
from agent_claimcheck.evidence.values.opened import opened_args, opened_output
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.view import TraceView

_JSON = ("{", "[", " ", "\n", "`")
"""How a text begins that may be JSON."""
_LONGEST_LEAD = 40


def decoded(view: TraceView, kept: Collection[str] = ()) -> TraceView:
    """Return ``view`` with JSON that outputs hold as text, alone or in a protocol's text blocks, decoded.

    An object that is all there is in an output or in the arguments is opened, unless it has a name in ``kept``. So a record
    reads the same in whichever dress it was returned. It is the same view where there is nothing to decode.
    """
    changed: list[Step] | None = None
    for at, step in enumerate(view.steps):
        output, args = step.output, step.args
        if output is not None:
            held = _held_in(output, kept)
            if held is not output:
                changed = changed or list(view.steps)
                changed[at] = replace(step, output=held)
        elif args is not None and len(args) == 1:
            opened = opened_args(args, kept)
            if opened is not args:
                changed = changed or list(view.steps)
                changed[at] = replace(step, args=opened)
    return view if changed is None else replace(view, steps=changed)


def _held_in(output: Any, kept: Collection[str]) -> Any:
    kind = type(output)
    if kind is dict:
        if len(output) > 1 and "content" not in output:  # as most outputs are
            return output
        return opened_output(unwrapped(output) if "content" in output else output, kept)
    if kind is list or (kind is str and _may_hold_json(output)):
        held = unwrapped(output)
        return opened_output(bared(held) if type(held) is str else held, kept)
    return output


def _may_hold_json(text: str) -> bool:
    head = text[:_LONGEST_LEAD]
    if head[:1] in _JSON or "\x1b" in text:
        return True
    return head[:1].isalpha() and ("{" in head or "[" in head or ("(" in head and text[-1:] == ")"))
