"""Cuts the words of one English sentence into clauses, so that a subject or a negation speaks for its own verb alone.

A reader must not miss: a comma or an "and" cuts only where a new subject follows; "Booked and confirmed" is one clause.
"""

from __future__ import annotations

from itertools import pairwise

from agent_claimcheck.evidence.claims.vocabulary import English

_CLAUSE_MARKS = frozenset(":—–(-→")
_JOINTS = frozenset(("and", "so", "then", "or"))
_SKIPPED_AHEAD = frozenset(("and", "so", "then", "but", "also", "now"))
_MONEY_AND_NUMBER = ("#", "$", "€", "£")


class ClauseCuts:
    """Where clauses begin, over one vocabulary. Holds no state between sentences."""

    def __init__(self, vocabulary: English) -> None:
        self._vocabulary = vocabulary
        self._sets = vocabulary.sets
        self._cutting = _CLAUSE_MARKS | _JOINTS | {","} | vocabulary.sets.breaks

    def clauses(self, words: list[str], distinct: set[str]) -> list[tuple[int, int]]:
        """Return ``[first, end)`` of each clause in ``words``; ``distinct`` are the words as a set.

        Cuts stand at dashes, colons, "but", and where a comma or "and" opens a new subject.
        """
        if self._cutting.isdisjoint(distinct):
            return [(_past_symbols(words, 0, len(words)), len(words))]
        sets = self._sets
        cuts = [0]
        for index, word in enumerate(words):
            if word in _CLAUSE_MARKS:
                cuts.append(index + 1)
            elif word in sets.breaks:
                cuts.append(index)
            elif word == "," or word in _JOINTS:
                ahead = index + 1
                while ahead < min(len(words), index + 3) and words[ahead] in _SKIPPED_AHEAD:
                    ahead += 1
                if ahead >= len(words):
                    break
                following = words[ahead]
                if (
                    (word == "," and (following in sets.concluding or following in sets.subjects))
                    or (following in sets.subjects and self._opens_clause(words, ahead))
                    or (word == "," and self._is_short_report(words, ahead))
                ):
                    cuts.append(ahead)
        cuts.append(len(words))
        return [(_past_symbols(words, first, second), second) for first, second in pairwise(cuts) if second > first]

    def _is_short_report(self, words: list[str], at: int) -> bool:
        """Two words that tell a result by themselves: "..., invite sent to Ann"."""
        vocabulary = self._vocabulary
        return words[at] in vocabulary.nouns and at + 1 < len(words) and words[at + 1] in vocabulary.classes

    def _opens_clause(self, words: list[str], at: int) -> bool:
        """True when the words from ``at`` look like a new subject with its own verb."""
        if words[at] in self._sets.own_subjects:
            return True
        near = words[at + 1 : at + 9]
        sets = self._sets
        return not (sets.have.isdisjoint(near) and sets.be.isdisjoint(near) and sets.modals.isdisjoint(near))


def _past_symbols(words: list[str], first: int, second: int) -> int:
    """Step over the bullet, tick or bracket that a clause begins with."""
    while first < second - 1 and not words[first][0].isalnum() and words[first] not in _MONEY_AND_NUMBER:
        first += 1
    return first
