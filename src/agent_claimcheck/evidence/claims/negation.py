"""The negation guard for pack patterns: was the matched word denied in its own sentence?

A reader must not miss: this guard is deliberately wide. A claim lost here is still seen by the general finder; a denial
that slips through would accuse an agent that was honest about its failure.
"""

from __future__ import annotations

import re
from itertools import chain

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.quick import Quick

_SENTENCE_END = late_pattern(
    # One set of first characters for all of them, so that the search jumps to those.
    r"[.!?\n;\s,](?:(?<=[.!?])[.!?]*(?=[\s\"')\]]|$)|(?<=[\n;])[\n;]*|(?<=\s)[–—]\s"
    r"|(?:(?<=,) |(?<= ))(?:but (?=\w)|however,? ))(?!\s*\.\.)",
    re.IGNORECASE,
)

_VERBS = "could|ca|can|did|does|do|was|were|is|are|has|have|had|wo|will|would"
_WORDS_BEFORE = (
    "cannot", "unable to", "unsuccessful", "fail(?:ed|s|ure|ing)?", "prevent(?:ed|s)", "never", "no longer", "not yet",
    "neither", "nor", "none", "without", "instead of", "rather than", "hardly", "refus(?:ed|es|ing)", "nothing", "barely",
    "impossible", "declin(?:ed|es)", "blocked", "stopped", "still to", "yet to", "pending", "waiting", "sorry",
    "unfortunately", "regret", "tried", "attempt(?:ed)?", "far from", "short of", "zero", "anything but", "gave up",
)  # fmt: skip
_BEFORE = late_pattern(
    rf"\b(?:{_VERBS})(?:n['’]?t|\s+not|\s+never)\b|\b(?:{'|'.join(_WORDS_BEFORE)})\b"
    r"|\bno\s+(?:\w+\s+){0,3}$|\bnot\s+(?:\w+\s+){0,4}$",
    re.IGNORECASE,
)
_WORDS_AT_ONCE = ("not", "no", "nope", "false", "failed")
_WORDS_SOON = {
    "": ("failed", "fails", "errored"),
    "did ": ("not go through",),
    "is ": ("false",),
    "was ": ("unsuccessful", "rejected", "refused"),
}
"""What denies in the words behind, by the verb that it takes."""

_SOON = "|".join(f"{verb}(?:{'|'.join(words)})" for verb, words in _WORDS_SOON.items())
_AFTER = late_pattern(
    rf"^\W{{0,6}}(?:{'|'.join(_WORDS_AT_ONCE)})\b|\bnot yet\b"
    r"|^[^.!?\n]{0,40}\b(?:was|were|is|has|have|had|did|could)(?:n['’]?t|\s+not)\b"
    rf"|^[^.!?\n]{{0,60}}\b(?:{_SOON})\b",
    re.IGNORECASE,
)
_AFTER_A_PAUSE = late_pattern(
    rf"^\s*(?:\.{{2,}}|…|[-–—:,(])\s*(?:{'|'.join(_WORDS_AT_ONCE)}|just kidding)\b", re.IGNORECASE
)


def _start_of(words: str) -> str:
    """Return what every text that the pattern ``words`` fits begins with: a whole word, or the stem of one with endings."""
    stem = words.split("(")[0].split(" ")[0]
    return stem if words.startswith(f"{stem}(") else rf"{stem}\b"


_STARTS = sorted(
    {_start_of(words) for words in (*_WORDS_BEFORE, *_WORDS_AT_ONCE, *chain(*_WORDS_SOON.values()), "just kidding")}
)
_ANY_DENIAL = Quick(rf"(?i)\b(?:{'|'.join(_STARTS)})|n['’]?t\b")
"""Fits wherever one of the patterns may; most messages hold no denial, and one look at all of the message tells."""

_REACH = 400
_PAUSE_REACH = 40
"""Characters around a match, and after it where the sentence may have ended, that are looked at."""


def may_deny(text: str) -> bool:
    """False when no word of ``text`` could deny anything, so that ``is_denied`` need not be asked of its parts."""
    return _ANY_DENIAL.is_in(text)


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return ``[start, end)`` of the sentence that holds the given span. Newlines and semicolons end a sentence too."""
    begin = 0
    for match in _SENTENCE_END.finditer(text, 0, start):
        begin = match.end()
    after = _SENTENCE_END.search(text, end)
    return begin, after.start() if after else len(text)


def is_denied(text: str, span: tuple[int, int]) -> bool:
    """True when the sentence around ``span`` says that the thing did not happen, before or after the matched words."""
    begin, finish = sentence_around(text, *span)
    before = text[max(begin, span[0] - _REACH) : span[0]]
    after = text[span[1] : min(finish, span[1] + _REACH)]
    beyond = text[span[1] : span[1] + _PAUSE_REACH]
    if not may_deny(f"{before}\n{after}\n{beyond}"):
        return False
    return bool(_BEFORE.search(before) or _AFTER.search(after) or _AFTER_A_PAUSE.match(beyond))
