"""SWE-agent trajectories (``.traj``).

A reader must not miss: there is no status anywhere. With function calling the exact calls and ids stand in ``history``;
demonstrations in it are not part of the run.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.events import called, returned, said
from agent_claimcheck.importers.foreign_json import dicts, items, mapping, string
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.parser import read_message
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_object
from agent_claimcheck.trace.model import Artifact, End

_NAME = "swe-agent"


def _recognise(head: Head) -> str | None:
    for record in head.records[:3]:
        if isinstance(record.get("trajectory"), list) and ("info" in record or "history" in record):
            return "trajectory with info or history"
        history = list(dicts(record.get("history")))
        if history and any("message_type" in entry and "agent" in entry for entry in history):
            return "history with message_type"
    return None


def _drafts(reading: Reading) -> Drafts:
    return each_object(reading, _run)


def _run(row: Row) -> Draft | None:
    value = mapping(row.value)
    if not isinstance(value.get("trajectory"), list) and not isinstance(value.get("history"), list):
        return None
    draft = Draft(format=_NAME, line=row.line, seed=row.raw, domain="coding")
    draft.trace_id = draft.task_id = string(value.get("instance_id"))
    history = [entry for entry in dicts(value.get("history")) if entry.get("is_demo") is not True]
    if any(entry.get("tool_calls") for entry in history):
        for entry in history:
            ids = items(entry.get("tool_call_ids"))
            if entry.get("role") == "tool" and ids and "tool_call_id" not in entry:
                entry = {**entry, "tool_call_id": ids[0]}
            draft.add(read_message(entry) or [])
    else:
        for entry in history:
            if entry.get("role") in ("system", "user") and entry.get("message_type") != "observation":
                draft.add(read_message(entry) or [])
                if entry.get("role") == "user":
                    break
        for number, step in enumerate(dicts(value.get("trajectory"))):
            _add_step(draft, step, number)
    _take_info(draft, mapping(value.get("info")))
    return draft


def _add_step(draft: Draft, step: dict[str, Any], number: int) -> None:
    ref = f"trajectory[{number}]"
    thought = step.get("thought")
    if isinstance(thought, str) and thought.strip():
        draft.add([said("agent", thought, ref=ref)])
    action = step.get("action")
    if isinstance(action, str) and action.strip():
        name = action.split(None, 1)[0][:60]
        draft.add([called(name, {"command": action}, ref, ref=ref)])
        if step.get("observation") is not None:
            result = returned(name, step["observation"], ref, ref=ref)
            draft.add([result])


def _take_info(draft: Draft, info: dict[str, Any]) -> None:
    status = string(info.get("exit_status"))
    if status is not None:
        is_done = status.startswith("submitted") and "(" not in status
        is_limit = any(word in status for word in ("cost", "context", "limit"))
        draft.end = End(reason="completed" if is_done else "limit" if is_limit else "error", detail=status)
    patch = string(info.get("submission"))
    if patch is not None:
        draft.artifacts.append(Artifact(id="submission", name="submission.patch", media_type="text/x-diff", text=patch))


IMPORTER = FormatImporter(
    name=_NAME,
    title="SWE-agent trajectories",
    recognised_by="trajectory with info or history",
    recognise_by=_recognise,
    drafts=_drafts,
)
