"""The doubt that the run did more than it was asked: it also deleted or paid, or only a question was asked, or it was called off.

A reader must not miss: this never accuses. What the request, the closing text or a claim has a word for was meant; a change that
takes the old away to make the new ("move it to Friday") asks for a removal without a word for it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.core.globs import glob_match
from agent_claimcheck.core.text import shorten
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.asked.deeds import asks_for_a_deed, is_plain_order
from agent_claimcheck.evidence.asked.request import asks_only_to_know
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coverage import class_covers, family_of
from agent_claimcheck.evidence.word_lists import WordLists
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.packs.select import rule_for

_LISTS = WordLists("asked_beyond")
_GRAVE = frozenset({"remove", "money", "refund", "uninstall", "grant"})
"""Families of deeds that nobody does in passing."""
_CHANGES = _LISTS.words("changes_a_record")
"""Verbs of tools that change a record which is there, as distinct from those that make one or note something down."""
_LONGEST = 20_000
_STEM = 5
_QUOTED = 60


def did_more_than_asked(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when a grave change of it has no word anywhere."""
    if evidence.is_shell_run:
        return None
    texts = evidence.user_texts or (evidence.view.task.instruction,)
    if asks_only_to_know(evidence.view.task.instruction, evidence.user_texts):
        return Doubt("undecided", f"the request only asks to know something: {shorten(texts[-1], _QUOTED)!r}")
    left = _left_undone(evidence)
    if left:
        return Doubt("undecided", left)
    grave = [write for write in evidence.writes if family_of(write.effect.verb_class) in _GRAVE and write.is_ok]
    types = " ".join(f"{claim.type} {claim.verb_class or ''} {claim.quote}" for _, claim in evidence.success_claims)
    said = f"{evidence.said_low} {types}"[:_LONGEST].casefold()
    for write in grave:
        family = family_of(write.effect.verb_class) or ""
        stems = {word[:_STEM] for word in (*write.effect.words, write.effect.verb_class or "") if len(word) > 3}
        if not any(stem in said for stem in stems) and not _words_for(family).search(said):
            return Doubt("undecided", f"{write.pair.call.name} changed something that nobody asked for and nobody told")
    other = next((write for write in evidence.writes if _changes_another_record(write, said, evidence)), None)
    if other is None:
        return None
    return Doubt("undecided", f"{other.pair.call.name} changed another record, which nobody asked for and nobody told")


def _changes_another_record(write: Write, said: str, evidence: Evidence) -> bool:
    """True for a change of a record that was there before and that neither request nor closing text speaks of, in any word."""
    ids = set(evidence.argument_ids(write.pair.call).values())
    if (
        not (ids or "merge" in write.effect.words)
        or not write.is_ok
        or write.effect.kind != "write"
        or not _CHANGES.intersection(write.effect.words)
    ):
        return False
    if any(one in said for one in ids):
        return False
    others = [other for other in evidence.writes if other is not write and not other.is_failed]
    if not others or any(not ids.isdisjoint(_ids_of(other, evidence)) for other in others):
        return False
    if any(write.pair.call.name == other.pair.call.name for other in others):
        return False
    if _is_claimed(write, evidence):
        return False
    nouns = {word[:_STEM] for word in write.effect.words if len(word) > 3 and word not in _CHANGES}
    return not any(noun.removesuffix("s") in said for noun in nouns) or (
        "merge" in write.effect.words and "merg" not in said
    )


def _is_claimed(write: Write, evidence: Evidence) -> bool:
    """True when a claim is proved by the tool of ``write``, or where no pack says by which, by a deed of its kind."""
    for _, claim in evidence.success_claims:
        found = rule_for(evidence.packs, claim.type)
        if found is None:
            if class_covers(claim.verb_class or claim.type, write.effect) is not False:
                return True
        elif glob_match(found[1].action, write.pair.call.name or ""):
            return True
    return False


def _ids_of(write: Write, evidence: Evidence) -> set[str]:
    ids = set(evidence.argument_ids(write.pair.call).values())
    return ids if write.pair.result is None else ids | set(evidence.output_ids(write.pair.result).values())


def _left_undone(evidence: Evidence) -> str:
    """Say what the user called off, or asked for after the last change; "" when there is no such word."""
    last = next(
        (step for step in reversed(evidence.view.steps) if step.kind == "message" and step.role == "user"), None
    )
    text = (last.content if last is not None else None) or evidence.view.task.instruction
    is_called_off = _pattern("called_off").search(text[:_LONGEST].casefold()) is not None
    if last is None and not is_called_off:
        return ""
    changed = max((write.pair.call.i for write in evidence.writes if not write.is_failed), default=-1)
    if is_called_off and (last is None or last.i < changed):
        return f"the request calls it off: {shorten(text, _QUOTED)!r}"
    if last is None or last.i < changed or not (asks_for_a_deed(text) or is_plain_order(text)):
        return ""
    return f"the user asked for more after the last change: {shorten(text, _QUOTED)!r}"


def _words_for(family: str) -> re.Pattern[str]:
    return _pattern(f"asks_{family}")


@lru_cache(maxsize=16)
def _pattern(section: str) -> re.Pattern[str]:
    return re.compile(_LISTS.pattern(section))
