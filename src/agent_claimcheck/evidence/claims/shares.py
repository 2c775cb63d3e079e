"""Sentences about tests that do not say that the tests pass: a share that is not the whole, and a demand."""

from __future__ import annotations

from collections.abc import Sequence, Set

_NEAR = 5


def is_no_report(words: Sequence[str], begin: int, first: int, last: int, modals: Set[str]) -> bool:
    """True for "Tests need to pass" and for "8 of 10 tests pass", which says that two do not.

    ``first`` and ``last`` are the positions of the phrase in ``words``, ``begin`` that of its clause.
    """
    return not modals.isdisjoint(words[first + 1 : last]) or _is_share(words[max(begin, first - _NEAR) : last + 1])


def _is_share(words: Sequence[str]) -> bool:
    """True for "8 of 10", "8 out of 10", "8/10"; "8 of 8" is the whole."""
    for index, word in enumerate(words):
        part, slash, whole = word.partition("/")
        if not slash:
            skipped = 2 if list(words[index + 1 : index + 3]) == ["out", "of"] else 1
            is_of = skipped == 2 or list(words[index + 1 : index + 2]) == ["of"]
            whole = next(iter(words[index + skipped + 1 : index + skipped + 2]), "") if is_of else ""
        if part.isdigit() and whole.isdigit() and part != whole:
            return True
    return False
