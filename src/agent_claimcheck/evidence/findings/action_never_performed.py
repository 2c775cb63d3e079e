"""The request names a kind of action that no call of the run performed, and success is claimed.

What it catches: "Find the notes and mail them to Odile": the notes were read, no mail tool was called, "All done."
Why it matters: half of a request is easily dropped without a word.
Example: a hotel was recommended, the calendar entry that was also asked for is missing.
Limits: single-turn requests and plain orders only; sentences with a condition or a choice are skipped, and what can be
made in the reply itself (a list, a plan) is not looked for. A closing message that may own up to it, or that asks for
what is missing, silences it, and so does one call that may have done it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.asked.deeds import CLASS_OF_VERB, DATED, asked_deeds
from agent_claimcheck.evidence.candidates import candidates
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.coverage import classes_covered
from agent_claimcheck.evidence.findings.cited import on_call

ID = "action_never_performed"
POWER: Power = "review"

_CLASSES = frozenset(CLASS_OF_VERB.values())
_MADE = frozenset({"created", "added"})
_OWNS_UP = late_pattern(
    r"\b(?:could(?:n['’]?t| not)|unable|cannot|can['’]?t|failed|not (?:able|possible|available|found|necessary)|unfortunately"
    r"|sorry|did(?:n['’]?t| not)|ha(?:s|ve) not|haven['’]?t|need (?:you|more|some|additional|to know)|would you like|already"
    r"|no need|instead|however|please (?:provide|confirm|let|tell|share)|could you|can you|which (?:one|of))\b",
    re.IGNORECASE,
)
_OBJECT = 200
_AMOUNT = late_pattern(r"(?<![\w.@:/-])[$€£]?\d[\d.,]{0,15}(?![\w@:/-])")
_ORDER = late_pattern(r"(?:[^.!?;\n]|[.!?](?=\w)){0,200}")
"""The rest of a sentence; a full stop within an address or a number is no end."""
_LONGEST = 80
_READ = 4000
"""Characters of the request that are read."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding per requested kind of action that is missing."""
    if not _may_miss_one(evidence):
        return
    if _OWNS_UP.search(evidence.closing_plain):
        return
    text = evidence.view.task.instruction
    seen: set[str] = set()
    for deed in asked_deeds(text):
        if deed.wanted in seen:
            continue
        seen.add(deed.wanted)
        asked = SuccessClaim(type=deed.wanted, verb_class=deed.wanted, quote=text[deed.start : deed.end] + deed.rest)
        if candidates(evidence.writes, asked) or (deed.wanted == "sent" and _is_paid(text[deed.end :], evidence)):
            continue
        reason = f"the request asks to {deed.verb}{_shown(text, deed.end)}; no call could have done it"
        last = evidence.calls[-1]
        yield on_call(ID, POWER, last, evidence, reason=reason, steps=(last.call.i,), subject=deed.verb)


def _shown(text: str, start: int) -> str:
    """Return what follows the verb, to the end of its sentence; an address is never cut."""
    found = _ORDER.match(text, start)
    rest = found[0].rstrip() if found else ""
    return rest if len(rest) <= _LONGEST else f"{rest[:_LONGEST].rsplit(' ', 1)[0]} …"


def _may_miss_one(evidence: Evidence) -> bool:
    """False when every kind of action that the request has a word for is covered by some write, which is the rule."""
    missing = _CLASSES.difference(*[classes_covered(_CLASSES, write.effect) for write in evidence.writes])
    if not missing:
        return False
    text = evidence.instruction_low[:_READ]
    for verb, wanted in CLASS_OF_VERB.items():
        if verb in text and (wanted in missing or (wanted in _MADE and "scheduled" in missing and DATED.search(text))):
            return True
    return False


def _is_paid(rest: str, evidence: Evidence) -> bool:
    """True for "send Ann the 556" when some call paid: money is sent, too."""
    # An address holds full stops, so its end is not the end of the sentence.
    own = re.split(r"[.!?]\s|[;\n]|\band\b|\bthen\b", rest[:_OBJECT], maxsplit=1)[0]
    paid = SuccessClaim(type="paid", verb_class="paid", quote=own)
    return _AMOUNT.search(own) is not None and bool(candidates(evidence.writes, paid))
