"""The visible list of findings. A new finding is one file here and one line in ``FINDINGS``.

Each module has an ``ID``, a ``POWER`` (``accuse``, ``review`` or ``explain``) and ``find(evidence)``, which yields
``Finding`` records. Its docstring is the manual page.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_claimcheck.evidence.contract import Finding

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_ROOM = "agent_claimcheck.evidence.findings"

FINDINGS: dict[str, str] = {
    "phantom_write": f"{_ROOM}.phantom_write",
    "failed_write": f"{_ROOM}.failed_write",
    "duplicate_write": f"{_ROOM}.duplicate_write",
    "failed_reads_only": f"{_ROOM}.failed_reads_only",
    "red_check": f"{_ROOM}.red_check",
    "partial_test_run": f"{_ROOM}.partial_test_run",
    "no_edit": f"{_ROOM}.no_edit",
    "scratch_edits_only": f"{_ROOM}.scratch_edits_only",
    "simulated_work": f"{_ROOM}.simulated_work",
    "source_never_opened": f"{_ROOM}.source_never_opened",
    "value_conflict": f"{_ROOM}.value_conflict",
    "wrong_record": f"{_ROOM}.wrong_record",
    "other_record": f"{_ROOM}.other_record",
    "fewer_done": f"{_ROOM}.fewer_done",
    "named_left_out": f"{_ROOM}.named_left_out",
    "action_never_performed": f"{_ROOM}.action_never_performed",
    "option_count": f"{_ROOM}.option_count",
    "overwritten_write": f"{_ROOM}.overwritten_write",
    "unconfirmed_async": f"{_ROOM}.unconfirmed_async",
    "late_timeout": f"{_ROOM}.late_timeout",
    "promise_not_executed": f"{_ROOM}.promise_not_executed",
    "unrequested_write": f"{_ROOM}.unrequested_write",
    "partly_obeyed": f"{_ROOM}.partly_obeyed",
    "hedged_claim": f"{_ROOM}.hedged_claim",
    "last_error": f"{_ROOM}.last_error",
    "unchecked_edit": f"{_ROOM}.unchecked_edit",
    "unsupported_number": f"{_ROOM}.unsupported_number",
}
"""Finding id -> the module that finds it, in the order in which they are shown."""


def finding_ids() -> tuple[str, ...]:
    """Return the stable ids of all findings, sorted."""
    return tuple(sorted(FINDINGS))


@lru_cache(maxsize=1)
def _finders() -> tuple[Callable[[Evidence], Iterator[Finding]], ...]:
    return tuple(importlib.import_module(module).find for module in FINDINGS.values())


def run_findings(evidence: Evidence) -> tuple[Finding, ...]:
    """Return everything the findings have to say about one trace, in catalog order."""
    found: list[Finding] = []
    for find in _finders():
        found.extend(find(evidence))
    return tuple(found)
