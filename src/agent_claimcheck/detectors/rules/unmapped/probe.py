"""State probes where no pack says what they must show: the record that a call wrote, as it was read afterwards.

A reader must not miss: nothing here confirms a claim. A probe refutes one only when it read the very record of the call
that was to do it, or that the claim names, and this record is missing, or a field that was to change reads as before, or a
new record has another day or count than was written and claimed. Fields that may mean something else in a call than in a
record (an amount to refund, a kind of action) are left alone, and so is all that ``probes.other_explanations`` leaves open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from agent_claimcheck.detectors.rules.probes.last_reading import last_reading
from agent_claimcheck.detectors.rules.probes.other_explanations import (
    changes_a_part,
    has_other_terms,
    is_a_day_apart,
    is_in_another_dress,
    is_of_something_else,
    is_old_copy,
    may_be_used_up,
    may_show_later,
    names_itself,
    reads_a_part,
    reads_another_kind,
    says_ended,
    shows_somewhere,
    states_of,
    texts_of,
    was_touched_since,
)
from agent_claimcheck.detectors.rules.probes.reading import tells_no_record
from agent_claimcheck.detectors.rules.probes.written_fields import (
    ENDING,
    NOT_FIELDS,
    SUMS,
    WRITING,
    in_short,
    written_fields,
)
from agent_claimcheck.detectors.rules.same_value import may_be_one, stands_beside
from agent_claimcheck.detectors.rules.unmapped.untouched_record import named_by, untouched_record
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SURE_CLAIM, SuccessClaim
from agent_claimcheck.evidence.coverage import class_covers, family_of
from agent_claimcheck.evidence.seen_records import fields_of, record_seen
from agent_claimcheck.evidence.values.comparison import compare, fold
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.value_text import extract_values, walk_values
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.trace.model import Step

_RENAMING = frozenset({"rename", "move", "merge", "relocate", "replace", "migrate"})
"""Words of tools after which nothing may be left under the old name."""
_LONGEST = 4_000
_MAKING = frozenset({"create", "obtain"})


class Refutation(NamedTuple):
    """The probe that shows otherwise, the call it speaks about if there is one, and what it shows, in words."""

    probe: Step
    write: Write | None
    reason: str


def refuting_record(index: int, claim: SuccessClaim, evidence: Evidence) -> Refutation | None:
    """Return the probe that refutes claim ``index``, or ``None``."""
    if not evidence.probes or claim.confidence < SURE_CLAIM:
        return None
    meant = _meant(evidence.candidates(index), claim, evidence)
    for write in meant:
        probe = last_reading(write, evidence)
        if probe is None or is_old_copy(probe) or may_show_later(write, claim, evidence):
            continue
        if was_touched_since(write, claim, _names_of(write, probe, evidence), evidence):
            continue
        reason = _otherwise(probe, write, claim, evidence)
        if reason:
            return Refutation(probe, write, reason)
    untouched = untouched_record(claim, evidence) if not meant else None
    if untouched is None:
        return None
    return Refutation(untouched, None, "the state probe shows the record as it was, and no call named it")


def _meant(candidates: Sequence[Write], claim: SuccessClaim, evidence: Evidence) -> list[Write]:
    """Return the calls that were surely to do what is claimed, failed ones too, the last of several attempts each."""
    claimed = claim.verb_class or claim.type
    if family_of(claimed) is None:
        return []
    writes = [
        write
        for write in candidates
        if write.effect.kind == "write" and not write.pair.is_ambiguous and class_covers(claimed, write.effect)
    ]
    said = named_by(claim)
    named = [(write, _values_in(write, said, evidence)) for write in writes]
    # Attempts at one thing name it alike; the last one is what counts.
    last = {(write.pair.call.name, values): write for write, values in named if values}
    return list(last.values())


def _values_in(write: Write, named: str | Sequence[str], evidence: Evidence) -> tuple[str, ...]:
    """Return the texts of the call that are named: that stand in a quotation, or with the ids of its result in a list of ids."""
    where = fold(named) if isinstance(named, str) else {fold(one).lstrip("#") for one in named}
    texts = [fold(value) for _, value in walk_values(write.pair.call.args) if isinstance(value, str) and len(value) > 2]
    if not isinstance(named, str) and write.pair.result is not None:
        texts += evidence.output_ids(write.pair.result).values()
    return tuple(text for text in texts if text.lstrip("#") in where and not text.isdigit())


def _names_of(write: Write, probe: Step, evidence: Evidence) -> set[str]:
    """Return what names the record: the ids of the call and its result, and what the probe asked for."""
    names = texts_of(probe.args) | {*evidence.argument_ids(write.pair.call).values()}
    if write.pair.result is not None:
        names |= {*evidence.output_ids(write.pair.result).values()}
    return names


def _otherwise(probe: Step, write: Write, claim: SuccessClaim, evidence: Evidence) -> str:
    """Say what the probe shows against the claim; ``""`` when it shows nothing against it."""
    family = family_of(claim.verb_class or claim.type)
    may_be_gone = family in ENDING or not _RENAMING.isdisjoint(write.effect.words)
    if tells_no_record(probe):
        is_missing = (
            not (may_be_gone or may_be_used_up(write, evidence))
            and _asks_for_new(probe, write, evidence)
            and not reads_a_part(probe, write)
        )
        return "the state probe found no such record" if is_missing else ""
    found = parse_output(probe.output)
    if probe.ok is not True or probe.error is not None or not isinstance(found, dict):
        return ""
    shown, before = fields_of(found), _record_before(write, evidence)
    if may_be_gone and is_of_something_else(claim, texts_of(probe.args)):
        return ""
    if reads_another_kind(probe, write, is_whole=may_be_gone) or changes_a_part(probe, write, shown.keys()):
        return ""
    if has_other_terms(write, shown.keys() | before.keys(), _names_of(write, probe, evidence)):
        return ""
    if family in _MAKING:
        return _other_than_made(probe, write, claim, shown, evidence)
    if family in WRITING:
        return _unchanged_field(probe, write, claim, shown, evidence)
    if may_be_gone and shown.keys() <= before.keys() and all(shown[key] == before[key] for key in shown):
        for key in states_of(shown):
            if not says_ended(shown[key]):
                return f"the state probe shows the record as it was before: {key} is {in_short(shown[key])}"
    return ""


def _asks_for_new(probe: Step, write: Write, evidence: Evidence) -> bool:
    """True when the probe asked for a record that the call made a name for, or gave one to, and that no lookup ever found."""
    asked = texts_of(probe.args)
    made = asked - texts_of(write.pair.call.args)
    if not made and not names_itself(probe, write, evidence):
        return False
    return not record_seen(made or asked, evidence)


def _unchanged_field(probe: Step, write: Write, claim: SuccessClaim, shown: dict[str, Any], evidence: Evidence) -> str:
    """Name a field that was to change and reads as before; a lookup of the agent that saw it changed says otherwise."""
    before = _record_before(write, evidence)
    since: dict[str, Any] | None = None
    for key, written in written_fields(write):
        actual = shown.get(key)
        if actual is None or key in NOT_FIELDS or key not in before or before[key] != actual:
            continue
        if compare(actual, written, context=evidence.zones) != "different":
            continue
        if is_in_another_dress(actual, written, shown) or shows_somewhere(written, probe, evidence):
            continue
        if stands_beside(key, written, probe.output) or may_be_one(written, actual):
            continue
        if since is None:
            since = record_seen({*evidence.argument_ids(write.pair.call).values()}, evidence)
        if since.get(key, actual) == actual and not _is_told(actual, claim, evidence):
            return f"the state probe shows otherwise: {key} is {in_short(actual)}, the call wrote {in_short(written)}"
    return ""


def _is_told(value: Any, claim: SuccessClaim, evidence: Evidence) -> bool:
    """True when the agent tells the value that the record has."""
    return fold(str(value)) in fold(f"{claim.quote} {evidence.closing_text}")


def _tells_day(value: Any, claim: SuccessClaim, evidence: Evidence) -> bool:
    if not isinstance(value, str):
        return False
    if _is_told(value, claim, evidence):
        return True
    days = (found for found in extract_values(evidence.closing_text[:_LONGEST]) if found.kind in ("date", "datetime"))
    return any(compare(found.raw, value, "datetime", evidence.zones) == "equal" for found in days)


def _other_than_made(probe: Step, write: Write, claim: SuccessClaim, shown: dict[str, Any], evidence: Evidence) -> str:
    """Name a day or count of a new record that is another than was written and claimed."""
    if not texts_of(probe.args) - texts_of(write.pair.call.args):
        # What the call was told the name of was there before: an order to add to, a task to copy.
        return ""
    for key, written in written_fields(write):
        actual = shown.get(key)
        if actual is None or key in NOT_FIELDS or not (_is_plain(key, written) and _is_claimed(written, claim)):
            continue
        if is_in_another_dress(actual, written, shown) or is_a_day_apart(actual, written):
            continue
        if compare(actual, written, context=evidence.zones) == "different" and not _tells_day(actual, claim, evidence):
            return f"the state probe shows otherwise: {key} is {in_short(actual)}, the call wrote {in_short(written)}"
    return ""


def _record_before(write: Write, evidence: Evidence) -> dict[str, Any]:
    """Return the fields of the record as the last lookup before ``write`` returned it; empty when none did."""
    return record_seen(set(evidence.argument_ids(write.pair.call).values()), evidence, write.pair.call.i)


def _is_plain(key: str, value: Any) -> bool:
    """True for days, times and counts: two of them differ. A sum may be told in another unit."""
    if isinstance(value, int | float):
        return key not in SUMS
    return any(found.kind in ("date", "datetime") for found in extract_values(str(value)[:60]))


def _is_claimed(value: Any, claim: SuccessClaim) -> bool:
    declared = [fold(str(known)) for _, known in walk_values(claim.subject)]
    return fold(str(value)) in (declared if claim.source == "structured" else fold(claim.quote))
