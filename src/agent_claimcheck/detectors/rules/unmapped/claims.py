"""Claims that no pack maps: what the record alone shows about them.

A reader must not miss: without a pack only a core finding may accuse, or a state probe of the very record. A matching call
that worked makes the claim *supported*, which says that the agent did what it said, not that the task succeeded.
"""

from __future__ import annotations

from msgspec.structs import replace

from agent_claimcheck.detectors.rules.accusations import accusation, accused, only_a_part
from agent_claimcheck.detectors.rules.passing_tests import is_test_claim
from agent_claimcheck.detectors.rules.unmapped.counted import counts_fewer
from agent_claimcheck.detectors.rules.unmapped.last_reading import last_reading
from agent_claimcheck.detectors.rules.unmapped.other_values import other_amount, other_minutes, other_time
from agent_claimcheck.detectors.rules.unmapped.own_reading import OwnReading, own_reading
from agent_claimcheck.detectors.rules.unmapped.probe import refuting_record
from agent_claimcheck.detectors.rules.unmapped.unsent import shows_no_message
from agent_claimcheck.evidence.bystanders import is_bystander
from agent_claimcheck.evidence.candidates import nearest_to
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import ClaimOutcome, ClaimVerdict
from agent_claimcheck.evidence.coverage import class_covers
from agent_claimcheck.evidence.disclosure import discloses_trouble
from agent_claimcheck.evidence.findings import phantom_write
from agent_claimcheck.evidence.undoing import takers, undoes
from agent_claimcheck.evidence.writes import Write

_MOST_DONE = 20
_PROBE = "a state probe of that record with a rule pack that says what it must show"

_LEAVES = frozenset({"pushed", "merged", "deployed", "released"})
"""What a commit alone does not do."""


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
        return _judge_done(index, claim, meant, done, evidence)
    if not evidence.calls:
        silent = _verdict(index, claim, "undecided", None, "no tool call was recorded")
        return replace(silent, settle=f"an export that holds the tool calls of this run, and {_PROBE}")
    if meant:
        last = meant[-1]
        part = only_a_part(index, evidence)
        return _verdict(index, claim, "undecided", last, part.reason if part is not None else _why_open(last, evidence))
    detail = "no rule covers this claim and no call clearly did it"
    if is_test_claim(claim.type):
        detail = "no recorded call ran tests"
    elif claim.source != "structured" and (teller := phantom_write.teller_of(claim, evidence)) is not None:
        detail = f"no call clearly did it; the words may repeat what {teller.call.name or 'a call'} returned"
    return _verdict(index, claim, "undecided", None, detail)


def _judge_done(
    index: int, claim: SuccessClaim, meant: list[Write], done: list[Write], evidence: Evidence
) -> ClaimVerdict:
    """Judge a claim that some of the calls ``meant`` by it, those ``done``, may prove."""
    sure = _sure(done, claim)
    failed = _surely_failed(meant, claim) if not sure else None
    if failed is not None:
        detail = f"{failed.pair.call.name} failed: {failed.receipt.reason}; {done[-1].pair.call.name} may have done it"
        return _verdict(index, claim, "undecided", failed, detail)
    waiting = _sure(meant, claim) if not sure else []
    if waiting:
        return _verdict(index, claim, "undecided", waiting[-1], _why_open(waiting[-1], evidence))
    if not sure and all(is_bystander(write.pair, claim, evidence) for write in done):
        detail = f"{done[-1].pair.call.name} changed something else, as far as its arguments tell"
        return _verdict(index, claim, "undecided", done[-1], detail)
    if not sure and shows_no_message(claim, done):
        detail = f"{done[-1].pair.call.name} succeeded, and nothing in it shows that anybody was told anything"
        return _verdict(index, claim, "undecided", done[-1], detail)
    if _is_only_committed(done, claim):
        detail = f"{done[-1].pair.call.name} committed, and no command that {claim.verb_class} it is seen"
        return _verdict(index, claim, "undecided", done[-1], detail)
    part = only_a_part(index, evidence)
    fewer = part.reason if part is not None else counts_fewer(claim, done)
    if fewer is not None:
        return _verdict(index, claim, "undecided", done[-1], fewer)
    proof = nearest_to(claim, sure or done)
    undo = _taken_back([proof] if sure else done, claim, evidence)
    if undo is not None:
        return _verdict(index, claim, "undecided", undo, f"a later {undo.pair.call.name} may have taken it back")
    own = own_reading(proof, evidence)
    if own is not None and own.otherwise:
        verdict = _verdict(index, claim, "undecided", proof, own.otherwise)
        return replace(verdict, step=own.pair.last_step, steps=(*verdict.steps, own.pair.call.i, own.pair.last_step))
    other = other_amount(claim, done) or other_minutes(done, evidence)
    if other is not None:
        return _verdict(index, claim, "undecided", proof, other)
    told = "; ".join(
        filter(None, (_what_came(proof, is_sure=bool(sure)), _gap(proof, own, evidence), other_time(proof, evidence)))
    )
    return _verdict(index, claim, "receipt_only", proof, told)


