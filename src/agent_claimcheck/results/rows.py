"""A result as one flat row: for Parquet, data frames and SQL.

A reader must not miss: what is nested is JSON text in a column of its own, so the columns never depend on the data, and a
row holds everything a result does.
"""

from __future__ import annotations

from typing import Any

import msgspec

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.text import printable
from agent_claimcheck.results.encoding import encode, plain
from agent_claimcheck.results.model import RESULT_SCHEMA, CheckResult
from agent_claimcheck.results.reasons import deciding_reason
from agent_claimcheck.results.v2 import decode_v2

JSON_FIELDS = ("reasons", "claims", "claim_verdicts", "detectors", "findings", "suppressed", "notes", "extra")
"""Columns that hold JSON text, each under its name plus ``_json``."""

COLUMNS: dict[str, str] = {
    "trace_id": "string",
    "domain": "string",
    "detector": "string",
    "verdict": "string",
    "record": "string",
    "p_success": "double",
    "p_success_raw": "double",
    "calibrated": "bool",
    "abstain": "bool",
    "abstain_reason": "string",
    "confidence": "double",
    "top_reason": "string",
    "claim_types": "list<string>",
    "finding_ids": "list<string>",
    "tools": "list<string>",
    "source": "string",
    "model": "string",
    "task": "string",
    "started_at": "string",
    "ended_at": "string",
    "file": "string",
    "line": "int64",
    "cost_usd": "double",
    "latency_ms": "double",
    "cached": "bool",
    **{f"{name}_json": "string" for name in JSON_FIELDS},
}
"""Every column and its type, in order."""

_DERIVED = ("top_reason", "claim_types", "finding_ids")
_JSON = {f"{name}_json": name for name in JSON_FIELDS}


def result_row(result: CheckResult) -> dict[str, Any]:
    """Return ``result`` as a flat mapping with the keys of ``COLUMNS``, always all of them, in the same order.

    Times are text as the trace wrote them. ``top_reason``, ``claim_types`` and ``finding_ids`` repeat, for queries, what
    the JSON columns hold.
    """
    reason = deciding_reason(result)
    derived = {
        "top_reason": reason.detail if reason is not None else None,
        "claim_types": sorted({claim.type for claim in result.claims}),
        "finding_ids": sorted({finding.id for finding in result.findings}),
        "tools": list(result.tools),
        "task": result.task_id,
    }
    row: dict[str, Any] = {}
    for column in COLUMNS:
        if column in _JSON:
            row[column] = encode(getattr(result, _JSON[column])).decode("utf-8", "replace")
        else:
            row[column] = plain(derived[column] if column in derived else getattr(result, column))
    return row


def row_result(row: dict[str, Any]) -> CheckResult:
    """Return the result that a row was made from. Raises ``InputError`` for a row that is none."""
    fields: dict[str, Any] = {"schema": RESULT_SCHEMA}
    for column in COLUMNS:
        value = row.get(column)
        if column in _JSON:
            fields[_JSON[column]] = msgspec.Raw(value.encode() if isinstance(value, str) else b"null")
        elif column not in _DERIVED:
            fields[column] = value
    try:
        return decode_v2(msgspec.json.encode(fields))
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InputError(f"is no result: {printable(str(error))}") from None
