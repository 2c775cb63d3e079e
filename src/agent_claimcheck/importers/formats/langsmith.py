"""LangSmith runs: SDK dumps (one run a line), run trees, ingest batches.

A reader must not miss: a tool run that raised has no outputs, its call id stands only in ``extra``, and the run around
it is fine: ``error`` of the tool run itself is the flag.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.foreign_json import dicts, mapping, string
from agent_claimcheck.importers.formats.langsmith_run import run_span
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row
from agent_claimcheck.importers.spans.record import Span
from agent_claimcheck.importers.spans.transcript import drafts_of_spans

_NAME = "langsmith"


def _recognise(head: Head) -> str | None:
    for record in head.records[:5]:
        if isinstance(record.get("post"), list) or isinstance(record.get("patch"), list):
            runs = list(dicts(record.get("post"))) + list(dicts(record.get("patch")))
            if any("run_type" in run or "dotted_order" in run for run in runs):
                return "ingest batch (post and patch)"
        if "run_type" in record and ({"inputs", "dotted_order", "parent_run_id", "trace_id"} & record.keys()):
            return "runs with run_type and inputs"
        if any("run_type" in run and "inputs" in run for run in dicts(record.get("runs"))):
            return "runs with run_type and inputs"
    return None


def _drafts(reading: Reading) -> Drafts:
    traces: dict[str, dict[str, dict[str, Any]]] = {}
    lines: dict[str, int] = {}

    def take(row: Row) -> None:
        runs = list(_flat_runs(mapping(row.value)))
        if not runs:
            reading.report.lose("record of no known kind", line=row.line)
        for run in runs:
            name = string(run.get("id")) or string(run.get("run_id"))
            if name is None:
                reading.report.drop("run without an id")
                continue
            trace = string(run.get("trace_id")) or name
            lines.setdefault(trace, row.line)
            known = traces.setdefault(trace, {}).setdefault(name, {})
            # A patch fills in what the post left open; empty values of either side do not erase the other's.
            known.update({key: value for key, value in run.items() if value not in (None, {}, []) or key not in known})

    yield from each_row(reading, take)
    for trace_id, runs in traces.items():
        spans: list[Span] = [run_span(run) for run in runs.values()]
        for draft in drafts_of_spans(_NAME, trace_id, spans, reading.options):
            if draft.events:
                draft.line = lines[trace_id]
                yield draft
            else:
                reading.report.miss("runs hold no inputs and outputs: LANGSMITH_HIDE_INPUTS or HIDE_OUTPUTS was on")


def _flat_runs(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The runs of one row: a run, its tree of child runs, a batch, or a list under ``runs``."""
    todo = [value]
    for key in ("post", "patch", "runs"):
        todo.extend(dicts(value.get(key)))
    while todo:
        run = todo.pop(0)
        if "run_type" in run or "dotted_order" in run:
            yield {key: item for key, item in run.items() if key != "child_runs"}
            for child in dicts(run.get("child_runs")):
                todo.append({"trace_id": run.get("trace_id") or run.get("id"), "parent_run_id": run.get("id"), **child})


IMPORTER = FormatImporter(
    name=_NAME,
    title="LangSmith runs",
    recognised_by="runs with run_type, inputs and dotted_order or parent_run_id; batches of post and patch",
    recognise_by=_recognise,
    drafts=_drafts,
)
