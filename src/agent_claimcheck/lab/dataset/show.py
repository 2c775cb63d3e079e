"""A run laid out for reading in a terminal, label included.

A reader must not miss: every text passes through ``printable``, so nothing in a run can act on the terminal.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.trace.model import Step, Trace

_VALUE_LIMIT = 1000
_LINE_LIMIT = 100


def list_line(trace: Trace) -> str:
    """Return one line that names a run, its domain, its label and its kind."""
    truth = trace.ground_truth
    details = (truth.details if truth else None) or {}
    kind = details.get("injection")
    shown = details.get("variant") if kind in (None, "none") else kind
    words = [trace.trace_id, trace.task.domain, truth.outcome if truth else "unlabelled", str(shown or "-")]
    return "  ".join(shorten(printable(word), 60) for word in words)


def show_trace(trace: Trace) -> Iterator[str]:
    """Yield the lines that show ``trace``: request, steps, final message, claims and label."""
    yield list_line(trace)
    yield from _block("request", trace.task.instruction)
    for step in trace.steps:
        yield from _show_step(step)
    yield from _block("final", trace.final_claim.text or "(no message)")
    for claim in trace.final_claim.claims:
        yield f"  claims {printable(claim.type)} {_json(claim.subject)}"
    if trace.ground_truth is not None:
        truth = trace.ground_truth
        yield f"label   {truth.outcome}, checked by {truth.checked_by} {_json(truth.details or {})}"


def _show_step(step: Step) -> Iterator[str]:
    who = " ".join(word for word in (step.kind, step.role, step.agent_id, step.name) if word)
    marks = "" if step.ok is None else "  ok" if step.ok else "  FAILED"
    group = f"  in parallel ({step.parallel_group})" if step.parallel_group else ""
    yield printable(f"[{step.i}] {who}{marks}{group}")
    if step.content is not None:
        yield from _block("", step.content)
    for name in ("args", "output", "error"):
        value = getattr(step, name)
        if value is not None:
            yield f"      {name}: {_json(value)}"


def _block(label: str, text: str) -> Iterator[str]:
    lines = shorten(text, 20 * _VALUE_LIMIT).splitlines() or [""]
    for k, line in enumerate(lines[:_LINE_LIMIT]):
        yield printable(f"{label if k == 0 else '':<8}{line}")
    if len(lines) > _LINE_LIMIT:
        yield f"        ({len(lines) - _LINE_LIMIT} more lines)"


def _json(value: Any) -> str:
    return printable(shorten(json.dumps(value, ensure_ascii=False, sort_keys=True), _VALUE_LIMIT))
