"""Results read back from a file, v1 or v2, JSON Lines or one JSON array.

A reader must not miss: v1 says less than v2. What it lacks is filled from ``details`` where this package wrote the
file, and from the reasons where another program did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any, Literal

import msgspec
from msgspec import Struct

from agent_claimcheck.core.byte_order_marks import UTF8_MARK
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.json_faults import explain_fault
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.detectors.contract import DetectorOutput, Reason
from agent_claimcheck.evidence.claims.contract import ClaimSource, SuccessClaim
from agent_claimcheck.evidence.contract import (
    OUTCOME_ORDER,
    RECORD_OF,
    ClaimOutcome,
    ClaimVerdict,
    FieldResult,
    Finding,
    Record,
)
from agent_claimcheck.results import v1
from agent_claimcheck.results.model import RESULT_SCHEMA, CheckResult
from agent_claimcheck.results.v2 import decode_v2
from agent_claimcheck.scoring.gate import Verdict
from agent_claimcheck.trace.parquet import MAGIC, column_names, iter_rows
from agent_claimcheck.trace.streams import name_format, open_bytes, peek

_HEAD_BYTES = 512


class _Head(Struct):
    schema: Any = None


class _V1Claim(Struct):
    type: str
    subject: dict[str, Any]
    source: Any = "extracted"
    span: tuple[int, int] | None = None


class _V1Result(Struct, kw_only=True):
    trace_id: str
    domain: str
    detector: str
    verdict: Verdict
    p_success: float | None
    p_success_raw: float | None
    calibrated: bool
    abstain: bool
    abstain_reason: str | None
    confidence: float | None
    reasons: tuple[Reason, ...]
    claims: list[_V1Claim]
    detectors: tuple[DetectorOutput, ...]
    cost_usd: float
    latency_ms: float
    cached: bool


class _V1Verdict(Struct, kw_only=True):
    claim: str
    outcome: ClaimOutcome | Literal["unknown"]
    step: int | None
    detail: str = ""
    checks: list[FieldResult] = []
    missing_subject: bool = False


_HEAD = msgspec.json.Decoder(_Head)
_V1 = msgspec.json.Decoder(_V1Result)


def read_results(path: str | Path, on_problem: Callable[[str], None] | None = None) -> Iterator[CheckResult]:
    """Yield the results in ``path``, a file or URL, in file order. gzip and zstd are unpacked, blank lines passed over.

    Parquet as written by this package is read as well, which needs pyarrow.

    A file that starts with ``[`` is one JSON array and is held in memory; anything else is read line by line.
    A result that cannot be read raises ``InputError`` naming file, line (or index) and JSON path; with ``on_problem``
    that message goes there instead and reading goes on. A file that cannot be read at all always raises.
    """
    name = printable(str(path))
    for place, made in _results_in(str(path), name):
        try:
            result = made()
        except InputError as error:
            problem = InputError(f"{place}: {error.message}", hint=error.hint)
            if on_problem is None:
                raise problem from None
            on_problem(str(problem))
        else:
            yield result


def _results_in(path: str, name: str) -> Iterator[tuple[str, Callable[[], CheckResult]]]:
    """Yield each result's place and what decodes it."""
    try:
        with open_bytes(path) as stream:
            head = peek(stream, _HEAD_BYTES)
            if not head.startswith(MAGIC):
                other = name_format(head)
                if other is not None:
                    raise InputError(f"{name}: holds no results that can be read: it is {other}")
                for place, data in _pieces(stream, name):
                    yield place, partial(_decode_result, data)
                return
    except InputError as error:
        if name in error.message:
            raise
        raise InputError(f"{name}: cannot be read: {error.message}") from None
    from agent_claimcheck.results.rows import row_result

    missing = [column for column in ("trace_id", "verdict", "reasons_json") if column not in column_names(path)]
    if missing:
        raise InputError(f"{name}: is a Parquet file without the column {missing[0]}, and holds no results")
    for number, row in enumerate(iter_rows(path), start=1):
        yield f"{name}: row {number}", partial(row_result, row)


def _decode_result(data: bytes) -> CheckResult:
    """Read one result object, v1 or v2. Raises ``InputError`` whose message holds the JSON path."""
    try:
        schema = _HEAD.decode(data).schema
        if schema == RESULT_SCHEMA:
            return decode_v2(data)
        if schema == v1.SCHEMA:
            return _lift(_V1.decode(data))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(explain_fault(error, data)) from None
    found = "a missing schema" if schema is None else shorten(printable(repr(schema)), 80)
    raise InputError(
        f"$.schema: {found} is no result format",
        hint=f"expected {v1.SCHEMA} or {RESULT_SCHEMA}; `check RUNS -o jsonl=PATH` makes results of runs",
    )


def _pieces(stream: IO[bytes], name: str) -> Iterator[tuple[str, bytes]]:
    """Yield each result's place and bytes."""
    is_first = True
    for number, raw in enumerate(stream, start=1):
        line = raw.removeprefix(UTF8_MARK).strip()
        if not line:
            continue
        if is_first and line.startswith(b"["):
            yield from _array_pieces(line + b"\n" + stream.read(), name)
            return
        is_first = False
        yield f"{name}:{number}", line


def _array_pieces(data: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    try:
        items = msgspec.json.decode(data, type=list[msgspec.Raw])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{name}: {explain_fault(error, data)}") from None
    for index, item in enumerate(items):
        yield f"{name}: result {index}", bytes(item)


def _lift(old: _V1Result) -> CheckResult:
    details = old.detectors[0].details if old.detectors else {}
    rules = _rules_details(old.detectors)
    claims = _carried(details.get("success_claims"), tuple[SuccessClaim, ...])
    if claims is None:
        claims = tuple(_lift_claim(claim) for claim in old.claims)
    verdicts = _carried(details.get("claim_verdicts"), tuple[ClaimVerdict, ...])
    if verdicts is None:
        verdicts = _lift_verdicts(rules.get("claims"), claims)
    return CheckResult(
        trace_id=old.trace_id,
        domain=_carried(details.get("domain"), str) or old.domain,
        detector=old.detector,
        verdict=old.verdict,
        p_success=old.p_success,
        p_success_raw=old.p_success_raw,
        calibrated=old.calibrated,
        abstain=old.abstain,
        abstain_reason=old.abstain_reason,
        confidence=old.confidence,
        reasons=_lift_reasons(old.reasons),
        claims=claims,
        claim_verdicts=verdicts,
        detectors=tuple(_lift_output(output) for output in old.detectors),
        record=_carried(details.get("record"), Record) or _record(old),
        findings=_carried(details.get("findings"), tuple[Finding, ...]) or (),
        suppressed=_carried(details.get("suppressed"), tuple[str, ...]) or (),
        notes=_carried(details.get("notes"), tuple[str, ...]) or (),
        file=_carried(details.get("file"), str),
        line=_carried(details.get("line"), int),
        source=_carried(details.get("source"), str),
        model=_carried(details.get("model"), str),
        task_id=_carried(details.get("task"), str),
        started_at=_carried(details.get("started_at"), str),
        ended_at=_carried(details.get("ended_at"), str),
        tools=_carried(details.get("tools"), tuple[str, ...]) or (),
        cost_usd=old.cost_usd,
        latency_ms=old.latency_ms,
        cached=old.cached,
        extra=_carried(details.get("extra"), dict[str, Any]) or {},
    )


def _carried(value: Any, wanted: Any) -> Any:
    """Return ``value`` as ``wanted``, or ``None``: details are free-form, and another program may use the same key."""
    if value is None:
        return None
    try:
        return msgspec.convert(value, wanted)
    except msgspec.ValidationError:
        return None


def _rules_details(outputs: tuple[DetectorOutput, ...]) -> dict[str, Any]:
    for output in outputs:
        if output.detector == "rules":
            return output.details
        if found := _rules_details(output.components):
            return found
    return {}


def _lift_claim(claim: _V1Claim) -> SuccessClaim:
    source: ClaimSource = "structured" if claim.source == "structured" else "extracted"
    return SuccessClaim(type=claim.type, subject=claim.subject, source=source, span=claim.span)


def _lift_verdicts(rows: Any, claims: tuple[SuccessClaim, ...]) -> tuple[ClaimVerdict, ...]:
    lifted = _carried(rows, list[_V1Verdict]) or []
    used: set[int] = set()
    verdicts = []
    for row in lifted:
        index = next((i for i, claim in enumerate(claims) if i not in used and claim.type == row.claim), None)
        if index is None:
            continue
        used.add(index)
        verdicts.append(
            ClaimVerdict(
                claim=index,
                claim_type=row.claim,
                outcome="undecided" if row.outcome == "unknown" else row.outcome,
                step=row.step,
                detail=row.detail,
                steps=() if row.step is None else (row.step,),
                checks=tuple(row.checks),
                missing_subject=row.missing_subject,
            )
        )
    return tuple(verdicts)


def _lift_reasons(reasons: tuple[Reason, ...]) -> tuple[Reason, ...]:
    return tuple(
        msgspec.structs.replace(reason, outcome="undecided") if reason.outcome == "unknown" else reason
        for reason in reasons
    )


def _lift_output(output: DetectorOutput) -> DetectorOutput:
    return msgspec.structs.replace(
        output,
        reasons=_lift_reasons(output.reasons),
        components=tuple(_lift_output(part) for part in output.components),
    )


def _record(old: _V1Result) -> Record:
    """Return the record that the reasons' outcomes show; undecided when they show none."""
    if old.verdict == "skipped":
        return "no_claim"
    outcomes = {reason.outcome for reason in _lift_reasons(old.reasons)}
    return next((RECORD_OF[outcome] for outcome in OUTCOME_ORDER if outcome in outcomes), "undecided")
