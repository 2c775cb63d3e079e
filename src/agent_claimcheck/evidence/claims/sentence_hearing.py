"""Hears the sentences of one piece of a message: which of their verbs claim, how surely, and what they deny.

A reader must not miss: the pieces of a text are asked from front to back, because what stands around a claim is read once.
So a second pass over a piece takes a hearer of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.text import spaces_for
from agent_claimcheck.evidence.claims.accounts import is_account, is_told_by_another, names_speaker
from agent_claimcheck.evidence.claims.clauses import Piece
from agent_claimcheck.evidence.claims.contract import SURE_CLAIM, SuccessClaim
from agent_claimcheck.evidence.claims.doers import may_name_doer, names_doer
from agent_claimcheck.evidence.claims.english import SentenceGrammar, is_ticked
from agent_claimcheck.evidence.claims.frame_language import frames
from agent_claimcheck.evidence.claims.frames import FrameHit, read_frames
from agent_claimcheck.evidence.claims.hits import UNSURE, Hit
from agent_claimcheck.evidence.claims.merging import Said
from agent_claimcheck.evidence.claims.shared_clauses import subjects_of_shared
from agent_claimcheck.evidence.claims.subjects import read_subject
from agent_claimcheck.evidence.claims.surroundings import Surroundings
from agent_claimcheck.evidence.claims.vocabulary import english

Sentence = tuple[int, int, str]
"""``[start, end)`` in the piece, and the mark that ends it."""

_HEDGE_WORDS = ("i think", "i believe", "it looks like", "far as i can tell")
_THINK, _BELIEVE, _LOOKS, _FAR = _HEDGE_WORDS
_HEDGED = late_pattern(
    rf"(?:^\W*|(?<=[,;:–—-] )|(?<=and ))\s*(?:(?:(?:{_THINK}|{_BELIEVE})(?: that)?|{_LOOKS})(?! [^,;]{{0,60}} (?:was|were) )"
    rf"|(?:as|so) {_FAR}[,:]?)(?= )"
)
"""A hedge before a statement. "I believe it is fixed" claims that it is fixed, only less surely; "I think it was fixed"
speaks of how things stand."""

_HEDGED_SURENESS = 0.8

_MOST_CLAIMS = 400
"""Claims kept per message. A message that claims more says nothing new after that."""


class Heard:
    """What was heard in one message so far: claims and denials in order, and how well it could be read."""

    __slots__ = ("is_readable", "language", "said", "size", "step")

    def __init__(self, step: int | None = None) -> None:
        self.said: list[Said] = []
        self.language: str | None = None
        self.is_readable = True
        self.size = 0
        self.step = step

    @property
    def is_full(self) -> bool:
        """True when so much was claimed that the rest of the message says nothing new."""
        return len(self.said) >= _MOST_CLAIMS


class SentenceHearer:
    """Hears sentences of ``piece``, whose text in lower case is ``low``, and adds what they say to ``heard``."""

    def __init__(self, piece: Piece, low: str, heard: Heard) -> None:
        self._piece = piece
        self._low = low
        self._heard = heard
        self._around = Surroundings(low)
        self._is_account: bool | None = None

    def hear_english(self, cut: Iterable[Sentence], firm: frozenset[str], faint: frozenset[str]) -> None:
        """Hear the sentences that hold one of ``firm`` or ``faint``, the words of the piece that may claim or deny something.

        The faint ones may only tell a state: a sentence with nothing but them is read where it does, and has no denial of
        its own.
        """
        grammar, said = _grammar(), self._heard.said
        weak: list[Said] = []
        for sentence in cut:
            start, end, ending = sentence
            text = self._low[start:end]
            is_firm = _holds_any(text, firm)
            if not is_firm and not (faint and grammar.tells_state(text, faint)):
                continue
            plain, sureness = _without_hedge(text)
            reading = grammar.read(plain, ending)
            hits = reading.hits
            shared = subjects_of_shared(self._piece.raw[start:end], hits) if len(hits) > 1 else {}
            for number, hit in enumerate(hits):
                confidence = self._confidence(hit, sentence, text, sureness)
                if confidence is not None:
                    claim = self._claim(
                        start, hit, confidence, is_active=hit.frame == "active", subject=shared.get(number)
                    )
                    (weak if hit.is_weak and text.count(" ") > 2 else said).append(Said(claim, sentence=text))
            said.extend(Said(None, verb_class, text) for verb_class in reading.denied if verb_class or is_firm)
            if self._heard.is_full:
                break
        if weak and any(item.claim is not None for item in said):
            said.extend(weak)

    def hear_other(self, sentence: Sentence, code: str) -> None:
        """Hear one sentence of the language ``code``, which is read by frames."""
        start, end, ending = sentence
        text = self._low[start:end]
        self._heard.language = code
        hits, denied = read_frames(text, ending, frames(code))
        for hit in hits:
            is_field = self._is_state(hit, start)
            if not self._is_of_record(sentence, text, is_field=is_field):
                is_unsure = is_field or self._around.is_in_draft(start + hit.start)
                claim = self._claim(start, hit, UNSURE if is_unsure else hit.confidence, is_active=None)
                self._heard.said.append(Said(claim, sentence=text))
        self._heard.said.extend(Said(None, verb_class, text) for verb_class in denied)

    def _confidence(self, hit: Hit, sentence: Sentence, text: str, sureness: float) -> float | None:
        """Return how sure the claim of an English verb is, ``None`` where others did it or it tells of a listed record."""
        start = sentence[0]
        is_active = hit.frame == "active"
        after = "" if is_active else self._piece.raw[start + hit.end : start + hit.clause[1]]
        if after and names_doer(after):
            return None
        is_headless = hit.frame == "headless"
        is_field = is_headless and self._is_state(hit, start)
        if is_headless and self._is_of_record(sentence, text, is_field=is_field):
            return None
        if is_headless and self._around.is_planned(start + hit.start):
            return None
        sure = (UNSURE if is_field else hit.confidence) * sureness
        if sure >= SURE_CLAIM and self._is_told_of_others(text, start + hit.start, is_active=is_active):
            sure = UNSURE
        return min(sure, UNSURE) if after and may_name_doer(after) else sure

    def _is_told_of_others(self, text: str, at: int, *, is_active: bool) -> bool:
        """True in an account of what others did, behind the name of a speaker, and in a draft."""
        if not is_active:
            if self._is_account is None:
                self._is_account = is_account(self._low)
            if self._is_account or is_told_by_another(text):
                return True
        return names_speaker(text) or self._around.is_in_draft(at)

    def _is_state(self, hit: Hit | FrameHit, base: int) -> bool:
        """True for the "cancelled" of "Status: cancelled", not for a "done"."""
        return hit.verb_class != "completed" and self._around.is_state_field(base + hit.start)

    def _is_of_record(self, sentence: Sentence, text: str, *, is_field: bool) -> bool:
        """True when ``text``, the words of ``sentence``, tells how one of several listed records stands."""
        start, _, ending = sentence
        if (ending != "|" and not is_field) or is_ticked(text):
            return False
        return (ending == "|" and self._around.holds_cell(start)) or (is_field and self._around.lists_states)

    def _claim(
        self,
        base: int,
        hit: Hit | FrameHit,
        confidence: float,
        *,
        is_active: bool | None,
        subject: dict[str, Any] | None = None,
    ) -> SuccessClaim:
        """Build the claim that ``hit`` makes in the sentence that begins at ``base`` of the piece.

        ``is_active`` is ``None`` where only the form of values can be read, not the grammar. ``subject`` is known where
        the hit shares its clause with another.
        """
        first, last = hit.clause
        start, end = base + first, base + last
        raw = self._piece.raw[start:end]
        return SuccessClaim(
            type=hit.verb_class,
            verb_class=hit.verb_class,
            subject=subject or read_subject(raw, hit.start - first, hit.end - first, is_active=is_active),
            span=self._piece.locate(start, end),
            step=self._heard.step,
            quote=raw.strip()[:600],
            confidence=confidence,
        )


@lru_cache(maxsize=1)
def _grammar() -> SentenceGrammar:
    return SentenceGrammar(english())


def _holds_any(text: str, words: Iterable[str]) -> bool:
    for word in words:  # noqa: SIM110 - a generator for ``any`` costs more than the whole look
        if word in text:
            return True
    return False


def _without_hedge(text: str) -> tuple[str, float]:
    """Return ``text`` with blanks in place of "I think", and how much of its sureness that leaves."""
    if not _holds_any(text, _HEDGE_WORDS):
        return text, 1.0
    plain = _HEDGED.sub(spaces_for, text)
    return plain, 1.0 if plain == text else _HEDGED_SURENESS
