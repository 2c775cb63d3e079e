"""Reads the word lists beside this file: data in ``words/*.txt``, one file per reader.

A reader must not miss: lists are data. A new verb, status word or shell program is one word in a file and no code.
A section (``core/word_files.py``) holds words apart by space, ``key: words`` lines that give a table, or patterns.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from agent_claimcheck.core.quick import GatedPatterns
from agent_claimcheck.core.word_files import read_sections, words_of_lines

_FOLDER = Path(__file__).with_name("words")


_read = cache(read_sections)


class WordLists:
    """The sections of one file of ``words/``. A missing section is a ``KeyError``: the lists come with the package."""

    def __init__(self, name: str) -> None:
        self._sections = _read(_FOLDER / f"{name}.txt")

    def words(self, section: str) -> frozenset[str]:
        """Return the words of a section."""
        return words_of_lines(self._sections[section])

    def table(self, section: str) -> dict[str, tuple[str, ...]]:
        """Return a section of ``key: words`` lines, in order."""
        rows: dict[str, tuple[str, ...]] = {}
        for line in self._sections[section]:
            key, _, rest = line.partition(":")
            rows[key] = rows.get(key, ()) + tuple(rest.split())
        return rows

    def keys_by_word(self, section: str) -> dict[str, str]:
        """Return a section of ``key: words`` lines turned around: each word with its key."""
        return {word: key for key, words in self.table(section).items() for word in words}

    def rows(self, section: str) -> list[list[str]]:
        """Return the lines of a section, each split into words."""
        return [line.split() for line in self._sections[section]]

    def gated(self, section: str) -> GatedPatterns:
        """Return a section of ``words | pattern`` lines; one of the words stands wherever the pattern fits."""
        lines = (line.partition(" | ") for line in self._sections[section])
        return GatedPatterns((words.split(), pattern) for words, _, pattern in lines)

    def pattern(self, section: str, **known: str) -> str:
        """Return a section of regular expressions, one a line, as one alternation.

        ``{name}`` in it stands for the section of that name, or for a pattern handed in as ``known``.
        """
        joined = "|".join(self._sections[section])
        for name, inner in known.items():
            joined = joined.replace("{" + name + "}", inner)
        for name in self._sections:
            if "{" + name + "}" in joined:
                joined = joined.replace("{" + name + "}", self.pattern(name, **known))
        return f"(?:{joined})"
