"""A write to a record or an address that nobody named, while the run named exactly one other.

What it catches: ``search_contacts("Ada Lind")`` returns ``rec_1``; the agent updates ``rec_7``. The user asks to invite
``ada@…``; the invitation goes to ``bo@…``.
Why it matters: the call succeeds, a probe of ``rec_7`` confirms it, and the wrong record was changed.
Example: two contacts share a name, and the id of the other one slipped in from somewhere outside this run.
Limits: the written id must appear nowhere before the write (no tool result, no user message), and the run must have seen
exactly one id under the same key; an address must have been asked for as the only one, in a single turn, and neither be the
user's own nor nearly the written one. An id that the user spelt otherwise, an address whose owner the user names, two candidates, a
user who names the id, or an id the tool itself made give nothing.
It accuses only where a rule pack maps the tool; elsewhere it is for review.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from agent_claimcheck.core.globs import glob_match
from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.asked.owners import is_owner_named
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.findings.cited import on_call
from agent_claimcheck.evidence.values.record_ids import id_fields
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.evidence.writes import Write

ID = "wrong_record"
POWER: Power = "accuse"

_SHORTEST_ID = 4
"""Shorter ids ("3") turn up by chance and are too easily taken for another value."""
_SHORTEST_NUMBER = 2
_SIGNS = late_pattern(r"[\W_]+")
_DIGITS = late_pattern(r"\d+")
_NONE: dict[str, int] = {}
_LONGEST_ADDRESS = 200
_ALIKE = 0.85
_ADDRESS = late_pattern(r"[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding per write whose record id came from nowhere."""
    writes = evidence.sorted_writes.done
    lookups: _Lookups | None = None
    for write in writes:
        for key, value in evidence.argument_ids(write.pair.call).items():
            if len(value) < _SHORTEST_ID or value in evidence.instruction_low or _is_of_the_new(key, write):
                continue
            lookups = lookups or _Lookups(evidence)
            expected = lookups.only_other(key, value, write.pair.call.i)
            if expected is None or _is_part(expected, value):
                continue
            if _was_seen(value, write, evidence) or _is_spelt_otherwise(value, evidence):
                continue
            reason = f"{key} {value} appears nowhere before this call; the lookup had returned {expected}"
            yield _finding(write, reason, evidence)
            return
    yield from _other_address(writes, evidence)


def _is_part(one: str, other: str) -> bool:
    """True when one id is the other with something before or behind it: ``0042`` and ``CRM-0042``."""
    short, long = sorted((one, other), key=len)
    return re.search(rf"(?<![^\W_]){re.escape(short)}(?![^\W_])", long) is not None


def _is_spelt_otherwise(value: str, evidence: Evidence) -> bool:
    """True when the user named the id in another form: "contact 8812" for ``con-8812``, "C 42-17" for ``c4217``, 42 for ``0042``."""
    said = evidence.request_low
    bare = _SIGNS.sub("", value)
    if len(bare) >= _SHORTEST_ID and bare in _SIGNS.sub("", said):
        return True
    numbers = _DIGITS.findall(value)
    if len(numbers) == 1 and len(numbers[0]) >= _SHORTEST_ID and numbers[0] in _DIGITS.findall(_SIGNS.sub("", said)):
        return True
    if len(numbers) != 1 or len(number := numbers[0].lstrip("0")) < _SHORTEST_NUMBER:
        return False
    return re.search(rf"(?<![\w.,:/-])[a-z]{{0,4}}[-_# ]?0*{number}(?!\w|[.,:/-]\w)", said) is not None


def _is_of_the_new(key: str, write: Write) -> bool:
    """True when ``key`` names what the call itself makes: ``event_id`` of ``create_event`` may be the caller's to choose."""
    return family_of(write.effect.verb_class) in ("create", "obtain") and key.split("_")[0] in write.effect.words


def _finding(write: Write, reason: str, evidence: Evidence) -> Finding:
    power: Power = POWER if _is_mapped(write, evidence) else "review"
    return on_call(ID, power, write.pair, evidence, reason=reason, steps=(write.pair.call.i, write.step))


def _other_address(writes: Sequence[Write], evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding when all addresses written came from nowhere and the one asked for is not among them."""
    asked = evidence.request.email
    if asked is None:
        return
    # The first write of an address is the one that is asked about: its own result echoes the address to all later ones.
    written = {address: write for write in reversed(writes) for address in _addresses(write)}
    if (
        not written
        or asked in written
        or any(_was_seen(address, write, evidence) for address, write in written.items())
    ):
        return
    address, write = next(reversed(written.items()))
    if is_owner_named(address, evidence.request_text):
        return
    if _is_pieced_together(address, write, evidence) or _is_a_slip(asked, address):
        return
    yield _finding(write, f"{address} appears nowhere before this call; {asked} was asked for", evidence)


def _is_pieced_together(address: str, write: Write, evidence: Evidence) -> bool:
    """True when both halves of ``address`` were seen before, if not side by side."""
    name, _, host = address.partition("@")
    return _was_seen(name, write, evidence) and _was_seen(host, write, evidence)


def _is_a_slip(asked: str, address: str) -> bool:
    """True when the two are so alike that one may mend a slip of the pen in the other."""
    return SequenceMatcher(None, asked, address).ratio() > _ALIKE


def _addresses(write: Write) -> list[str]:
    """Return the arguments that are e-mail addresses and nothing else, case-folded."""
    return [
        value.strip().casefold()
        for _, value in walk_values(write.pair.call.args or {})
        if isinstance(value, str)
        and "@" in value
        and len(value) <= _LONGEST_ADDRESS
        and _ADDRESS.fullmatch(value.strip())
    ]


def _is_mapped(write: Write, evidence: Evidence) -> bool:
    """True when a rule pack says what this tool does."""
    name = write.pair.call.name or ""
    return any(glob_match(rule.action, name) for pack in evidence.packs for rule in pack.claims.values())


class _Lookups:
    """The first two ids that the reads of a run returned under each key; each result is walked once, however many writes."""

    def __init__(self, evidence: Evidence) -> None:
        self._first: dict[str, dict[str, int]] = {}
        for pair in evidence.calls:
            if pair.result is not None and evidence.effect(pair).kind == "read":
                self._read(pair.result.i, evidence.receipt(pair).parsed)

    def _read(self, step: int, output: Any) -> None:
        for key, values in id_fields(output).items():
            known = self._first.setdefault(key, {})
            for value in values:
                if len(known) > 1:
                    break
                known.setdefault(value, step)

    def only_other(self, key: str, value: str, before: int) -> str | None:
        """Return the one id that results before step ``before`` carry under ``key``, when it is not ``value``."""
        seen = [known for known, step in self._first.get(key, _NONE).items() if step < before]
        return seen[0] if len(seen) == 1 and seen[0] != value else None


def _was_seen(value: str, write: Write, evidence: Evidence) -> bool:
    """True when ``value`` stands in anything that was said or returned before ``write``."""
    for step in evidence.view.steps:
        if step.i >= write.pair.call.i:
            break
        if step.kind == "message" and step.role != "agent" and value in (step.content or "").casefold():
            return True
        if step.kind in ("tool_result", "state_probe") and value in evidence.output_text(step).casefold():
            return True
    return (
        value in evidence.view.task.instruction.casefold()
        or value in (evidence.view.task.system_prompt or "").casefold()
    )
