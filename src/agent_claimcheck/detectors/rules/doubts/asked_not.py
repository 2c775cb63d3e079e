"""The doubt that what was done was not to be done: "do not renew it, just tell me when it is due", and it was renewed.

A reader must not miss: this never accuses. A deed that the request names elsewhere without "not" was asked for as well, and one
that is only put off ("do not send it before noon") is no forbidden one.
"""

from __future__ import annotations

import re

from agent_claimcheck.detectors.rules.doubts.asked_values import standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence

_LONGEST = 4_000
_FORBIDDEN = re.compile(
    r"\b(?:don['’]?t|do not|never|must not|should not|shouldn['’]t|not to) (?P<verb>[a-z]{4,20})\b(?P<rest>[^,.!?;\n]{0,120})"
)
_PUT_OFF = re.compile(
    r"\b(?:before|until|till|unless|without|if|when|more|less|later|earlier|other|another|else|again|yet|twice)\b"
)
_STEM = 5
_NO_DEEDS = frozenset(
    ("want", "need", "have", "know", "think", "mind", "like", "forget", "care", "worry", "hesitate", "remember")
)


def forbids_the_deed(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when one of them tells a deed that the request forbids."""
    text = "\n".join(standing_turns(evidence))[:_LONGEST].casefold()
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
