"""When no mapped call proves a claim: a call outside the rule that may have done it all the same.

A reader must not miss: such a call keeps a rule from accusing. It is passed over only when it belongs to an application
that the packs know, and what it carries has nothing to do with what was asked or claimed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from typing import Any

from agent_claimcheck.core.globs import glob_match
from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.passing_tests import is_test_claim
from agent_claimcheck.evidence.bystanders import is_bystander
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.coding.commands import command_of
from agent_claimcheck.evidence.coding.shell import read_command
from agent_claimcheck.evidence.coverage import class_covers
from agent_claimcheck.packs.language import ClaimRule
from agent_claimcheck.trace.pairing import CallPair

_KEY_WORD = late_pattern(r"[a-z]+")
_STEM = 5
_APPLICATION = late_pattern(r"([A-Za-z0-9]+(?:_[A-Za-z0-9]+)*?)(?:[./:]|__)[A-Za-z0-9_*]")


def other_candidate(rule: ClaimRule, claim: SuccessClaim, evidence: Evidence) -> CallPair | None:
    """Return a call outside the rule that may have done what was claimed: not a read, not failed, not mapped elsewhere."""
    mapped = [other.action for pack in evidence.packs for other in pack.claims.values()]
    for pair in evidence.calls:
        name = pair.call.name
        if not name or glob_match(rule.action, name):
            continue
        effect = evidence.effect(pair)
        if effect.kind == "read" or evidence.receipt(pair).state == "failed":
            continue
        if any(glob_match(action, name) for action in mapped) and command_of(pair.call) is None:
            if _does_it_along(pair, claim):
                return pair
            continue
        if _only_tests(pair) and not is_test_claim(claim.type):
            continue
        if class_covers(claim.verb_class or claim.type, effect) is False:
            continue
        if not (_is_of_known_application(name, mapped) and is_bystander(pair, claim, evidence)):
            return pair
    return None


def changed_since(proof: CallPair, fields: Set[str], evidence: Evidence) -> CallPair | None:
    """Return an unmapped change after ``proof`` of what it wrote: a meeting that was moved, a head that was merged on.

    It is of the same application, and names the same record and one of ``fields``; or neither of the two names a record.
    """
    mapped = [other.action for pack in evidence.packs for other in pack.claims.values()]
    application = _application_of(proof.call.name or "")
    named = evidence.argument_ids(proof.call)
    written = {*named.values()}
    if proof.result is not None:
        written |= {*evidence.output_ids(proof.result).values()}
    for pair in evidence.calls:
        name = pair.call.name
        if pair.call.i <= proof.call.i or not name or _application_of(name) != application or application is None:
            continue
        if evidence.effect(pair).kind == "read" or evidence.receipt(pair).state == "failed":
            continue
        if any(glob_match(action, name) for action in mapped):
            continue
        ids = set(evidence.argument_ids(pair.call).values())
        if (not ids and not named) or (ids & written and not fields.isdisjoint(keys_of(pair.call.args))):
            return pair
    return None


def keys_of(args: Mapping[str, Any] | None) -> set[str]:
    """Return the names of arguments, and of the fields of those that are objects."""
    keys = set(args or ())
    for value in (args or {}).values():
        if isinstance(value, dict):
            keys |= value.keys()
    return keys


def _does_it_along(pair: CallPair, claim: SuccessClaim) -> bool:
    """True for a call of another kind that was told, or says, that it did this too: ``create_event(send_invites=true)``."""
    stems = {word[:_STEM] for word in claim.type.split("_") if len(word) >= _STEM}
    output = pair.result.output if pair.result is not None else None
    for source in (pair.call.args, output):
        if not isinstance(source, dict):
            continue
        for key, value in source.items():
            is_told = value is True or (isinstance(value, list) and bool(value))
            if is_told and any(word[:_STEM] in stems for word in _KEY_WORD.findall(key.casefold())):
                return True
    return False


def _only_tests(pair: CallPair) -> bool:
    """True for a command that runs, builds or lints and does nothing else: it proves no change."""
    command = command_of(pair.call)
    if command is None:
        return False
    shell = read_command(command)
    return (shell.is_test or shell.is_check) and shell.kind != "write"


def _is_of_known_application(name: str, mapped: Sequence[str]) -> bool:
    application = _application_of(name)
    return application is not None and any(_application_of(action) == application for action in mapped)


@lru_cache(maxsize=1024)
def _application_of(name: str) -> str | None:
    """Return what stands before the first separator of a tool name or glob: ``calendar`` of ``calendar.create_event``."""
    found = _APPLICATION.match(name)
    return found[1].casefold() if found else None
