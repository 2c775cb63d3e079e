"""ATIF trajectories (Harbor) and dialects of them.

A reader must not miss: the format has no status field; only converters that kept the source's flag in ``extra`` tell.
Steps marked ``is_copied_context`` repeat an earlier trajectory and are skipped.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.events import UNKNOWN, Status, called, exited, flagged, returned, said
from agent_claimcheck.importers.foreign_json import arguments_of, dicts, mapping, string
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.blocks import plain_text, result_value
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_object
from agent_claimcheck.importers.toolset import tool_defs

_NAME = "atif"


def _recognise(head: Head) -> str | None:
    for record in head.records[:3]:
        version = record.get("schema_version")
        if isinstance(version, str) and version.startswith("ATIF-"):
            return f"schema_version {version[:20]}"
    return None


def _drafts(reading: Reading) -> Drafts:
    return each_object(reading, _trajectory)


def _trajectory(row: Row) -> Draft | None:
    value = mapping(row.value)
    if not isinstance(value.get("steps"), list):
        return None
    agent = mapping(value.get("agent"))
    draft = Draft(format=_NAME, line=row.line, seed=row.raw, flavour=string(value.get("schema_version")))
    draft.trace_id = string(value.get("trajectory_id")) or string(value.get("session_id"))
    draft.model = string(agent.get("model_name"))
    draft.tools = tool_defs(agent.get("tool_definitions"))
    for step in dicts(value["steps"]):
        if step.get("is_copied_context") is not True:
            _add_step(draft, step)
    for child in dicts(value.get("subagent_trajectories")):
        name = string(child.get("trajectory_id")) or string(child.get("session_id"))
        if name:
            draft.subtraces.append((name, None, "delegate"))
    return draft


def _add_step(draft: Draft, step: dict[str, Any]) -> None:
    source, ts = step.get("source"), step.get("timestamp")
    ref = f"step {string(step.get('step_id'))}"
    thought = step.get("reasoning_content")
    if isinstance(thought, str) and thought:
        draft.add([said("agent", thought, ts=ts, kind="reasoning", ref=ref)])
    text = plain_text(step.get("message"))
    if text:
        role: Any = {"user": "user", "agent": "agent"}.get(str(source), "system")
        draft.add([said(role, text, ts=ts, ref=ref)])
    calls = list(dicts(step.get("tool_calls")))
    group = ref if len(calls) > 1 else None
    for call in calls:
        name, call_id = call.get("function_name"), call.get("tool_call_id")
        draft.add([called(name, arguments_of(call, "arguments"), call_id, ts=ts, ref=ref, parallel_group=group)])
    for result in dicts(mapping(step.get("observation")).get("results")):
        _add_result(draft, result, calls, ts, ref)


def _add_result(draft: Draft, result: dict[str, Any], calls: list[dict[str, Any]], ts: Any, ref: str) -> None:
    call_id = string(result.get("source_call_id"))
    output = result_value(result.get("content"))
    if call_id is None and len(calls) != 1:
        draft.add([said("environment", plain_text(result.get("content")), ts=ts, kind="system_event", ref=ref)])
        return
    call_id = call_id or string(calls[0].get("tool_call_id"))
    draft.add([returned(None, output, call_id, status=_status(mapping(result.get("extra"))), ts=ts, ref=ref)])
    for child in dicts(result.get("subagent_trajectory_ref")):
        name = string(child.get("trajectory_id")) or string(child.get("session_id"))
        if name:
            draft.subtraces.append((name, call_id, "delegate"))


def _status(extra: dict[str, Any]) -> Status:
    for key in ("tool_result_is_error", "is_error"):
        if isinstance(extra.get(key), bool):
            return flagged(extra[key])
    return exited(extra["exit_code"]) if "exit_code" in extra else UNKNOWN


IMPORTER = FormatImporter(
    name=_NAME,
    title="ATIF trajectories",
    recognised_by="schema_version ATIF-...",
    recognise_by=_recognise,
    drafts=_drafts,
)
