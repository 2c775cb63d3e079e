"""The claim lists several names, and the calls that worked show only some of them.

What it catches: "I've booked Ann and Bob" after one ``book_seat(passenger="Ann")``.
Why it matters: the call succeeded, so the claim looks supported, and Bob has no seat.
Example: two guests are to be invited, one invitation is sent or the second one fails, the closing text names both.
Limits: for review, it accuses nobody. The names must be listed together, each call that worked must show one of them, and
the one that is missing must stand nowhere in what those calls carried or gave back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SURE_CLAIM
from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.contract import Finding, Power, Shows
from agent_claimcheck.evidence.disclosure import discloses_trouble
from agent_claimcheck.evidence.findings.cited import on_claim
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.evidence.writes import Write, surely_done

ID = "named_left_out"
POWER: Power = "review"
SHOWS: Shows = "part"

_NAME = r"[A-Z][\w'’-]{1,24}(?: [A-Z][\w'’-]{1,24}){0,2}"
_QUOTED = r"[\"“'‘`][^\"”“'’‘`\n]{1,60}[\"”'’`]"
_FILE = r"[\w-]{1,40}\.[a-z]{2,5}"
_LISTED = [
    re.compile(rf"{one}(?:, {one}){{0,8}},? (?:and|&) {one}(?![\w@])")
    for one in (_NAME, _QUOTED, rf"(?<![\w./]){_FILE}")
]
_JOINT = late_pattern(r", and |, & |, | and | & ")
_MARKS = "\"“”'’‘` "
_WORD = late_pattern(r"\w[\w.-]*\w")
_MOST_VALUES = 400
_MOST_CHARS = 4000


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding per claim."""
    for index, claim in evidence.compared_claims:
        if claim.source != "extracted" or claim.confidence < SURE_CLAIM:
            continue
        names = _listed(claim.quote)
        if not names:
            continue
        done = surely_done(evidence.candidates(index))
        if not done:
            continue
        left = _left_out(names, done)
        if not left or discloses_trouble(evidence, done[-1].step):
            continue
        reason = f"no successful call shows {', '.join(left[:3])}, named together with {_others(names, left)}"
        yield on_claim(ID, POWER, index, claim, reason=reason, steps=tuple(write.step for write in done[-3:]))


def _listed(quote: str) -> list[str]:
    """Return the names that ``quote`` lists together ("Ann, Bob and Cy"), or nothing."""
    if " and " not in quote and " & " not in quote:
        return []
    for pattern in _LISTED:
        found = pattern.search(quote)
        if found is None:
            continue
        names = [_without_other_words(part.strip(_MARKS)) for part in _JOINT.split(found[0])]
        if len(names) > 1 and all(names) and len(set(names)) == len(names):
            return names
    return []


def _without_other_words(name: str) -> str:
    """Drop what is no name at the front: "Booked Ann" is Ann."""
    words, vocabulary = name.split(), english()
    while words and (
        words[0].lower() in vocabulary.classes
        or words[0].lower() in vocabulary.sets.function
        or words[0] in vocabulary.sets.not_names
    ):
        words = words[1:]
    return " ".join(words).removesuffix("'s").removesuffix("’s")


def _left_out(names: Sequence[str], done: Sequence[Write]) -> list[str]:
    """Return the names in no text of the calls, when each call shows another of them."""
    texts = [_text_of(write) for write in done]
    if not all(any(_stands_in(name, text) for name in names) for text in texts):
        return []
    together = "\n".join(texts)
    return [name for name in names if not any(word in together for word in _WORD.findall(name.casefold()))]


def _stands_in(name: str, text: str) -> bool:
    return all(re.search(rf"\b{re.escape(word)}\b", text) for word in _WORD.findall(name.casefold()))


def _text_of(write: Write) -> str:
    """Return what the call carried and gave back, as far as it is looked at, as one lower-case text."""
    output = write.pair.result.output if write.pair.result is not None else None
    parts: list[str] = []
    for source in (write.pair.call.args or {}, output):
        for seen, (_, value) in enumerate(walk_values(source)):
            if seen >= _MOST_VALUES:
                break
            if isinstance(value, str):
                parts.append(value[:_MOST_CHARS].casefold())
    return "\n".join(parts)


def _others(names: Sequence[str], left: Sequence[str]) -> str:
    return " and ".join(name for name in names if name not in left)[:80]
