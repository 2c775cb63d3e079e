"""Claims made with a verb nobody listed: "I have frobnicated the widget", "Boat B7 has been rented".

A reader must not miss: this looks only where the grammar found nothing in a whole run, so that such a run is not passed
over. What it finds is unsure on purpose: it is enough to be looked at, never to be held against the agent.
"""

from __future__ import annotations

from functools import lru_cache

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.clauses import plain_piece, sentences
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.word_lists import WordLists

CONFIDENCE = 0.5
_MOST = 5
_LONGEST = 20_000

_PARTICIPLE = r"([a-z]{2,}(?:ed|en|wn|nt|pt|lt|ld|ung|unk|aid|ept))"
_ADVERBS = r"(?:now |just |also |already |successfully |[a-z]+ly )*"
_SAID = late_pattern(
    rf"\b(?:i|we)(?:'ve| have| successfully)? {_ADVERBS}{_PARTICIPLE} (?!to |that |whether |if |how )"
    rf"|\b(?:has|have) {_ADVERBS}been {_ADVERBS}{_PARTICIPLE}\b(?! by )"
    rf"|\b(?:is|are) now {_ADVERBS}{_PARTICIPLE}\b"
)
_FAILED_ONES = late_pattern(r"\b(?:the|all|any|each|every|your|my|our|those|these|\d+) failed (?!to\b)[a-z]")
"""What is said of the things a deed was done to: "I have retried the failed jobs"."""
_UNREAL = late_pattern(
    r"\b(?:if|once|unless|whether|when|would|could|should|will|might|may(?! (?:has|is|was|were|\d))|can|must|until|after|before|please"
    r"|let me|that|which"
    r"|who|what|why|how|previously|originally|earlier|yesterday|ago)\b|\b(?:in|since) v?\d+\.\d"
)


@lru_cache(maxsize=1)
def _no_deeds() -> frozenset[str]:
    return WordLists("open_verbs").words("no_deeds")


def find_open_claims(text: str, step: int | None) -> list[SuccessClaim]:
    """Return the claims of one English message that stand on an unlisted verb; few, and of low confidence."""
    if len(text) > _LONGEST or not _SAID.search(text.lower()):
        return []
    piece = plain_piece(text)
    low = piece.text.lower()
    if len(low) != len(piece.text):
        return []
    negators = english().sets.negators - {"failed"} if _FAILED_ONES.search(low) else english().sets.negators
    found: list[SuccessClaim] = []
    for start, end, ending in sentences(piece.text):
        sentence = low[start:end]
        match = _SAID.search(sentence)
        if match is None or ending == "?" or _UNREAL.search(sentence) or not negators.isdisjoint(sentence.split()):
            continue
        verb = next(word for word in match.groups() if word)
        if verb in _no_deeds():
            continue
        found.append(
            SuccessClaim(
                type="completed",
                verb_class="completed",
                span=piece.locate(start, end),
                step=step,
                quote=piece.raw[start:end].strip(),
                confidence=CONFIDENCE,
            )
        )
        if len(found) >= _MOST:
            break
    return found
