"""The rules: one claim, its rule, the calls and probes that speak about it, one outcome with cited steps.

A reader must not miss the order: a passing call first, then whether it was taken back, then what a state probe says, then
whether there is a doubt left; only when no call passes and none is undecided may a failure or an absence accuse.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.globs import glob_match
from agent_claimcheck.core.text import shorten
from agent_claimcheck.detectors.rules.accusations import accusation, accused, only_a_part
from agent_claimcheck.detectors.rules.calls import CallReading, has_missing_subject, read_call
from agent_claimcheck.detectors.rules.doubts.asked_fields import other_than_asked
from agent_claimcheck.detectors.rules.doubts.catalog import doubt_of_claim, doubt_of_run
from agent_claimcheck.detectors.rules.doubts.confirmed import Confirmed
from agent_claimcheck.detectors.rules.doubts.other_calls import another_not_borne_out
from agent_claimcheck.detectors.rules.outside_calls import changed_since, other_candidate
from agent_claimcheck.detectors.rules.passing_tests import part_tested
from agent_claimcheck.detectors.rules.plans import RulePlan, plan_of
from agent_claimcheck.detectors.rules.probes.own_reading import OwnReading, own_reading
from agent_claimcheck.detectors.rules.probes.quiet_calls import read_back
from agent_claimcheck.detectors.rules.probes.reading import ProbeReading, read_probes
from agent_claimcheck.detectors.rules.probes.refuting import refuting_probe
from agent_claimcheck.detectors.rules.told_state import is_failure_told
from agent_claimcheck.detectors.rules.unmapped.claims import judge_without_rule
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import ClaimOutcome, ClaimVerdict, FieldResult
from agent_claimcheck.evidence.coverage import class_covers, family_of
from agent_claimcheck.evidence.undoing import takers, undoes
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.packs.language import ClaimRule
from agent_claimcheck.packs.select import rule_for
from agent_claimcheck.trace.pairing import CallPair

_DETAIL = 200


def judge_claims(evidence: Evidence) -> tuple[ClaimVerdict, ...]:
    """Return the verdict on every success claim, in claim order; computed once per trace."""
    return evidence.shared("claim_verdicts", lambda: _judge_all(evidence))


def _judge_all(evidence: Evidence) -> tuple[ClaimVerdict, ...]:
    claims, compared = evidence.success_claims, evidence.compared_claims
    if not claims:
        return ()
    verdicts = [_judge_claim(index, claim, evidence) for index, claim in compared]
    for index, claim in claims[len(compared) :]:
        detail = f"not compared: {len(claims)} claims and {len(evidence.calls)} calls in one run"
        verdicts.append(_verdict(index, claim, _Ruling("undecided", None, detail)))
    if {verdict.outcome for verdict in verdicts} == {"probe_supported"}:
        doubt = doubt_of_run(evidence)
        if doubt is not None:
            verdicts[-1] = replace(verdicts[-1], outcome=doubt.outcome, detail=shorten(doubt.reason, _DETAIL))
    return tuple(verdicts)


def _judge_claim(index: int, claim: SuccessClaim, evidence: Evidence) -> ClaimVerdict:
    """Return what the record shows about one success claim."""
    found = rule_for(evidence.packs, claim.type)
    if found is None:
        return judge_without_rule(index, claim, evidence)
    pack, rule = found
    ruling = _judge_by_rule(claim, plan_of(rule), evidence)
    verdict = _verdict(index, claim, ruling, f"{pack.name}.{rule.claim_type}")
    if verdict.outcome in ("contradicted", "unsupported"):
        return verdict
    if verdict.outcome == "receipt_only":
        part = only_a_part(index, evidence)
        if part is not None:
            verdict = replace(verdict, outcome="undecided", detail=part.reason[:_DETAIL])
    accusing = accusation(index, evidence)
    if accusing is None:
        return verdict
    # A probe that agrees keeps every finding from accusing but one, for it may have read the wrong record itself.
    if verdict.outcome == "probe_supported" and accusing.id != "wrong_record":
        return replace(verdict, outcome="undecided", detail=f"a state probe agrees, but {accusing.reason}"[:_DETAIL])
    return accused(index, claim, accusing, rule=verdict.rule)


class _Ruling(Struct, frozen=True):
    """What a rule finds about a claim, and the call and the state probe that this rests on."""

    outcome: ClaimOutcome
    step: int | None
    detail: str
    proof: CallReading | None = None
    probe: ProbeReading | None = None
    own: OwnReading | None = None
    """The agent's own look at the record, where that shows it otherwise."""
    looked_for: str = ""
    settle: str = ""


def _judge_by_rule(claim: SuccessClaim, plan: RulePlan, evidence: Evidence) -> _Ruling:
    readings = []
    for pair in _matching(plan, evidence):
        reading = read_call(pair, plan, claim, evidence)
        if reading is not None:
            readings.append(reading)
    passing = _passing(readings, plan) or read_back(readings, plan, claim, evidence)
    if passing:
        return _judge_passing(claim, plan, passing, evidence)
    return _judge_failing(claim, plan, readings, evidence)


