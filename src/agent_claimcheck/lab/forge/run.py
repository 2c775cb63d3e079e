"""Forges runs from a user's own good traces and says what the gate makes of them.

A reader must not miss: a run that the gate already accuses before anything is changed is no ground for a forgery. It is
counted, and left alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.suggest import did_you_mean
from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.lab.dataset.names import load_words
from agent_claimcheck.lab.forge.deed import deed_of
from agent_claimcheck.lab.forge.kinds import KINDS, Aim, Kind
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.scoring.intervals import Estimate, wilson
from agent_claimcheck.trace.model import GroundTruth, Outcome, Trace
from agent_claimcheck.trace.view import label_free


class Forgery(Struct, frozen=True, kw_only=True):
    """One changed run with its label. ``is_twin`` says that it is the honest control of its kind."""

    trace: Trace
    kind: str
    aim: Aim
    is_twin: bool


class KindFigures(Struct, frozen=True, kw_only=True):
    """What the gate made of one kind: ``accused``, ``open`` and ``verified`` of ``n`` forgeries; twins beside it.

    ``as_it_should`` is the share of forgeries accused, or left open where nobody could know, with its interval.
    ``twins_accused`` counts honest runs that were accused, ``accused_twins`` names them.
    """

    kind: str
    aim: Aim
    n: int
    accused: int
    open: int
    verified: int
    as_it_should: Estimate | None
    n_twins: int
    twins_accused: int
    accused_twins: list[str]
    waved_through: list[str]


class ForgeReport(Struct, frozen=True, kw_only=True):
    """Figures by kind, in the order of the kinds; ``left_alone`` counts traces nothing was forged from, by reason."""

    n_traces: int
    n_used: int
    left_alone: dict[str, int]
    kinds: list[KindFigures]


def kinds_named(names: Iterable[str]) -> list[Kind]:
    """Return the kinds called ``names``, all of them when there are none. Raises ``UsageError`` for an unknown one."""
    known = {kind.name: kind for kind in KINDS}
    wanted = [name.strip() for name in names if name.strip()]
    for name in wanted:
        if name not in known:
            raise UsageError(
                f"no kind of forgery called {name!r}{did_you_mean(name, known)}", hint=f"known: {', '.join(known)}"
            )
    return [kind for kind in KINDS if not wanted or kind.name in wanted]


def forge_traces(
    traces: Iterable[Trace], case: CaseSettings, kinds: Sequence[Kind], left_alone: Counter[str]
) -> Iterator[Forgery]:
    """Yield every forgery and twin that ``traces`` allow; ``left_alone`` counts traces without any, by reason.

    Where a kind has both, the twin follows its forgery. Equal traces give equal forgeries.
    """
    notes: list[str] = load_words("documented")["reviewer_notes"]
    for place, trace in enumerate(traces):
        deed, reason = deed_of(trace, Evidence(label_free(trace), case))
        if deed is None:
            left_alone[reason] += 1
            continue
        note = notes[place % len(notes)]
        for kind in kinds:
            forged = kind.forge(deed, note)
            if forged is not None:
                outcome: Outcome = "failure" if kind.aim == "accuse" else "unknown"
                yield Forgery(trace=_labelled(forged, kind, outcome), kind=kind.name, aim=kind.aim, is_twin=False)
            twin = kind.twin(deed, note)
            if twin is not None:
                yield Forgery(trace=_labelled(twin, kind, "success"), kind=kind.name, aim=kind.aim, is_twin=True)


def _labelled(trace: Trace, kind: Kind, outcome: Outcome) -> Trace:
    is_twin = outcome == "success"
    details = {
        "injection": "none" if is_twin else kind.name,
        "variant": f"twin of {kind.name}: {kind.twin_words}" if is_twin else kind.words,
        "forged_from": trace.trace_id,
    }
    return replace(
        trace,
        trace_id=f"{trace.trace_id}~{kind.name}{'~twin' if is_twin else ''}",
        ground_truth=GroundTruth(outcome=outcome, checked_by="none", details=details),
        meta=None,
        where=None,
        notes=(),
    )


class Tally:
    """Counts what a checker makes of forgeries, one at a time."""

    def __init__(self, checker: Checker) -> None:
        self._checker = checker
        self._verdicts: dict[str, list[tuple[Forgery, str]]] = {}
        self._sources: set[str] = set()

    def add(self, forgery: Forgery) -> str:
        """Check one forgery and return its verdict."""
        verdict = self._checker.check_one(forgery.trace).verdict
        details = forgery.trace.ground_truth.details if forgery.trace.ground_truth else None
        self._sources.add(str((details or {}).get("forged_from")))
        kept = replace(forgery, trace=replace(forgery.trace, steps=[]))
        self._verdicts.setdefault(forgery.kind, []).append((kept, verdict))
        return verdict

    def report(self, n_traces: int, left_alone: Counter[str]) -> ForgeReport:
        """Return the figures so far."""
        return ForgeReport(
            n_traces=n_traces,
            n_used=len(self._sources),
            left_alone=dict(sorted(left_alone.items())),
            kinds=[_figures(kind, self._verdicts[kind.name]) for kind in KINDS if kind.name in self._verdicts],
        )


def _figures(kind: Kind, seen: list[tuple[Forgery, str]]) -> KindFigures:
    forged = [(item, verdict) for item, verdict in seen if not item.is_twin]
    twins = [(item, verdict) for item, verdict in seen if item.is_twin]
    accused = sum(verdict == "false_success" for _, verdict in forged)
    waved = [item.trace.trace_id for item, verdict in forged if verdict in ("verified", "skipped")]
    is_open = len(forged) - accused - len(waved)
    return KindFigures(
        kind=kind.name,
        aim=kind.aim,
        n=len(forged),
        accused=accused,
        open=is_open,
        verified=len(waved),
        as_it_should=wilson(accused if kind.aim == "accuse" else is_open, len(forged)) if forged else None,
        n_twins=len(twins),
        twins_accused=sum(verdict == "false_success" for _, verdict in twins),
        accused_twins=[item.trace.trace_id for item, verdict in twins if verdict == "false_success"],
        waved_through=waved,
    )
