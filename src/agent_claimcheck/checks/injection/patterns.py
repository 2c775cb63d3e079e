"""The patterns that the scan looks for: those that come with the package and those a user writes.

A reader must not miss: all of them run on RE2, so the time is linear in the text whatever the pattern. Built-in patterns
run on folded text and need no case; a user's pattern runs on the text as it is, in any case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, json

from agent_claimcheck.checks.injection.fold import fold_pattern
from agent_claimcheck.core.errors import InputError, PatternError
from agent_claimcheck.core.json_faults import explain_fault
from agent_claimcheck.core.patterns import compile_user_pattern

PatternSeverity = Literal["low", "medium", "high"]

_BLANK = re.compile(r" \??")
_CLASS = re.compile(r"(\[(?:\\.|[^\]\\])(?:\\.|[^\]\\])*\])")
_WORD = re.compile(r"\{([a-z]+)\}")
_FILES = ("english.yaml", "tasks.yaml", "languages.yaml")

_GAP = r"""(?:[^\n.!?"'。！？।؟]|[.!?][^ \n"']|["'][^\n,:}\])])*?"""
"""What may stand between two words of a pattern: the rest of one sentence or of one JSON string. It has no counter, which
keeps the automaton small and the scan fast."""
_LONGEST_PATTERN = 1_000


class ScanPattern(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One pattern. ``confidence`` is in [0, 1]. ``alone`` is false for wording that counts only beside another match."""

    name: str
    pattern: str
    category: str = "instruction_override"
    confidence: float = 1.0
    severity: PatternSeverity = "medium"


class BuiltinPattern(ScanPattern, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pattern that comes with the package. ``not_before`` lists words that, just before the match, undo it,
    ``not_after`` words that do so just behind it.

    ``needs`` is a piece of the pattern that every match holds: a text without it need not be searched. Patterns that stay
    open until the sentence ends have one, because together they make the automaton large.
    """

    language: str = "en"
    alone: bool = True
    not_before: str = ""
    not_after: str = ""
    needs: str = ""


class PatternFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A user's file of patterns."""

    patterns: list[ScanPattern]


@cache
def builtin_patterns() -> tuple[BuiltinPattern, ...]:
    """Return the patterns that come with the package, in file order. Reads the files once."""
    import msgspec
    import yaml

    folder = Path(__file__).with_name("patterns")
    found: list[BuiltinPattern] = []
    for name in _FILES:
        document: dict[str, Any] = yaml.safe_load(folder.joinpath(name).read_text("utf-8"))
        words = {"gap": _GAP}
        for key, value in (document.get("words") or {}).items():
            words[key] = _filled(value, words)
        for row in document["patterns"]:
            for key in ("pattern", "needs"):
                row[key] = _spaced(fold_pattern(_filled(row.get(key, ""), words)))
            found.append(msgspec.convert(row, BuiltinPattern))
    return tuple(found)


def _filled(pattern: str, words: dict[str, str]) -> str:
    return _WORD.sub(lambda found: words.get(found[1], found[0]), pattern)


def _spaced(pattern: str) -> str:
    """Let every blank of a pattern stand for any white space. Inside a character class it stays what it is."""
    parts = _CLASS.split(pattern.replace("'?", " ?'?"))
    return "".join(part if part.startswith("[") else _BLANK.sub(_any_blank, part) for part in parts)


def _any_blank(found: re.Match[str]) -> str:
    return r"[ \n]*" if found[0] == " ?" else r"[ \n]+"


def load_patterns(path: str | Path) -> tuple[ScanPattern, ...]:
    """Return the patterns of a user's JSON file. Raises ``InputError`` naming what is wrong with it.

    The file is ``{"patterns": [{"name", "pattern", "category", "confidence", "severity"}]}``; the last three may be
    left out.
    """
    place = str(path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{place}: {error.strerror or error}") from error
    try:
        loaded = json.decode(data, type=PatternFile)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{place}: {explain_fault(error, data)}",
            hint='a pattern file is JSON: {"patterns": [{"name": "...", "pattern": "..."}]}',
        ) from error
    _check_patterns(loaded.patterns, place)
    return tuple(loaded.patterns)


def _check_patterns(patterns: Sequence[ScanPattern], place: str = "patterns") -> None:
    """Raise ``InputError`` with every fault of a user's patterns, one a line."""
    faults: list[str] = []
    for index, pattern in enumerate(patterns):
        where = f"{place}: $.patterns[{index}]"
        if not pattern.name.strip():
            faults.append(f"{where}.name: is blank")
        if not 0 <= pattern.confidence <= 1:
            faults.append(f"{where}.confidence: {pattern.confidence} is not in [0, 1]")
        if pattern.severity not in ("low", "medium", "high"):
            faults.append(f"{where}.severity: {pattern.severity!r} is not low, medium or high")
        if len(pattern.pattern) > _LONGEST_PATTERN:
            faults.append(f"{where}.pattern: is longer than {_LONGEST_PATTERN} characters")
            continue
        try:
            compiled = compile_user_pattern(pattern.pattern, ignore_case=True)
        except PatternError as error:
            faults.append(f"{where}.pattern: {error}")
        else:
            if compiled.matches_empty():
                faults.append(f"{where}.pattern: matches the empty text, so it would match everywhere")
    if faults:
        raise InputError("\n".join(faults))
