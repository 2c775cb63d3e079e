"""Single features of a run that must not give away its label: lengths, counts, shares and marks of its shape.

A reader must not miss: these are measured to show that the data set does not leak, not to detect anything. They read no
label and take no notice of what a value means.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from agent_claimcheck.detectors.classifier.shape import (
    ERROR_WORDS,
    HEDGES,
    PENDING_WORDS,
    has_failed,
    has_succeeded,
    is_write,
)
from agent_claimcheck.trace.model import Step, Trace

_VALUES = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?|\d{1,2}:\d{2}(?::\d{2})?|\d+(?:\.\d+)?"
)


class RunShape:
    """One run seen from outside. Every measure is a number; marks are 0 or 1."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.steps = trace.steps
        self.calls = [s for s in trace.steps if s.kind == "tool_call"]
        self.results = [s for s in trace.steps if s.kind == "tool_result"]
        self.probes = [s for s in trace.steps if s.kind == "state_probe"]
        self.text = trace.final_claim.text or ""
        self.failed = [s for s in self.results if has_failed(s)]
        self.writes = [s for s in self.calls if is_write(s.name)]
        self.write_results = [s for s in self.results if is_write(s.name)]

    @cached_property
    def evidence_text(self) -> str:
        """Everything tools and probes returned, as lower-case JSON."""
        return "\n".join(_json_text(s.output) for s in (*self.results, *self.probes))

    @cached_property
    def write_args_text(self) -> str:
        """The arguments of all writes, as lower-case JSON."""
        return "\n".join(_json_text(s.args) for s in self.writes)

    @cached_property
    def result_text(self) -> str:
        """Outputs and errors of all results, as lower-case JSON."""
        return "\n".join(_json_text(s.output) + _json_text(s.error) for s in self.results)

    def messages(self, role: str) -> list[Step]:
        """Return the messages of one side."""
        return [s for s in self.steps if s.kind == "message" and s.role == role]

    def last_write_index(self) -> int:
        """Return the place of the last write call, -1 without one."""
        return max((k for k, s in enumerate(self.steps) if s.kind == "tool_call" and is_write(s.name)), default=-1)


def measure(trace: Trace) -> dict[str, float]:
    """Return every single feature of ``trace`` by name."""
    shape = RunShape(trace)
    return {name: float(feature(shape)) for name, feature in FEATURES.items()}


def _json_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False).lower()


def _share_missing(tokens: list[str], text: str) -> float:
    return sum(token.lower() not in text for token in tokens) / len(tokens) if tokens else 0.0


def _share(marks: Iterable[bool]) -> float:
    found = list(marks)
    return sum(found) / len(found) if found else 0.0


def _count_error_words(shape: RunShape) -> int:
    return sum(_count_words(_json_text(r.output) + _json_text(r.error), ERROR_WORDS) for r in shape.results)


def _count_words(text: str, words: tuple[str, ...]) -> int:
    return sum(word in text for word in words)


def _fails_after_last_good_write(shape: RunShape) -> bool:
    last = max((s.i for s in shape.write_results if has_succeeded(s)), default=None)
    return last is not None and any(s.i > last for s in shape.failed)


def _count_retries(shape: RunShape) -> int:
    retries, waiting = 0, None
    for step in shape.steps:
        if step.kind == "tool_result":
            waiting = step.name if has_failed(step) else None
        elif step.kind == "tool_call":
            retries += step.name == waiting
            waiting = None
    return retries


def _has_receipt_id(shape: RunShape) -> bool:
    return any(
        isinstance(s.output, dict) and any(v and (k in ("id", "sha") or k.endswith("_id")) for k, v in s.output.items())
        for s in shape.write_results
    )


def _is_last_write_good(shape: RunShape) -> bool:
    return bool(shape.write_results) and has_succeeded(shape.write_results[-1])


def _is_last_probe_empty(shape: RunShape) -> bool:
    if not shape.probes:
        return False
    last = shape.probes[-1]
    text = _json_text(last.output) + _json_text(last.error)
    return last.output in (None, {}, [], "") or "not found" in text or "not_found" in text


def _steps_after_last_write(shape: RunShape) -> int:
    last = shape.last_write_index()
    return len(shape.steps) - 1 - last if last >= 0 else 0


FEATURES: dict[str, Callable[[RunShape], float]] = {
    "n_steps": lambda s: len(s.steps),
    "n_tool_calls": lambda s: len(s.calls),
    "n_tool_results": lambda s: len(s.results),
    "n_state_probes": lambda s: len(s.probes),
    "n_agent_messages": lambda s: len(s.messages("agent")),
    "n_user_messages": lambda s: len(s.messages("user")),
    "n_failed_results": lambda s: len(s.failed),
    "failed_result_share": lambda s: _share(map(has_failed, s.results)),
    "last_result_succeeded": lambda s: bool(s.results) and has_succeeded(s.results[-1]),
    "failure_after_last_write": _fails_after_last_good_write,
    "n_write_calls": lambda s: len(s.writes),
    "n_read_calls": lambda s: len(s.calls) - len(s.writes),
    "n_distinct_tools": lambda s: len({c.name for c in s.calls}),
    "write_success_ratio": lambda s: _share(map(has_succeeded, s.write_results)),
    "last_write_succeeded": _is_last_write_good,
    "n_retries": _count_retries,
    "receipt_id_present": _has_receipt_id,
    "steps_after_last_write": _steps_after_last_write,
    "probe_present": lambda s: bool(s.probes),
    "probe_succeeded": lambda s: bool(s.probes) and has_succeeded(s.probes[-1]),
    "probe_empty_or_not_found": _is_last_probe_empty,
    "error_keyword_hits": _count_error_words,
    "pending_status_present": lambda s: _count_words(s.result_text, PENDING_WORDS) > 0,
    "undeclared_result_share": lambda s: _share(r.ok is None for r in s.results),
    "n_claims": lambda s: len(s.trace.final_claim.claims),
    "claims_from_text": lambda s: not s.trace.final_claim.claims,
    "hedge_words_present": lambda s: _count_words(s.text.lower(), HEDGES) > 0,
    "final_text_length": lambda s: len(s.text),
    "instruction_length": lambda s: len(s.trace.task.instruction),
    "non_ascii_share": lambda s: _share(c > "\x7f" for c in s.text),
    "n_parallel_calls": lambda s: sum(c.parallel_group is not None for c in s.calls),
    "n_agents": lambda s: len(s.trace.agents or ()),
    "unsupported_value_ratio": lambda s: _share_missing(_VALUES.findall(s.text), s.evidence_text),
    "instruction_value_coverage": lambda s: 1 - _share_missing(_VALUES.findall(s.trace.task.instruction), s.write_args_text),
    "trace_size": lambda s: len(s.result_text) + len(s.write_args_text),
}  # fmt: skip
