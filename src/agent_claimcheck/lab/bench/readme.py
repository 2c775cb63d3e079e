"""Compares the results block of a README with a report made now.

A reader must not miss: only the block between the two markers is compared, with white space around it stripped and
image links taken as equal whether they are relative or absolute.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from pathlib import Path

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.text import printable

START = "<!-- bench:start -->"
END = "<!-- bench:end -->"
_IMAGE = re.compile(r"(!\[[^\]\n]{0,200}\]\()([^()\s]{1,2000})(\))")


def readme_difference(readme: Path, block: str, links: Iterable[str]) -> str:
    """Return a unified diff from the block in ``readme`` to ``block``; empty when they say the same.

    ``links`` are the relative image links of ``block``. Missing markers are a difference too, told in one line. Raises
    ``InputError`` when the file cannot be read as UTF-8 text.
    """
    shown = printable(str(readme))
    try:
        text = readme.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{shown} is no UTF-8 text", slug="readme") from error
    start, end = text.find(START), text.find(END)
    if start < 0 or end < start:
        return f"{shown} has no block between {START} and {END}\n"
    known = tuple(links)
    found, made = _lines(text[start + len(START) : end], known), _lines(block, known)
    return "".join(difflib.unified_diff(found, made, fromfile=shown, tofile="this run"))


def _lines(text: str, links: tuple[str, ...]) -> list[str]:
    def relative(match: re.Match[str]) -> str:
        link = match[2].removesuffix("?raw=true")
        tail = next((known for known in links if link == known or link.endswith(f"/{known}")), link)
        return f"{match[1]}{tail}{match[3]}"

    return [f"{line.rstrip()}\n" for line in _IMAGE.sub(relative, text.strip()).splitlines()]
