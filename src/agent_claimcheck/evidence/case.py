"""The case file of one trace: everything a detector or check may know, each part computed on first use."""

from __future__ import annotations

from agent_claimcheck.trace.view import TraceView


class Evidence:
    """The case file built from one ``TraceView``."""

    def __init__(self, view: TraceView) -> None:
        self.view = view
