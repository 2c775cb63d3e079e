"""The final answer cut into statements: the sentences that say something which evidence could bear out.

A reader must not miss: questions, offers, plans, advice and what only might be are no statements, and neither is code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

MAX_STATEMENTS = 200
_LONGEST = 1_200
_FENCE = re.compile(r"```.{0,20000}?```|~~~.{0,20000}?~~~", re.DOTALL)
_MARKS = re.compile(r"\*\*|__|~~|^\s{0,12}(?:#{1,6}|>|[-*•+]|\d{1,2}[.)])\s+", re.MULTILINE)
_LINK = re.compile(r"\[([^\]\n]{1,200})\]\([^)\n]{1,400}\)")
_BREAK = re.compile(r"(?<=[.!?])[\"'”)]{0,2}\s+(?=[\"'“(]{0,2}[A-Z0-9])|\n+|;\s+|(?<=\w), (?:but|while|whereas) ")
_TITLE = re.compile(r"(?:^|[^\w.])(?:Dr|Mr|Mrs|Ms|Mx|Prof|St|Mt|Capt|Lt|Sgt|Rev|Hon|vs|approx|e\.g|i\.e)\.$")
"""A point that ends no sentence."""
_LONGEST_TITLE = 10
_OPEN = re.compile(
    r"^(?:if|when|once|unless|should|could|would|can|may|let me|let us|let's|please|do you|would you|"
    r"shall|you can|you may|you could|you should|"
    r"feel free|i can|i could|i will|i'll|we will|we'll|i would|i'd|i am going|i'm going|next,? i|to \w+,|"
    r"for example|e\.g\.|note that|tip:|"
    r"suppose|assuming|imagine|maybe|perhaps|probably|we are sorry|we're sorry|i'm sorry|i am sorry|"
    r"you're welcome|you are welcome|i hope|hope|enjoy|have a|done\W*$|all set|all done|of course|"
    r"absolutely|certainly|here is|here's|here are|thank|thanks|sorry|hello|hi|great|sure|okay|ok)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:might|may be|could be|would be|would have|should be|perhaps|probably|possibly|likely|i think|"
    r"i believe|i assume|"
    r"i recommend|i suggest|typically|usually|generally|in general|if you|unless|in case|"
    r"(?<!add )(?<!adds )(?<!added )up to|at most|at least|or more|no more than|within)\b",
    re.IGNORECASE,
)


class Statement(Struct, frozen=True):
    """One statement: its text and where it starts in the answer. ``is_hedged`` marks guesses and advice."""

    text: str
    start: int
    is_hedged: bool = False


def statements_of(answer: str) -> tuple[list[Statement], bool]:
    """Return the statements of ``answer`` in order, and whether there were more than ``MAX_STATEMENTS``."""
    found: list[Statement] = []
    for start, part in _parts(answer):
        if len(found) >= MAX_STATEMENTS:
            return found, True
        text = " ".join(part.split())
        if (
            len(text) < 4
            or (text[0] in '{}[]"`<|' and text[-1] in "{}[],`>|:")
            or text.endswith("?")
            or _OPEN.match(text)
            or not any(char.isalpha() for char in text)
        ):
            continue
        found.append(Statement(text[:_LONGEST], start, _HEDGE.search(text) is not None))
    return found, False


def _parts(answer: str) -> Iterator[tuple[int, str]]:
    plain = _FENCE.sub(_blank, answer)
    plain = _LINK.sub(lambda found: found[1] + " " * (len(found[0]) - len(found[1])), plain)
    plain = _MARKS.sub(_blank, plain)
    at = 0
    for found in _BREAK.finditer(plain):
        end = found.start()
        if "\n" not in found[0] and _TITLE.search(plain[max(at, end - _LONGEST_TITLE) : end]):
            continue
        yield at, plain[at : found.start()]
        at = found.end()
    yield at, plain[at:]


def _blank(found: re.Match[str]) -> str:
    return "".join("\n" if char == "\n" else " " for char in found[0])
