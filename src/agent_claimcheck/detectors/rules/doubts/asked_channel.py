"""The doubt that something was to go another way than it went: a text message, and the call wrote a mail.

A reader must not miss: this never accuses. A way counts as taken when any call or state probe shows a word of it, or the kind of
address it needs.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.asked_values import standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt, shown_text
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.word_lists import WordLists

_WAY = late_pattern(
    r"\b(?P<put>by|via|through|per|over|as|send|write|give|in)(?: (?!not\b)\w+){0,2}?"
    r" (?P<way>text messages?|texts?|sms|e-?mails?|phone|telephone|letters?|post|fax|courier|whatsapp|slack|voicemail"
    r"|registered (?:mail|letter))\b(?! (?:box|office|code|number|address|field|file|of)\b)"
)
"""How something is to be sent: "by text message", "send her a letter"."""
_WAY_WORDS = frozenset(
    {"text", "texts", "sms", "email", "emails", "mail", "mails", "phone", "telephone", "letter", "letters", "post", "fax", "courier",
     "whatsapp", "slack", "voicemail"}
)  # fmt: skip
"""One of these is in all that ``_WAY`` finds."""
_BY = frozenset({"by", "via", "through", "per", "over"})
_ONLY_BY = frozenset({"phone", "telephone", "post", "texts", "text"})
"""Words of other things too, which name a way behind "by" alone."""
_NOT = late_pattern(r"\b(?:not|no|never|instead of|rather than|than|don['’]?t|without)\b[^.,;]{0,30}$")
_LONGEST, _NEAR = 4_000, 60


def goes_another_way(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when its request names a way of sending that nothing in the run shows."""
    if evidence.request_words.isdisjoint(_WAY_WORDS):
        return None
    for turn in standing_turns(evidence):
        low = turn[:_LONGEST].casefold()
        for found in _WAY.finditer(low):
            way = found["way"]
            if (way in _ONLY_BY and found["put"] not in _BY) or _NOT.search(
                low[max(0, found.start() - _NEAR) : found.start()]
            ):
                continue
            shows = _shown_by(way)
            if shows is not None and shows.search(shown_text(evidence)) is None:
                return Doubt("undecided", f"the request says {way!r}, which the calls and the state probes do not show")
    return None


@lru_cache(maxsize=64)
def _shown_by(way: str) -> re.Pattern[str] | None:
    """Return what shows that ``way`` was taken."""
    rows = WordLists("asked_beyond").table("ways").items()
    return next((re.compile(shown) for words, (shown, *_) in rows if re.fullmatch(words, way.replace(" ", "_"))), None)
