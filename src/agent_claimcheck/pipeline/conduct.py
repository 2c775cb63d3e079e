"""The conduct checks on a trace: their reports as plain values, to stand beside the claim verdict in one result.

A reader must not miss: they run offline here, on the label-free view that the verdict was made from. ``attest run`` asks a
model.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from agent_claimcheck.checks.contract import Check, CheckRequest
from agent_claimcheck.checks.trace_run import run_from_trace
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.pipeline.catalog import select_checks


def conduct_reports(evidence: Evidence, names: Sequence[str]) -> dict[str, Any]:
    """Return the report of every named check. Raises ``UsageError`` for a name that is none."""
    run = run_from_trace(evidence.view)
    request = CheckRequest(evidence=evidence, unavailable="check --with asks no model")
    return {name: check(run, request).to_dict() for name, check in _selected(tuple(names))}


@lru_cache(maxsize=8)
def _selected(names: tuple[str, ...]) -> tuple[tuple[str, Check], ...]:
    return tuple(zip(names, select_checks(names), strict=True))
