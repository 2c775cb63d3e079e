"""Language files: the words and patterns by which each language says that something was done, by section.

A reader must not miss: one file in ``languages/`` is one language, and a file is read once, on first use. A file has
``[sections]``; a verb line is ``class: form form``, where a trailing ``~`` marks a form that also describes how things stand
and ``_`` joins two words. In the languages other than English a form is a stem, and ``=`` marks a whole word.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from agent_claimcheck.core.word_files import read_sections

_FOLDER = Path(__file__).parent / "languages"

Sections = dict[str, list[str]]
"""The lines of each section."""


@lru_cache(maxsize=1)
def other_languages() -> tuple[str, ...]:
    """Return the codes of all languages read by frames: every file in ``languages/`` but the English one."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.txt") if path.stem != "en"))


@lru_cache(maxsize=1)
def function_words() -> dict[str, dict[str, frozenset[str]]]:
    """Return, per script and language code, the small words by which a language is recognised."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for code in ("en", *other_languages()):
        sections = read_language(code)
        lines = sections.get("function", [])
        if code == "en":
            # All of the English grammar's words are known words; only the other languages list theirs apart.
            lines = [
                line
                for name, part in sections.items()
                if name not in ("language", "phrases", "state_phrases")
                for line in part
            ]
        words = frozenset(word.strip(":~") for word in " ".join(lines).lower().split())
        found.setdefault(setting(sections, "script"), {})[code] = words
    return found


def read_language(code: str) -> Sections:
    """Return the sections of one language's file."""
    return read_sections(_FOLDER / f"{code}.txt")


def setting(sections: Sections, name: str, default: str = "") -> str:
    """Return what ``name = ...`` in the section ``[language]`` says."""
    for line in sections["language"]:
        key, _, value = line.partition("=")
        if key.strip() == name:
            return value.strip()
    return default


def classed_forms(lines: list[str]) -> list[tuple[str, list[str]]]:
    """Return the classes of ``class: form form`` lines, each with its forms as they are written."""
    pairs = (line.partition(":") for line in lines)
    return [(name.strip(), forms.split()) for name, _, forms in pairs]
