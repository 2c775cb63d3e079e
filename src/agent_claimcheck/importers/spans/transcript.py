"""From spans to runs: one transcript out of many model calls, with what the tool spans know put in.

A reader must not miss: every model call repeats the history before it, and one call is seen up to three times (asked
for by the model, run by a tool span, answered in the next history). All of it is merged into one call and one result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.contract import ImportOptions
from agent_claimcheck.importers.events import Event, said
from agent_claimcheck.importers.foreign_json import dicts, loose_json
from agent_claimcheck.importers.messages.parser import read_call
from agent_claimcheck.importers.spans.record import Span, canonical, sort_key
from agent_claimcheck.importers.spans.tools import attach_tools, own_tools
from agent_claimcheck.trace.model import AgentRef


def drafts_of_spans(format_name: str, trace_id: str, spans: list[Span], options: ImportOptions) -> list[Draft]:
    """Return the run of one trace, and one more for each sub-agent that ran under a tool call (when kept apart)."""
    spans.sort(key=lambda span: sort_key(span.order))
    by_id = {span.span_id: span for span in spans}
    lanes: dict[str, list[Span]] = {"": []}
    owners = _lane_owners(spans, by_id)
    for span in spans:
        lane = "" if options.subagents == "inline" else owners[span.span_id]
        lanes.setdefault(lane, []).append(span)
    drafts = []
    main = _draft(format_name, trace_id, lanes.pop(""), by_id)
    drafts.append(main)
    for owner, members in lanes.items():
        child = _draft(format_name, f"{trace_id}/{owner}", members, by_id)
        if not child.events:
            continue
        call = _calling_tool(by_id[owner], by_id)
        main.subtraces.append((child.trace_id or owner, call.call_id if call else None, "delegate"))
        child.conversation_id = trace_id
        drafts.append(child)
    return drafts


def _lane_owners(spans: list[Span], by_id: dict[str, Span]) -> dict[str, str]:
    """For each span the agent span it belongs to, when that agent was started by a tool call; else ``""``."""
    known: dict[str, str] = {}
    for span in spans:
        path: list[Span] = []
        current: Span | None = span
        while current is not None and current.span_id not in known and len(path) <= len(by_id):
            path.append(current)
            known[current.span_id] = ""  # breaks cycles
            current = by_id.get(current.parent_id or "")
        lane = known.get(current.span_id, "") if current is not None else ""
        under_tool = current is not None and _is_under_tool(current, by_id)
        for member in reversed(path):
            if member.kind == "agent" and under_tool:
                lane = member.span_id
                under_tool = False
            known[member.span_id] = lane
            if member.kind == "tool":
                under_tool = True
    return known


def _is_under_tool(span: Span, by_id: dict[str, Span]) -> bool:
    for _ in range(200):
        if span.kind == "tool":
            return True
        if span.kind == "agent":
            return False
        parent = by_id.get(span.parent_id or "")
        if parent is None:
            return False
        span = parent
    return False


def _calling_tool(span: Span, by_id: dict[str, Span]) -> Span | None:
    for _ in range(200):
        parent = by_id.get(span.parent_id or "")
        if parent is None:
            return None
        if parent.kind == "tool":
            return parent
        span = parent
    return None


def _draft(format_name: str, trace_id: str, spans: list[Span], by_id: dict[str, Span]) -> Draft:
    draft = Draft(format=format_name, trace_id=trace_id)
    talking = [span for span in spans if span.inputs or span.outputs]
    for span in talking:
        _unfold_calls(span)
    llm = _best_views([span for span in talking if span.kind == "llm"], by_id)
    whole = [span for span in talking if span.kind not in ("llm", "tool")]
    transcript = merged(_timed(span) for span in llm)
    full = max(whole, key=lambda span: (_calls(span), len(span.inputs) + len(span.outputs)), default=None)
    if full is not None and _calls(full) > 0 and _calls(full) >= sum(e.kind == "tool_call" for e in transcript):
        times = {_key(event): event.ts for event in transcript}
        draft.system_prompt = next((e.text for e in transcript if e.role in ("system", "developer")), None)
        # The output of a graph repeats its input, so the two are merged like two histories.
        transcript = merged([full.inputs, full.outputs])
        for event in transcript:
            event.ts = event.ts if event.ts is not None else times.get(_key(event))
        if transcript and transcript[0].ts is None:
            transcript[0].ts = full.start
    elif not any(event.kind == "message" and event.role == "agent" for event in transcript):
        transcript = merged([*(_timed(span) for span in whole[:1]), transcript])
    draft.events = transcript
    attach_tools(draft.events, own_tools(spans, by_id))
    _fill(draft, spans)
    return draft


def _timed(span: Span) -> list[Event]:
    """The history of one span; what has no time of its own was there when the span began or ended."""
    for event in span.inputs:
        event.ts = event.ts if event.ts is not None else span.start
    for event in span.outputs:
        event.ts = event.ts if event.ts is not None else span.end or span.start
    return [*span.inputs, *span.outputs]


def _calls(span: Span) -> int:
    keys = {_key(event) for event in (*span.inputs, *span.outputs) if event.kind == "tool_call"}
    return len(keys)


def _unfold_calls(span: Span) -> None:
    """Some tracers write the tool calls of an answer as the JSON text of its content."""
    for events in (span.inputs, span.outputs):
        out: list[Event] = []
        for event in events:
            text = event.text or ""
            entries = loose_json(text) if event.role == "agent" and text[:2] == "[{" else None
            calls = [read_call(entry) for entry in dicts(entries) if isinstance(entry.get("function"), dict)]
            out.extend([call for call in calls if call is not None] or [event])
        events[:] = out


def _best_views(spans: list[Span], by_id: dict[str, Span]) -> list[Span]:
    """Of model calls that wrap each other keep one view: two instrumentations saw the same call.

    An outer span with several calls inside stands for a loop and goes; with one inside, the fuller one stays.
    """
    ids = {span.span_id: span for span in spans}
    inside: dict[str, list[Span]] = {}
    for span in spans:
        parent = by_id.get(span.parent_id or "")
        for _ in range(50):
            if parent is None or parent.span_id in ids:
                break
            parent = by_id.get(parent.parent_id or "")
        if parent is not None and parent is not span and parent.span_id in ids:
            inside.setdefault(parent.span_id, []).append(span)
    dropped: set[str] = set()
    for outer, inner in inside.items():
        if len(inner) > 1 or _fullness(ids[outer]) <= _fullness(inner[0]):
            dropped.add(outer)
        else:
            dropped.add(inner[0].span_id)
    return [span for span in spans if span.span_id not in dropped]


def _fullness(span: Span) -> int:
    return len(span.inputs) + len(span.outputs) + 10 * _calls(span)


def merged(histories: Iterable[list[Event]]) -> list[Event]:
    """Join histories that repeat each other: the n-th occurrence of an event in one history is new only once."""
    out: list[Event] = []
    counts: Counter[Any] = Counter()
    for history in histories:
        local: Counter[Any] = Counter()
        for event in history:
            key = _key(event)
            local[key] += 1
            if local[key] > counts[key]:
                counts[key] = local[key]
                out.append(event)
    return out


def _key(event: Event) -> Any:
    if event.kind in ("tool_call", "tool_result"):
        if event.call_id:
            return (event.kind, event.call_id)
        value = event.args if event.kind == "tool_call" else event.output
        return (event.kind, event.name, canonical(value))
    return (event.kind, event.role, (event.text or "").strip())


def _fill(draft: Draft, spans: list[Span]) -> None:
    """Take model, tools, agents, instruction and final text from the spans that tell them."""
    agents: dict[str, AgentRef] = {}
    for span in spans:
        draft.model = draft.model or span.model
        draft.system_prompt = draft.system_prompt or span.system_prompt
        draft.conversation_id = draft.conversation_id or span.conversation_id
        if span.tools and (draft.tools is None or len(span.tools) > len(draft.tools)):
            draft.tools = span.tools
        if span.agent and span.agent not in agents:
            agents[span.agent] = AgentRef(id=span.agent, name=span.agent)
    draft.agents = list(agents.values()) if len(agents) > 1 else []
    if not any(event.kind == "message" and event.role == "user" for event in draft.events):
        _take_question(draft, spans)
    if not any(event.kind == "message" and event.role == "agent" for event in draft.events):
        for span in spans:
            text = span.final_text or next(
                (e.text for e in reversed(span.outputs) if e.role == "agent" and e.text), None
            )
            if span.kind != "tool" and text:
                draft.events.append(said("agent", text, ts=span.end))
                break


def _take_question(draft: Draft, spans: list[Span]) -> None:
    for span in spans:
        asked = [event for event in span.inputs if event.kind == "message" and event.role == "user"]
        if span.kind != "tool" and asked:
            for event in asked:
                event.ts = event.ts if event.ts is not None else span.start
            draft.events[:0] = asked
            return
