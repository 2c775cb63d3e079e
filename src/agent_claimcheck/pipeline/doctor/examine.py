"""Examines trace files: one pass, at most a thousand runs, everything counted on the way."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from msgspec import Struct

from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.importers.contract import Imported, ImportNote, ImportReport
from agent_claimcheck.pipeline.build import CheckerSpec
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.doctor.capture import CaptureCount, import_section
from agent_claimcheck.pipeline.doctor.model import Line, Section
from agent_claimcheck.pipeline.doctor.reach import ReachCount
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.view import label_free

MAX_RUNS = 1_000
_MOST_PROBLEMS = 5


class Examination(Struct, frozen=True, kw_only=True):
    """What was found in trace files. ``runs`` were read, ``problems`` are faults of the files."""

    sections: tuple[Section, ...]
    runs: int
    problems: int


def examine_traces(items: Iterable[Imported], spec: CheckerSpec) -> Examination:
    """Return what the traces among ``items`` captured and how far their claims could be checked."""
    # Never the configured detector: that may be a judge, which costs money.
    checker = Checker(detector="rules", spec=spec)
    settings = CaseSettings(packs=spec.packs, non_success_types=spec.non_success_types, scope=spec.scope)
    captured, reach = CaptureCount(), ReachCount()
    reports: list[ImportReport] = []
    problems: list[str] = []
    faults = 0
    is_cut = False
    for item in islice(items, MAX_RUNS * 20):
        if isinstance(item, ImportNote):
            reports.append(item.report)
        elif isinstance(item, TraceProblem):
            faults += item.severity == "error"
            if len(problems) < _MOST_PROBLEMS:
                problems.append(str(item))
        elif isinstance(item, Trace):
            if captured.count["runs"] >= MAX_RUNS:
                is_cut = True
                break
            evidence = Evidence(label_free(item), settings)
            captured.add(item, evidence)
            reach.add(evidence, checker.check_one(item))
    sections: list[Section] = []
    if reports:
        sections.append(import_section(reports))
    if problems:
        lines = [Line(weight="missing", text=text) for text in problems]
        if faults > len(problems):
            lines.append(Line(weight="info", text=f"and {faults - len(problems)} more"))
        sections.append(Section(title="Faults of the files", lines=tuple(lines)))
    if captured.count["runs"]:
        sections += [captured.section(), *reach.sections()]
    if is_cut:
        text = f"only the first {MAX_RUNS} runs were looked at"
        sections.append(Section(title="Note", lines=(Line(weight="info", text=text),)))
    return Examination(sections=tuple(sections), runs=captured.count["runs"], problems=faults)
