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

from agent_claimcheck.core.globs import glob_match
from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.calls import CallReading, describe_failure, first_failures, run_checks
from agent_claimcheck.detectors.rules.operators import ABSENT_REASON, Fields
from agent_claimcheck.detectors.rules.plans import RulePlan
from agent_claimcheck.detectors.rules.probes.contents import missing_item, ran_other_tests, unclear_tests, unlisted_text
from agent_claimcheck.detectors.rules.probes.copies import is_copy_from_before
from agent_claimcheck.detectors.rules.probes.records import is_asked_alike, match_record, probe_identity
from agent_claimcheck.detectors.rules.probes.red_suite import may_be_red_for_another_reason
from agent_claimcheck.detectors.rules.probes.running_total import is_running_total
from agent_claimcheck.detectors.rules.probes.states import is_state_of_its_own
from agent_claimcheck.detectors.rules.same_value import is_in_a_zone_of_its_own, is_one_value
from agent_claimcheck.detectors.rules.told_state import is_told_state
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import FieldResult
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.values.payload import is_empty
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.trace.model import Step

ProbeState = Literal["supports", "contradicts", "undecided", "none"]

_NO_READER = late_pattern(
    r"ENOTFOUND|\b(?:tool|command|script|program|module|host|hostname|function|method|table|column|route|endpoint|operation|server"
    r"|service|attribute|driver|package|forbidden|permissions?|unauthori[sz]ed|access|40[13]|workspace|tenant|region|replica"
    r"|index|namespace|project|cluster|schema|environment)\b",
    re.IGNORECASE,
)
"""What is missing where the reading itself could not be made, or was made in another place."""
_MOST_EARLIER, _MOST_LATER = 20, 50
_ENDING = frozenset(
    {"archive", "close", "convert", "merge", "migrate", "move", "rename", "replace", "split", "transfer"}
)
"""Words of tools after which a record may no longer be found under its old name."""
_SPEAKING = frozenset({"status", "error", "state", "message", "detail", "result"})
"""Fields of a small record that may say that there is none."""
_NOT_FOUND = late_pattern(r"not[ _-]?found|no such|does not exist|\b404\b|\bgone\b", re.IGNORECASE)
_NONE_LEFT = late_pattern(
    _NOT_FOUND.pattern + r"|doesn't exist|not exist|\b(?:410|deleted|removed|missing|absent)\b"
    r"|\bno (?:row|record|result|event|entry|match|data|item|object|document)|\bunknown (?:id|record|event|key)",
    re.IGNORECASE,
)
"""What an error says of a record that is not there."""


class ProbeReading(Struct, frozen=True):
    """What the probes say about one write. ``step`` is the deciding probe, ``None`` when none counted."""

    state: ProbeState
    step: int | None
    reason: str
    checks: tuple[FieldResult, ...] = ()


_NOT_READ = "unavailable:"
_NAMED_NONE = ProbeReading("none", None, "the rule names no state probe")
_READ_NONE = ProbeReading("none", None, "nothing read the state back")


def read_probes(
    plan: RulePlan, claim: SuccessClaim, proof: CallReading, proofs: Sequence[CallReading], evidence: Evidence
) -> ProbeReading:
    """Read the probes of the rule for the write ``proof``; ``proofs`` are all calls that passed for this action."""
    glob = plan.rule.probe
    if glob is None:
        return _NAMED_NONE
    matching = [probe for probe in evidence.probes if probe.name and glob_match(glob, probe.name)]
    if not matching:
        return _READ_NONE
    chosen, reason = _choose(matching, proof, proofs, evidence)
    if chosen is None:
        return ProbeReading("none", None, reason)
    reading = _read(chosen, plan, claim, proof, evidence)
    if reading.state == "contradicts" and _agreed_before(chosen, matching, plan, claim, proof, evidence):
        return ProbeReading("none", chosen.i, f"an earlier state probe agreed, the last one does not: {reading.reason}")
    return reading


def _agreed_before(
    last: Step, matching: Sequence[Step], plan: RulePlan, claim: SuccessClaim, proof: CallReading, evidence: Evidence
) -> bool:
    """True when the record was read after the write and agreed, before ``last``: somebody else changed it in between."""
    for probe in matching[-_MOST_EARLIER:]:
        if probe is last or not is_after(probe, proof.pair.result or proof.pair.call, evidence):
            continue
        is_same = match_record(proof.pair, probe, evidence) == "same"
        if is_same and _read(probe, plan, claim, proof, evidence).state == "supports":
            return True
    return False


