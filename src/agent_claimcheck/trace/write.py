"""Writing traces: canonical agent-trace/v1, byte for byte the same for equal traces, and v2.

A reader must not miss: what is written was read back and checked first, so nothing leaves that our own reader, or any
other reader of the format, would refuse. ``where`` and ``notes`` are not written.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from agent_claimcheck.core.canonical import canonical_json
from agent_claimcheck.core.errors import TraceError
from agent_claimcheck.core.text import printable
from agent_claimcheck.trace.blocks import text_of
from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.model import Claim, FinalClaim, GroundTruth, Step, Task, Trace
from agent_claimcheck.trace.versions import down

Version = Literal["v1", "v2"]

_STEP_V1 = ("i", "ts", "kind", "role", "name", "content", "args", "ok", "output", "error")
_STEP_EXTRAS = tuple(name for name in Step.__struct_fields__ if name not in _STEP_V1)
_TASK_V1 = ("id", "domain", "instruction")
_TASK_EXTRAS = tuple(name for name in Task.__struct_fields__ if name not in _TASK_V1)
_TRACE_V1 = ("trace_id", "source", "task", "steps", "final_claim", "ground_truth", "meta")
_TRACE_EXTRAS = tuple(name for name in Trace.__struct_fields__ if name not in (*_TRACE_V1, "where", "notes"))


def to_json(trace: Trace, version: Version = "v1") -> bytes:
    """Return ``trace`` as one line without its line feed: keys sorted, no spaces, non-ASCII characters kept.

    In v1 every step has all ten fields, ``null`` where absent; ``ground_truth`` and ``meta`` are left out when absent;
    what v1 cannot say goes to the sidecar (see ``versions``). v2 adds only the fields that are set. Raises
    ``TraceError`` when the trace breaks the format, naming every fault, and ``InputError`` when it is no JSON.
    """
    data = canonical_json(to_builtins(trace, version))
    checked = decode_trace(data, file=trace.where.file if trace.where else "<trace>", line=0, lift=False)
    if isinstance(checked, list):
        faults = "; ".join(printable(f"{fault.path}: {fault.message}") for fault in checked)
        raise TraceError(f"trace {printable(trace.trace_id)!r} cannot be written as agent-trace/{version}: {faults}")
    return data


def to_builtins(trace: Trace, version: Version = "v1") -> dict[str, Any]:
    """Return ``trace`` as the plain dicts and lists of a JSON document of that version. Nothing is checked."""
    if version == "v1":
        trace = down(trace)
    result: dict[str, Any] = {
        "schema": f"agent-trace/{version}",
        "trace_id": trace.trace_id,
        "source": trace.source,
        "task": _plain_with_extras(trace.task, _TASK_V1, _TASK_EXTRAS),
        "steps": [_plain_step(step) for step in trace.steps],
        "final_claim": _plain_final(trace.final_claim),
    }
    if trace.ground_truth is not None:
        result["ground_truth"] = _plain_truth(trace.ground_truth)
    if trace.meta is not None:
        result["meta"] = trace.meta
    for name in _TRACE_EXTRAS:
        value = getattr(trace, name)
        if value is not None:
            result[name] = msgspec.to_builtins(value)
    return result


def _plain_with_extras(record: msgspec.Struct, always: tuple[str, ...], extras: tuple[str, ...]) -> dict[str, Any]:
    result = {name: getattr(record, name) for name in always}
    for name in extras:
        value = getattr(record, name)
        if value is not None:
            result[name] = value
    return result


def _plain_step(step: Step) -> dict[str, Any]:
    result = _plain_with_extras(step, _STEP_V1, _STEP_EXTRAS)
    if step.blocks is not None and step.content == text_of(step.blocks):
        result["content"] = result.pop("blocks")
    return result


def _plain_final(final: FinalClaim) -> dict[str, Any]:
    result = _plain_with_extras(final, ("text",), ("step", "source"))
    result["claims"] = [_plain_claim(claim) for claim in final.claims]
    return result


def _plain_claim(claim: Claim) -> dict[str, Any]:
    return _plain_with_extras(claim, ("type", "subject"), ("quote", "step"))


def _plain_truth(truth: GroundTruth) -> dict[str, Any]:
    return _plain_with_extras(truth, ("outcome", "checked_by"), ("details",))
