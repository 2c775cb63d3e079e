"""AgentDojo runs and Invariant exports of them.

A reader must not miss: ``utility`` is the label. ``security`` is kept as it is and never read as "safe": with an attack
it is true when the attack worked, without one it is always true.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.foreign_json import items, mapping, string
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.lost_runs import no_history
from agent_claimcheck.importers.messages.dialects import dialect_of
from agent_claimcheck.importers.messages.parser import read_messages
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row
from agent_claimcheck.trace.model import End, GroundTruth, TraceProblem

_NAME = "agentdojo"
_KEPT = ("utility", "security", "attack_type", "injection_task_id", "error")


def _recognise(head: Head) -> str | None:
    for record in head.records[:5]:
        if "suite_name" in record and "pipeline_name" in record:
            return "suite_name, pipeline_name and messages"
        if isinstance(record.get("messages"), list) and (
            "annotations" in record or dialect_of(record["messages"]) == _NAME
        ):
            return "messages of AgentDojo"
    if head.layout in ("array", "lines") and dialect_of(head.rows) == _NAME:
        return "messages of AgentDojo"
    return None


def _drafts(reading: Reading) -> Drafts:
    shared: dict[str, Any] = {}
    loose = Draft(format=_NAME)

    def take(row: Row) -> Iterator[Draft | TraceProblem]:
        if isinstance(row.value, list) and dialect_of(row.value) is not None:
            yield _run(row, {"messages": row.value}, reading)
        elif isinstance(row.value, dict) and isinstance(row.value.get("messages"), list):
            yield _run(row, {**shared, **row.value}, reading)
        elif isinstance(row.value, dict) and "role" in row.value:
            events, unread = read_messages([row.value])
            loose.add(events)
            loose.add_row(row.line, row.raw)
            if unread:
                reading.report.lose("message of no known dialect", unread, line=row.line)
        elif isinstance(row.value, dict) and isinstance(row.value.get("metadata"), dict):
            shared["suite_metadata"] = row.value["metadata"]
        elif "messages" in mapping(row.value) and (problem := no_history(row, reading.file, among_runs=True)):
            yield problem
        else:
            reading.report.lose("record of no known kind", line=row.line)

    yield from each_row(reading, take)
    if loose.events:
        yield loose


def _run(row: Row, run: dict[str, Any], reading: Reading) -> Draft:
    draft = Draft(format=_NAME, line=row.line, seed=row.raw)
    events, unread = read_messages(items(run.get("messages")))
    if unread:
        reading.report.lose("message of no known dialect", unread, line=row.line)
    draft.events = events
    if "error" in run and any("error" in message for message in _tool_messages(run)):
        draft.flavour = "agentdojo"
    parts = [
        string(run.get(key)) or "none"
        for key in ("pipeline_name", "suite_name", "user_task_id", "attack_type", "injection_task_id")
    ]
    if "suite_name" in run:
        draft.trace_id = "agentdojo-" + "-".join(parts)
        draft.task_id = f"agentdojo-{parts[1]}-{parts[2]}"
        draft.model = string(run.get("pipeline_name"))
    error = run.get("error")
    if error:
        draft.end = End(reason="error", detail=str(error)[:500])
    utility = run.get("utility")
    if isinstance(utility, bool) and not error:
        draft.ground_truth = GroundTruth(
            outcome="success" if utility else "failure",
            checked_by="state_probe",
            details={key: run[key] for key in _KEPT if key in run},
        )
    return draft


def _tool_messages(run: dict[str, Any]) -> list[dict[str, Any]]:
    return [message for message in items(run.get("messages")) if mapping(message).get("role") == "tool"]


IMPORTER = FormatImporter(
    name=_NAME,
    title="AgentDojo runs",
    recognised_by="suite_name, pipeline_name and messages; or messages with tool_call objects and error members",
    recognise_by=_recognise,
    drafts=_drafts,
)
