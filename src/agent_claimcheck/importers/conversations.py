"""Files that hold histories of messages and little else: one a line, a list of them, one message a line, one object.

A reader must not miss: a list or a file of bare messages is one run; a list or a file of objects that each hold a
history is one run an object.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row, iter_rows
from agent_claimcheck.importers.events import Event, said
from agent_claimcheck.importers.foreign_json import items, mapping, string
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.lost_runs import no_history
from agent_claimcheck.importers.messages.blocks import plain_text
from agent_claimcheck.importers.messages.chunks import ChunkJoiner, joined
from agent_claimcheck.importers.messages.dialects import Dialect, dialect_of, find_messages, last_choice
from agent_claimcheck.importers.messages.parser import read_message, read_message_or_step, read_messages
from agent_claimcheck.importers.messages.responses import response_items
from agent_claimcheck.importers.reading import Drafts, Reading
from agent_claimcheck.importers.spans.transcript import merged
from agent_claimcheck.importers.toolset import tool_defs
from agent_claimcheck.trace.model import End, TraceProblem

_IDS = ("trace_id", "id", "run_id", "custom_id", "conversation_id", "thread_id", "session_id", "uuid")
_ROWS_ASKED = 5
"""Rows of a file that are looked at for a history."""
_STOPS: dict[str, End] = {
    "length": End(reason="limit", detail="length"),
    "max_tokens": End(reason="limit", detail="max_tokens"),
    "max_output_tokens": End(reason="limit", detail="max_output_tokens"),
    "incomplete": End(reason="limit", detail="incomplete"),
    "content_filter": End(reason="aborted", detail="content_filter"),
    "refusal": End(reason="aborted", detail="refusal"),
    "failed": End(reason="error", detail="failed"),
    "end_turn": End(reason="completed", detail="end_turn"),
    "stop": End(reason="completed", detail="stop"),
}


def head_dialect(head: Head) -> Dialect | None:
    """The dialect of the messages at the start of a file, in any of the layouts this module reads."""
    if head.layout not in ("object", "array", "lines"):
        return None
    if head.layout in ("array", "lines"):
        found = dialect_of(head.rows)
        if found is not None and find_messages(head.first) is None:
            return found
    # The first record may be the one that cannot be read.
    histories = (find_messages(row) for row in head.rows[:_ROWS_ASKED])
    messages = next((found for found in histories if found is not None), None)
    return dialect_of(messages) if messages is not None else None


def conversation_drafts(reading: Reading, format_name: str) -> Drafts:
    """Yield a draft for each history of a file."""
    loose = _LooseMessages(format_name)
    among_runs = holds_runs(reading)
    grouped: dict[str, list[Draft]] = {}
    for row in iter_rows(reading.stream, reading.file):
        if isinstance(row, TraceProblem):
            yield row
            continue
        draft = draft_of(row, format_name, reading)
        if draft is not None:
            among_runs = True
            yield from loose.finished()
            if reading.options.group_by_conversation and draft.conversation_id:
                grouped.setdefault(draft.conversation_id, []).append(draft)
            else:
                yield draft
            continue
        if not loose.take(row):
            problem = no_history(row, reading.file, among_runs=among_runs)
            if problem is not None:
                yield problem
            else:
                reading.report.lose(_kind_of(row), line=row.line)
    yield from loose.finished()
    for name, drafts in grouped.items():
        yield _joined(name, drafts)


def holds_runs(reading: Reading) -> bool:
    """The rows at the start of a file hold a run each, and are no messages of one run."""
    rows = reading.head().rows
    return any(find_messages(row) is not None or _stored_answer(mapping(row)) is not None for row in rows)


def _kind_of(row: Row) -> str:
    return (string(mapping(row.value).get("type")) or "record of no known kind")[:60]


def _joined(name: str, drafts: list[Draft]) -> Draft:
    """One run out of the logged requests of one conversation, each of which repeats the history before it."""
    last = drafts[-1]
    last.events = merged(draft.events for draft in drafts)
    last.trace_id, last.line = name, drafts[0].line
    return last


class _LooseMessages:
    """The run that the bare messages of a file make, a message a row."""

    def __init__(self, format_name: str) -> None:
        self._draft = Draft(format=format_name)
        self._streamed = ChunkJoiner()

    def take(self, row: Row) -> bool:
        """Add the message of a row; a piece of a streamed one waits for the others. False: the row is no message."""
        whole = self._streamed.take(row.value)
        ref = f"line {row.line}" if row.layout == "lines" else None
        made = [read_message_or_step(message, ref=ref) for message in whole]
        is_known = None not in made
        made = [events for events in made if events is not None]
        if not made and not is_known:
            return False
        if not self._draft.seed:
            self._draft.line = row.line
        self._draft.name_by(row.raw)
        for events in made:
            self._draft.add(events or [])
        return is_known

    def finished(self) -> Iterator[Draft]:
        """Yield the run so far, if there is any, and begin another one."""
        for message in self._streamed.rest():
            self._draft.add(read_message(message) or [])
        if self._draft.events:
            yield self._draft
        self._draft = Draft(format=self._draft.format)


def draft_of(row: Row, format_name: str, reading: Reading) -> Draft | None:
    """The run that one value of a file holds, or ``None`` when the value is a single message or no run."""
    value = row.value
    messages = find_messages(value)
    table = mapping(value)
    if messages is None:
        messages = _stored_answer(table)
        if messages is None:
            return None
    else:
        messages = [*messages, *last_choice(table)]
    draft = Draft(format=format_name, line=row.line, seed=row.raw)
    fill_header(draft, table)
    made, unread = read_messages(messages)
    draft.events.extend(made)
    if unread:
        reading.report.lose("message of no known dialect", unread, line=row.line)
    _take_end(draft, table)
    return draft


def _stored_answer(table: dict[str, Any]) -> list[Any] | None:
    """A stored API answer without its request's history: a Response, a chat completion, an Anthropic message."""
    request, response = mapping(table.get("request")), mapping(table.get("response"))
    response = mapping(response.get("body")) or response
    kind = table.get("object")
    if kind == "response" or (isinstance(table.get("output"), list) and "model" in table):
        return response_items(table)
    if isinstance(response.get("output"), list):
        return response_items({"input": request.get("input") or response.get("input"), "output": response["output"]})
    if isinstance(table.get("input"), list) and dialect_of(table["input"]) is not None:
        return items(table["input"])
    if table.get("type") == "message" and table.get("role") == "assistant" and "stop_reason" in table:
        return [table | {"type": None}]
    choice = last_choice(table)
    if choice:
        return choice
    return None


