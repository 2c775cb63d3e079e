"""mini-swe-agent trajectories: version 2 objects and the bare message lists of version 1.

A reader must not miss: in version 1 the observations are *user* messages; they are results of the one command in the
message before, never a user's turn. The command that submits has no result, and that is no fault.
"""

from __future__ import annotations

import re
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row, iter_rows
from agent_claimcheck.importers.events import UNKNOWN, Event, called, exited, returned, said
from agent_claimcheck.importers.foreign_json import dicts, items, mapping, string, walk
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.lost_runs import no_history, no_object
from agent_claimcheck.importers.messages.parser import read_message
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading
from agent_claimcheck.trace.model import End, TraceProblem

_NAME = "mini-swe-agent"
_FENCE = re.compile(r"```(?:mswea_bash_command|bash)[^\S\n]*\n(.*?)\n?```", re.DOTALL)
_CODE = re.compile(r"\A\s*<returncode>\s*(-?\d{1,6})\s*</returncode>")
_SUBMIT = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"


def _recognise(head: Head) -> str | None:
    for record in head.records[:3]:
        form = record.get("trajectory_format")
        if isinstance(form, str) and "mini-swe-agent" in form:
            return f"trajectory_format {form[:40]}"
        if "mini_version" in mapping(record.get("info")) and "messages" in record:
            return "info with mini_version"
    if head.layout in ("array", "lines") and _is_version_one(head.records):
        return "messages with mswea_bash_command fences and returncode observations"
    return None


def _is_version_one(messages: list[dict[str, Any]]) -> bool:
    texts = [(m.get("role"), m["content"]) for m in messages if isinstance(m.get("content"), str)]
    return any(role == "assistant" and "```mswea_bash_command" in text for role, text in texts) or (
        any(role == "user" and _CODE.match(text) for role, text in texts)
        and any(role == "assistant" and "```bash" in text for role, text in texts)
    )


def _drafts(reading: Reading) -> Drafts:
    loose: list[Any] = []
    line = 0
    for row in iter_rows(reading.stream, reading.file):
        if isinstance(row, TraceProblem):
            yield row
        elif isinstance(mapping(row.value).get("messages"), list):
            yield _trajectory(mapping(row.value), row.raw, row.line, reading)
        elif isinstance(row.value, list):
            yield _trajectory({"messages": row.value}, row.raw, row.line, reading)
        elif (problem := _lost(row, reading)) is not None:
            yield problem
        elif isinstance(row.value, dict):
            loose.append(row.value)
            line = line or row.line
    if loose:
        seed = repr([str(m.get("content"))[:500] for m in loose[:6]]).encode("utf-8", "replace")
        yield _trajectory({"messages": loose}, seed, line, reading)


def _lost(row: Row, reading: Reading) -> TraceProblem | None:
    """The problem of a row whose messages are no list, or that is no object at all."""
    if "messages" in mapping(row.value):
        return no_history(row, reading.file, among_runs=True)
    return no_object(row, reading.file)


def _trajectory(value: dict[str, Any], seed: bytes, line: int, reading: Reading) -> Draft:
    info = mapping(value.get("info"))
    draft = Draft(format=_NAME, line=line, seed=seed, domain="coding", flavour=string(value.get("trajectory_format")))
    draft.trace_id = string(value.get("instance_id"))
    draft.task_id = draft.trace_id
    draft.model = string(walk(info, "config", "model", "model_name"))
    messages = list(dicts(items(value.get("messages"))))
    text_mode = _is_version_one(messages)
    pending: Event | None = None
    for number, message in enumerate(messages):
        if message.get("role") == "exit":
            _take_exit(draft, mapping(message.get("extra")), message)
            continue
        extra = mapping(message.get("extra"))
        ts = extra.get("timestamp")
        if text_mode and pending is not None and message.get("role") == "user":
            draft.add(_observation(message, pending, ts))
            pending = None
            continue
        made = read_message(message, ts=ts)
        if made is None:
            reading.report.lose("message of no known dialect", line=draft.line)
            continue
        draft.add(made)
        if text_mode and message.get("role") == "assistant":
            pending = _command(message, number, ts)
            if pending is not None:
                draft.add([pending])
    _take_exit(draft, info, {})
    return draft


def _command(message: dict[str, Any], number: int, ts: Any) -> Event | None:
    found = _FENCE.findall(message["content"]) if isinstance(message.get("content"), str) else []
    return called("bash", {"command": found[0]}, f"message-{number}", ts=ts) if found else None


def _observation(message: dict[str, Any], call: Event, ts: Any) -> list[Event]:
    text = message.get("content") if isinstance(message.get("content"), str) else ""
    if not text or _SUBMIT in str((call.args or {}).get("command")):
        return []
    match = _CODE.match(text)
    recorded = mapping(message.get("extra"))
    status = exited(recorded.get("returncode"), recorded.get("exception_info"))
    if status is UNKNOWN and match:
        status = exited(int(match.group(1)))
    result = returned("bash", text, call.call_id, status=status, ts=ts)
    result.output = text
    return [result]


def _take_exit(draft: Draft, info: dict[str, Any], message: dict[str, Any]) -> None:
    status = string(info.get("exit_status"))
    if status is not None:
        is_done = status.lower() in ("submitted", "completed")
        limit = "limit" in status.lower() or "timeexceeded" in status.lower()
        draft.end = End(reason="completed" if is_done else "limit" if limit else "error", detail=status)
    submission = string(info.get("submission")) or string(message.get("content"))
    if submission and draft.end is not None and draft.end.reason == "completed" and message:
        draft.add([said("environment", submission, kind="system_event", ref="submission")])


IMPORTER = FormatImporter(
    name=_NAME,
    title="mini-swe-agent trajectories",
    recognised_by="trajectory_format mini-swe-agent, or messages with command fences and returncode observations",
    recognise_by=_recognise,
    drafts=_drafts,
)
