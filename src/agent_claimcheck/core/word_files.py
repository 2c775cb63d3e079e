"""Files of words and patterns, cut into their sections.

A reader must not miss: lines are stripped, so a pattern that begins or ends with a space writes it ``[ ]``. A line ``[name]`` of
letters, digits, ``_`` and spaces begins a section; ``#`` alone, or before a space, begins a comment line.
"""

from __future__ import annotations

from pathlib import Path


def read_sections(path: Path) -> dict[str, list[str]]:
    """Return the lines of each section of a packaged file, in order; blank lines and comments are left out."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for raw in path.read_text(encoding="utf-8").splitlines():
        line = raw.strip()
        if line.startswith("[") and line.endswith("]") and _is_name(line[1:-1]):
            lines = sections.setdefault(line[1:-1], [])
        elif line and line != "#" and not line.startswith("# "):
            lines.append(line)
    return sections


def words_of_lines(lines: list[str]) -> frozenset[str]:
    """Return the words of ``lines``, which stand apart by space."""
    return frozenset(word for line in lines for word in line.split())


def _is_name(text: str) -> bool:
    return text.replace("_", "").replace(" ", "").isalnum()
