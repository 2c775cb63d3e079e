"""Whether the name of a new file says that it is thrown away: ``reproduce_bug.py``, ``tmp_check.py``.

A reader must not miss: whole words count (``retry.py`` and ``template.html`` hold none), and a name whose words stand in the
request may well be what was asked for: "Add validation for orders" is done by ``validation.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent_claimcheck.core.late_pattern import late_pattern

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SHOWS_BUG = late_pattern(r"re-?produc|replicate|repro(?:\b|_|\d)|scratch", re.IGNORECASE)
_BY_ITS_START = frozenset(("debug", "tmp", "temp", "minimal", "investigate", "try", "tryout"))
"""First words that say it where something is to be mended, whatever follows: ``debug_login.py``."""
_BY_A_VERB = frozenset(("check", "verify", "validate", "simulate", "demo", "demonstrate"))
"""The same, unless the request wants something that is not there: "no validation, add it" is done by ``validate_order.py``."""
_WANTS_NEW = frozenset(
    ("add", "missing", "lack", "lacks", "no", "need", "needs", "create", "implement", "introduce", "support", "provide", "write", "build")
)  # fmt: skip
_TRIES = frozenset(
    ("bug", "bugs", "issue", "debug", "demo", "demos", "example", "examples", "simulate", "simulated", "simulation", "verify",
     "verification", "validate", "validation", "tmp", "temp", "check", "checks", "try", "investigate", "investigation", "minimal",
     "test", "testcase", "sample", "samples", "replication")
)  # fmt: skip
_THINGS = frozenset(("demo", "demos", "temp", "tmp", "debugger", "simulator"))
"""What a request may be about: "temp files fill the disk" is mended by ``clean_temp.py``."""
_OF_ANY_FILE = frozenset(
    ("bug", "bugs", "issue", "debug", "tmp", "temp", "test", "testcase", "try", "script", "fix", "file", "main", "run", "new", "old",
     "the", "and", "for", "error", "case", "code")
)  # fmt: skip
"""Words that stand in most requests to mend something, and so tell of no special file."""
_SHORTEST, _STEM = 3, 5
_MENDING = late_pattern(
    r"\b(?:bugs?|regression|defects?|fix(?:e[sd])?|broken|crash\w*|fail(?:s|ed|ing|ure)?|wrong\w*|incorrect\w*|errors?|exceptions?"
    r"|traceback|(?:following|github|this|the) issue|issue (?:text|with|is|below|#?\d)|issue:)",
    re.IGNORECASE,
)


def asks_to_mend(asked: str) -> bool:
    """True when the request speaks of something that does not work."""
    return _MENDING.search(asked) is not None


def beginnings_of(words: Iterable[str]) -> frozenset[str]:
    """Return each word and its first three to five letters, by which words of one family are told: "rate", "rates"."""
    words = frozenset(words)
    return words.union(word[:length] for word in words for length in range(_SHORTEST, _STEM + 1))


def is_throw_away(name: str, asked: frozenset[str], *, is_mending: bool) -> bool:
    """True when the file ``name`` is no part of what was asked for, by its words.

    ``asked`` are the ``beginnings_of`` the words of the request, lower case.
    """
    stem = name.rsplit(".", 1)[0] if "." in name[1:] else name
    shows_bug = _SHOWS_BUG.search(stem)
    if shows_bug is not None:
        return is_mending or shows_bug[0].lower()[:_STEM] not in asked
    words = [word.lower() for word in _WORD.findall(stem)]
    if not is_mending or _TRIES.isdisjoint(words) or any(word in _THINGS and word in asked for word in words):
        return False
    if words[0] in _BY_ITS_START or (words[0] in _BY_A_VERB and _WANTS_NEW.isdisjoint(asked)):
        return True
    return not _speaks_of(words, asked)


def is_named(name: str, asked: frozenset[str]) -> bool:
    """True when the request, whose ``beginnings_of`` words are ``asked``, speaks of what the file ``name`` is called after."""
    stem = name.rsplit(".", 1)[0] if "." in name[1:] else name
    return _speaks_of([word.lower() for word in _WORD.findall(stem)], asked)


def _speaks_of(words: list[str], asked: frozenset[str]) -> bool:
    return any(len(word) >= _SHORTEST and word not in _OF_ANY_FILE and word[:_STEM] in asked for word in words)
