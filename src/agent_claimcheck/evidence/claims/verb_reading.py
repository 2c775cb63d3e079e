"""One verb in its English sentence: what every question about the verb is put to.

A reader must not miss: positions are those of words, and a word is lower case. Three questions follow, in this order: is it
denied (``verb_denied.py``), is it left open (``verb_unreal.py``), is it somebody else's doing (``verb_own_doing.py``)? Only what
passes all three is a claim.
"""

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    """The words of a sentence in order and as a set, lower case, and the mark that ends it."""

    words: list[str]
    distinct: set[str]
    ending: str


class VerbReading:
    """One verb in its sentence: the words, where the verb stands, its clause, and the construction around it.

    ``word`` is the verb as written, lower case; ``distinct`` are the words as a set; ``is_ticked`` says that a mark of success
    stands in the sentence.
    ``frame`` is ``active``, ``perfect``, ``passive``, ``headless`` or ``phrase``; ``at`` is where the construction
    begins; ``tense`` is ``perfect``, ``past``, ``present`` or ``chained``; ``flags`` are the adverbs beside the verb.
    """

    __slots__ = (
        "at", "begin", "distinct", "ending", "flags", "frame", "index", "is_ticked", "stop", "tense", "verb_class", "word",
        "words",
    )  # fmt: skip

    def __init__(
        self, sentence: Words, index: int, clause: tuple[int, int], verb_class: str, *, is_ticked: bool = False
    ) -> None:
        self.words, self.distinct, self.ending = sentence
        self.index = index
        self.word = self.words[index]
        self.begin, self.stop = clause
        self.verb_class = verb_class
        self.is_ticked = is_ticked
        self.flags: list[str] = []
        self.frame = ""
        self.tense = ""
        self.at = index - 1

    @property
    def is_sure(self) -> bool:
        """ "successfully" or "now" beside the verb: news, not a state."""
        after = self.words[self.index + 1 : self.index + 3]
        return "successfully" in (*self.flags, *after) or "now" in self.flags or after[:1] == ["now"]

    def next_words(self, count: int) -> list[str]:
        """The words of the clause after the verb."""
        return self.words[self.index + 1 : min(self.stop, self.index + 1 + count)]