def answers(probe: Step, evidence: Evidence) -> bool:
    """True when the probe worked and returned the record that it was asked for."""
    if probe.ok is not True or probe.error is not None or is_empty(probe.output) or _says_not_found(probe):
        return False
    asked, returned = evidence.argument_ids(probe), evidence.output_ids(probe)
    return all(returned.get(key, value) == value for key, value in asked.items())


def _choose(
    matching: Sequence[Step], proof: CallReading, proofs: Sequence[CallReading], evidence: Evidence
) -> tuple[Step | None, str]:
    written = proof.pair.result or proof.pair.call
    fresh = [probe for probe in matching if is_after(probe, written, evidence)]
    if not fresh:
        return None, "the state was read before the write, not after it"
    unknown = None
    for probe in reversed(fresh):
        match = match_record(proof.pair, probe, evidence)
        if match == "same":
            return probe, ""
        if match != "unknown":
            continue
        is_alike = is_asked_alike(proof.pair.call, probe, evidence)
        if is_alike and len(proofs) > 1 and _is_of_one(probe, proof, proofs, evidence):
            return probe, ""
        if unknown is None and is_alike is not False:
            unknown = probe
    if unknown is None:
        return None, "the state probe read another record"
    records = {probe_identity(probe, evidence) for probe in fresh}
    if len(records) > 1 or (len(proofs) > 1 and len({repr(other.pair.call.args) for other in proofs}) > 1):
        return None, "several candidate records were probed or written, and none can be told to be the right one"
    return unknown, ""


def _is_of_one(probe: Step, proof: CallReading, proofs: Sequence[CallReading], evidence: Evidence) -> bool:
    """True when ``probe`` was asked for what this one of several calls was told, and none of the others."""
    mine = proof.pair.call.args
    return all(
        other.pair.call.args == mine or is_asked_alike(other.pair.call, probe, evidence) is False for other in proofs
    )


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


def _read(probe: Step, plan: RulePlan, claim: SuccessClaim, proof: CallReading, evidence: Evidence) -> ProbeReading:
    reading = _read_record(probe, plan, claim, proof, evidence)
    if reading.state == "contradicts" and not reading.checks and _removes(proof, evidence):
        return ProbeReading("none", reading.step, "the record is not there, which is what was claimed")
    if reading.state == "contradicts" and not reading.checks and (ended := _ended_later(probe, proof, evidence)):
        return ProbeReading("none", reading.step, f"the record is not there, and a later {ended} may have ended it")
    return reading


def _ended_later(probe: Step, proof: CallReading, evidence: Evidence) -> str:
    """Return the tool of a later call that named the record and may have taken it away: merged, moved, deleted; else ''."""
    asked = {*evidence.argument_ids(probe).values()}
    for pair in evidence.calls[-_MOST_LATER:]:
        effect = evidence.effect(pair)
        if pair.call.i <= proof.pair.call.i or effect.kind == "read" or evidence.receipt(pair).state == "failed":
            continue
        ends = family_of(effect.verb_class) == "remove" or not _ENDING.isdisjoint(effect.words)
        named = {
            str(value).casefold() for _, value in walk_values(pair.call.args or {}) if isinstance(value, str | int)
        }
        if ends and asked & named:
            return pair.call.name or "call"
    return ""


def _removes(proof: CallReading, evidence: Evidence) -> bool:
    return family_of(evidence.effect(proof.pair).verb_class) == "remove"


