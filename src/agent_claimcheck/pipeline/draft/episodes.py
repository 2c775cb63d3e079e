"""Runs as the draft looks at them: claims, calls and probes of each, and the label where there is one.

A reader must not miss: drafting is fitting, so it may read labels. What it makes of them is a pack, and a pack holds no
trace.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.trace.model import Outcome, Step, Trace
from agent_claimcheck.trace.pairing import CallPair
from agent_claimcheck.trace.view import TraceView, label_free

MAX_TRACES = 2_000
"""Traces a draft looks at; more of the same teach it nothing and cost memory."""


class Episode(Struct, frozen=True):
    """One run. ``outcome`` is its label, ``unknown`` when there is none."""

    trace: Trace
    evidence: Evidence
    outcome: Outcome

    @property
    def declared(self) -> tuple[SuccessClaim, ...]:
        """The claims the trace's producer declared. One whose type is blank says nothing that a rule could be named after."""
        return tuple(
            claim for _, claim in self.evidence.success_claims if claim.source == "structured" and claim.type.strip()
        )

    def worked(self, tool: str) -> list[CallPair]:
        """Return the calls of ``tool`` that did not fail and whose result can be told."""
        return [
            pair
            for pair in self.evidence.calls
            if pair.call.name == tool
            and pair.result is not None
            and not pair.is_ambiguous
            and self.evidence.receipt(pair).state in ("ok", "pending", "empty")
        ]

    def probes(self, name: str) -> list[Step]:
        """Return the state probes of this name that could be read."""
        return [probe for probe in self.evidence.probes if probe.name == name and probe.ok is not False]


def read_episodes(traces: Iterable[Trace]) -> list[Episode]:
    """Return the first ``MAX_TRACES`` traces as episodes. Built-in packs are left out: the draft is to stand alone."""
    episodes: list[Episode] = []
    for trace in traces:
        if len(episodes) >= MAX_TRACES:
            break
        label = trace.ground_truth.outcome if trace.ground_truth is not None else "unknown"
        episodes.append(Episode(trace, Evidence(_with_names_or_none(label_free(trace)), CaseSettings()), label))
    return episodes


def _with_names_or_none(view: TraceView) -> TraceView:
    """Return ``view`` with blank tool names taken for missing ones: a pack can speak of neither."""
    if all(step.name is None or step.name.strip() for step in view.steps):
        return view
    steps = [step if step.name is None or step.name.strip() else replace(step, name=None) for step in view.steps]
    return replace(view, steps=steps)
