"""The state probe that decides about a claim which no mapped call proves: whatever may have done it, it is not so.

A reader must not miss: it read the very record that the claim names, after the last call, and nothing else explains what it
shows. An older copy, a later effect, several changes, another probe or a lookup that agrees, and values in another dress keep
it silent.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.core.globs import glob_match
from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.calls import describe_failure, first_failures, run_checks
from agent_claimcheck.detectors.rules.operators import Fields
from agent_claimcheck.detectors.rules.plans import RulePlan
from agent_claimcheck.detectors.rules.probes.other_explanations import (
    is_in_another_dress,
    is_old_copy,
    may_show_later,
    texts_of,
)
from agent_claimcheck.detectors.rules.probes.reading import ProbeReading, answers, is_after
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import FieldResult
from agent_claimcheck.evidence.values.comparison import compare
from agent_claimcheck.evidence.values.record_ids import record_ids
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import CallPair

_WORD = late_pattern(r"[^\W_]+")
_MOST_LOOKUPS = 50


def refuting_probe(plan: RulePlan, claim: SuccessClaim, last: CallPair, evidence: Evidence) -> ProbeReading | None:
    """Return the probe of the very record that ``claim`` names, read after ``last``, when it shows another state.

    For claims that no call proves: whatever may have done it, the state says that it is not so.
    """
    claimed = record_ids(claim.subject)
    if plan.rule.probe is None or not claimed or may_show_later(None, claim, evidence):
        return None
    reading: ProbeReading | None = None
    for probe in reversed(evidence.probes):
        if not _is_of_record(probe, plan.rule.probe, claimed, evidence) or not is_after(
            probe, last.result or last.call, evidence
        ):
            continue
        checks = _checks(plan, claim, probe.output, evidence)
        failed, _ = first_failures(checks)
        if failed is None or _may_be_equal(failed):
            return None
        if reading is None:
            reason = f"the state probe shows otherwise: {describe_failure(failed)}"
            reading = ProbeReading("contradicts", probe.i, reason, checks)
    if reading is None or _was_changed_again(claimed, evidence) or _was_seen_so(plan, claim, claimed, evidence):
        return None
    return reading


def _is_of_record(probe: Step, glob: str, claimed: dict[str, str], evidence: Evidence) -> bool:
    """True when the probe asked for this record and for nothing else: no version, view or place of it."""
    if not probe.name or not glob_match(glob, probe.name) or is_old_copy(probe) or not answers(probe, evidence):
        return False
    return evidence.argument_ids(probe) == claimed and texts_of(probe.args) <= {
        value.lstrip("#") for value in claimed.values()
    }


def _checks(plan: RulePlan, claim: SuccessClaim, output: Any, evidence: Evidence) -> tuple[FieldResult, ...]:
    return run_checks(
        plan.probe_checks, Fields(args={}, output=output, subject=claim.subject, evidence=evidence), evidence
    )


def _was_changed_again(claimed: dict[str, str], evidence: Evidence) -> bool:
    """True when several calls that may have worked name the record: the last of them need not be the one that is claimed."""
    values = {value.lstrip("#") for value in claimed.values()}
    naming = [
        write
        for write in evidence.writes
        if not write.is_failed and not values.isdisjoint(_all_texts(write.pair.call.args))
    ]
    return len(naming) > 1


def _all_texts(args: Any) -> set[str]:
    listed = [
        one for value in (args or {}).values() if isinstance(value, list) for one in value if isinstance(one, str | int)
    ]
    return texts_of(args) | {str(one).strip().casefold().lstrip("#") for one in listed[:_MOST_LOOKUPS]}


def _was_seen_so(plan: RulePlan, claim: SuccessClaim, claimed: dict[str, str], evidence: Evidence) -> bool:
    """True when the agent itself read the record as claimed."""
    for pair in evidence.calls[-_MOST_LOOKUPS:]:
        if pair.result is None or evidence.effect(pair).kind != "read" or evidence.output_ids(pair.result) != claimed:
            continue
        if first_failures(_checks(plan, claim, pair.result.output, evidence)) == (None, None):
            return True
    return False


def _may_be_equal(failed: FieldResult) -> bool:
    """True when what is shown may be what is claimed in another dress: other units, a code, a shorter name."""
    expected, actual = failed.expected, failed.actual
    if isinstance(expected, dict) and isinstance(actual, dict):
        differing = [
            key for key, value in expected.items() if key in actual and compare(actual[key], value) == "different"
        ]
        return not differing or all(_are_alike(actual[key], expected[key], actual) for key in differing)
    return _are_alike(actual, expected, {})


def _are_alike(actual: Any, expected: Any, shown: dict[str, Any]) -> bool:
    if isinstance(actual, dict | list) or isinstance(expected, dict | list) or actual is None or expected is None:
        return False
    one, two = ({*_WORD.findall(str(value).casefold())} for value in (actual, expected))
    if one and two and (one <= two or two <= one):
        return True
    return is_in_another_dress(actual, expected, shown)
