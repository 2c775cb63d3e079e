"""Tool spans: which of them count, and how they complete the calls that the histories show.

A reader must not miss: a tool span is matched by call id, else by name and arguments, else by name and order; what no
history shows is put in where its time says.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from agent_claimcheck.importers.events import UNKNOWN, Event, called, returned
from agent_claimcheck.importers.spans.record import Span, canonical, sort_key


def own_tools(spans: list[Span], by_id: dict[str, Span]) -> list[Span]:
    """Tool spans without those that only wrap the same tool once more (an MCP call inside a framework's call)."""
    kept = []
    for span in spans:
        if span.kind != "tool":
            continue
        parent = by_id.get(span.parent_id or "")
        for _ in range(20):
            if parent is None or parent.kind == "tool":
                break
            parent = by_id.get(parent.parent_id or "")
        if parent is not None and parent.kind == "tool" and parent.tool_name == span.tool_name:
            if not parent.has_output and span.has_output:
                parent.output, parent.has_output = span.output, True
            if parent.status is UNKNOWN:
                parent.status = span.status
            if parent.args is None:
                parent.args = span.args
            continue
        kept.append(span)
    return kept


def attach_tools(events: list[Event], tools: list[Span]) -> None:
    """Give calls and results the times, states and outputs of their tool spans; put in what only a span shows."""
    index = _CallIndex(events)
    extra: list[tuple[Span, Event, Event | None]] = []
    matched: list[tuple[Span, Event]] = []
    for span in tools:
        call = index.take(span)
        if call is None:
            extra.append((span, *_from_span(span)))
            continue
        call.ts = span.start if span.start is not None else call.ts
        if call.call_id is None:
            call.call_id = span.call_id or f"span-{span.span_id}"
        if not call.args and span.args is not None:
            call.args = called("", span.args).args
        span.call_id = call.call_id
        matched.append((span, call))
    _bind_results(events, [span for span, _ in matched])
    _insert(events, extra, _update_results(events, matched))


class _CallIndex:
    """The calls of a transcript, by id, by name and arguments, and by name. Each is taken once; removal is lazy."""

    def __init__(self, events: list[Event]) -> None:
        self._by_id: dict[str, Event] = {}
        self._by_args: dict[tuple[str, bytes], deque[Event]] = {}
        self._by_name: dict[str, deque[Event]] = {}
        self._taken: set[int] = set()
        for event in events:
            if event.kind != "tool_call":
                continue
            name = event.name or ""
            if event.call_id:
                self._by_id.setdefault(event.call_id, event)
            self._by_name.setdefault(name, deque()).append(event)

    def take(self, span: Span) -> Event | None:
        """The call a tool span ran, or ``None`` when no history shows it."""
        if span.call_id and span.call_id in self._by_id:
            found = self._by_id[span.call_id]
            if id(found) in self._taken:
                return None
            self._taken.add(id(found))
            return found
        name = span.tool_name or ""
        if name in self._by_name and span.args is not None:
            if not self._by_args:
                self._index_args()
            found_by_args = self._next(self._by_args.get((name, canonical(called("", span.args).args))))
            if found_by_args is not None:
                return found_by_args
        return self._next(self._by_name.get(name))

    def _index_args(self) -> None:
        for name, calls in self._by_name.items():
            for call in calls:
                self._by_args.setdefault((name, canonical(call.args)), deque()).append(call)

    def _next(self, queue: deque[Event] | None) -> Event | None:
        while queue:
            call = queue.popleft()
            if id(call) not in self._taken:
                self._taken.add(id(call))
                return call
        return None


def _update_results(events: list[Event], matched: list[tuple[Span, Event]]) -> dict[int, Event]:
    """Enrich the results that histories show; return those that only spans show, by their call."""
    results = {event.call_id: event for event in events if event.kind == "tool_result" and event.call_id}
    after: dict[int, Event] = {}
    for span, call in matched:
        result = results.get(call.call_id or "")
        if result is None:
            new = _result_of(span, call.call_id)
            if new is not None:
                after[id(call)] = new
            continue
        result.ts = span.end if span.end is not None else result.ts
        if span.status is not UNKNOWN and result.status.ok is None:
            result.status = span.status
        if result.output in (None, "") and span.has_output:
            result.output = returned("", span.output).output
    return after


def _bind_results(events: list[Event], spans: list[Span]) -> None:
    """Tie results without an id to the one open call of their name; drop those that repeat what a span returned."""
    open_calls: dict[str, list[Event]] = {}
    shown = {canonical(returned("", span.output).output) for span in spans if span.has_output}
    kept: list[Event] = []
    answered = {event.call_id for event in events if event.kind == "tool_result" and event.call_id}
    for event in events:
        if event.kind == "tool_call" and event.call_id not in answered:
            open_calls.setdefault(event.name or "", []).append(event)
        elif event.kind == "tool_result" and event.call_id is None:
            waiting = open_calls.get(event.name or "", [])
            if event.name and len(waiting) == 1:
                call = waiting.pop()
                call.call_id = call.call_id or f"call-of-{len(kept)}"
                event.call_id = call.call_id
            elif event.name is None and canonical(event.output) in shown:
                continue
        kept.append(event)
    events[:] = kept


def _result_of(span: Span, call_id: str | None) -> Event | None:
    if not span.has_output and span.status is UNKNOWN:
        return None
    return returned(
        span.tool_name, span.output, call_id, status=span.status, ts=span.end or span.start, ref=span.span_id
    )


def _from_span(span: Span) -> tuple[Event, Event | None]:
    call_id = span.call_id or f"span-{span.span_id}"
    span.call_id = call_id
    call = called(span.tool_name, span.args, call_id, ts=span.start, ref=span.span_id)
    return call, _result_of(span, call_id)


def _insert(events: list[Event], extra: list[tuple[Span, Event, Event | None]], after: dict[int, Event]) -> None:
    """Put results behind their calls, and calls that no history shows where their time says."""
    out: list[Event] = []
    queue = list(extra)
    position = 0
    for event in events:
        while position < len(queue) and _is_before(queue[position][0].start, event):
            _, call, result = queue[position]
            out.append(call)
            if result is not None:
                out.append(result)
            position += 1
        out.append(event)
        if id(event) in after:
            out.append(after[id(event)])
    for _, call, result in queue[position:]:
        out.append(call)
        if result is not None:
            out.append(result)
    events[:] = out


def _is_before(start: Any, event: Event) -> bool:
    if event.kind == "tool_result":
        return False
    first, second = sort_key(start), sort_key(event.ts)
    return first[0] == second[0] < 2 and first < second
