"""OpenHands event lists: the older action/observation events and the events of the agent SDK.

A reader must not miss: an observation's own sentence ("I edited the file") is the environment's, not the agent's; the
answer is in the arguments of ``finish``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.events import UNKNOWN, Event, Status, called, exited, failed, flagged, returned, said
from agent_claimcheck.importers.foreign_json import dicts, mapping, string, walk
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.blocks import plain_text, result_value
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row
from agent_claimcheck.trace.model import End

_NAME = "openhands"
_SKIPPED = frozenset({"agent_state_changed", "null", "recall", "change_agent_state", "system", "initialize"})


def _recognise(head: Head) -> str | None:
    records = head.records
    if sum(1 for record in records if str(record.get("kind")).endswith("Event") and "source" in record) > 0:
        return "events whose kind ends in Event"
    events = [r for r in records if "source" in r and ("action" in r or "observation" in r)]
    if events and len(events) * 2 > len(records):
        return "events with source and action or observation"
    if any(isinstance(r.get("history"), list) and "instance_id" in r and "test_result" in r for r in records):
        return "evaluation rows with instance_id, history and test_result"
    return None


def _drafts(reading: Reading) -> Drafts:
    draft = Draft(format=_NAME, domain="coding")

    def take(row: Row) -> Iterator[Draft]:
        record = mapping(row.value)
        if isinstance(record.get("history"), list):
            yield _evaluation(row, record, reading)
        else:
            draft.add_row(row.line, row.raw)
            _add(draft, record, reading)

    yield from each_row(reading, take)
    if draft.events:
        yield draft


def _evaluation(row: Row, record: dict[str, Any], reading: Reading) -> Draft:
    draft = Draft(format=_NAME, domain="coding", line=row.line, seed=row.raw)
    draft.trace_id = draft.task_id = string(record.get("instance_id"))
    draft.instruction = string(record.get("instruction"))
    for entry in dicts(record["history"]):
        _add(draft, entry, reading)
    return draft


def _add(draft: Draft, record: dict[str, Any], reading: Reading) -> None:
    made = _sdk_event(record, draft) if isinstance(record.get("kind"), str) else _old_event(record)
    if made is None:
        reading.report.drop(str(record.get("kind") or record.get("observation") or record.get("action"))[:60])
    else:
        draft.add(made)


def _sdk_event(record: dict[str, Any], draft: Draft) -> list[Event] | None:
    kind, ts, ref = record["kind"], record.get("timestamp"), string(record.get("id"))
    call_id, name = record.get("tool_call_id"), record.get("tool_name")
    if kind == "SystemPromptEvent":
        return [said("system", plain_text(record.get("system_prompt")), ts=ts)]
    if kind == "MessageEvent":
        message = mapping(record.get("llm_message"))
        text = plain_text(message.get("content"))
        role: Any = "user" if record.get("source") == "user" else "agent"
        return [said(role, text, ts=ts, ref=ref)] if text else []
    if kind == "ActionEvent":
        return _sdk_action(record, ts, ref)
    if kind == "ObservationEvent":
        seen = mapping(record.get("observation"))
        return [returned(name, result_value(seen.get("content")), call_id, status=_seen_status(seen), ts=ts, ref=ref)]
    if kind == "AgentErrorEvent":
        return [returned(name, None, call_id, status=failed(record.get("error"), "exception"), ts=ts, ref=ref)]
    if kind == "UserRejectObservation":
        reason = record.get("rejection_reason") or "rejected"
        return [returned(name, None, call_id, status=failed(reason, "denied", "denied"), ts=ts, ref=ref)]
    if kind == "ConversationErrorEvent":
        draft.end = End(reason="error", detail=string(record.get("detail")) or string(record.get("code")))
        return []
    return None


def _sdk_action(record: dict[str, Any], ts: Any, ref: str | None) -> list[Event]:
    events = []
    thought = plain_text(record.get("thought"))
    if thought:
        events.append(said("agent", thought, ts=ts, kind="reasoning", ref=ref))
    call = mapping(record.get("tool_call"))
    args = call.get("arguments") or {k: v for k, v in mapping(record.get("action")).items() if k != "kind"}
    name = record.get("tool_name") or call.get("name")
    group = string(record.get("llm_response_id"))
    events.append(called(name, args, record.get("tool_call_id"), ts=ts, ref=ref, parallel_group=group))
    return events


def _seen_status(seen: dict[str, Any]) -> Status:
    code = exited(seen.get("exit_code", walk(seen, "metadata", "exit_code")))
    flag = seen.get("is_error")
    if flag is True:
        return flagged(True)
    if code is not UNKNOWN and code.exit_code != -1:
        return code
    return flagged(flag)


def _old_event(record: dict[str, Any]) -> list[Event] | None:
    action, seen = record.get("action"), record.get("observation")
    ts, ref = record.get("timestamp"), string(record.get("id"))
    word = action if isinstance(action, str) else seen
    if not isinstance(word, str) or word in _SKIPPED:
        return None
    if isinstance(action, str):
        return _old_action(record, action, ts, ref)
    cause = string(record.get("cause"))
    call_id = string(walk(record, "tool_call_metadata", "tool_call_id")) or (f"event-{cause}" if cause else None)
    name = string(walk(record, "tool_call_metadata", "function_name")) or str(seen)
    return [returned(name, record.get("content"), call_id, status=_old_status(record, str(seen)), ts=ts, ref=ref)]


def _old_action(record: dict[str, Any], action: str, ts: Any, ref: str | None) -> list[Event]:
    args = mapping(record.get("args"))
    role: Any = "user" if record.get("source") == "user" else "agent"
    if action == "message":
        text = string(args.get("content")) or string(record.get("message"))
        return [said(role, text, ts=ts, ref=ref)] if text else []
    events = []
    thought = string(args.get("thought"))
    if thought and action not in ("finish", "think"):
        events.append(said(role, thought, ts=ts, ref=ref))
    if action == "think":
        return [said("agent", thought or "", ts=ts, kind="reasoning", ref=ref)]
    if action == "finish":
        answer = string(args.get("final_thought")) or thought or string(record.get("message"))
        finish = called("finish", {"message": answer} if answer else args, f"event-{ref}", ts=ts, ref=ref)
        finish.is_final = True
        return [*events, finish]
    call_id = string(walk(record, "tool_call_metadata", "tool_call_id")) or f"event-{ref}"
    name, exact = action, None
    for call in dicts(walk(record, "tool_call_metadata", "model_response", "choices", 0, "message", "tool_calls")):
        if call.get("id") == call_id:
            exact = mapping(call.get("function")).get("arguments")
            name = string(mapping(call.get("function")).get("name")) or name
    kept = {key: value for key, value in args.items() if key not in ("thought", "translated_ipython_code")}
    events.append(called(name, exact if exact is not None else kept, call_id, ts=ts, ref=ref))
    return events


def _old_status(record: dict[str, Any], seen: str) -> Status:
    if seen == "error":
        return failed(record.get("content") or record.get("message"), "flag")
    if seen == "user_rejected":
        return failed(record.get("content") or "rejected", "denied", "denied")
    code = exited(walk(record, "extras", "metadata", "exit_code"))
    if code is not UNKNOWN and code.exit_code != -1:
        return code
    return flagged(not record["success"]) if isinstance(record.get("success"), bool) else UNKNOWN


IMPORTER = FormatImporter(
    name=_NAME,
    title="OpenHands events",
    recognised_by="events with source and action or observation, or with a kind that ends in Event",
    recognise_by=_recognise,
    drafts=_drafts,
)
