"""One sample of an Inspect log as a run.

A reader must not miss: ``messages`` is the history as the last model call saw it; tool events add times and typed
errors, and a limit or an error of the sample says why the run ended.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.events import Event
from agent_claimcheck.importers.foreign_json import dicts, items, mapping, string, walk
from agent_claimcheck.importers.messages.parser import message_text, read_messages
from agent_claimcheck.importers.reading import Reading
from agent_claimcheck.importers.toolset import tool_defs
from agent_claimcheck.trace.model import End, GroundTruth

_ATTACHMENT = "attachment://"
_PASSED = frozenset({"C", "correct", "pass"})
_FAILED = frozenset({"I", "incorrect", "fail"})


def sample_draft(sample: dict[str, Any], header: dict[str, Any], line: int, reading: Reading) -> Draft:
    """The draft of one sample. ``header`` is the log without its samples."""
    evaluation = mapping(header.get("eval"))
    run, name, epoch = (string(v) for v in (evaluation.get("run_id"), sample.get("id"), sample.get("epoch")))
    draft = Draft(format="inspect", line=line)
    draft.trace_id = string(sample.get("uuid")) or f"{run or 'run'}:{name or line}:{epoch or 1}"
    draft.task_id = f"{string(evaluation.get('task')) or 'inspect'}:{name or line}"
    draft.model = string(evaluation.get("model"))
    draft.conversation_id = run
    attachments = mapping(sample.get("attachments"))
    messages = [_resolved(message, attachments) for message in items(sample.get("messages"))]
    draft.events, unread = read_messages(messages)
    if unread:
        reading.report.lose("message of no known dialect", unread, line=line)
    given = _resolved(sample.get("input"), attachments)
    if isinstance(given, str):
        draft.instruction = given
    else:
        users = [message for message in dicts(given) if message.get("role") == "user"]
        draft.instruction = message_text(users[0]) if users else None
    events = items(sample.get("events")) or items(walk(sample, "transcript", "events"))
    _add_times(draft.events, events)
    _add_tools(draft, events)
    draft.end = _end(sample)
    draft.ground_truth = _label(mapping(sample.get("scores")))
    return draft


def _resolved(value: Any, attachments: dict[str, Any], depth: int = 6) -> Any:
    """Replace ``attachment://<hash>`` texts by what they stand for."""
    if isinstance(value, str):
        if value.startswith(_ATTACHMENT):
            found = attachments.get(value.removeprefix(_ATTACHMENT))
            return found if isinstance(found, str) else value
        return value
    if depth <= 0 or not attachments:
        return value
    if isinstance(value, dict):
        return {key: _resolved(item, attachments, depth - 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_resolved(item, attachments, depth - 1) for item in value]
    return value


def _add_times(events: list[Event], log: list[Any]) -> None:
    times = {}
    for entry in dicts(log):
        if entry.get("event") == "tool" and isinstance(entry.get("id"), str):
            times[entry["id"]] = (entry.get("timestamp"), entry.get("completed"))
    for event in events:
        start, end = times.get(event.call_id or "", (None, None))
        if event.kind == "tool_call":
            event.ts = event.ts or start
        elif event.kind == "tool_result":
            event.ts = event.ts or end or start


def _add_tools(draft: Draft, log: list[Any]) -> None:
    for entry in dicts(log):
        if entry.get("event") == "model" and entry.get("tools"):
            draft.tools = tool_defs(entry["tools"])
            return


def _end(sample: dict[str, Any]) -> End | None:
    limit = sample.get("limit")
    if limit:
        return End(reason="limit", detail=string(mapping(limit).get("type")) or string(limit))
    error = sample.get("error")
    if error:
        return End(reason="error", detail=(string(mapping(error).get("message")) or str(error))[:500])
    return None


def _label(scores: dict[str, Any]) -> GroundTruth | None:
    """A label when every scorer that gave a plain pass or fail agrees; several that differ are kept as unknown."""
    outcomes = set()
    for score in scores.values():
        value = mapping(score).get("value", score)
        if (isinstance(value, str) and value in _PASSED) or (isinstance(value, int | float) and value == 1):
            outcomes.add("success")
        elif (isinstance(value, str) and value in _FAILED) or (isinstance(value, int | float) and value == 0):
            outcomes.add("failure")
    if not scores:
        return None
    outcome: Any = outcomes.pop() if len(outcomes) == 1 else "unknown"
    details = {name: mapping(score).get("value", score) for name, score in scores.items()}
    return GroundTruth(outcome=outcome, checked_by="none", details={"scores": details})
