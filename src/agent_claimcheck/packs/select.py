"""Chooses the packs that apply to a trace and the rule for a claim type.

What a reader must not miss: a user's pack always wins over a built-in one for the same claim type, and a later user
pack over an earlier one, as long as it applies to the trace. ``shadowed`` lists where, so that it is never silent.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from agent_claimcheck.core.globs import glob_match
from agent_claimcheck.packs.language import ClaimRule, RulePack

_KEPT_CHOICES = 4096
_KEPT_INDEXES = 16
_LARGEST_KEY = 64
_ARGUMENT = re.compile(r"\{args\.([^.{}\s]+)")


class Override(Struct, frozen=True, kw_only=True):
    """One claim type that two packs define: ``winner`` is asked, ``loser`` only where the winner does not apply."""

    claim_type: str
    winner: RulePack
    loser: RulePack

    def describe(self) -> str:
        """Return one line for people."""
        return f"{_named(self.winner)} overrides the rule for {self.claim_type!r} of {_named(self.loser)}"


def ordered(packs: Sequence[RulePack]) -> list[RulePack]:
    """Return the packs in the order they are asked: user packs from the last to the first, then the built-in ones."""
    users = [pack for pack in packs if pack.is_user]
    return users[::-1] + [pack for pack in packs if not pack.is_user]


def applicable_packs(packs: Sequence[RulePack], tool_names: Collection[str], domain: str) -> list[RulePack]:
    """Return the packs that apply to a trace, in the order they are asked.

    ``tool_names`` are the names of the trace's tool calls (calls without a name left out). A pack applies when one of
    them fits one of its globs, or when there are none and ``domain`` is the pack's name. The result is remembered per
    set of names, so this is cheap for every trace after the first of its kind.
    """
    return list(_index(packs).choose(tool_names, domain))


def rule_for(applicable: Sequence[RulePack], claim_type: str) -> tuple[RulePack, ClaimRule] | None:
    """Return the rule for a claim type and its pack, or ``None``. ``applicable`` is in the order to ask."""
    for pack in applicable:
        rule = pack.claims.get(claim_type)
        if rule is not None:
            return pack, rule
    return None


def first_names(packs: Sequence[RulePack]) -> frozenset[str]:
    """Return the names with which the paths of the packs begin: what they expect to find outermost."""
    return _index(packs).first_names


def shadowed(packs: Sequence[RulePack]) -> list[Override]:
    """List every claim type that a pack takes over from another one, in the order of ``packs``."""
    winners: dict[str, RulePack] = {}
    found = []
    for pack in ordered(packs):
        for claim_type in pack.claims:
            winner = winners.setdefault(claim_type, pack)
            if winner is not pack:
                found.append(Override(claim_type=claim_type, winner=winner, loser=pack))
    return found


class _Index:
    """The packs in asking order, and the choices already made, by the tool names seen."""

    def __init__(self, packs: Sequence[RulePack]) -> None:
        self.packs = tuple(packs)
        self.asked = tuple(ordered(packs))
        self.first_names = frozenset(_first_names(self.packs))
        self._choices: dict[frozenset[str] | str, tuple[RulePack, ...]] = {}

    def choose(self, tool_names: Collection[str], domain: str) -> tuple[RulePack, ...]:
        names = frozenset(tool_names)
        key: frozenset[str] | str = names or domain
        known = self._choices.get(key)
        if known is not None:
            return known
        chosen = tuple(pack for pack in self.asked if _applies(pack, names, domain))
        if len(names) <= _LARGEST_KEY:
            if len(self._choices) >= _KEPT_CHOICES:
                self._choices.clear()
            self._choices[key] = chosen
        return chosen


def _first_names(packs: Sequence[RulePack]) -> Iterator[str]:
    for pack in packs:
        for rule in pack.claims.values():
            for check in (*rule.receipt, *rule.probe_checks):
                yield from check.segments[:1]
                yield from _ARGUMENT.findall(str(check.expected))


def _applies(pack: RulePack, names: frozenset[str], domain: str) -> bool:
    if not names:
        return domain == pack.name
    return any(glob_match(glob, name) for glob in pack.tools for name in names)


_indexes: dict[tuple[int, ...], _Index] = {}
_indexes_lock = threading.Lock()


def _index(packs: Sequence[RulePack]) -> _Index:
    """Return the index of these packs. It holds them, so their identities cannot be taken by other objects."""
    key = tuple(map(id, packs))
    index = _indexes.get(key)
    if index is None:
        with _indexes_lock:
            if len(_indexes) >= _KEPT_INDEXES:
                _indexes.clear()
            index = _indexes[key] = _Index(packs)
    return index


def _named(pack: RulePack) -> str:
    return f"pack {pack.name} ({pack.origin})" if pack.is_user else f"the built-in pack {pack.name}"
