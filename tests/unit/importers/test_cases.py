"""Every folder under ``tests/cases/importers/<format>/<case>`` is a test: input, expected.json, why.md."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.importers.catalog import IMPORTERS, load
from agent_claimcheck.importers.contract import ImportNote, ImportOptions, ImportReport
from agent_claimcheck.importers.head import HEAD_BYTES
from agent_claimcheck.importers.sniff import recognise
from agent_claimcheck.trace.model import Step, Trace, TraceProblem
from agent_claimcheck.trace.write import to_json

CASES = Path(__file__).parents[2] / "cases" / "importers"
FOLDERS = sorted(path.parent for path in CASES.glob("*/*/expected.json"))


def read(folder: Path, *, labels: bool = True) -> tuple[list[Trace], list[TraceProblem], ImportReport]:
    source = next(path for path in folder.iterdir() if path.stem == "input")
    data = source.read_bytes()
    found = recognise(data[:HEAD_BYTES])
    assert found is not None
    assert found.name == folder.parent.name
    assert found.reason
    traces: list[Trace] = []
    problems: list[TraceProblem] = []
    report = None
    for item in load(found.name).read(io.BytesIO(data), file="case", options=ImportOptions(labels=labels)):
        if isinstance(item, Trace):
            traces.append(item)
        elif isinstance(item, ImportNote):
            report = item.report
        else:
            problems.append(item)
    assert report is not None
    return traces, problems, report


def of_kind(trace: Trace, kind: str) -> list[Step]:
    return [step for step in trace.steps if step.kind == kind]


def told(trace: Trace, expected: dict[str, Any]) -> dict[str, Any]:
    """What the trace says about everything that the case expects."""
    calls, results = of_kind(trace, "tool_call"), of_kind(trace, "tool_result")
    answers: dict[str, Any] = {
        "instruction": trace.task.instruction,
        "final": trace.final_claim.text,
        "final_source": trace.final_claim.source,
        "calls": len(calls),
        "names": [call.name for call in calls],
        "oks": [result.ok for result in results],
        "statuses": [result.status for result in results],
        "exit_codes": [result.exit_code for result in results],
        "call_roles": [call.role for call in calls],
        "system": trace.task.system_prompt,
        "conversation": trace.conversation_id,
        "task": trace.task.id,
        "end": trace.end.reason if trace.end else None,
        "label": trace.ground_truth.outcome if trace.ground_truth else None,
    }
    return {key: answers[key] for key in expected}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_case_is_read_as_expected(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text())
    traces, problems, report = read(folder)
    assert [str(problem) for problem in problems] == []
    assert [told(trace, wanted) for trace, wanted in zip(traces, expected["runs"], strict=False)] == expected["runs"]
    assert len(traces) == len(expected["runs"])
    first = traces[0]
    results = of_kind(first, "tool_result")
    if "result_calls" in expected:
        assert [result.call_id for result in results] == expected["result_calls"]
    if "confidences" in expected:
        assert [result.status_confidence for result in results] == expected["confidences"]
    if "sources" in expected:
        assert [result.status_source for result in results] == expected["sources"]
    assert len(first.subtraces or []) == expected.get("links", 0)
    assert report.is_undecidable == expected.get("undecidable", False)
    assert bool(report.not_captured) == expected.get("not_captured", False)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_every_result_belongs_to_a_call_and_counts_agree(folder: Path) -> None:
    traces, _, report = read(folder)
    for trace in traces:
        calls = {call.call_id or call.name for call in of_kind(trace, "tool_call")}
        for result in of_kind(trace, "tool_result"):
            assert (result.call_id or result.name) in calls
        assert [step.i for step in trace.steps] == list(range(len(trace.steps)))
    assert len({trace.trace_id for trace in traces}) == len(traces) == report.runs
    assert report.calls == sum(len(of_kind(trace, "tool_call")) for trace in traces)
    assert report.results == sum(len(of_kind(trace, "tool_result")) for trace in traces)
    assert report.orphans == 0


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_a_status_always_says_where_it_comes_from(folder: Path) -> None:
    traces, _, _ = read(folder)
    for trace in traces:
        if trace.origin is None:
            continue
        for result in of_kind(trace, "tool_result"):
            assert (result.ok is None) == (result.status_source == "none")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_both_versions_can_be_written(folder: Path) -> None:
    traces, _, _ = read(folder)
    for trace in traces:
        assert json.loads(to_json(trace, "v1"))["schema"] == "agent-trace/v1"
        assert json.loads(to_json(trace, "v2"))["trace_id"] == trace.trace_id


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_labels_are_left_behind_unless_asked_for(folder: Path) -> None:
    if folder.parent.name == "agent-trace":
        pytest.skip("our own records keep what they hold")
    traces, _, _ = read(folder, labels=False)
    assert [trace.ground_truth for trace in traces] == [None] * len(traces)


def test_every_format_has_a_case() -> None:
    without = set(IMPORTERS) - {folder.parent.name for folder in FOLDERS} - {"langsmith-bulk"}
    assert without == set()


def test_every_case_says_why() -> None:
    assert [folder for folder in FOLDERS if not (folder / "why.md").read_text().strip()] == []
