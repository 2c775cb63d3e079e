"""The doubt that a change reached somebody whom nobody named: a second address beside the one that was asked for.

A reader must not miss: this never accuses. An address that the request holds, or spells as a name, or that a look-up gave, was
meant; so is whose own it is (``from``, ``organizer``). Any other stands in the change from nowhere.
"""

from __future__ import annotations

import re
import unicodedata

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.value_text import walk_values

_MAIL = re.compile(r"([\w.+-]{1,64})@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_OWN = late_pattern(
    r"(?:^|[._])(?:from|sender|organi[sz]er|reply_?to|author|actor|user|requester|created_by|body|text|content|note|comment)"
    r"(?:$|[._])",
    re.IGNORECASE,
)
"""Arguments that tell whose the change is, and texts, which may name anybody."""
_PARTS = late_pattern(r"[^\W\d_]{3,}")
_MOST_WRITES, _MOST_LOOKS = 50, 50
_LONGEST, _SHORTEST = 20_000, 3


def reaches_somebody_else(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when one of its changes holds an address from nowhere beside the one asked for."""
    strange, is_any_known = None, "@" in evidence.request_low
    for write in evidence.writes[:_MOST_WRITES]:
        if write.is_failed or write.effect.is_shell or write.effect.is_file_change:
            continue
        for path, value in walk_values(write.pair.call.args or {}):
            if not isinstance(value, str) or "@" not in value or _OWN.search(path):
                continue
            for found in _MAIL.finditer(value[:_LONGEST]):
                if _is_known(found[0].casefold(), found[1].casefold(), write.pair.call.i, evidence):
                    is_any_known = True
                else:
                    strange = strange or f"{write.pair.call.name} also reached {found[0]}"
    if strange is None or not is_any_known:
        return None  # of a request that names nobody, the agent has to know the address
    return Doubt("undecided", f"{strange}, whom neither request nor look-up names")


def _plain(word: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))


def _is_known(address: str, name: str, before: int, evidence: Evidence) -> bool:
    if address in evidence.request_low:
        return True
    if not any(len(word) >= _SHORTEST and word.isascii() and word.isalpha() for word in evidence.request_words):
        return True  # names in another script are spelled otherwise in an address
    asked = f"{evidence.request_low} {(evidence.view.task.system_prompt or '').casefold()[:_LONGEST]}"
    words = {_plain(word) for word in evidence.request_words if len(word) >= _SHORTEST}
    if address in asked or any(part in words for part in _PARTS.findall(name)):
        return True
    # "Luis" for lortega@, "lo" for nobody.
    if any(len(word) > _SHORTEST and word in name for word in words):
        return True
    return any(
        address in evidence.output_text(result)[:_LONGEST].casefold()
        for pair in evidence.calls[:_MOST_LOOKS]
        if pair.call.i < before and evidence.effect(pair).kind != "write"
        for result in pair.results
    )
