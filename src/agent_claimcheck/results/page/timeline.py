"""The steps of a trace as a page shows them: every call beside its result, with what cites it.

A reader must not miss: a step appears exactly once. A result lies inside the entry of its call; one that belongs to no
call, and everything else, is an entry of its own, in the order of the trace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from agent_claimcheck.evidence.receipts.reading import read_receipt
from agent_claimcheck.results.page.shown import Shown
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import CallPair, pair

Entry = dict[str, Any]
Spans = Mapping[int, Sequence[tuple[int, int, int]]]

MAX_ENTRIES = 2_000
"""Entries of one timeline; a longer run is cut and says so."""

_DAY_S = 86_400


def timeline(steps: Sequence[Step], spans: Spans, shown: Shown) -> tuple[list[Entry], int]:
    """Return the entries of ``steps`` and how many were left out. ``spans`` marks claims in messages, by step."""
    pairing = pair(steps)
    by_call = {id(found.call): found for found in pairing.calls}
    inside = {id(result) for found in pairing.calls for result in found.results}
    again = _called_again(pairing.calls)
    entries: list[Entry] = []
    left_out = 0
    for step in steps:
        if id(step) in inside:
            continue
        if len(entries) >= MAX_ENTRIES:
            left_out += 1
            continue
        found = by_call.get(id(step))
        if found is not None:
            entries.append(_call(found, again.get(step.i), shown))
        else:
            entries.append(_single(step, spans.get(step.i, ()), shown))
    return entries, left_out


def _called_again(calls: Sequence[CallPair]) -> dict[int, int]:
    """Return for each call the step of the next call of the same tool by the same agent."""
    following: dict[tuple[str | None, str | None], int] = {}
    again: dict[int, int] = {}
    for found in reversed(calls):
        key = (found.call.agent_id, found.call.name)
        if key in following:
            again[found.call.i] = following[key]
        following[key] = found.call.i
    return again


def _call(found: CallPair, called_again: int | None, shown: Shown) -> Entry:
    call = found.call
    state = read_receipt(call, found.result).state if found.result is not None else "missing"
    entry = _head(call, "call", shown)
    entry["state"] = state
    if call.args or call.raw_args:
        entry["args"] = shown.value(call.args if call.args else call.raw_args)
    if call.content:
        entry["content"] = [{"t": shown.text(call.content)}]
    if found.is_ambiguous:
        entry["ambiguous"] = True
    if state == "failed" and called_again is not None:
        entry["retried"] = called_again
    entry["results"] = [_result(call, result, shown) for result in found.results]
    return entry


def _result(call: Step, result: Step, shown: Shown) -> Entry:
    entry = _head(result, "result", shown)
    elapsed = _elapsed_ms(call, result)
    if elapsed is not None:
        entry["ms"] = elapsed
    return entry | _body(result, shown)


def _single(step: Step, spans: Sequence[tuple[int, int, int]], shown: Shown) -> Entry:
    kinds = {"tool_result": "orphan", "state_probe": "probe"}
    entry = _head(step, kinds.get(step.kind, step.kind), shown)
    if step.content:
        entry["content"] = shown.marked(step.content, spans)
    if step.args:
        entry["args"] = shown.value(step.args)
    return entry | _body(step, shown, has_content=True)


def _head(step: Step, kind: str, shown: Shown) -> Entry:
    entry: Entry = {"i": step.i, "kind": kind, "role": step.role}
    if step.name:
        entry["name"] = shown.text(step.name)
    if step.ts_source not in ("synthetic", "inherited"):
        entry["ts"] = shown.text(step.ts)
    if step.agent_id:
        entry["agent"] = shown.text(step.agent_id)
    return entry


def _body(step: Step, shown: Shown, *, has_content: bool = False) -> Entry:
    body: Entry = {}
    if step.content and not has_content:
        body["content"] = [{"t": shown.text(step.content)}]
    if step.ok is not None:
        body["ok"] = step.ok
    if step.status not in (None, "ok", "unknown"):
        body["status"] = step.status
    if step.exit_code is not None:
        body["exit"] = step.exit_code
    if step.output is not None:
        body["output"] = shown.value(step.output)
    if step.error is not None:
        body["error"] = shown.value(step.error)
    return body


def _elapsed_ms(call: Step, result: Step) -> int | None:
    if call.ts_source not in (None, "recorded") or result.ts_source not in (None, "recorded"):
        return None
    try:
        elapsed = (datetime.fromisoformat(result.ts) - datetime.fromisoformat(call.ts)).total_seconds()
    except (ValueError, TypeError):
        return None
    return round(elapsed * 1000) if 0 <= elapsed < _DAY_S else None