def fill_header(draft: Draft, table: dict[str, Any]) -> None:
    """Take id, model, tools and system prompt from the object around a history."""
    for key in _IDS:
        name = string(table.get(key))
        if name is not None:
            draft.trace_id = name
            break
    draft.task_id = string(table.get("task_id")) or string(mapping(table.get("metadata")).get("task_id"))
    inner = mapping(table.get("request")) or mapping(table.get("body")) or mapping(table.get("kwargs"))
    response = mapping(table.get("response"))
    draft.model = string(table.get("model")) or string(inner.get("model")) or string(response.get("model"))
    draft.tools = tool_defs(table.get("tools") or inner.get("tools") or table.get("functions"))
    for source in (table, inner):
        prompt = plain_text(source.get("system")) or plain_text(source.get("instructions"))
        if prompt and draft.system_prompt is None:
            draft.system_prompt = prompt
    config = mapping(table.get("config"))
    prompt = plain_text(config.get("systemInstruction") or table.get("systemInstruction"))
    draft.system_prompt = draft.system_prompt or prompt or None
    for key in ("conversation_id", "thread_id", "session_id"):
        draft.conversation_id = draft.conversation_id or string(table.get(key))


def _take_end(draft: Draft, table: dict[str, Any]) -> None:
    response = mapping(table.get("response")) or table
    reason = response.get("stop_reason") or mapping(response.get("incomplete_details")).get("reason")
    if reason is None and isinstance(response.get("choices"), list):
        reason = mapping(items(response["choices"])[0] if response["choices"] else None).get("finish_reason")
    if reason is None and response.get("object") == "response" and response.get("status") in ("failed", "incomplete"):
        reason = response["status"]
    if isinstance(reason, str):
        draft.end = _STOPS.get(reason, draft.end)


def as_events(value: Any, role_if_text: Any = "user") -> list[Event]:
    """Read anything that may hold messages: a history, one message, an API answer, or plain text of the given role."""
    if isinstance(value, str):
        return [said(role_if_text, value)] if value.strip() else []
    return list(_events_of(value))


def _events_of(value: Any) -> Iterator[Event]:
    messages = find_messages(value)
    if messages is None and isinstance(value, dict):
        messages = _stored_answer(value)
        if messages is None:
            messages = [value]
    for message in joined(messages if messages is not None else items(value)):
        yield from read_message(message) or []
