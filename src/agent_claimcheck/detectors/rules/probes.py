"""Choosing and reading the state probe that speaks about one write.

A reader must not miss: a probe counts only if it was read after the write, and only for the record that was written. When
several records were probed and none can be told to be the right one, no probe decides, and that is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct

from agent_claimcheck.core.patterns import glob_match
from agent_claimcheck.detectors.rules.calls import CallReading, describe_failure
from agent_claimcheck.detectors.rules.contents import missing_item, unclear_tests
from agent_claimcheck.detectors.rules.operators import ABSENT_REASON, MISSING_SUBJECT, Fields, run_against, run_check
from agent_claimcheck.detectors.rules.records import match_record, probe_identity
from agent_claimcheck.detectors.rules.subject import expected_from_words, written_value
from agent_claimcheck.detectors.rules.test_runs import is_test_claim
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import FieldResult
from agent_claimcheck.evidence.payload import is_empty
from agent_claimcheck.packs.language import ClaimRule
from agent_claimcheck.trace.model import Step

ProbeState = Literal["supports", "contradicts", "undecided", "none"]

_UNREACHABLE = re.compile(
    r"time[sd]?[ _-]?out|connection|unreachable|unavailable|rate[ _-]?limit|unauthori[sz]ed|forbidden"
    r"|\b(?:401|403|429|5\d\d)\b",
    re.IGNORECASE,
)
_NOT_FOUND = re.compile(r"not[ _-]?found|no such|does not exist|\b404\b|\bgone\b", re.IGNORECASE)


class ProbeReading(Struct, frozen=True, kw_only=True):
    """What the probes say about one write. ``step`` is the deciding probe, ``None`` when none counted."""

    state: ProbeState
    step: int | None
    reason: str
    checks: tuple[FieldResult, ...] = ()
    ignored: tuple[int, ...] = ()


def read_probes(
    rule: ClaimRule, claim: SuccessClaim, proof: CallReading, proofs: Sequence[CallReading], evidence: Evidence
) -> ProbeReading:
    """Read the probes of ``rule`` for the write ``proof``; ``proofs`` are all calls that passed for this action."""
    glob = rule.probe
    if glob is None:
        return ProbeReading(state="none", step=None, reason="the rule names no state probe")
    matching = [probe for probe in evidence.probes if probe.name and glob_match(glob, probe.name)]
    if not matching:
        return ProbeReading(state="none", step=None, reason="nothing read the state back")
    chosen, reason = _choose(matching, proof, proofs, evidence)
    ignored = tuple(probe.i for probe in matching if probe is not chosen)
    if chosen is None:
        return ProbeReading(state="none", step=None, reason=reason, ignored=ignored)
    return _read(chosen, rule, claim, proof, evidence, ignored)


def _choose(
    matching: Sequence[Step], proof: CallReading, proofs: Sequence[CallReading], evidence: Evidence
) -> tuple[Step | None, str]:
    written = proof.pair.result or proof.pair.call
    fresh = [probe for probe in matching if is_after(probe, written, evidence)]
    if not fresh:
        return None, "the state was read before the write, not after it"
    by_match = {probe.i: match_record(proof.pair, probe, evidence) for probe in fresh}
    same = [probe for probe in fresh if by_match[probe.i] == "same"]
    if same:
        return same[-1], ""
    unknown = [probe for probe in fresh if by_match[probe.i] == "unknown"]
    if not unknown:
        return None, "the state probe read another record"
    records = {probe_identity(probe, evidence) for probe in fresh}
    writes = {repr(other.pair.call.args) for other in proofs}
    if len(records) > 1 or len(writes) > 1:
        return None, "several candidate records were probed or written, and none can be told to be the right one"
    return unknown[-1], ""


def is_after(probe: Step, write: Step, evidence: Evidence) -> bool:
    """True when ``probe`` was read after ``write``: by their times where both are recorded and differ, else by order."""
    probe_time, write_time = _recorded_time(probe), _recorded_time(write)
    if probe_time is not None and write_time is not None:
        is_comparable = (probe_time.tzinfo is None) == (write_time.tzinfo is None)
        if is_comparable and probe_time != write_time:
            return probe_time > write_time
    return evidence.positions[probe.i] > evidence.positions[write.i]


def _recorded_time(step: Step) -> datetime | None:
    if step.ts_source in ("synthetic", "inherited") or len(step.ts) <= 10:
        return None
    try:
        return datetime.fromisoformat(step.ts)
    except ValueError:
        return None


def _read(
    probe: Step, rule: ClaimRule, claim: SuccessClaim, proof: CallReading, evidence: Evidence, ignored: tuple[int, ...]
) -> ProbeReading:
    error_text = probe.error if isinstance(probe.error, str) else (str(probe.error) if probe.error else "")
    if probe.ok is False or probe.error is not None:
        if _UNREACHABLE.search(error_text) and not _NOT_FOUND.search(error_text):
            return ProbeReading(state="none", step=probe.i, reason="the state probe could not be read", ignored=ignored)
        if probe.ok is None and not _NOT_FOUND.search(error_text):
            return ProbeReading(state="none", step=probe.i, reason="the state probe was not read", ignored=ignored)
        reason = f"the state probe failed: {error_text}" if error_text else "the state probe failed"
        return ProbeReading(state="contradicts", step=probe.i, reason=reason, ignored=ignored)
    if probe.ok is None and is_empty(probe.output):
        return ProbeReading(state="none", step=probe.i, reason="the state probe was not read", ignored=ignored)
    if is_empty(probe.output) or _says_not_found(probe):
        return ProbeReading(
            state="contradicts", step=probe.i, reason="the state probe found no such record", ignored=ignored
        )
    checks = _probe_checks(rule, claim, probe, proof, evidence)
    failed = [check for check in checks if check.result == "fail" and check.reason != ABSENT_REASON]
    if failed:
        reason = f"the state probe shows otherwise: {describe_failure(failed[0])}"
        return ProbeReading(state="contradicts", step=probe.i, reason=reason, checks=checks, ignored=ignored)
    missing = missing_item(rule, proof.pair, probe)
    if missing is not None:
        reason = f"the state probe shows otherwise: {missing}"
        return ProbeReading(state="contradicts", step=probe.i, reason=reason, checks=checks, ignored=ignored)
    unshown = _unshown(claim, probe, checks)
    if unshown is not None:
        return ProbeReading(state="none", step=probe.i, reason=unshown, checks=checks, ignored=ignored)
    if probe.ok is None:
        return ProbeReading(
            state="none",
            step=probe.i,
            reason="the state probe does not say whether it succeeded",
            checks=checks,
            ignored=ignored,
        )
    if rule.probe_checks and not any(check.result == "pass" for check in checks):
        return ProbeReading(
            state="none",
            step=probe.i,
            reason="no check of the state probe could be evaluated",
            checks=checks,
            ignored=ignored,
        )
    return ProbeReading(
        state="supports", step=probe.i, reason="the receipt and the state probe agree", checks=checks, ignored=ignored
    )


def _unshown(claim: SuccessClaim, probe: Step, checks: Sequence[FieldResult]) -> str | None:
    """Say what the probe lacks of what it was to show; ``None`` when it shows enough to confirm."""
    lacking = next((check for check in checks if check.reason == ABSENT_REASON), None)
    if lacking is not None:
        return f"the state probe has no {lacking.path}"
    return unclear_tests(probe.output) if is_test_claim(claim.type) else None


def _says_not_found(probe: Step) -> bool:
    if isinstance(probe.output, str):
        return len(probe.output) < 400 and bool(_NOT_FOUND.search(probe.output))
    if isinstance(probe.output, dict) and len(probe.output) <= 4:
        return any(
            isinstance(value, str) and len(value) < 200 and bool(_NOT_FOUND.search(value))
            for key, value in probe.output.items()
            if key in ("status", "error", "state", "message", "detail", "result")
        )
    return False


def _probe_checks(
    rule: ClaimRule, claim: SuccessClaim, probe: Step, proof: CallReading, evidence: Evidence
) -> tuple[FieldResult, ...]:
    fields = Fields(args=proof.pair.call.args, output=probe.output, subject=claim.subject, zones=evidence.zones)
    checks: list[FieldResult] = []
    for check in rule.probe_checks:
        result = run_check(check, fields)
        if result.result == "skipped" and result.reason == MISSING_SUBJECT:
            written = written_value(check, proof.pair)
            if written is not None:
                result = run_against(check, written, fields, "the call itself")
        checks.append(result)
        asked = expected_from_words(check, claim.subject, evidence)
        if asked is not None and result.result != "fail":
            again = run_against(check, asked, fields, "the request")
            if again.result != "skipped":
                checks.append(again)
    return tuple(checks)
