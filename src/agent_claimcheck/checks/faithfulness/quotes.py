"""Quotations: does the quoted passage stand in the evidence word for word?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.checks.faithfulness.evidence_index import EvidenceIndex, plain
from agent_claimcheck.checks.faithfulness.judgement import Judgement

_QUOTED = re.compile(r"\"([^\"\n]{12,600})\"|“([^”\n]{12,600})”")
_OWN_WORDS = re.compile(
    r"\b(?:title|titled|called|named|labell?ed|event|entry|reminder|subject|description)\b[^.\"“]{0,20}\Z",
    re.IGNORECASE,
)
"""Words before a quotation that is the name or text of a thing, which the agent may have chosen, and no passage."""
_BEFORE = 60
_SHORTEST = 4  # words
_WORD = re.compile(r"[\w'%.-]+")
_SAME_SHARE = 0.7
_MOST_STARTS = 50


def judge_quotes(text: str, index: EvidenceIndex) -> Iterator[Judgement]:
    """Yield one judgement a quotation of four words or more."""
    for found in _QUOTED.finditer(text):
        quoted = found[1] or found[2]
        words = _WORD.findall(plain(quoted))
        if len(words) < _SHORTEST or "..." in quoted or "…" in quoted:
            continue
        if plain(quoted).strip(" .,!?") in index.plain_text:
            yield Judgement("supported", f"the evidence holds the words {quoted[:60]!r}")
            continue
        if index.says(quoted) or _OWN_WORDS.search(text[max(0, found.start() - _BEFORE) : found.start()]):
            continue
        near = _near_miss(words, index)
        if near is not None:
            piece, passage = near
            yield Judgement("contradicted", f"the evidence reads {passage!r}", piece, passage)


def _near_miss(words: list[str], index: EvidenceIndex) -> tuple[int, str] | None:
    """Return a passage that is the quotation but for a few words: it begins or ends alike and most words agree."""
    for number, piece in enumerate(index.pieces):
        text = plain(piece.text)
        for anchor, offset in ((words[:2], 0), (words[-2:], len(words) - 2)):
            at = -1
            for _ in range(_MOST_STARTS):
                at = text.find(" ".join(anchor), at + 1)
                if at < 0:
                    break
                window = _WORD.findall(text[max(0, at - 12 * offset) : at + 12 * len(words)])
                start = _place(window, anchor, offset)
                passage = window[start : start + len(words)] if start >= 0 else []
                agreeing = sum(one.strip(".") == two.strip(".") for one, two in zip(words, passage, strict=False))
                if len(passage) == len(words) and _SAME_SHARE * len(words) <= agreeing < len(words):
                    return number, " ".join(passage)
                if len(words) <= 6 and len(passage) == len(words) and len(words) - 2 <= agreeing < len(words):
                    return number, " ".join(passage)
    return None


def _place(window: list[str], anchor: list[str], offset: int) -> int:
    for at in range(len(window) - 1):
        if window[at : at + 2] == anchor:
            return at - offset
    return -1
