"""Deeds that the answer tells and the calls refute: "booked" after a refusal, "all tests pass" after a red run.

A reader must not miss: values may all stand in the evidence while the deed was refused. Only findings that may accuse
count, without any rule pack, and only against the statement that tells the deed.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent_claimcheck.checks.faithfulness.statements import Statement
from agent_claimcheck.checks.run import Run
from agent_claimcheck.checks.run_view import view_of_run
from agent_claimcheck.core.text import shorten
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import HEARD_CLAIM, SuccessClaim
from agent_claimcheck.evidence.contract import Finding
from agent_claimcheck.evidence.findings import simulated_work

_QUOTED = 400  # characters of a result that a finding repeats as its evidence


class RefutedDeed(Struct, frozen=True, kw_only=True):
    """A deed told in the answer at ``[start, end)``, why it did not happen, and the run's step that shows it.

    ``evidence`` is what that step returned, never the refuted words themselves.
    """

    start: int
    end: int
    reason: str
    step: int | None
    evidence: str | None

    def is_told_in(self, statement: Statement) -> bool:
        """True when ``statement`` tells this deed."""
        return self.start < statement.start + len(statement.text) and statement.start < self.end


def refuted_deeds(run: Run) -> Sequence[RefutedDeed]:
    """Return the deeds of the final answer that the calls of ``run`` refute, in the order of the findings."""
    if not run.steps:
        return ()
    view, numbers = view_of_run(run)
    evidence = Evidence(view)
    last = view.steps[-1].i
    answer = view.final_claim.text or ""
    returned = {number: call.output.strip() for _, number, call, _ in run.placed_calls()}
    refuted = []
    for finding in evidence.findings:
        if finding.power != "accuse" or finding.claim is None:
            continue
        claim = evidence.claims[finding.claim]
        if claim.confidence < HEARD_CLAIM or claim.span is None or claim.step not in (last, None):
            continue
        span = _told_at(finding, claim, answer)
        if span is None:
            continue
        step = next((numbers[step] for step in finding.steps if step in numbers), None)
        quote = finding.evidence
        if quote is None or (quote in answer and finding.id != simulated_work.ID):
            quote = shorten(returned.get(step, ""), _QUOTED) if step is not None else None
        refuted.append(
            RefutedDeed(start=span[0], end=span[1], reason=finding.reason, step=step, evidence=quote or None)
        )
    return refuted


def _told_at(finding: Finding, claim: SuccessClaim, answer: str) -> tuple[int, int] | None:
    """Return where the words stand that ``finding`` refutes: other words than those of the claim it is held against, if any."""
    quote = finding.evidence
    if finding.id == simulated_work.ID:  # its quotation owns up to the stand-in: what it refutes is the claim
        return claim.span
    if not quote or quote == claim.quote or claim.quote in quote:
        return claim.span
    at = answer.find(quote)
    return (at, at + len(quote)) if at >= 0 else None
