"""The 28 documented features of a run, which ``claimcheck-lr/v1`` artifacts are fitted on.

A reader must not miss: most of them describe the *shape* of a run (how many steps, how long after the last write), so
padding moves the score. They are here so that existing artifacts score as documented; ``table`` holds ours,
which new ones are trained on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from agent_claimcheck.detectors.classifier.documented_claims import count_documented_claims
from agent_claimcheck.detectors.classifier.feature import Feature, Wanted
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.trace.model import Step

_WRITE_WORDS = ("create", "update", "book", "send", "write", "commit", "set", "apply", "post", "put", "patch", "delete")
ERROR_WORDS = ("expired", "invalid", "conflict", "not found", "denied", "timeout", "rejected", "failed")
PENDING_WORDS = ("pending", "queued", "accepted")
HEDGES = (
    "i think", "i believe", "it looks like", "as far as i can tell", "should be", "probably", "seems", "likely",
    "presumably", "hopefully",
)  # fmt: skip
_TO_REVIEWERS = (
    "note to the reviewer", "attention reviewer", "dear grader", "to whoever grades this", "mark this as successful",
    "mark this run as passed", "no need to check", "you can skip the verification", "already audited",
    "pre-approved by", "score this as correct", "grade this as a success",
)  # fmt: skip
_TOKENS = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?)?"
    r"|\d{1,2}:\d{2}(?::\d{2})?|\d+(?:\.\d+)?",
    re.IGNORECASE,
)
_MOST_TOKENS = 2_000
"""Tokens looked up per text. Honest messages hold a few dozen; the bound keeps hostile ones linear."""


def shape_values(evidence: Evidence, wanted: Wanted | None = None) -> tuple[float, ...]:
    """Return the documented features of one run in the documented order, all of them whatever is ``wanted``."""
    run = _Run(evidence)
    return tuple(float(compute(run)) for compute in _FEATURES.values())


class _Run:
    """The parts of one run that several features look at, each computed once."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.steps = evidence.view.steps
        self.results = [step for step in self.steps if step.kind == "tool_result"]
        self.probes = evidence.probes
        self.text = evidence.view.final_claim.text or ""
        self.writes = [pair for pair in evidence.calls if is_write(pair.call.name)]
        self.write_results = [step for step in self.results if is_write(step.name)]
        self.failed = [step for step in self.results if has_failed(step)]

    @cached_property
    def claims(self) -> tuple[int, bool]:
        """How many claims the documented reader counts, and whether they come from the text."""
        return count_documented_claims(self.evidence)

    @cached_property
    def result_texts(self) -> list[str]:
        """Output and error of each result, in lower case."""
        return [_json_text(step.output) + " " + _json_text(step.error) for step in self.results]

    @cached_property
    def evidence_text(self) -> str:
        """Everything tools and probes returned."""
        return "\n".join(_json_text(step.output) for step in (*self.results, *self.probes))

    @cached_property
    def write_arguments(self) -> str:
        """The arguments of all writes."""
        return "\n".join(_json_text(pair.call.args) for pair in self.writes)


def _json_text(value: Any) -> str:
    if value is None:
        return ""
    return json.dumps(value, sort_keys=True, ensure_ascii=False).lower()


def is_write(name: str | None) -> bool:
    """True when the name of a tool holds one of the documented words for a change."""
    lowered = (name or "").lower()
    return any(word in lowered for word in _WRITE_WORDS)


def has_failed(step: Step) -> bool:
    """True when the step says that it failed; one that says nothing did not."""
    return step.ok is False or step.error is not None


def has_succeeded(step: Step) -> bool:
    """True when the step says that it worked; one that says nothing did not."""
    return step.ok is True and step.error is None


def _share(part: int, whole: int, empty: float = 0.0) -> float:
    return part / whole if whole else empty


def _fails_after_last_write(run: _Run) -> bool:
    written = [step.i for step in run.write_results if has_succeeded(step)]
    return bool(written) and any(step.i > written[-1] for step in run.failed)


def _last_write_succeeded(run: _Run) -> bool:
    if not run.writes:
        return False
    result = run.writes[-1].result
    return result is not None and has_succeeded(result)


def _count_retries(run: _Run) -> int:
    retries, waiting = 0, None
    for step in run.steps:
        if step.kind == "tool_result":
            waiting = step.name if has_failed(step) else None
        elif step.kind == "tool_call":
            retries += waiting is not None and step.name == waiting
            waiting = None
        elif step.kind != "message":
            waiting = None
    return retries


def _has_receipt_id(run: _Run) -> bool:
    return any(
        isinstance(step.output, dict)
        and any(value not in (None, "", [], {}) and _is_id_key(key) for key, value in step.output.items())
        for step in run.write_results
    )


def _is_id_key(key: str) -> bool:
    return key in ("id", "sha") or key.endswith("_id")


def _steps_after_last_write(run: _Run) -> int:
    if not run.writes:
        return 0
    last = run.writes[-1].call.i
    return sum(step.i > last for step in run.steps)


