"""The visible list of findings. A new finding is one file here, called like it, and one line in ``FINDINGS``.

Each module has an ``ID``, a ``POWER`` (``accuse``, ``review`` or ``explain``) and ``find(evidence)``, which yields
``Finding`` records. One that says how much of a claim the record shows has ``SHOWS`` too (``nothing`` or a ``part``), and one
that accuses a claim in whatever words it was told has ``OF_ANY_WORDS``. Its docstring is the manual page.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agent_claimcheck.evidence.contract import Finding, Shows
from agent_claimcheck.evidence.findings.facts import (
    CALL,
    CLAIM,
    CLOSED,
    DONE,
    FAILED,
    HEARD,
    IN_VAIN,
    MESSAGE,
    ONE_TURN,
    ORDERS,
    SEVERAL_DONE,
    SHELL,
    TESTS,
    TOOLS,
    WAITING,
    facts_of,
)

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_ROOM = "agent_claimcheck.evidence.findings"

FINDINGS: dict[str, int] = {
    "phantom_write": CLAIM | TOOLS | CLOSED,
    "failed_write": HEARD | TOOLS | FAILED,
    "duplicate_write": CLAIM | TOOLS | SEVERAL_DONE,
    "failed_reads_only": CLAIM | TOOLS | CALL | IN_VAIN,
    "red_check": CLAIM | CALL,
    "partial_test_run": TESTS,
    "no_edit": CLAIM | SHELL | CLOSED | IN_VAIN,
    "scratch_edits_only": CLAIM | SHELL | CLOSED,
    "simulated_work": CLAIM | SHELL | CALL,
    "lost_code": CLAIM | SHELL | CALL,
    "left_to_do": CLAIM | SHELL,
    "forbidden_act": CLAIM | SHELL | CALL | ONE_TURN,
    "check_cannot_tell": CLAIM | SHELL | CALL | MESSAGE,
    "asked_tool_failed": CLAIM | SHELL | CLOSED,
    "source_never_opened": CLAIM | TOOLS | CLOSED | ONE_TURN,
    "value_conflict": HEARD | TOOLS,
    "wrong_record": CLAIM | TOOLS | DONE,
    "other_record": HEARD | TOOLS | CLOSED | DONE,
    "told_amount": CLAIM | TOOLS | DONE | MESSAGE,
    "told_detail": HEARD | TOOLS | DONE | MESSAGE,
    "fewer_done": CLAIM | TOOLS | CLOSED,
    "named_left_out": HEARD | TOOLS | CLOSED,
    "action_never_performed": CLAIM | TOOLS | CLOSED | ONE_TURN,
    "acted_on_another": CLAIM | TOOLS | SEVERAL_DONE | MESSAGE,
    "call_only_written": CLAIM | TOOLS | CALL | MESSAGE,
    "option_count": MESSAGE,
    "overwritten_write": CLAIM | TOOLS,
    "unconfirmed_async": CLAIM | WAITING,
    "late_timeout": CLAIM | SHELL,
    "promise_not_executed": CLAIM | MESSAGE,
    "unrequested_write": ORDERS,
    "partly_obeyed": ORDERS,
    "hedged_claim": CLAIM | MESSAGE,
    "last_error": CLAIM | CALL,
    "unchecked_edit": CLAIM | SHELL,
    "unsupported_number": CLAIM | CALL | MESSAGE,
}
"""Finding id -> the facts about a run without which it is not looked for, in the order in which they are shown."""


def finding_ids() -> tuple[str, ...]:
    """Return the stable ids of all findings, sorted."""
    return tuple(sorted(FINDINGS))


def module_of(finding_id: str) -> Any:
    """Return the module that finds it."""
    return importlib.import_module(f"{_ROOM}.{finding_id}")


@lru_cache(maxsize=256)
def shows(finding_id: str) -> Shows | None:
    """Return how much of a claim the record shows, by what this finding says of it; ``None`` when it says something else."""
    shown: Shows | None = getattr(module_of(finding_id), "SHOWS", None)
    return shown


@lru_cache(maxsize=256)
def holds_of_any_words(finding_id: str) -> bool:
    """True for a finding that accuses a claim that was hardly heard too, in other words than those of a deed."""
    return getattr(module_of(finding_id), "OF_ANY_WORDS", False)


@lru_cache(maxsize=1)
def _finders() -> tuple[tuple[int, Callable[[Evidence], Iterator[Finding]]], ...]:
    return tuple((needs, module_of(finding_id).find) for finding_id, needs in FINDINGS.items())


def run_findings(evidence: Evidence) -> tuple[Finding, ...]:
    """Return everything the findings have to say about one trace, in catalog order."""
    facts = facts_of(evidence)
    found: list[Finding] = []
    for needs, find in _finders():
        if needs & facts == needs:
            for finding in find(evidence):  # ``extend`` would make room for several each time, and nearly all find none
                found.append(finding)
    return tuple(found)
