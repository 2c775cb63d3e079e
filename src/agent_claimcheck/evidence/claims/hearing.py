"""Hears what one message claims and denies, in whatever language it is, and how well it could be read.

A reader must not miss: what is heard is not yet what the message stands by; a later denial may take a claim back
(``merging``). The words of English are asked first, because most messages are in it or quote it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims import json_reply
from agent_claimcheck.evidence.claims.clauses import (
    Piece,
    is_json_like,
    is_one_sentence,
    json_and_prose,
    json_piece,
    plain_piece,
    sentences,
    unfenced,
)
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.claims.frame_language import frames
from agent_claimcheck.evidence.claims.frames import fits_frame
from agent_claimcheck.evidence.claims.hits import UNSURE
from agent_claimcheck.evidence.claims.language_files import function_words
from agent_claimcheck.evidence.claims.merging import Said
from agent_claimcheck.evidence.claims.scripts import LanguageReading, identify
from agent_claimcheck.evidence.claims.sentence_hearing import Heard, SentenceHearer
from agent_claimcheck.evidence.claims.subjects import read_subject
from agent_claimcheck.evidence.claims.surroundings import reported_rows
from agent_claimcheck.evidence.claims.vocabulary import english

_FLAG_SURENESS = 0.7
_PARTS = late_pattern(r"[,;:，、；：–—(]")
"""Marks beside which another statement may stand."""

_HEAD = 600
"""Characters tried against the frames of several languages when it is unclear which one it is."""

_FEW = 6
"""Words up to which a text is too short for one English word among them to name its language."""

_SHORT = 60
"""Words up to which a message without an English claim is looked through for sentences in another language."""

_WIDE_PUNCTUATION = "—–…。，、！？：；「」（）¡¿"
_SPACED = bytes.maketrans(b'!"#$%&()*+,./:;<=>?@[\\]^{|}~`\n\t\r', b" " * 32)


def hear(text: str, step: int | None = None) -> Heard:
    """Return what one message says; ``step`` is where it stands. Never raises; linear in the length of ``text``."""
    heard = Heard(step)
    if not text or text.isspace():
        return heard
    text = unfenced(text)
    split = None if is_json_like(text) else json_and_prose(text)
    if split is not None:
        _hear_json(split[0], heard)
        _hear_piece(plain_piece(split[1]), heard)
    elif is_json_like(text):
        _hear_json(text, heard)
    else:
        _hear_piece(plain_piece(text), heard)
        if not heard.said and "\n" in text:
            heard.said.extend(_row_claim(text, row, step) for row in reported_rows(text))
    heard.is_readable = heard.is_readable or bool(heard.said) or _is_one_question(text.strip())
    return heard


def _hear_json(text: str, heard: Heard) -> None:
    for leaf in json_reply.read(text):
        if heard.is_full:
            return
        if leaf.verb_class:
            heard.said.append(_status_claim(text, leaf, heard.step))
        else:
            _hear_piece(json_piece(leaf.token, leaf.start), heard)


def _hear_piece(piece: Piece, heard: Heard) -> None:
    low = _lower(piece.text)
    words = _words(low)
    if not words:
        return
    distinct = set(words)
    identified = identify(low, words, distinct)
    if len(words) > heard.size:
        heard.language, heard.is_readable, heard.size = identified.code, identified.is_readable, len(words)
    vocabulary = english()
    marks = vocabulary.triggers & distinct
    negators = vocabulary.sets.negators & distinct
    if negators and not vocabulary.nouns.keys().isdisjoint(distinct):
        # A denial counts too. What the grammar sees as a word may be a part of one with an apostrophe or a hyphen here.
        marks = marks.union(negators, [word for word in distinct if not word.isalnum()])
    faint = vocabulary.faint_triggers & distinct
    cut = sentences(piece.text) if marks or faint else None
    if cut is not None:
        SentenceHearer(piece, low, heard).hear_english(cut, marks, faint)
    if identified.code not in (None, "en"):
        _hear_other(piece, low, _language(low, words, identified) or identified.code, heard)
    elif not any(item.claim is not None or item.denied for item in heard.said):
        _hear_unnamed(piece, low, cut, words, identified, heard)


def _hear_unnamed(
    piece: Piece,
    low: str,
    cut: list[tuple[int, int, str]] | None,
    words: list[str],
    identified: LanguageReading,
    heard: Heard,
) -> None:
    """Look for another language where none was told or English was and says nothing: "Ticket cerrado. Thanks!".

    Where English was heard to deny something, only sentences that are no English are looked at.
    """
    beside_denial = bool(heard.said)
    code = None if beside_denial else _language(low, words, identified)
    if code is not None:
        heard.is_readable = True
        _hear_other(piece, low, code, heard)
        return
    if len(words) > _SHORT or is_one_sentence(piece.text):
        return
    hearer = SentenceHearer(piece, low, heard)
    for sentence in sentences(piece.text) if cut is None else cut:
        text = low[sentence[0] : sentence[1]]
        own = _words(text)
        if len(own) == len(words):
            continue
        told = identify(text, own, set(own))
        # A form of "be" tells English where a sentence is too short to tell.
        is_english = beside_denial and (told.code == "en" or not english().sets.be.isdisjoint(own))
        code = None if is_english else _language(text, own, told)
        if code is not None:
            hearer.hear_other(sentence, code)


def _language(low: str, words: list[str], identified: LanguageReading) -> str | None:
    """Return the first of the languages ``low`` may be in, English apart, in which it claims something as one does there."""
    codes = identified.rivals
    if identified.code is None:
        codes = _latin_languages()
    elif identified.code != "en":
        codes = (identified.code, *codes)
    if len(words) <= _FEW:
        for word in words:
            codes += _languages_of_verb(word)
    for code in codes:
        if fits_frame(low[:_HEAD], frames(code)):
            return code
    return None


@lru_cache(maxsize=4096)
def _languages_of_verb(word: str) -> tuple[str, ...]:
    if word in function_words()["latin"]["en"] or not word.isalpha():
        return ()
    return tuple(code for code in _latin_languages() if frames(code).verb.fullmatch(word))


@lru_cache(maxsize=1)
def _latin_languages() -> tuple[str, ...]:
    """Languages tried by their own way of claiming when no small word tells: "Anulowałem zamówienie"."""
    return tuple(code for code in function_words()["latin"] if code != "en")


def _words(low: str) -> list[str]:
    """Return the words of ``low``. Bytes are translated many times faster than text."""
    if not low.isascii():
        for mark in _WIDE_PUNCTUATION:
            if mark in low:
                low = low.replace(mark, " ")
    return low.encode("utf-8", "surrogatepass").translate(_SPACED).decode("utf-8", "surrogatepass").split()


def _lower(text: str) -> str:
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def _hear_other(piece: Piece, low: str, code: str, heard: Heard) -> None:
    hearer = SentenceHearer(piece, low, heard)
    for sentence in sentences(piece.text):
        hearer.hear_other(sentence, code)
        if heard.is_full:
            return


def _status_claim(text: str, leaf: json_reply.Leaf, step: int | None) -> Said:
    start, end = leaf.start, leaf.start + len(leaf.token)
    subject: dict[str, Any] = read_subject(leaf.around, 0, 0, is_active=True)
    claim = SuccessClaim(
        type=leaf.verb_class,
        verb_class=leaf.verb_class,
        subject={kind: value for kind, value in subject.items() if kind in ("id", "email", "date", "money")},
        span=(start, end),
        step=step,
        quote=text[start:end],
        confidence=_sureness_of_status(leaf),
    )
    return Said(claim, sentence=leaf.token)


def _row_claim(text: str, row: tuple[int, int], step: int | None) -> Said:
    """Return the unsure claim of one row of a CSV reply, that its task was done."""
    words = text[row[0] : row[1]]
    claim = SuccessClaim(
        type="completed",
        verb_class="completed",
        subject={"object": words[:80].lower()},
        span=row,
        step=step,
        quote=words[:600],
        confidence=UNSURE,
    )
    return Said(claim, sentence=words)


def _sureness_of_status(leaf: json_reply.Leaf) -> float:
    if not leaf.is_flag:
        return 0.75
    return UNSURE if leaf.verb_class == "completed" else _FLAG_SURENESS


def _is_one_question(text: str) -> bool:
    """True for one question without a part that could stand by itself: it claims nothing in any language."""
    return text[-1:] in ("?", "？") and is_one_sentence(text) and not _PARTS.search(text)