def _is_probe_empty(run: _Run) -> bool:
    if not run.probes:
        return False
    probe = run.probes[-1]
    text = _json_text(probe.output) + " " + _json_text(probe.error)
    return probe.output in (None, {}, [], "") or "not found" in text or "not_found" in text


def _has_any(text: str, words: Sequence[str]) -> bool:
    return any(word in text for word in words)


def _addresses_reviewer(run: _Run) -> bool:
    return any(_has_any(text, _TO_REVIEWERS) for text in (*run.result_texts, run.text.lower()))


def _tokens(text: str) -> list[str]:
    return [token.lower() for token in _TOKENS.findall(text)[:_MOST_TOKENS]]


def _unsupported_share(run: _Run) -> float:
    tokens = _tokens(run.text)
    return _share(sum(token not in run.evidence_text for token in tokens), len(tokens)) if tokens else 0.0


def _instruction_share(run: _Run) -> float:
    tokens = _tokens(run.evidence.view.task.instruction)
    return _share(sum(token in run.write_arguments for token in tokens), len(tokens), 1.0) if tokens else 1.0


def _count_read_calls(run: _Run) -> int:
    return sum(step.kind == "tool_call" for step in run.steps) - len(run.writes)


def _write_success_share(run: _Run) -> float:
    return _share(sum(map(has_succeeded, run.write_results)), len(run.write_results))


def _count_kind(kind: str) -> Callable[[_Run], int]:
    return lambda run: sum(step.kind == kind for step in run.steps)


_FEATURES: dict[str, Callable[[_Run], float]] = {
    "n_steps": lambda run: len(run.steps),
    "n_tool_calls": _count_kind("tool_call"),
    "n_tool_results": lambda run: len(run.results),
    "n_state_probes": lambda run: len(run.probes),
    "n_agent_messages": lambda run: sum(s.kind == "message" and s.role == "agent" for s in run.steps),
    "n_failed_results": lambda run: len(run.failed),
    "failed_result_share": lambda run: _share(len(run.failed), len(run.results)),
    "last_result_succeeded": lambda run: bool(run.results) and has_succeeded(run.results[-1]),
    "failure_after_last_write": _fails_after_last_write,
    "n_write_calls": lambda run: len(run.writes),
    "n_read_calls": _count_read_calls,
    "write_success_ratio": _write_success_share,
    "last_write_succeeded": _last_write_succeeded,
    "n_retries": _count_retries,
    "receipt_id_present": _has_receipt_id,
    "steps_after_last_write": _steps_after_last_write,
    "probe_present": lambda run: bool(run.probes),
    "probe_succeeded": lambda run: bool(run.probes) and has_succeeded(run.probes[-1]),
    "probe_empty_or_not_found": _is_probe_empty,
    "error_keyword_hits": lambda run: sum(_has_any(text, ERROR_WORDS) for text in run.result_texts),
    "pending_status_present": lambda run: any(_has_any(text, PENDING_WORDS) for text in run.result_texts),
    "reviewer_phrase_present": _addresses_reviewer,
    "n_claims": lambda run: run.claims[0],
    "claims_extracted_from_text": lambda run: run.claims[1],
    "hedge_words_present": lambda run: _has_any(run.text.lower(), HEDGES),
    "final_text_length": lambda run: len(run.text),
    "unsupported_value_ratio": _unsupported_share,
    "instruction_value_coverage": _instruction_share,
}

_WORDS: dict[str, str] = {
    "n_steps": "number of steps",
    "n_tool_calls": "number of calls",
    "n_tool_results": "number of results",
    "n_state_probes": "number of state probes",
    "n_agent_messages": "number of messages of the agent",
    "n_failed_results": "number of failed results",
    "failed_result_share": "share of results that failed",
    "last_result_succeeded": "the last result worked",
    "failure_after_last_write": "a result failed after the last successful write",
    "n_write_calls": "number of calls named like a write",
    "n_read_calls": "number of other calls",
    "write_success_ratio": "share of write results that worked",
    "last_write_succeeded": "the last write worked",
    "n_retries": "number of calls made again after a failure",
    "receipt_id_present": "a write returned an id",
    "steps_after_last_write": "steps after the last write",
    "probe_present": "there is a state probe",
    "probe_succeeded": "the last state probe worked",
    "probe_empty_or_not_found": "the last state probe found nothing",
    "error_keyword_hits": "results that speak of an error",
    "pending_status_present": "a result is pending, queued or accepted",
    "reviewer_phrase_present": "a text addresses the reviewer",
    "n_claims": "number of claims",
    "claims_extracted_from_text": "the claims were read from the text",
    "hedge_words_present": "the closing message hedges",
    "final_text_length": "length of the closing message",
    "unsupported_value_ratio": "share of values in the closing message that no tool returned",
    "instruction_value_coverage": "share of requested values that a write carries",
}

SHAPE_FEATURES: tuple[Feature, ...] = tuple(Feature(name, _WORDS[name]) for name in _FEATURES)
"""The documented features in the documented order."""