def _matching(plan: RulePlan, evidence: Evidence) -> list[CallPair]:
    """Return the calls whose tool fits the rule's action."""
    action = plan.rule.action
    if plan.has_plain_action:
        return [pair for pair in evidence.calls if pair.call.name == action]
    return [pair for pair in evidence.calls if pair.call.name and glob_match(action, pair.call.name)]


def _passing(readings: Sequence[CallReading], plan: RulePlan) -> list[CallReading]:
    """Return the calls that prove the claim. For test claims the last run that decides is the one that counts."""
    if plan.is_test:
        decided = [reading for reading in readings if reading.state != "undecided"]
        if decided and decided[-1].state == "contradicts":
            return []
    return [reading for reading in readings if reading.state == "passes"]


def _judge_passing(claim: SuccessClaim, plan: RulePlan, passing: Sequence[CallReading], evidence: Evidence) -> _Ruling:
    proof = passing[-1]
    counted = _count_contradiction(claim, passing) if plan.is_test else ""
    if counted:
        return _Ruling("contradicted", proof.step, counted, proof)
    undo = _undone_by(proof, evidence)
    if undo is not None:
        detail = f"a later {undo.pair.call.name} took it back"
        if _is_told(undo, claim, evidence):
            return _Ruling("undecided", undo.step, f"{detail}, as the agent said", proof)
        return _Ruling("contradicted", undo.step, detail, proof)
    return _judge_probed(claim, plan, passing, read_probes(plan, claim, proof, passing, evidence), evidence)


def _judge_probed(
    claim: SuccessClaim, plan: RulePlan, passing: Sequence[CallReading], probe: ProbeReading, evidence: Evidence
) -> _Ruling:
    """Judge a claim that the last of the calls ``passing`` proves by what the state probes say of it."""
    proof = passing[-1]
    if probe.state == "contradicts":
        since = _changed_since(proof, plan, probe, evidence)
        if since is not None:
            detail = f"{probe.reason}; {since.call.name} may have changed it since"
            return _Ruling("undecided", probe.step, detail, proof, probe)
        return _Ruling("contradicted", probe.step, probe.reason, proof, probe)
    part = part_tested([reading.test_run for reading in passing if reading.test_run is not None])
    if part is not None:
        return _Ruling("undecided", proof.step, f"only {part} was tested", proof, probe)
    if probe.state == "supports":
        doubt = another_not_borne_out(claim, plan, passing, evidence)
        doubt = doubt or doubt_of_claim(Confirmed(claim, plan, proof.pair, probe.step, evidence))
        if doubt is not None:
            return _Ruling(doubt.outcome, proof.step, doubt.reason, proof, probe)
        return _Ruling("probe_supported", probe.step, probe.reason, proof, probe)
    pending = "accepted, not yet confirmed; " if proof.is_pending else ""
    other = other_than_asked(Confirmed(claim, plan, proof.pair, probe.step, evidence))
    receipt = f"the receipt agrees with the claim, but {other.reason}" if other is not None else _agreement(proof)
    settle = _settling(plan, proof)
    own = _shown_otherwise(proof, evidence) if probe.state == "none" else None
    if own is not None:
        return _Ruling("undecided", own.pair.last_step, f"{pending}{own.otherwise}", proof, own=own, settle=settle)
    return _Ruling("receipt_only", proof.step, f"{pending}{receipt}; {probe.reason}", proof, probe, settle=settle)


def _agreement(reading: CallReading) -> str:
    """Say what the checks of the receipt came to; none of them failed."""
    is_skipped = bool(reading.checks) and all(check.result == "skipped" for check in reading.checks)
    return "no check of the receipt could be evaluated" if is_skipped else "the receipt agrees"


def _shown_otherwise(proof: CallReading, evidence: Evidence) -> OwnReading | None:
    """Return the agent's own look at the record of ``proof`` when it shows that record otherwise than the call wrote it."""
    if evidence.calls[-1] is proof.pair:
        return None
    write = next((write for write in evidence.writes if write.pair is proof.pair), None)
    own = own_reading(write, evidence) if write is not None else None
    return own if own is not None and own.otherwise else None


def _settling(plan: RulePlan, proof: CallReading) -> str:
    """Say what would settle a claim that only the receipt of ``proof`` supports."""
    glob = plan.rule.probe
    return f"a state probe {glob} of that record, read after step {proof.step}" if glob else "a state probe"


