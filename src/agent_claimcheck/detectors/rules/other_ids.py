"""Whether two ids under one key name two records, or one in two forms: ``#12`` and ``0012``, a path and its end, a uuid.

A reader must not miss: two ids say "another record" only when they are built alike and no result shows both on one record.
"""

from __future__ import annotations

import re

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.seen_records import stand_together

ALIAS_REASON = "both may name one record"

_SIGNS = late_pattern(r"[\W_]+")
_LETTERS = late_pattern(r"[^\W\d_]+")
_DIGITS = late_pattern(r"\d+")


def ids_agree(one: str, two: str) -> bool:
    """True when two folded ids are the same but for a sign or zeros in front, or the beginning of a path or an address."""
    if one.lstrip("#").lstrip("0") == two.lstrip("#").lstrip("0") != "":
        return True
    left, right = one.removeprefix("./"), two.removeprefix("./")
    if left.endswith("/" + right.lstrip("/")) or right.endswith("/" + left.lstrip("/")):
        return True
    return one == two


def may_be_one_record(one: str, two: str, evidence: Evidence) -> bool:
    """True when two ids that do not agree are built in different ways, or stand together in a record some result shows."""
    if _shape(one) != _shape(two) or _bare(one) == _bare(two):
        return True
    return stand_together(one, two, evidence)


def _bare(text: str) -> str:
    return _SIGNS.sub("", text).lstrip("0")


def _shape(text: str) -> str:
    """Return how an id is built: ``a_0`` for ``rec_12``. Hexadecimal ids mix both, so their length stands for them."""
    if len(text) >= 16 and _DIGITS.search(text) and re.fullmatch(r"[0-9a-f-]+", text):
        return f"hex{len(text)}"
    if "@" in text:
        return "@"
    if "/" in text or re.search(r"\.[a-z]{1,5}$", text):
        return "/"
    return _DIGITS.sub("0", _LETTERS.sub("a", text))