def _read_record(
    probe: Step, plan: RulePlan, claim: SuccessClaim, proof: CallReading, evidence: Evidence
) -> ProbeReading:
    step = probe.i
    if probe.ok is False or probe.error is not None:
        return _read_failed(probe)
    if is_empty(probe.output):
        if probe.ok is None:
            return ProbeReading("none", step, "the state probe was not read")
        return ProbeReading("contradicts", step, "the state probe found no such record")
    if _says_not_found(probe):
        return ProbeReading("contradicts", step, "the state probe found no such record")
    if is_copy_from_before(probe, proof.pair.call, evidence):
        return ProbeReading("none", step, "the state probe read a copy from before the call")
    fields = Fields(args=proof.pair.call.args, output=probe.output, subject=claim.subject, evidence=evidence)
    checks = run_checks(plan.probe_checks, fields, evidence, proof.pair)
    failed, _ = first_failures(checks)
    if failed is not None and plan.is_test and ran_other_tests(failed):
        return ProbeReading("none", step, f"the state probe ran other tests: {describe_failure(failed)}", checks)
    if failed is not None and is_one_value(failed, probe.output):
        return ProbeReading("none", step, f"it may be the same in another form: {describe_failure(failed)}", checks)
    if failed is not None and is_in_a_zone_of_its_own(failed, probe.output, proof.pair.call.args, evidence):
        return ProbeReading("none", step, f"it may be the same in another zone: {describe_failure(failed)}", checks)
    if failed is not None and is_state_of_its_own(failed):
        return ProbeReading("none", step, f"{failed.path} is {failed.actual!r}, which the rule does not know", checks)
    if failed is not None and is_told_state(failed, claim, evidence):
        return ProbeReading("none", step, f"{failed.path} is {failed.actual!r}, which is what the agent told", checks)
    if failed is not None and is_running_total(failed, proof.pair, probe, claim, evidence):
        return ProbeReading("none", step, f"a change is held against its total: {describe_failure(failed)}", checks)
    if failed is not None and may_be_red_for_another_reason(failed, claim, evidence):
        return ProbeReading("none", step, f"tests may be red for another reason: {describe_failure(failed)}", checks)
    if failed is not None:
        return ProbeReading("contradicts", step, f"the state probe shows otherwise: {describe_failure(failed)}", checks)
    missing = missing_item(plan.must_exist, proof.pair, probe)
    if missing is not None:
        return ProbeReading("contradicts", step, f"the state probe shows otherwise: {missing}", checks)
    unshown = _unshown(plan, probe, checks) or unlisted_text(plan.must_exist, proof.pair, probe)
    if unshown is not None:
        return ProbeReading("none", step, unshown, checks)
    if probe.ok is None:
        return ProbeReading("none", step, "the state probe does not say whether it succeeded", checks)
    if plan.probe_checks and not _has_passed(checks):
        return ProbeReading("none", step, "no check of the state probe could be evaluated", checks)
    return ProbeReading("supports", step, "the receipt and the state probe agree", checks)


def _read_failed(probe: Step) -> ProbeReading:
    """Tell a probe that could not be made from one that found no record."""
    error_text = probe.error if isinstance(probe.error, str) else (str(probe.error) if probe.error else "")
    says_none = _says_none(error_text)
    if error_text and not says_none:
        return ProbeReading("none", probe.i, f"the state probe could not be read: {error_text}")
    if probe.ok is None and not says_none:
        return ProbeReading("none", probe.i, "the state probe was not read")
    reason = f"the state probe failed: {error_text}" if error_text else "the state probe failed"
    return ProbeReading("contradicts", probe.i, reason)


def _says_none(error: str) -> bool:
    """True when an error says that the record is not there, and not that the tool, the host or the table is not.

    ``probes run`` itself writes ``unavailable: ...`` for what could not be read: a database file that is missing is no
    missing record.
    """
    if error.startswith(_NOT_READ):
        return False
    return _NONE_LEFT.search(error) is not None and _NO_READER.search(error) is None


def tells_no_record(probe: Step) -> bool:
    """True when the probe looked for its record and found none."""
    text = probe.error if isinstance(probe.error, str) else str(probe.error or "")
    if probe.ok is False or text:
        return _says_none(text) or (probe.ok is False and _says_not_found(probe))
    return probe.ok is True and (is_empty(probe.output) or _says_not_found(probe))


def _has_passed(checks: Sequence[FieldResult]) -> bool:
    return any(check.result == "pass" for check in checks)


def _unshown(plan: RulePlan, probe: Step, checks: Sequence[FieldResult]) -> str | None:
    """Say what the probe lacks of what it was to show; ``None`` when it shows enough to confirm."""
    for check in checks:
        if check.reason == ABSENT_REASON:
            return f"the state probe has no {check.path}"
    return unclear_tests(probe.output) if plan.is_test else None


def _says_not_found(probe: Step) -> bool:
    output = probe.output
    if isinstance(output, str):
        return len(output) < 400 and bool(_NOT_FOUND.search(output))
    if isinstance(output, dict) and len(output) <= 4:
        for key, value in output.items():
            if key in _SPEAKING and isinstance(value, str) and len(value) < 200 and _NOT_FOUND.search(value):
                return True
    return False
