"""Builds the usual findings: on the words of a claim, on a call of the run, on the closing message.

A reader must not miss: how bad a finding is follows from what it may do (``SEVERITY_OF``). One that is shown as worse
than that says in its own file why.
"""

from __future__ import annotations

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import Finding, Power, Severity
from agent_claimcheck.trace.pairing import CallPair

SEVERITY_OF: dict[Power, Severity] = {"accuse": "fail", "review": "warn", "explain": "pass"}


def on_claim(
    finding: str,
    power: Power,
    index: int,
    claim: SuccessClaim,
    *,
    reason: str,
    steps: tuple[int, ...],
    subject: str | None = None,
) -> Finding:
    """Return the finding with the id ``finding`` on ``claim``, which is the claim number ``index`` of the evidence.

    Its subject is the type of the claim where no other is given.
    """
    return Finding(
        id=finding,
        power=power,
        severity=SEVERITY_OF[power],
        subject=claim.type if subject is None else subject,
        reason=reason,
        evidence=claim.quote or None,
        steps=steps,
        claim=index,
    )


def on_call(
    finding: str,
    power: Power,
    pair: CallPair,
    evidence: Evidence,
    *,
    reason: str,
    steps: tuple[int, ...] = (),
    subject: str | None = None,
) -> Finding:
    """Return the finding with the id ``finding`` on a call, held against the last success claim.

    Without ``steps`` it cites the step that shows what came of the call, and its subject is the tool where no other is
    given. There must be a success claim.
    """
    return Finding(
        id=finding,
        power=power,
        severity=SEVERITY_OF[power],
        subject=(pair.call.name or "") if subject is None else subject,
        reason=reason,
        steps=steps or (pair.last_step,),
        claim=evidence.last_claim[0],
    )


def on_closing(
    finding: str,
    power: Power,
    evidence: Evidence,
    *,
    reason: str,
    subject: str = "closing message",
    quote: str | None = None,
) -> Finding:
    """Return the finding with the id ``finding`` on the last message, held against the last success claim.

    ``quote`` are the words it rests on. There must be a message and a success claim.
    """
    step = evidence.closing.step if evidence.closing is not None else None
    return Finding(
        id=finding,
        power=power,
        severity=SEVERITY_OF[power],
        subject=subject,
        reason=reason,
        evidence=quote,
        steps=(step,) if step is not None else (),
        claim=evidence.last_claim[0],
    )
