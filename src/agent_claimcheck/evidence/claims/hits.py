"""What the English grammar finds in one sentence: the words that claim something, and what the sentence denies.

A reader must not miss: places count characters of the sentence, not of the message it stands in.
"""

from __future__ import annotations

from typing import NamedTuple

UNSURE = 0.5
"""Confidence of words that may as well tell how things stand: enough to be looked at, too little to accuse."""


class Hit(NamedTuple):
    """An accepted verb: class, ``[start, end)`` in the sentence, construction, confidence, and its clause's span.

    ``is_weak`` hits are words a heading or a table of states could hold too; they count only in the company of others.
    """

    verb_class: str
    start: int
    end: int
    frame: str
    confidence: float
    clause: tuple[int, int]
    is_weak: bool = False


class SentenceReading(NamedTuple):
    """What one sentence says: accepted hits, and the classes it denies (``""`` when it denies without naming one)."""

    hits: list[Hit]
    denied: list[str]
