"""Calls whose result carries no status, as in OpenAI's chat messages: a state probe of the very record decides them.

A reader must not miss: without such a probe they decide nothing, and the probe has to have read the record that the call
names or returned. What another call may have changed since is held against nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agent_claimcheck.detectors.rules.calls import CallReading
from agent_claimcheck.detectors.rules.plans import RulePlan
from agent_claimcheck.detectors.rules.probes.reading import read_probes
from agent_claimcheck.detectors.rules.probes.records import match_record
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.targets import same_target
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.value_text import walk_fields
from agent_claimcheck.trace.model import Step


def read_back(
    readings: Sequence[CallReading], plan: RulePlan, claim: SuccessClaim, evidence: Evidence
) -> list[CallReading]:
    """Return the calls without a status, when a probe of the last one's record decides; else nothing."""
    undecided = [reading for reading in readings if reading.state == "undecided"]
    if plan.is_test or not evidence.probes or not undecided or not all(reading.is_quiet for reading in undecided):
        return []
    proof = undecided[-1]
    probe = read_probes(plan, claim, proof, undecided, evidence)
    if probe.state == "none" or (probe.state == "contradicts" and _may_be_changed_since(proof, evidence)):
        return []
    step = next((step for step in evidence.probes if step.i == probe.step), None)
    return undecided if step is not None and _reads_its_record(step, proof, evidence) else []


def _reads_its_record(probe: Step, proof: CallReading, evidence: Evidence) -> bool:
    """True when the probe asked for an id of the call, or for nothing but what the call carried or gave back by that name."""
    match = match_record(proof.pair, probe, evidence)
    if match != "unknown":
        return match == "same"
    output = proof.pair.result.output if proof.pair.result is not None else None
    known = {*_fields(proof.pair.call.args), *_fields(parse_output(output))}
    asked = set(_fields(probe.args))
    return bool(asked) and asked <= known


def _fields(value: Any) -> Iterator[tuple[str, str]]:
    return ((key, str(leaf)) for key, leaf in walk_fields(value or {}) if isinstance(leaf, str | int))


def _may_be_changed_since(proof: CallReading, evidence: Evidence) -> bool:
    mine = evidence.effect(proof.pair).target
    return any(
        write.pair.call.i > proof.position
        and not write.is_failed
        and same_target(write.effect.target, mine) is not False
        for write in evidence.writes
    )
