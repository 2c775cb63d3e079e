"""The doubt that the state probe which agrees read a record no call touched, or one that says of itself that it is over.

A reader must not miss: this never accuses. Fields that agree by chance on another record confirm nothing, and neither does
``status: confirmed`` beside ``cancelled: true``, or a record that a later command may have taken away again.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.confirmed import Confirmed, Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coding.commands import command_of
from agent_claimcheck.evidence.values.comparison import fold
from agent_claimcheck.evidence.values.payload import text_of
from agent_claimcheck.evidence.values.value_text import walk_fields
from agent_claimcheck.evidence.word_lists import WordLists
from agent_claimcheck.trace.model import Step

_DIGITS = late_pattern(r"\d+")
_MOST_CALLS = 200
_LONGEST = 20_000
_MOST_COMMANDS = 50
_STEM = 5


def reads_no_record_of_the_run(confirmed: Confirmed) -> Doubt | None:
    """Doubt a claim whose probe was asked for a record that neither a call nor the request names."""
    probe, evidence = confirmed.probe, confirmed.evidence
    if probe is None or confirmed.plan.is_test or not evidence.argument_ids(confirmed.pair.call):
        return None
    asked = set(evidence.argument_ids(probe).values()) or _looks_like_ids(probe, confirmed.pair.call, evidence)
    if not asked or any(one in _touched(evidence) for one in asked):
        return None
    return Doubt("undecided", f"the state probe read {min(asked)}, which no call of the run touched")


def _looks_like_ids(probe: Step, call: Step, evidence: Evidence) -> set[str]:
    """Return the arguments of ``probe`` of the same form as an id that ``call`` was given: ``contact: r9`` beside r1."""
    forms = {_DIGITS.sub("9", one) for one in evidence.argument_ids(call).values() if _DIGITS.search(one)}
    told = (fold(value) for _, value in walk_fields(probe.args or {}) if isinstance(value, str))
    return {value for value in told if _DIGITS.sub("9", value) in forms}


def says_that_it_is_over(confirmed: Confirmed) -> Doubt | None:
    """Doubt a claim whose probe shows a flag such as ``cancelled: true`` that nobody asked for or told of."""
    probe = confirmed.probe
    if probe is None:
        return None
    for key, value in walk_fields(probe.output):
        found = _over().search(key.casefold())
        if found is None or not _is_set(value):
            continue
        told = f"{confirmed.claim.type} {confirmed.claim.quote} {confirmed.evidence.request_low}".casefold()
        if found["state"][:_STEM] not in told and key not in (confirmed.pair.call.args or {}):
            return Doubt("undecided", f"the state probe shows {key}: {str(value).lower()}")
    return None


def may_be_taken_back_since(confirmed: Confirmed) -> Doubt | None:
    """Doubt a claim when a command that takes work back ran after its probe: ``git reset --hard``."""
    evidence, probe = confirmed.evidence, confirmed.probe
    if probe is None or confirmed.plan.is_test:
        return None
    at = evidence.positions[probe.i]
    for pair in evidence.calls[-_MOST_COMMANDS:]:
        if evidence.positions[pair.call.i] < at or evidence.receipt(pair).state == "failed":
            continue
        command = command_of(pair.call)
        if command is not None and _TAKES_BACK.search(command[:_LONGEST]):
            return Doubt("undecided", f"{command.strip()[:60]!r} ran after the state was read")
    return None


_TAKES_BACK = late_pattern(
    r"\bgit (?:-\S+ )*(?:reset|revert|checkout|restore|stash|clean|branch -D|push \S* ?--(?:force|delete))\b"
    r"|(?:^|[;&|]\s*)(?:sudo )?(?:rm|mv|truncate|dropdb)\b"
)


def _touched(evidence: Evidence) -> str:
    """Return the request, and what calls that did not fail were told and gave back, folded."""
    return evidence.shared("touched_text", lambda: _read_touched(evidence))


def _read_touched(evidence: Evidence) -> str:
    parts: list[str] = [evidence.request_text]
    for pair in evidence.calls[:_MOST_CALLS]:
        if evidence.receipt(pair).state != "failed":
            parts.append(text_of(pair.call.args))
            parts += [_output(result, evidence) for result in pair.results]
    return fold(" ".join(parts))


def _output(result: Step, evidence: Evidence) -> str:
    return evidence.output_text(result)[:_LONGEST]


def _is_set(value: object) -> bool:
    if isinstance(value, bool):
        return value
    return isinstance(value, str) and value.casefold() not in ("", "false", "no", "none", "null", "0", "never")


@lru_cache(maxsize=1)
def _over() -> re.Pattern[str]:
    return re.compile(WordLists("record_doubts").pattern("over"))
