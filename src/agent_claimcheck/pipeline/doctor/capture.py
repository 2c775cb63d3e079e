"""Counts what trace files captured, and says what was not: the first reason why a claim cannot be checked.

A reader must not miss: every count is of steps or runs that were read; nothing is judged here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.importers.contract import ImportReport
from agent_claimcheck.pipeline.doctor.model import Line, Section, Weight, counted, share
from agent_claimcheck.pipeline.groups import MIN_OTHERS, group_key, model_of
from agent_claimcheck.trace.model import Trace

_MOST_SHOWN = 8


class CaptureCount:
    """Counts over all traces of the given files."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        self._groups: Counter[bytes] = Counter()

    def add(self, trace: Trace, evidence: Evidence) -> None:
        """Count one trace."""
        count = self.count
        count["runs"] += 1
        count["instruction"] += bool(trace.task.instruction.strip())
        count["final"] += bool((trace.final_claim.text or "").strip() or trace.final_claim.claims)
        count["declared"] += bool(trace.final_claim.claims)
        count["model"] += model_of(trace) is not None
        count["definitions"] += bool(trace.tools)
        count["with calls"] += bool(evidence.calls)
        key = group_key(trace)
        if key is not None:
            self._groups[key] += 1
        for step in trace.steps:
            count["probes"] += step.kind == "state_probe"
            count["steps"] += 1
            count["made-up times"] += step.ts_source in ("synthetic", "inherited")
        for pair in evidence.calls:
            count["calls"] += 1
            count["named"] += bool(pair.call.name)
            count["args"] += pair.call.args is not None
            if pair.result is None:
                continue
            count["results"] += 1
            count["ambiguous"] += pair.is_ambiguous
            count["outputs"] += pair.result.output is not None or pair.result.error is not None
            count["status"] += evidence.receipt(pair).state != "unknown"

    @property
    def grouped_runs(self) -> int:
        """Runs that have enough others of their task to be compared with ``--group task``."""
        return sum(runs for runs in self._groups.values() if runs > MIN_OTHERS)

    def section(self) -> Section:
        """Return the findings in words."""
        return Section(title="What is captured", lines=tuple(self._lines()))

    def _lines(self) -> Iterator[Line]:
        count = self.count
        runs = count["runs"]
        yield _of_runs(count, "final", "a final message or declared claims", "record the agent's last message")
        yield _of_runs(count, "instruction", "the task's instruction", "record what the user asked")
        if not count["calls"]:
            advice = "without calls and results no claim can be checked: record them in the exporter"
            yield Line(weight="missing", text=f"no tool call in {counted(runs, 'run')}", advice=advice)
        else:
            yield from self._calls()
        if count["probes"]:
            yield Line(weight="good", text=f"{count['probes']} state probes, readings of the state after the run")
        else:
            advice = "a claim is verified only by a state probe: agent-claimcheck probes run, or --probes"
            yield Line(weight="missing", text="no state probes", advice=advice)
        if count["made-up times"]:
            text = f"times of {share(count['made-up times'], count['steps'])} of the steps are not in the file"
            yield Line(weight="info", text=text, advice="probes are then ordered by their place, not by time")
        if self.grouped_runs:
            text = f"{self.grouped_runs} runs have {MIN_OTHERS} or more others of their task"
            named = "" if count["model"] == runs else "name the model of each run, so that agreement can count"
            yield Line(weight="info", text=f"{text}: check --group task compares them", advice=named)

    def _calls(self) -> Iterator[Line]:
        count = self.count
        calls, results = count["calls"], count["results"]
        yield _part(count["named"], calls, "tool calls have a name", "record the tool's name with every call")
        yield _part(count["args"], calls, "tool calls have arguments", "switch on recording of arguments")
        yield _part(results, calls, "tool calls have a result", "record results: a claim without one is undecided")
        if results:
            yield _part(count["outputs"], results, "results have content", "switch on recording of outputs")
            advice = "record ok, an error, a status or an exit code"
            yield _part(count["status"], results, "results say whether the call worked", advice)
        if count["ambiguous"]:
            advice = "record call ids: parallel calls of one tool cannot be told apart"
            text = f"{count['ambiguous']} results cannot be paired with one call"
            yield Line(weight="missing", text=text, advice=advice)


def _of_runs(count: Counter[str], name: str, what: str, advice: str) -> Line:
    part, runs = count[name], count["runs"]
    weight: Weight = "good" if part == runs else "missing"
    text = f"{what} in {share(part, runs)} of {counted(runs, 'run')}"
    return Line(weight=weight, text=text, advice="" if part == runs else advice)


def _part(part: int, whole: int, what: str, advice: str) -> Line:
    if part == whole:
        return Line(weight="good", text=f"all {whole} {what}")
    return Line(weight="missing", text=f"{share(part, whole)} of {whole} {what}", advice=advice)


def import_section(reports: list[ImportReport]) -> Section:
    """Return what the importers read and lost, and what to switch on in which exporter."""
    lines: list[Line] = []
    for report in reports[:_MOST_SHOWN]:
        read = f"{report.file}: read as {report.format}, "
        read += ", ".join(
            counted(number, noun)
            for number, noun in ((report.runs, "run"), (report.calls, "call"), (report.results, "result"))
        )
        lines.append(Line(weight="good" if report.runs else "missing", text=read))
        lines += [
            Line(weight="missing", text=f"not captured by {report.format}", advice=text) for text in report.not_captured
        ]
        if report.dropped:
            rows = sorted(report.dropped.items(), key=lambda row: (-row[1], row[0]))[:_MOST_SHOWN]
            lines.append(Line(weight="info", text="left behind: " + ", ".join(f"{n} {kind}" for kind, n in rows)))
        lines += [Line(weight="info", text=text) for text in report.warnings[:_MOST_SHOWN]]
    if len(reports) > _MOST_SHOWN:
        lines.append(Line(weight="info", text=f"and {len(reports) - _MOST_SHOWN} more files"))
    return Section(title="Import", lines=tuple(lines))
