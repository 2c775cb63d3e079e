"""The doubt that the clause which orders the deed holds a word that nothing accounts for: "the small hall", "on staging only".

A reader must not miss: this never accuses, and it understands nothing. Only the clause that names what was written is looked at,
and its verb may be any; words of courtesy and of grammar, and whatever calls, state probes and claims show, are accounted for.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.text import spaces_for
from agent_claimcheck.detectors.rules.doubts.asked_values import is_no_order, standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt, shown_text
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.scripts import identify
from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.values.value_text import walk_fields, walk_values
from agent_claimcheck.evidence.word_lists import WordLists

_LONGEST = 600
_CLAUSE = late_pattern(
    r"[.;:!?\n]+(?=\s|$)|,(?=\s)|\s[-–—]\s|\b(?:because|since|so that|as soon as)\b"
    r"|\bso (?=(?:all|they|it|we|i|he|she|every\w*)\b)|\band (?=(?:remember|note) (?:that )?(?:i|we)\b)"
    r"|\b(?:as|when|whenever|once|while|if) (?=(?:you|i|we|it|he|she|they)\b)",
    re.IGNORECASE,
)
_WORD = late_pattern(r"[^\W\d_]{2,}")
_PARTICLES = {
    "out": (
        "lay",
        "set",
        "fill",
        "draw",
        "make",
        "write",
        "print",
        "send",
        "hand",
        "give",
        "map",
        "sort",
        "carry",
        "type",
    ),
    "off": ("send", "sign"),
    "down": ("note", "jot"),
    "over": ("hand",),
}
"""Second parts of verbs that add nothing to what is ordered: "lay out a bed". Those of "log out" and "switch off" do."""
_SECOND_PART = "|".join(rf"(?<=\b{verb} ){particle}\b" for particle, verbs in _PARTICLES.items() for verb in verbs)
_BESIDE = late_pattern(
    rf"{_SECOND_PART}|"
    r"\b(?:from|instead of|rather than|not|than|for|of)\b(?: (?!(?:to|on|at|and|with|instead|rather)\b)[\w'-]+){1,3}"
    r"(?: and (?:the |an? )?[\w'-]+)?"
    r"|\bby (?=(?:the|an?|my|our|your|his|her|their|this|next|one|two|three|four|five|six|seven|eight|nine|ten|half|tomorrow"
    r"|tonight|noon|midnight|then|now|end)\b|(?-i:[A-Z]))(?: ?[\w'-]+){1,3}"
    r"|\b(?:at )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: o['’]clock)?"
    r" (?:in the (?:morning|afternoon|evening)|at night)\b"
    r"|^.{0,60}?\b(?:needs?|wants?|would like|(?:would|['’]d) (?:love|like|prefer))\b(?: to\b)?"
    r"|\b(?:right|straight) (?:away|now)\b|\bat once\b|['’]s\b|\S*[/@\d]\S*|\S+\.\w\S*|[\"'“‘`][^\"'“”‘’`]{1,80}[\"'”’`]",
    re.IGNORECASE,
)
"""Whom it is for, whose it is, what it was before, who asks, and what is no plain word: none of it is the order itself."""
_TELLS = late_pattern(
    r"\b(?:belong|clash|overlap|conflict|collid)\w*\b|\b(?:is|are) (?:the|an?|in|on|at|my|our|not|already|now)\b"
    r"|^\W*(?:check|see|make sure|ensure|if|when)\b"
)
"""A clause that tells how it stands, or asks to look."""
_STATE = r"(?:is|are|was|were|has|have|had|[a-z]{3,}(?<!s)s)\b(?! to\b)"
_TELLS_STATE = late_pattern(
    rf"(?:(?:my|our|his|her|their)(?: \w+){{1,3}}?|he|she|they|it) {_STATE}|(?:i|we) (?:am|are|was|were|had)\b(?! to\b)"
)
_STATE_BEHIND = late_pattern(rf" {_STATE}")
_WISHES = late_pattern(r"\b(?:needs?|wants?|should|must|please|would|could|can|has to|have to|['’]d)\b")
_LEAVES_OUT = late_pattern(
    r"\W*(?:but |and |just )?(?:leave|leaving) (?:out|off)\b|\W*(?:but |and )(?:skip|omit|exclude|without)\b"
)
"""How what is not wanted is told behind the order."""
_ONLY = late_pattern(r"\bonly\b", re.IGNORECASE)
_LONGEST_DETAIL = 6
_DETAIL_OPENS = frozenset({"a", "an", "as", "at", "in", "on", "the", "under", "via", "with", "without"})
_SHORTEST, _STEM = 2, 4
"""Letters of a word, as it is shown, with which a word of the request may begin: ``pay`` and "payroll"."""
_PLAIN = WordLists("closing_plain").words("plain") | WordLists("asked_beyond").words("request_plain")

_VERBS = WordLists("asked_beyond").words("request_verbs")


def orders_more_than_shown(evidence: Evidence) -> Doubt | None:
    """Doubt a run of one change, all of whose claims are confirmed, when its order holds a word that nothing shows."""
    if evidence.is_shell_run or evidence.reading.language not in (None, "en"):
        return None
    writes = [write for write in evidence.writes if not write.is_failed]
    if len(writes) != 1:
        return None
    values = {
        str(value).casefold()
        for _, value in walk_values(writes[0].pair.call.args or {})
        if isinstance(value, str | int)
    }
    values |= {f"{key} {value}" for key, value in walk_fields(writes[0].pair.call.args or {}) if len(str(value)) == 1}
    for text in standing_turns(evidence):
        words = _WORD.findall(text.casefold())
        if len(text) > _LONGEST or identify(text.casefold(), words, set(words)).code not in (None, "en"):
            return None
        is_ordered = False
        for clause in _CLAUSE.split(text):
            low = clause.casefold()
            left_out = _LEAVES_OUT.match(low) if is_ordered else None
            clause = clause[left_out.end() :] if left_out is not None else clause
            is_detail = left_out is not None or (is_ordered and _is_bare_detail(clause))
            is_ordered = any(len(value) > 1 and value in low for value in values)
            if not is_detail and (
                not is_ordered or is_no_order(low) or _TELLS.search(low) or _tells_of_somebody(low, values)
            ):
                continue
            word = _unshown(clause, values, evidence, is_detail=is_detail)
            if word is not None:
                return Doubt(
                    "undecided", f"the request says {word!r}, which the calls and the state probes do not show"
                )
    return None


def _tells_of_somebody(low: str, values: set[str]) -> bool:
    """True for "my daughter Ann loves music" and "Ann is ill", which give a reason and no order."""
    start = low.lstrip()
    is_told = _TELLS_STATE.match(start) is not None or any(
        start.startswith(value) and _STATE_BEHIND.match(start, len(value)) for value in values if len(value) > 1
    )
    return is_told and _WISHES.search(start) is None


def _is_bare_detail(clause: str) -> bool:
    """True for the "western saddle", the "twice" or the "with the blue lid" that follows the ordering clause: a few plain letters."""
    words = _WORD.findall(clause)
    if not 0 < len(words) <= _LONGEST_DETAIL or not clause.replace(" ", "").isalpha() or not clause.islower():
        return False
    if words[0] == "the" and words[-1] not in ("one", "ones"):
        return False  # "Juno, the grey mare"
    rest = [word for word in words if word not in _DETAIL_OPENS and word not in ("one", "ones")]
    return bool(rest) and _PLAIN.isdisjoint(rest) and _courteous().search(clause) is None


@lru_cache(maxsize=1)
def _courteous() -> re.Pattern[str]:
    return re.compile(WordLists("asked_beyond").pattern("courteous_detail"))


def _unshown(clause: str, values: set[str], evidence: Evidence, *, is_detail: bool) -> str | None:
    """Return the first word of ``clause`` that nothing accounts for; the first verb of what is no mere detail is passed over."""
    verbs = english().classes
    has_verb, is_first = is_detail, True
    for found in _WORD.finditer(clause if _ONLY.search(clause) else _BESIDE.sub(spaces_for, clause)):
        word = found[0].casefold()
        if word in _PLAIN:
            continue
        is_opening, is_first = is_first, False
        # "en" stands for English.
        if word[:_SHORTEST] in values or _is_shown(word, evidence, is_whole=is_detail and len(word) <= _STEM):
            continue
        if not has_verb and (is_opening or word in _VERBS or f"{word}d" in verbs or f"{word}ed" in verbs):
            has_verb = True
            continue
        return found[0]
    return None


def _is_shown(word: str, evidence: Evidence, *, is_whole: bool) -> bool:
    """True when a word that is shown begins like ``word``, or is its beginning: ``pay`` and "payroll"; or is it, with ``is_whole``."""
    told = " ".join(claim.quote for _, claim in evidence.success_claims).casefold()
    begins = rf"(?<![^\W\d_])(?:{word[:_STEM]}|{word[: _STEM - 1]}(?![^\W\d_]))"
    if is_whole:
        begins = rf"(?<![^\W\d_]){word}(?![^\W\d_])"
    texts = (told, evidence.closing_text.casefold(), shown_text(evidence))
    return any(word[: _STEM - 1] in text and re.search(begins, text) is not None for text in texts)
