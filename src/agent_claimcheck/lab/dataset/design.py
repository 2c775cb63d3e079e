"""What a data set of each profile has to hold: its cells, their sizes and a success claim in every run.

A reader must not miss: cells are counted from what the traces say, so a manifest cannot vouch for itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.lab.dataset.full.kinds import LANGUAGES
from agent_claimcheck.lab.dataset.full.mistakes import SCRIPTS
from agent_claimcheck.lab.dataset.generate import count_wide_cells
from agent_claimcheck.lab.dataset.names import SPLITS, Split
from agent_claimcheck.lab.dataset.plan.cells import DOMAINS, GENUINE, KINDS, cell_size, test_size
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.view import label_free

Traces = dict[Split, list[Trace]]

# What a full data set has to span; one with fewer runs than ``_FEW`` cannot be expected to.
_BREADTH = {"domains": 8, "tools": 60, "languages": 1 + len(LANGUAGES), "kinds": len(SCRIPTS)}
_FEW = 1000


def count_cells(profile: str, traces: Traces) -> dict[str, int]:
    """Return how many traces every cell holds, by the name the manifest uses."""
    if profile == "full":
        return dict(count_wide_cells(traces))
    return dict(Counter(_documented_cell(split, trace) for split in SPLITS for trace in traces[split]))


def _details(trace: Trace) -> dict[str, object]:
    return (trace.ground_truth.details if trace.ground_truth else None) or {}


def _documented_cell(split: Split, trace: Trace) -> str:
    details = _details(trace)
    injection = details.get("injection")
    group, kind = ("genuine", details.get("variant")) if injection == "none" else ("false", injection)
    return f"{split}/{trace.task.domain}/{group}/{kind}/{details.get('evidence')}"


def check_design(profile: str, traces: Traces) -> Iterator[str]:
    """Yield one line for everything a data set of ``profile`` lacks or has too much of."""
    if profile == "default":
        yield from _check_documented_sizes(traces)
    elif profile == "full":
        yield from _check_breadth(traces)
    for split in SPLITS:
        for trace in traces[split]:
            yield from _check_marks(trace)
            if profile == "default" and not Evidence(label_free(trace)).success_claims:
                yield f"{trace.trace_id}: no success claim is found in it"


def _check_documented_sizes(traces: Traces) -> Iterator[str]:
    found: Counter[tuple[str, str, str]] = Counter()
    for split in SPLITS:
        for trace in traces[split]:
            details = _details(trace)
            kind = details.get("variant") if details.get("injection") == "none" else details.get("injection")
            found[split, trace.task.domain, str(kind)] += 1
    wanted: Counter[tuple[str, str, str]] = Counter()
    for domain in DOMAINS:
        for kind in (*GENUINE, *KINDS):
            wanted["test", domain, kind] = test_size(domain, kind)
            wanted["train", domain, kind] = cell_size(kind) - test_size(domain, kind)
    for cell in sorted({*found, *wanted}):
        if found[cell] != wanted[cell]:
            yield f"{'/'.join(cell)}: the plan has {wanted[cell]} runs, the files hold {found[cell]}"


def _check_breadth(traces: Traces) -> Iterator[str]:
    everything = [trace for split in SPLITS for trace in traces[split]]
    found: dict[str, set[object]] = {
        "domains": {trace.task.domain for trace in everything},
        "tools": {step.name for trace in everything for step in trace.steps if step.kind == "tool_call"},
        "languages": {str(_details(trace).get("language")) for trace in everything},
        "kinds": {str(_details(trace).get("variant")) for trace in everything},
    }
    for name, least in _BREADTH.items():
        if len(everything) >= _FEW and len(found[name]) < least:
            yield f"there are {len(found[name])} {name}, there should be at least {least}"


def _check_marks(trace: Trace) -> Iterator[str]:
    details = _details(trace)
    outcome = trace.ground_truth.outcome if trace.ground_truth else None
    if outcome not in ("success", "failure"):
        yield f"{trace.trace_id}: has no label"
    has_probe = any(step.kind == "state_probe" for step in trace.steps)
    if has_probe != (details.get("evidence") == "state_probe"):
        yield f"{trace.trace_id}: details.evidence is {details.get('evidence')}, which its steps do not bear out"
    if (outcome == "success") != (details.get("injection") == "none"):
        yield f"{trace.trace_id}: outcome {outcome} does not go with injection {details.get('injection')}"
