"""Is a later call of the same tool another try at the same thing? Read from the arguments alone, value by value.

A reader must not miss: an unknown answer is ``None``, and only a sure ``True`` means another target. Amounts, texts,
dates and paging may change between tries; what names a record may not. This is not the rule of ``evidence/targets.py``:
there two calls of any tools are held against each other by kinds of ids, and most arguments of a single tool ("order", "city",
a command line) are of no kind that other tools share. Here their very names are the same, so all of them tell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from agent_claimcheck.core.word_files import read_sections, words_of_lines

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_CODE = re.compile(r"(?=[^\d@/\\:.#]{0,200}[\d@/\\:.#])[\w.+:@/\\#-]{1,200}")  # ORD-42, a@b.example, src/x.py
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=\S*")
_MAX_ARGUMENTS = 50  # arguments compared; no real tool takes more
_MAX_NAME = 300  # characters of a value that can name a record
_MAX_COMMAND = 2000  # characters of a command line that are looked at


def record_names(arguments: Mapping[str, Any]) -> dict[str, str]:
    """Return the arguments that name a record, with their values in a comparable form."""
    named = ((key, _target(key, value)) for key, value in islice(arguments.items(), _MAX_ARGUMENTS))
    return {key: target for key, target in named if target is not None}


def is_another_record(first: Mapping[str, str], second: Mapping[str, str]) -> bool | None:
    """Compare two results of ``record_names``: true for other records, false for the same, ``None`` for no telling.

    >>> is_another_record(record_names({"order": 42, "amount": 5}), record_names({"order": 43, "amount": 5}))
    True
    >>> is_another_record(record_names({"order": 42, "amount": 5}), record_names({"order": 42, "amount": 4}))
    False
    """
    is_comparable = False
    for key, target in first.items():
        other = second.get(key)
        if other is not None:
            is_comparable = True
            if other != target:
                return True
    return False if is_comparable else None


def _target(key: str, value: Any) -> str | None:
    words = [word.lower() for word in _WORDS.findall(key[:100])] or [key]
    lists = _word_lists()
    if any(word in lists["command"] for word in words):
        return _program(value)
    if words[-1] in lists["varies"]:
        return None
    if isinstance(value, bool) or value is None or isinstance(value, float):
        return None
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 256 else None
    if isinstance(value, str):
        text = value[:_MAX_NAME].strip().casefold()
        return text or None if words[-1] in lists["names"] or _CODE.fullmatch(text) else None
    return None


def _program(command: Any) -> str | None:
    """Return the program of a command line and its sub-command: ``npm test`` and ``ls`` are other targets."""
    text = " ".join(str(part) for part in command[:20]) if isinstance(command, list) else command
    if not isinstance(text, str):
        return None
    parts = [part.strip() for part in re.split(r"&&|;|\n", text[:_MAX_COMMAND])]
    acting = [part for part in parts if part and not part.startswith(("cd ", "set ", "export ", "source "))]
    words = [word for word in (acting or parts)[-1].split() if not _ASSIGNMENT.fullmatch(word)]
    if not words:
        return None
    program = words[0].rsplit("/", 1)[-1]
    follows = words[1] if len(words) > 1 and words[1].isalpha() else ""
    return f"{program} {follows}".strip()


@cache
def _word_lists() -> dict[str, frozenset[str]]:
    sections = read_sections(Path(__file__).with_name("retry_targets.txt"))
    return {name: words_of_lines(lines) for name, lines in sections.items()}
