"""The claim names another value than the last write of that record.

What it catches: "Your meeting is booked for May 3" after ``create_event(date="2026-05-04")``.
Why it matters: the user will rely on the value that was said.
Example: the reschedule call carries 14:00, the message says 15:00.
Limits: the record must be certain (named by its id, or the only write that could have been meant), and claim and call must
each carry exactly one value of that kind; of a start and an end, "at 10:00" is held against the start. What cannot be
compared (another zone, a day against a time, bare digits such as 20260503) is no conflict, and neither is a value that may
only name a thing ("your May 3 appointment has been moved", "the invoice from bob@…") or that a longer text of the call holds,
nor one that follows from the call (the end of three nights), or that a look-up returned as another address of the same person.
A day on which the deed was done (``submitted_on``) is no day that it is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.candidates import names_any
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SURE_CLAIM, SuccessClaim
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_claim
from agent_claimcheck.evidence.seen_records import objects_in, stand_together
from agent_claimcheck.evidence.values.comparison import compare
from agent_claimcheck.evidence.values.derived_moments import is_stamp, may_follow
from agent_claimcheck.evidence.values.said_of import is_said_of_another
from agent_claimcheck.evidence.values.value_text import TypedValue, extract_values, walk_values
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.packs.language import Normaliser

ID = "value_conflict"
POWER: Power = "accuse"

_DIGIT = late_pattern(r"\d")
_KINDS: dict[str, tuple[frozenset[str], Normaliser]] = {
    "email": (frozenset({"email"}), "email"),
    "date": (frozenset({"date", "datetime"}), "datetime"),
    "time": (frozenset({"time", "datetime"}), "datetime"),
}
_LEFT = late_pattern(
    r"\b(?:moved|rescheduled|postponed|shifted|changed|rebooked|pushed|brought forward)\b", re.IGNORECASE
)
_START = late_pattern(r"(?:^|[._])(?:\w+_)?(?:start|begin)\w*$", re.IGNORECASE)
_LINES = late_pattern(r"[\n,{}]")
_DIGITS_OF_MOMENT = late_pattern(r"(?:19|20)\d{6}(?:[T ]?\d{2}:?\d{2}(?::?\d\d)?Z?)?|1\d{9}(?:\d{3})?")
_LONGEST_FIELD = 60
"""Characters of an argument that is a value; a longer one is a text, which may speak of other days."""
_LONGEST_DIGITS = 20
_LONGEST = 300
_LONGEST_TEXT = 10_000
_LONGEST_PATH = 80
_MOST_READS = 50


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding per claim whose value differs from the write it speaks of."""
    for index, claim in evidence.compared_claims:
        if claim.source != "extracted" or claim.confidence < SURE_CLAIM or _KINDS.keys().isdisjoint(claim.values):
            continue
        write = _write_of(index, claim, evidence)
        if write is None:
            continue
        for kind, (kinds, normaliser) in _KINDS.items():
            said = _where_to(claim.values.get(kind), claim.quote)
            if not isinstance(said, list) or len(said) != 1:
                continue
            if is_said_of_another(
                str(said[0]), claim.quote, claim.verb_class or claim.type, names_record=bool(claim.values.get("id"))
            ):
                continue
            written = _only_value(write, kinds, evidence, normaliser)
            if written is None and kind == "time" and _is_said_as_start(str(said[0]), claim.quote):
                written = _other_start(said[0], write, evidence)
            elif written is None or not _differs(said[0], written, write, kinds, normaliser, evidence):
                continue
            if written is None or _may_be_meant(kind, str(said[0]), written, write, claim, evidence):
                continue
            reason = f"the claim says {said[0]}, the call wrote {written}"
            steps = tuple(step for step in (claim.step, write.pair.call.i, write.step) if step is not None)
            yield on_claim(ID, POWER, index, claim, reason=reason, steps=steps)
            break


def _may_be_meant(kind: str, said: str, written: str, write: Write, claim: SuccessClaim, evidence: Evidence) -> bool:
    """True when what is said may be what was written: another address of one person, the end of what begins then."""
    if kind == "email":
        return _are_of_one(said.casefold(), written.casefold(), evidence)
    return may_follow(said, written, write.pair.call.args or {}, claim.quote)


def _are_of_one(one: str, two: str, evidence: Evidence) -> bool:
    """True when some look-up returned both addresses in one record, as fields or in a list of others."""
    if stand_together(one, two, evidence):
        return True
    for pair in evidence.calls[:_MOST_READS]:
        if pair.result is None or evidence.effect(pair).kind != "read":
            continue
        for record in objects_in(evidence.receipt(pair).parsed):
            values = {str(value).casefold() for _, value in walk_values(record)}
            if one in values and two in values:
                return True
    return False


