"""The doubt that the request says what the made thing is of, and nothing shows that: "a bed of moss" of a bed with ferns.

A reader must not miss: this never accuses. Only a thing that the run made and the tool is named after is looked at, and only
a bare word behind its "of": "the meeting of the board" tells whose it is, "our stock of pens" is there and has an id.
"""

from __future__ import annotations

import re

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.asked_values import is_no_order, standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt, shown_text
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.word_lists import WordLists

_LONGEST = 600
_MADE_OF = late_pattern(
    r"\b(?:an?|one|another|the|my|our) (?:[a-z]{2,20} )?([a-z]{3,20}) of ([a-z]{4,20})\b(?! of\b)", re.IGNORECASE
)
_STEM = 4
_PLAIN = WordLists("closing_plain").words("plain") | WordLists("asked_beyond").words("request_plain")
_NO_KIND = frozenset(
    {"mine", "ours", "yours", "that", "this", "these", "those", "course", "your", "their", "interest", "choice"}
)


def is_of_another_kind(evidence: Evidence) -> Doubt | None:
    """Doubt a run of one change whose request names a kind of its thing that no call, answer or probe shows."""
    writes = [write for write in evidence.writes if not write.is_failed]
    if len(writes) != 1 or evidence.is_shell_run or family_of(writes[0].effect.verb_class) != "create":
        return None
    things = {word.removesuffix("s") for word in writes[0].effect.words}
    shown: str | None = None
    for text in standing_turns(evidence):
        if len(text) > _LONGEST or is_no_order(text.casefold()):
            continue
        for match in _MADE_OF.finditer(text):
            thing, kind = match[1].casefold().removesuffix("s"), match[2].casefold()
            if thing not in things or kind in _PLAIN or kind in _NO_KIND:
                continue
            if shown is None:
                shown = shown_text(evidence)
            if re.search(rf"(?<![^\W\d_]){re.escape(kind[:_STEM])}", shown) is None:
                return Doubt(
                    "undecided", f"the request says 'of {match[2]}', which the calls and the state probes do not show"
                )
    return None
