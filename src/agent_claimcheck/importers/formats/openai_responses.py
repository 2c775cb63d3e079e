"""OpenAI Responses: stored responses and lists of items, such as ``RunResult.to_input_list()`` writes.

A reader must not miss: responses that name a ``previous_response_id`` found in the same file continue that run.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.conversations import draft_of, head_dialect, holds_runs
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.foreign_json import mapping, string, walk, word
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.lost_runs import no_history
from agent_claimcheck.importers.messages.parser import read_message
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row
from agent_claimcheck.trace.model import TraceProblem

_NAME = "openai-responses"
_STREAM = frozenset({"response.created", "response.in_progress", "response.output_item.added", "response.completed"})
_WAITING = 500
"""How many runs wait for a response that continues them; the oldest is handed out first, so memory stays flat."""


_LAST = ("response.completed", "response.incomplete", "response.failed")


def _recognise(head: Head) -> str | None:
    if head.object.get("object") == "response" or walk(head.object, "response", "object") == "response":
        return "object is response"
    if any(word(record.get("type")) in _STREAM for record in head.records):
        return "events of a Responses stream (response.completed)"
    if head_dialect(head) == _NAME:
        return "items of the Responses API (function_call, message, ...)"
    return None


def _drafts(reading: Reading) -> Drafts:
    runs: dict[str, Draft] = {}
    loose = Draft(format=_NAME)
    among_runs = holds_runs(reading)

    def take(row: Row) -> Iterator[Draft | TraceProblem]:
        table = mapping(row.value)
        if word(table.get("type")).startswith("response.") and table.get("type") not in _LAST:
            # The last event of a stream repeats everything that its deltas built up.
            reading.report.drop("stream event")
            return
        response = mapping(table.get("response")) or table
        draft = draft_of(row, _NAME, reading)
        if draft is None:
            events = read_message(row.value)
            if events is None:
                problem = no_history(row, reading.file, among_runs=among_runs)
                if problem is not None:
                    yield problem
                else:
                    reading.report.lose("record of no known kind", line=row.line)
                return
            loose.add(events)
            loose.name_by(row.raw)
            return
        own = string(response.get("id"))
        before = runs.pop(string(response.get("previous_response_id")) or "", None)
        if before is not None:
            before.events.extend(draft.events)
            before.end = draft.end or before.end
            draft = before
        runs[own or f"line {row.line}"] = draft
        if len(runs) > _WAITING:
            yield runs.pop(next(iter(runs)))

    yield from each_row(reading, take)
    yield from runs.values()
    if loose.events:
        yield loose


IMPORTER = FormatImporter(
    name=_NAME,
    title="OpenAI Responses",
    recognised_by="object: response, or a list of items such as function_call and function_call_output",
    recognise_by=_recognise,
    drafts=_drafts,
)