def _judge_failing(claim: SuccessClaim, plan: RulePlan, readings: Sequence[CallReading], evidence: Evidence) -> _Ruling:
    rule = plan.rule
    looked_for = f"a successful {rule.action}"
    undecided = [reading for reading in readings if reading.state == "undecided"]
    other = None if undecided else other_candidate(rule, claim, evidence)
    if undecided or other is not None:
        refuted = refuting_probe(plan, claim, evidence.calls[-1], evidence)
        if refuted is not None:
            return _Ruling("contradicted", refuted.step, refuted.reason, probe=refuted)
    if undecided:
        last = undecided[-1]
        if last.told and not plan.is_test and not any(write.pair.call.i > last.position for write in takers(evidence)):
            detail = f"{_agreement(last)} ({last.told}); nothing read that record back"
            return _Ruling("receipt_only", last.step, detail, last, looked_for=looked_for, settle=_settling(plan, last))
        settle = _settling(plan, last) if last.is_quiet else ""
        return _Ruling("undecided", last.step, last.reason, last, looked_for=looked_for, settle=settle)
    if other is not None:
        detail = f"{other.call.name} is not mapped by the pack and may have done it"
        return _Ruling("undecided", other.call.i, detail, looked_for=looked_for)
    if readings:
        last = readings[-1]
        if is_failure_told(claim, evidence):
            return _Ruling("undecided", last.step, f"{last.reason}, and the agent says so", last, looked_for=looked_for)
        return _Ruling("contradicted", last.step, last.reason, last, looked_for=looked_for)
    if not _is_complete(evidence):
        return _Ruling("undecided", None, "the record of this run is incomplete", looked_for=looked_for)
    what = "no {} call could prove this" if _called(rule, evidence) else "{} was never called"
    return _Ruling("unsupported", None, what.format(rule.action), looked_for=looked_for)


def _called(rule: ClaimRule, evidence: Evidence) -> bool:
    return any(name and glob_match(rule.action, name) for name in evidence.tool_names)


def _is_complete(evidence: Evidence) -> bool:
    """False when calls were recorded without names, so that the missing one may be among them."""
    return all(step.name for step in evidence.view.steps if step.kind == "tool_call")


def _count_contradiction(claim: SuccessClaim, passing: Sequence[CallReading]) -> str:
    """Say when more tests are claimed than all test runs together passed; '' otherwise. For claims that tests pass."""
    claimed = claim.subject.get("count", claim.subject.get("at_least"))
    runs = [reading.test_run.summary for reading in passing if reading.test_run and reading.test_run.summary]
    if not isinstance(claimed, int) or isinstance(claimed, bool) or not runs or len(runs) != len(passing):
        return ""
    seen = sum(run.passed for run in runs)
    if claimed <= max(seen, *(run.total for run in runs)):
        return ""
    return f"{claimed} passing tests were claimed, the test runs counted {seen}"


def _undone_by(proof: CallReading, evidence: Evidence) -> Write | None:
    """Return the last call after ``proof`` that took it back, and is known to have worked."""
    later = takers(evidence)
    if not later:
        return None
    mine = evidence.effect(proof.pair)
    for write in reversed(later):
        if write.pair.call.i <= proof.position:
            return None
        if write.pair.result is not None and write.pair.result.ok is True and undoes(write.effect, mine):
            return write
    return None


def _changed_since(proof: CallReading, plan: RulePlan, probe: ProbeReading, evidence: Evidence) -> CallPair | None:
    """Return a later change that may be why the probe shows another value than the call wrote."""
    differing = [check for check in probe.checks if check.result == "fail"]
    if plan.is_test or not differing:
        return None
    fields = {part for check in differing for part in check.path.split(".")}
    fields |= {key for check in differing if isinstance(check.expected, dict) for key in check.expected}
    return changed_since(proof.pair, fields, evidence)


def _is_told(undo: Write, claim: SuccessClaim, evidence: Evidence) -> bool:
    """True when ``claim`` was made before ``undo``, and the agent claims the undoing itself after it."""
    if claim.step is None or claim.step > undo.pair.call.i:
        return False
    return any(
        other is not claim
        and (other.step is None or other.step > undo.pair.call.i)
        and _is_of_the_undoing(other.verb_class or other.type, undo)
        for _, other in evidence.success_claims
    )


def _is_of_the_undoing(claimed: str, undo: Write) -> bool:
    """True for "cancelled" of a call that deletes: both say that the thing is gone."""
    family = family_of(undo.effect.verb_class)
    return class_covers(claimed, undo.effect) is True or (family is not None and family_of(claimed) == family)


def _verdict(index: int, claim: SuccessClaim, ruling: _Ruling, rule: str | None = None) -> ClaimVerdict:
    """Return ``ruling`` on claim ``index``, made by the rule named ``rule``, with every step that it cites."""
    checks: tuple[FieldResult, ...] = ()
    steps: set[int] = set() if ruling.step is None else {ruling.step}
    if ruling.proof is not None:
        checks = ruling.proof.checks
        steps.update((ruling.proof.pair.call.i, ruling.proof.step))
    if ruling.own is not None:
        steps.update((ruling.own.pair.call.i, ruling.own.pair.last_step))
    if ruling.probe is not None and ruling.probe.checks:
        checks += ruling.probe.checks
    return ClaimVerdict(
        claim=index,
        claim_type=claim.type,
        outcome=ruling.outcome,
        step=ruling.step,
        detail=ruling.detail if len(ruling.detail) <= _DETAIL else shorten(ruling.detail, _DETAIL),
        steps=tuple(sorted(steps)),
        checks=checks,
        missing_subject=has_missing_subject(checks),
        rule=rule,
        looked_for=ruling.looked_for,
        settle=ruling.settle,
    )
