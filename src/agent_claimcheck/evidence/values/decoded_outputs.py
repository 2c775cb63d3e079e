"""Outputs as what they hold: JSON in a text, or in a protocol's text blocks, is decoded before anything reads a run.

A reader must not miss: this is why a record reads the same in whichever dress it was recorded.
"""

from __future__ import annotations

from msgspec.structs import replace

from agent_claimcheck.evidence.values.held_json import unwrapped
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.view import TraceView

_JSON = ("{", "[", " ", "\n")
"""How a text begins that may be JSON."""


def decoded(view: TraceView) -> TraceView:
    """Return ``view`` with JSON that outputs hold as text, alone or in a protocol's text blocks, decoded.

    So a record reads the same in whichever dress it was returned. It is the same view where there is nothing to decode.
    """
    changed: list[Step] | None = None
    for at, output in enumerate([step.output for step in view.steps]):
        if output is None:
            continue
        kind = type(output)
        if "content" in output if kind is dict else kind is list or (kind is str and output[:1] in _JSON):
            held = unwrapped(output)
            if held is not output:
                changed = changed or list(view.steps)
                changed[at] = replace(changed[at], output=held)
    return view if changed is None else replace(view, steps=changed)
