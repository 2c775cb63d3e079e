"""What there is in a run, as bits of one number: a finding whose needs are not all there is not looked for.

A reader must not miss: what the catalog says a finding needs, its ``find`` takes for granted and does not ask again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_claimcheck.evidence.asked.untrusted import directives
from agent_claimcheck.evidence.claims.contract import SURE_CLAIM

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

CLAIM = 1
"""Something is claimed as done."""
HEARD = 2
"""Such a claim was surely heard in the words of the agent, as distinct from a declared one."""
TESTS = 4
"""Tests are claimed to pass."""
MESSAGE = 8
"""The agent said something."""
CALL = 16
"""A tool was called."""
CLOSED = 32
"""The record shows every call."""
SHELL = 64
"""The agent worked in a shell or an editor."""
TOOLS = 128
"""It did not."""
DONE = 256
"""A write surely worked."""
FAILED = 512
"""A write surely failed."""
WAITING = 1024
"""A write was accepted, and nothing is known of its end."""
IN_VAIN = 2048
"""No write may have worked: there was none, or all of them surely failed."""
ONE_TURN = 4096
"""The user spoke once at most."""
ORDERS = 8192
"""The text of a tool asks the agent for something."""
SEVERAL_DONE = 16384
"""More than one write surely worked."""


def facts_of(evidence: Evidence) -> int:
    """Return the facts that hold for the run, joined by ``|``."""
    facts = SHELL if evidence.is_shell_run else TOOLS
    if directives(evidence):
        facts |= ORDERS
    if evidence.messages:
        facts |= MESSAGE
    if not evidence.success_claims:
        return facts  # of what follows, nothing is asked for without a claim
    facts |= CLAIM
    for _, claim in evidence.success_claims:
        if claim.type == "tests_passed":
            facts |= TESTS
        if claim.source == "extracted" and claim.confidence >= SURE_CLAIM:
            facts |= HEARD
    if evidence.calls:
        facts |= CALL
    if evidence.is_closed_world:
        facts |= CLOSED
    if len(evidence.user_texts) < 2:
        facts |= ONE_TURN
    return facts | _facts_of_writes(evidence)


def _facts_of_writes(evidence: Evidence) -> int:
    writes = evidence.sorted_writes
    facts = IN_VAIN if len(writes.failed) == len(evidence.writes) else 0
    if writes.done:
        facts |= DONE | SEVERAL_DONE if len(writes.done) > 1 else DONE
    if writes.failed:
        facts |= FAILED
    if writes.waiting:
        facts |= WAITING
    return facts
