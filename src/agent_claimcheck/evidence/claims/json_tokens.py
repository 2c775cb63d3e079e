"""The strings of a JSON document as they are written, and where each character of their text begins.

A reader must not miss: nothing is parsed, so a reply that is cut short or broken is read as far as it goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern

_JSON_TOKEN = late_pattern(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[{}\[\],]|\b(?:true|false|null)\b', re.DOTALL)
_ESCAPE = late_pattern(r"\\u[0-9a-fA-F]{4}|\\.", re.DOTALL)
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": " ", "f": " "}


def json_strings(text: str) -> Iterator[tuple[tuple[str, ...], str, int]]:
    """Yield ``(keys, token, start)`` for the strings of a JSON document, without recursion and without a parser.

    ``token`` is the string with its escapes, ``start`` where it begins. A key whose value is an object or array is
    yielded too, as an empty token at its bracket: its name may be the claim. So may that of a key that is ``true``.
    """
    path: list[str] = []
    key = ""
    for match in _JSON_TOKEN.finditer(text):
        part = match[0]
        if part in ("{", "["):
            path.append(key)
            if key:
                yield tuple(name for name in path[-6:] if name), "", match.start()
            key = ""
        elif part in ("}", "]"):
            if path:
                path.pop()
            key = ""
        elif part == ",":
            key = ""
        elif match[2]:
            key = match[1]
        elif part == "true" and key:
            yield tuple(name for name in (*path[-6:], key) if name), part, match.start()
        elif match[1]:
            yield tuple(name for name in (*path[-6:], key) if name), match[1], match.start(1)


def unescape(token: str) -> str:
    """Return the text of a JSON string token. A broken escape or half a surrogate pair is no reason to stop."""
    return _ESCAPE.sub(_plain, token) if "\\" in token else token


def _plain(match: re.Match[str]) -> str:
    part = match[0]
    if part[1] != "u" or len(part) < 6:
        return _PLAIN_ESCAPES.get(part[1], part[1])
    code = int(part[2:], 16)
    if 0xDC00 <= code < 0xE000:
        return ""
    return "\ufffd" if 0xD800 <= code < 0xDC00 else chr(code)


def places_in(token: str) -> list[int]:
    """For each character of the unescaped text, where it begins in ``token``; one more entry for the end."""
    places: list[int] = []
    position = 0
    for match in _ESCAPE.finditer(token):
        places.extend(range(position, match.start()))
        if _plain(match):
            places.append(match.start())
        position = match.end()
    places.extend(range(position, len(token) + 1))
    return places
