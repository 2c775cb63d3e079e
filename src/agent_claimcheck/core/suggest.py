"""Did-you-mean hints for error messages."""

from __future__ import annotations

from collections.abc import Iterable

# Comparing is quadratic in the length of the word; a longer one is no typing slip of a name.
_LONGEST_WORD = 100


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the entry of ``known`` that ``word`` is most likely a slip of, or ``None``.

    >>> closest("verifed", ["verified", "skipped"])
    'verified'
    """
    import difflib  # only ever needed on the way to an error

    if len(word) > _LONGEST_WORD:
        return None
    matches = difflib.get_close_matches(word, list(known), n=1)
    return matches[0] if matches else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``, did you mean "x"?`` to put behind a complaint about ``word``, or an empty text.

    >>> did_you_mean("verifed", ["verified", "skipped"])
    ', did you mean "verified"?'
    """
    match = closest(word, known)
    return f', did you mean "{match}"?' if match else ""
