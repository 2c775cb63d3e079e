"""Claims that no pack maps: what the record alone shows about them.

A reader must not miss: without a pack only a core finding may accuse, or a state probe of the very record. A matching call
that worked makes the claim *supported*, which says that the agent did what it said, not that the task succeeded.
"""

from __future__ import annotations

from msgspec.structs import replace

from agent_claimcheck.detectors.rules.accusations import accusation, accused, only_a_part
from agent_claimcheck.detectors.rules.passing_tests import is_test_claim
from agent_claimcheck.detectors.rules.probes.last_reading import last_reading
from agent_claimcheck.detectors.rules.unmapped.open_reasons import Worked, open_reason, why_open
from agent_claimcheck.detectors.rules.unmapped.other_values import other_time
from agent_claimcheck.detectors.rules.unmapped.probe import refuting_record
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import ClaimOutcome, ClaimVerdict
from agent_claimcheck.evidence.findings import phantom_write
from agent_claimcheck.evidence.writes import Write

_PROBE = "a state probe of that record with a rule pack that says what it must show"


def judge_without_rule(index: int, claim: SuccessClaim, evidence: Evidence) -> ClaimVerdict:
    """Return what the record shows about a claim that no rule covers."""
    accusing = accusation(index, evidence)
    if accusing is not None:
        return accused(index, claim, accusing)
    refuted = refuting_record(index, claim, evidence)
    if refuted is not None:
        verdict = _verdict(index, claim, "contradicted", refuted.write, refuted.reason)
        return replace(verdict, step=refuted.probe.i, steps=(*verdict.steps, refuted.probe.i))
    meant = evidence.candidates(index)
    done = [write for write in meant if write.effect.kind == "write" and write.is_ok]
    if done:
        return _judge_done(Worked(index, claim, meant, done, evidence))
    if not evidence.calls:
        silent = _verdict(index, claim, "undecided", None, "no tool call was recorded")
        return replace(silent, settle=f"an export that holds the tool calls of this run, and {_PROBE}")
    if meant:
        last = meant[-1]
        part = only_a_part(index, evidence)
        return _verdict(index, claim, "undecided", last, part.reason if part is not None else why_open(last, evidence))
    detail = "no rule covers this claim and no call clearly did it"
    if is_test_claim(claim.type):
        detail = "no recorded call ran tests"
    elif claim.source != "structured" and (teller := phantom_write.teller_of(claim, evidence)) is not None:
        detail = f"no call clearly did it; the words may repeat what {teller.call.name or 'a call'} returned"
    return _verdict(index, claim, "undecided", None, detail)


def _judge_done(worked: Worked) -> ClaimVerdict:
    """Judge a claim that calls which worked may prove: left open for a reason, or supported."""
    reason = open_reason(worked)
    if reason is None:
        told = (_what_came(worked), _gap(worked), other_time(worked.proof, worked.evidence))
        return _verdict(worked.index, worked.claim, "receipt_only", worked.proof, "; ".join(filter(None, told)))
    verdict = _verdict(worked.index, worked.claim, "undecided", reason.write, reason.detail)
    look = reason.shown_by
    if look is None:
        return verdict
    return replace(verdict, step=look.last_step, steps=(*verdict.steps, look.call.i, look.last_step))


def _what_came(worked: Worked) -> str:
    proof = worked.proof
    came = f"{proof.pair.call.name} succeeded" if proof.seen_in is None else proof.receipt.reason
    return came if worked.sure else f"{came} and may have done it"


def _gap(worked: Worked) -> str:
    """Say why the success of a call does not verify the claim."""
    evidence, own = worked.evidence, worked.read_back
    if evidence.probes and last_reading(worked.proof, evidence) is not None:
        return "no rule pack says what the state probe must show"
    if own is not None:
        return f"only the agent's own {own.pair.call.name} read it back"
    return "no state probe is known to have read that record" if evidence.probes else "nothing read the state back"


def _verdict(index: int, claim: SuccessClaim, outcome: ClaimOutcome, proof: Write | None, detail: str) -> ClaimVerdict:
    steps = (proof.pair.call.i, proof.step) if proof is not None else ()
    return ClaimVerdict(
        claim=index,
        claim_type=claim.type,
        outcome=outcome,
        step=proof.step if proof is not None else None,
        detail=detail[:200],
        steps=tuple(dict.fromkeys(steps)),
        looked_for="a call that could have done it, and what came back",
        settle=_settling(outcome, proof),
    )


def _settling(outcome: ClaimOutcome, proof: Write | None) -> str:
    """Say what would settle a claim that no rule covers, by what is missing."""
    probe = _PROBE
    if outcome == "receipt_only":
        return probe
    if proof is None:
        return "a rule pack that says which call does it, or " + probe
    if proof.pair.result is None:
        return "the result of that call, or " + probe
    if proof.pair.is_ambiguous:
        return "an export that keeps the ids of calls and results, or " + probe
    if proof.effect.kind == "unknown":
        return f"a rule pack that says what {proof.pair.call.name or 'that call'} changes, or " + probe
    if proof.receipt.state == "unknown":
        return "a result that says whether the call worked (a flag, an exit code, a status), or " + probe
    return probe
