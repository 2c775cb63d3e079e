"""The doubt that what was done was not to be done: "do not renew it, just tell me when it is due", and it was renewed.

A reader must not miss: this never accuses. A deed that the request names elsewhere without "not" was asked for as well, and one
that is only put off ("do not send it before noon") is no forbidden one. A last "no, keep it" wants nothing changed after it.
"""

from __future__ import annotations

import re

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.quick import Quick
from agent_claimcheck.detectors.rules.doubts.asked_values import standing_text, standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.value_text import walk_values

_LONGEST = 4_000
_FORBIDDEN = re.compile(
    r"\b(?:don['’]?t|do not|never|must not|should not|shouldn['’]t|not to) (?P<verb>[a-z]{4,20})\b(?P<rest>[^,.!?;\n]{0,120})"
)
_PUT_OFF = late_pattern(
    r"\b(?:before|until|till|unless|without|if|when|more|less|later|earlier|other|another|else|again|yet|twice)\b"
)
_OTHER_THAN = re.compile(
    r"\b(?:(?i:other than|but not|not to|anyone but|anybody but|everyone but|apart from|except(?: for)?|instead of|rather than"
    r"|(?:everything|all|every \w{1,20}) but)"
    r"|(?:[Dd]o not|[Dd]on['’]?t|[Nn]ever) (?!forget|worry|hesitate|miss|lose|keep)[a-z]{3,15}"
    r"(?= [A-Z][a-z]+(?: for [^,.\n]{1,20})?[,;]))"
    r" (?:the )?[\"'“‘]?(?P<name>[^\W\d_][\w@.-]{0,40}(?: [A-Z][\w-]{1,30})?)"
)
_LEAVE_IT = late_pattern(
    r"(?:\A|[.,;!]\s*|\bplease |\bbut )\b(?:keep|leave) (?:it|them|that|this|everything|things)"
    r"(?: (?:all|as (?:it|they) (?:is|are)|alone|be|open|then|please|for now))*\W*\Z",
    re.IGNORECASE,
)
_NOT_WANTED = Quick(r"(?i)\b(?:don|not|never|shouldn|than|but|apart|except|instead)")
"""Fits wherever one of the two does, and in few requests."""
_NAMED = r"[`'\"]?[\w@./-]{2,60}[`'\"]?"
_LEAVE_ALONE = late_pattern(
    rf"\b(?:leave|keep) (?:the |my |our |its |his |her |their )?(?P<name>{_NAMED})(?: \w{{1,20}})? "
    r"(?:alone|untouched|unchanged|intact|as (?:it|they) (?:is|are)|as is)\b"
    r"|\b(?:without|do not|don['’]?t|never|not) (?:touch|chang|edit|modif|alter)\w{0,4} "
    rf"(?:the |my |our |its |his |her |their |anything in )?(?P<name2>{_NAMED})",
    re.IGNORECASE,
)
_ALONE = Quick(r"(?i)\b(?:alone|untouched|unchanged|intact|as|touch\w*|chang\w*|edit\w*|modif\w*|alter\w*)\b")
_ANYTHING = frozenset({"it", "that", "this", "them", "anything", "any", "the", "other", "else", "everything"})
_PART = late_pattern(r"[^\W_]+")
_LONGEST_NAME = 200
_MOST_WRITES = 50
_STEM = 5
_NO_DEEDS = frozenset(
    ("want", "need", "have", "know", "think", "mind", "like", "forget", "care", "worry", "hesitate", "remember")
)


def _told_to_leave_it(evidence: Evidence) -> Doubt | None:
    """Doubt a run that went on to change something after the user's last word was to leave things as they are."""
    text = next(iter(evidence.user_texts[-1:]), "")
    found = _LEAVE_IT.search(text[-_LONGEST:]) if text != evidence.view.task.instruction else None
    if found is None:
        return None
    since = max(step.i for step in evidence.view.steps if step.role == "user" and step.content == text)
    write = next((write for write in evidence.writes if write.pair.call.i > since and not write.is_failed), None)
    if write is None:
        return None
    return Doubt("undecided", f"the user says {found[0].strip()!r}, and {write.pair.call.name} was called after that")


def _excluded(evidence: Evidence) -> Doubt | None:
    """Doubt a run that wrote the very name that was to be left out: "someone other than Otto", and ``assignee: Otto``."""
    for text in standing_turns(evidence):
        for found in _OTHER_THAN.finditer(text[:_LONGEST]):
            name = found["name"].strip(" .").casefold()
            for write in evidence.writes[-_MOST_WRITES:]:
                values = walk_values(write.pair.call.args or {})
                if not write.is_failed and any(isinstance(v, str) and v.casefold() == name for _, v in values):
                    return Doubt(
                        "undecided", f"the request says {found[0]!r}, and {write.pair.call.name} wrote {name!r}"
                    )
    return None


def _to_be_left_alone(evidence: Evidence) -> Doubt | None:
    """Doubt a run that wrote what the request says to leave alone: "leave config.py alone", "without touching the price"."""
    for text in standing_turns(evidence):
        for found in _LEAVE_ALONE.finditer(text[:_LONGEST]):
            name = (found["name"] or found["name2"]).strip(" .`'\"").casefold()
            for write in evidence.writes[-_MOST_WRITES:]:
                if write.is_failed or name in _ANYTHING:
                    continue
                values = walk_values(write.pair.call.args or {})
                if any(name in _names_in(path, value) for path, value in values):
                    return Doubt("undecided", f"the request says {found[0]!r}, and {write.pair.call.name} changed it")
    return None


def _names_in(path: str, value: object) -> set[str]:
    """Return the words of a path, and the short text that stands there with its last part."""
    names = set(_PART.findall(path.casefold()))
    if isinstance(value, str) and len(value) <= _LONGEST_NAME:
        low = value.casefold().strip()
        names |= {low, low.rpartition("/")[2]}
    return names


def forbids_the_deed(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when one of them tells a deed that the request forbids."""
    left = _told_to_leave_it(evidence)
    if left is not None:
        return left
    alone = _to_be_left_alone(evidence) if _ALONE.is_in("\n".join(standing_turns(evidence))) else None
    if alone is not None:
        return alone
    if not _NOT_WANTED.is_in("\n".join(standing_turns(evidence))):
        return None
    excluded = _excluded(evidence)
    if excluded is not None:
        return excluded
    text = standing_text(evidence)
    for found in _FORBIDDEN.finditer(text):
        verb = found["verb"]
        if verb in _NO_DEEDS or _PUT_OFF.search(found["rest"]) is not None:
            continue
        stem = re.compile(rf"\b{re.escape(verb.removesuffix('e')[:_STEM])}")
        if len(stem.findall(text)) == 1 and any(
            stem.search(claim.quote.casefold()) for _, claim in evidence.success_claims
        ):
            return Doubt("undecided", f"the request says {found[0][: found.end('verb') - found.start()]!r}")
    return None
