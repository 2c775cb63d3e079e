"""One trace and its result as the rows of the store.

A reader must not miss: the label is taken out here and kept apart, so that no query over items or texts can show it.
"""

from __future__ import annotations

import re
import zlib
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.text import printable, shorten, storable
from agent_claimcheck.evidence.claims.scripts import identify
from agent_claimcheck.results.encoding import encode, plain
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.page.present import flatten, learned_score, top_reason
from agent_claimcheck.results.v2 import decode_v2, encode_v2
from agent_claimcheck.trace.model import GroundTruth, Trace

_LINE = 160
_NAME = 80
_MOST_FACETS = 200
_LEVEL = 1
"""Compression: the fastest level already makes a trace four times smaller."""

_WORDS = re.compile(r"[^\W\d_]+")
_TRACE = msgspec.json.Decoder(Trace)
_LABEL = msgspec.json.Decoder(GroundTruth)


class ItemRow(Struct, frozen=True, kw_only=True):
    """What the lists need to know about one trace. ``kind`` groups traces that pose the same question.

    ``order_p`` is the score that orders the queue: ``p``, or a learned score where the detectors abstained and ``p`` is
    only their base rate.
    """

    trace_id: str
    verdict: str
    record: str
    domain: str
    source: str
    language: str
    detector: str
    p: float | None
    order_p: float | None
    started_at: str
    why: str
    asked: str
    claims: int
    findings: int
    kind: str


def item_row(trace: Trace | None, result: CheckResult) -> ItemRow:
    """Return the row of one result."""
    claims = sorted({claim.type for claim in result.claims})
    findings = sorted({finding.id for finding in result.findings})
    said = (trace.final_claim.text or "") if trace else ""
    return ItemRow(
        trace_id=storable(result.trace_id),
        verdict=result.verdict,
        record=result.record,
        domain=_name(result.domain),
        source=_name(result.source or "unknown"),
        language=language_of(said),
        detector=_name(result.detector),
        p=result.p_success,
        order_p=_order_score(result),
        started_at=storable(result.started_at or "")[:_NAME],
        why=_line(top_reason(result)),
        asked=_line(trace.task.instruction if trace else ""),
        claims=len(result.claims),
        findings=len(result.findings),
        kind=storable("|".join((result.record, *claims[:20], *findings[:20])))[:400],
    )


def _order_score(result: CheckResult) -> float | None:
    if not result.abstain:
        return result.p_success
    scores = (learned_score(output) for output in flatten(result.detectors))
    return next((score for score in scores if score is not None), result.p_success)


def facets(trace: Trace | None, result: CheckResult) -> list[tuple[str, str]]:
    """Return ``(kind, value)`` for everything an item has several of: ``finding``, ``claim`` and ``tool``."""
    pairs = {("finding", _name(finding.id)) for finding in result.findings}
    pairs |= {("claim", _name(claim.type)) for claim in result.claims}
    if trace is not None:
        tools = {step.name for step in trace.steps if step.kind == "tool_call" and step.name}
        pairs |= {("tool", _name(name)) for name in tools}
    return sorted(pairs)[:_MOST_FACETS]


def language_of(text: str) -> str:
    """Return the code of the language ``text`` is written in, ``none`` for no text, ``unknown`` where nobody can tell."""
    low = text[:4000].lower()
    words = _WORDS.findall(low)
    return (identify(low, words, set(words)).code or "unknown") if words else "none"


def pack_trace(trace: Trace | None) -> tuple[bytes | None, bytes | None]:
    """Return the trace without its label, compressed, and the label; ``None`` where there is none."""
    if trace is None:
        return None, None
    label = encode(trace.ground_truth) if trace.ground_truth is not None else None
    return zlib.compress(_encode_trace(replace(trace, ground_truth=None)), _LEVEL), label


def unpack_trace(packed: bytes) -> Trace:
    """Return the trace that ``pack_trace`` packed."""
    return _TRACE.decode(zlib.decompress(packed))


def unpack_label(packed: bytes | None) -> GroundTruth | None:
    """Return the label that ``pack_trace`` set apart."""
    return _LABEL.decode(packed) if packed is not None else None


def pack_result(result: CheckResult) -> bytes:
    """Return the result, compressed."""
    return zlib.compress(encode_v2(result), _LEVEL)


def unpack_result(packed: bytes) -> CheckResult:
    """Return the result that ``pack_result`` packed."""
    return decode_v2(zlib.decompress(packed))


def _encode_trace(trace: Trace) -> bytes:
    try:
        return msgspec.json.encode(trace)
    except (TypeError, ValueError, OverflowError, RecursionError):
        copy: dict[str, Any] = plain(trace)
        return msgspec.json.encode(copy)


def _name(text: str) -> str:
    return storable(printable(shorten(text, _NAME)))


def _line(text: str) -> str:
    return storable(printable(" ".join(shorten(text, _LINE).split())))
