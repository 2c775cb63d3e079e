"""What the agent itself read back after a write: it proves and accuses nothing, but one that shows otherwise leaves a claim open.

A reader must not miss: a reading counts when it asks for the record of the call by its id or path, or by nothing but arguments
of the call, nothing in between may have changed what the call wrote, and the field has the name under which it was written.
After a removal a list counts too that shows the record still there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from agent_claimcheck.core.text import shorten
from agent_claimcheck.detectors.rules.probes.other_explanations import says_ended, states_of
from agent_claimcheck.detectors.rules.probes.written_fields import (
    differing_field,
    emptied_field,
    in_short,
    state_not_ended,
)
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coding.commands import command_of
from agent_claimcheck.evidence.coding.shell import read_command
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.seen_records import objects_in
from agent_claimcheck.evidence.targets import same_target
from agent_claimcheck.evidence.undoing import may_undo
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.value_text import walk_fields
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.trace.pairing import CallPair

_MOST_READS = 50


class OwnReading(NamedTuple):
    """The call that read the record back, and what it shows against the write, in words: ``""`` for nothing."""

    pair: CallPair
    otherwise: str


def own_reading(write: Write, evidence: Evidence) -> OwnReading | None:
    """Return the agent's last look at the record of ``write`` before anything else may have changed it, or ``None``.

    Looked for once a write.
    """
    known: dict[int, OwnReading | None] = evidence.shared("own_readings", dict)
    at = write.pair.call.i
    if at not in known:
        known[at] = _find_own_reading(write, evidence)
    return known[at]


def _find_own_reading(write: Write, evidence: Evidence) -> OwnReading | None:
    pair = _last_look(write, evidence)
    if pair is None or pair.result is None:
        return still_listed(write, evidence)
    shown = parse_output(pair.result.output)
    state = state_not_ended(shown, write)
    if state is not None:
        return OwnReading(pair, shorten(f"{pair.call.name} then showed {state[0]} {state[1]}", 150))
    field = differing_field(shown, write, evidence) or emptied_field(shown, write)
    if field is None:
        return OwnReading(pair, "")
    key, actual, written = field
    return OwnReading(pair, shorten(f"{pair.call.name} then showed {key} {actual}, the call wrote {written}", 150))


def _last_look(write: Write, evidence: Evidence) -> CallPair | None:
    after = write.step
    if write.pair.result is None or evidence.calls[-1].call.i <= after:
        return None
    reads = _reads(evidence)
    if not reads or reads[-1].call.i <= after:
        return None
    ids = {*evidence.argument_ids(write.pair.call).values(), *evidence.output_ids(write.pair.result).values()}
    found = None
    for pair in looks_after(write, evidence):
        asked = set(evidence.argument_ids(pair.call).values())
        if asked <= ids if asked else _asks_with_arguments_of(write, pair):
            found = pair
    return found


def looks_after(write: Write, evidence: Evidence) -> Iterator[CallPair]:
    """Yield the look-ups that worked after ``write``, until something else may have changed what it wrote."""
    after = write.step
    for pair in [pair for pair in evidence.calls if pair.call.i > after][:_MOST_READS]:
        if evidence.effect(pair).kind == "read":
            if evidence.receipt(pair).state == "ok" and pair.result is not None:
                yield pair
        elif evidence.receipt(pair).state != "failed" and may_change(pair, write, evidence):
            return


def _asks_with_arguments_of(write: Write, look: CallPair) -> bool:
    """True for a look-up by nothing but texts that the call carried under the same names: ``get_device(device="th-4")``."""
    asked, given = look.call.args or {}, write.pair.call.args or {}
    return bool(asked) and all(isinstance(value, str) and given.get(key) == value for key, value in asked.items())


def still_listed(write: Write, evidence: Evidence) -> OwnReading | None:
    """Return the last look-up that lists the record which ``write`` was to remove, with no word that it is gone."""
    args = write.pair.call.args
    if not args or write.pair.result is None or family_of(write.effect.verb_class) != "remove":
        return None
    found = None
    for pair in looks_after(write, evidence):
        output = parse_output(pair.result.output) if pair.result is not None else None
        listed = next((record for record in objects_in(output) if _is_record_of(args, record)), None)
        if listed is not None:
            found = OwnReading(pair, shorten(f"{pair.call.name} then still showed {_named(args)}", 150))
        elif isinstance(output, list | dict) and found is not None and pair.call.name == found.pair.call.name:
            found = None
    return found


def _is_record_of(args: dict[str, Any], record: dict[str, Any]) -> bool:
    """True when all texts and numbers of ``args`` stand in ``record`` under their names, and its state does not say that it ended."""
    named = {key: value for key, value in args.items() if type(value) in (str, int)}
    if not named or any(str(record.get(key)) != str(value) for key, value in named.items()):
        return False
    return all(not says_ended(record[key]) for key in states_of(record))


def _named(args: dict[str, Any]) -> str:
    return ", ".join(in_short(value) for value in args.values() if type(value) in (str, int))


def _reads(evidence: Evidence) -> list[CallPair]:
    """Return the calls that only read, in order; sorted out once a run."""
    return evidence.shared("reads", lambda: _find_reads(evidence))


def _find_reads(evidence: Evidence) -> list[CallPair]:
    others = {write.pair.call.i for write in evidence.writes}
    return [pair for pair in evidence.calls if pair.call.i not in others]


def may_change(pair: CallPair, write: Write, evidence: Evidence) -> bool:
    """False for a change of another record, of other fields of this one, and for a command that runs tests."""
    effect = evidence.effect(pair)
    if same_target(effect.target, write.effect.target) is False:
        return False
    command = command_of(pair.call)
    if command is not None:
        return not read_command(command).is_test
    if effect.kind != "write" or may_undo(effect):
        return True
    return not _fields_of(pair, evidence).isdisjoint(_fields_of(write.pair, evidence))


def _fields_of(pair: CallPair, evidence: Evidence) -> set[str]:
    """Return the names of the arguments of a call, at any depth, but those that name the record."""
    args: dict[str, Any] = pair.call.args or {}
    return {*args, *(key for key, _ in walk_fields(args))} - set(evidence.argument_ids(pair.call))
