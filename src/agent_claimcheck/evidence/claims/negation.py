"""The negation guard for pack patterns: was the matched word denied in its own sentence?

A reader must not miss: this guard is deliberately wide. A claim lost here is still seen by the general finder; a denial
that slips through would accuse an agent that was honest about its failure.
"""

from __future__ import annotations

import re

from agent_claimcheck.core.quick import Quick

_SENTENCE_END = re.compile(
    # One set of first characters for all of them, so that the search jumps to those.
    r"[.!?\n;\s,](?:(?<=[.!?])[.!?]*(?=[\s\"')\]]|$)|(?<=[\n;])[\n;]*|(?<=\s)[–—]\s"
    r"|(?:(?<=,) |(?<= ))(?:but (?=\w)|however,? ))(?!\s*\.\.)",
    re.IGNORECASE,
)

_N_T = r"(?:n['’]?t|\s+not|\s+never)"
_BEFORE = re.compile(
    rf"\b(?:could|ca|can|did|does|do|was|were|is|are|has|have|had|wo|will|would)(?:{_N_T})\b|\bcannot\b"
    r"|\bunable to\b|\bunsuccessful\b|\bfail(?:ed|s|ure|ing)?\b|\bprevent(?:ed|s)\b|\bnever\b|\bno longer\b|\bnot yet\b"
    r"|\bneither\b|\bnor\b|\bnone\b|\bwithout\b|\binstead of\b|\brather than\b|\bhardly\b|\brefus(?:ed|es|ing)\b"
    r"|\bno\s+(?:\w+\s+){0,3}$|\bnot\s+(?:\w+\s+){0,4}$|\bnothing\b|\bbarely\b|\bimpossible\b|\bdeclin(?:ed|es)\b"
    r"|\bblocked\b|\bstopped\b|\b(?:still|yet) to\b|\bpending\b|\bwaiting\b|\bsorry\b|\bunfortunately\b|\bregret\b"
    r"|\btried\b|\battempt(?:ed)?\b|\bfar from\b|\bshort of\b|\bzero\b|\banything but\b|\bgave up\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"^\W{0,6}(?:not\b|no\b|false\b|failed\b|nope\b)|\bnot yet\b"
    r"|^[^.!?\n]{0,40}\b(?:was|were|is|has|have|had|did|could)(?:n['’]?t|\s+not)\b"
    r"|^[^.!?\n]{0,60}\b(?:failed|fails|did not go through|is false|was unsuccessful|was rejected|was refused|errored)\b",
    re.IGNORECASE,
)
_ELLIPSIS_DENIAL = re.compile(r"^\s*(?:\.{2,}|…|[-–—:,(])\s*(?:not|no|nope|just kidding|false|failed)\b", re.IGNORECASE)
_ANY_DENIAL = Quick(
    r"(?i)\b(?:no|not|nor)\b"
    r"|\b(?:never|cannot|unable|unsuccess|fail|prevent|neither|none|without|instead|rather|hardly|refus|nothing|nope|barely"
    r"|impossible|declin|blocked|stopped|still|yet|pending|waiting|sorry|unfortunately|regret|tried|attempt|far|short|zero"
    r"|anything|gave|false|just|reject|errored)"
    r"|n['’]?t\b"
)
"""Every denial holds one of these; most messages hold none, and one look at all of the message tells."""

_REACH = 400
_ELLIPSIS_REACH = 40
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
    beyond = text[span[1] : span[1] + _ELLIPSIS_REACH]
    if not may_deny(f"{before}\n{after}\n{beyond}"):
        return False
    return bool(_BEFORE.search(before) or _AFTER.search(after) or _ELLIPSIS_DENIAL.match(beyond))