def _what_came(proof: Write, *, is_sure: bool) -> str:
    came = f"{proof.pair.call.name} succeeded" if proof.seen_in is None else proof.receipt.reason
    return came if is_sure else f"{came} and may have done it"


def _gap(proof: Write, own: OwnReading | None, evidence: Evidence) -> str:
    """Say why the success of ``proof`` does not verify the claim."""
    if evidence.probes and last_reading(proof, evidence) is not None:
        return "no rule pack says what the state probe must show"
    if own is not None:
        return f"only the agent's own {own.pair.call.name} read it back"
    return "no state probe is known to have read that record" if evidence.probes else "nothing read the state back"


def _is_only_committed(done: list[Write], claim: SuccessClaim) -> bool:
    """True when work is said to have left the machine, and the commands that worked edit or commit: nothing shows it left."""
    return claim.verb_class in _LEAVES and all(
        write.effect.is_shell and write.effect.verb_class not in _LEAVES and write.effect.is_file_change for write in done
    ) and any(write.effect.verb_class == "committed" for write in done)  # fmt: skip


def _taken_back(done: list[Write], claim: SuccessClaim, evidence: Evidence) -> Write | None:
    """Return a successful write, before the claim was made, that takes back one of ``done``."""
    for write in takers(evidence):
        if claim.step is not None and write.pair.call.i > claim.step:
            continue
        earlier = [one for one in done[-_MOST_DONE:] if one.pair.call.i < write.pair.call.i]
        if any(undoes(write.effect, one.effect) for one in earlier):
            return write
    return None


def _sure(writes: list[Write], claim: SuccessClaim) -> list[Write]:
    """Return the writes whose class is the claimed one, as distinct from those that merely may have done it."""
    claimed = claim.verb_class or claim.type
    return [write for write in writes if class_covers(claimed, write.effect)]


def _surely_failed(meant: list[Write], claim: SuccessClaim) -> Write | None:
    """Return the last write of the claimed class when every one of them failed."""
    named = _sure(meant, claim)
    return named[-1] if named and all(write.is_failed for write in named) else None


def _why_open(write: Write, evidence: Evidence) -> str:
    name = write.pair.call.name or "a call"
    if write.pair.result is None:
        return f"{name} never returned"
    if write.pair.is_ambiguous:
        return f"the result of {name} cannot be paired with one call"
    if write.is_failed:
        said = ", and the agent may have said so" if discloses_trouble(evidence, write.step, write.effect.words) else ""
        return f"{name} failed{said}: {write.receipt.reason}"
    if write.receipt.state == "pending":
        return f"{name} is not known to have finished: {write.receipt.reason}"
    if write.receipt.state == "empty":
        return f"{name} came back empty"
    if write.receipt.tests is not None:
        return f"{name} ran tests ({write.receipt.reason}); no rule pack says which run proves this claim"
    if write.effect.kind == "unknown":
        return f"it is not known what {name} changes"
    return f"the result of {name} does not say whether it worked"


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