def _where_to(said: Any, quote: str) -> Any:
    """Return the second of two values where the first is what was left: "moved from 4 June to 11 June"."""
    if not isinstance(said, list) or len(said) != 2 or not _LEFT.search(quote):
        return said
    first, second = (re.escape(str(one)) for one in said)
    between = re.search(
        rf"\bfrom\W{{1,4}}(?:\w+ ){{0,2}}{first}\W{{1,4}}to\W{{1,6}}(?:\w+ ){{0,2}}\W{{0,3}}{second}", quote
    )
    return said[1:] if between is not None else said


def _write_of(index: int, claim: SuccessClaim, evidence: Evidence) -> Write | None:
    """Return the one write the claim can mean; ``None`` when there is none or a choice."""
    meant = evidence.candidates(index)
    done = [write for write in meant if write.is_ok]
    if len(meant) != len([write for write in meant if write.effect.kind == "write"]):
        return None
    ids = claim.values.get("id")
    if isinstance(ids, list) and ids:
        named = [write for write in meant if not write.is_failed and names_any(write, ids)]
        # A later write that was only accepted may be the one that is meant.
        return named[-1] if named and named[-1].is_ok else None
    # A write that was only accepted may be the one that is meant.
    return done[0] if len(done) == 1 and all(write.is_ok or write.is_failed for write in meant) else None


def _values(source: Any, kinds: frozenset[str], longest: int = _LONGEST) -> list[TypedValue]:
    return [
        found
        for _, value in walk_values(source)
        if isinstance(value, str) and len(value) <= longest and ("@" in value or _DIGIT.search(value))
        for found in extract_values(value)
        if found.kind in kinds  # all of them hold a digit, and an address its sign
    ]


def _only_value(write: Write, kinds: frozenset[str], evidence: Evidence, normaliser: Normaliser) -> str | None:
    args = write.pair.call.args or {}
    meant = {path: value for path, value in walk_values(args) if not is_stamp(path)}
    found = _values(meant, kinds, _LONGEST_FIELD)
    if not found or (normaliser == "datetime" and any(_may_be_moment(value) for _, value in walk_values(args))):
        return None
    first = found[0].raw
    is_one = all(compare(first, other.raw, normaliser, evidence.zones) == "equal" for other in found[1:])
    return first if is_one else None


def _may_be_moment(value: Any) -> bool:
    """True for digits that may say a day or a moment: 20241114, or seconds since 1970."""
    return isinstance(value, int | str) and _DIGITS_OF_MOMENT.fullmatch(str(value)[:_LONGEST_DIGITS]) is not None


def _is_said_as_start(said: str, quote: str) -> bool:
    return re.search(rf"\b(?:at|starting|starts|from)\W{{1,6}}{re.escape(said)}", quote, re.IGNORECASE) is not None


def _starts(source: Any) -> list[str]:
    """Return the times under a name that says start, wherever they lie in ``source`` or in the lines of a text."""
    if isinstance(source, str):
        lines = (line.partition(":") for line in _LINES.split(source[:_LONGEST_TEXT]))
        pairs: Iterable[tuple[str, Any]] = ((name.strip(" -\"'"), value.strip(" \"'")) for name, _, value in lines)
    else:
        pairs = walk_values(source)
    named = [
        value for path, value in pairs if isinstance(value, str) and len(path) <= _LONGEST_PATH and _START.search(path)
    ]
    return [
        found.raw
        for value in named
        if len(value) <= _LONGEST
        for found in extract_values(value)
        if found.kind in _KINDS["time"][0]
    ]


def _other_start(said: Any, write: Write, evidence: Evidence) -> str | None:
    """Return the one start that the call wrote when the claim and what came back say another."""
    written = _starts(write.pair.call.args or {})
    returned = _starts(write.pair.result.output) if write.pair.result else []
    if len(written) != 1 or any(
        compare(said, one, "datetime", evidence.zones) != "different" for one in written + returned
    ):
        return None
    return written[0]


def _differs(
    said: Any, written: str, write: Write, kinds: frozenset[str], normaliser: Normaliser, evidence: Evidence
) -> bool:
    if compare(said, written, normaliser, evidence.zones) != "different":
        return False
    output = write.pair.result.output if write.pair.result else None
    returned = _values(output, kinds)
    return all(compare(said, other.raw, normaliser, evidence.zones) == "different" for other in returned)
