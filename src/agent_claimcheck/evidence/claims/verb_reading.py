"""One verb in its English sentence: what every question about the verb is put to.

A reader must not miss: positions are those of words, and a word is lower case. Three questions follow, in this order: is it
denied (``verb_denied.py``), is it left open (``verb_unreal.py``), is it somebody else's doing (``verb_own_doing.py``)? Only what
passes all three is a claim.
"""

from __future__ import annotations


class VerbReading:
    """One verb in its sentence: the words, where the verb stands, its clause, and the construction around it.

    ``word`` is the verb as written, lower case; ``distinct`` are the words as a set.
    ``frame`` is ``active``, ``perfect``, ``passive``, ``headless`` or ``phrase``; ``at`` is where the construction
    begins; ``tense`` is ``perfect``, ``past``, ``present`` or ``chained``; ``flags`` are the adverbs beside the verb.
    """

    __slots__ = (
        "at", "begin", "distinct", "ending", "flags", "frame", "index", "stop", "tense", "ticked", "verb_class", "word",
        "words",
    )  # fmt: skip

    def __init__(
        self,
        words: list[str],
        distinct: set[str],
        index: int,
        clause: tuple[int, int],
        ending: str,
        verb_class: str,
        *,
        ticked: bool,
    ) -> None:
        self.words = words
        self.distinct = distinct
        self.index = index
        self.word = words[index]
        self.begin, self.stop = clause
        self.ending = ending
        self.verb_class = verb_class
        self.ticked = ticked
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
