"""The readings of one text: as it stands, with look-alike letters replaced, and whatever it holds in a code.

A reader must not miss: every reading is bounded. A text is read as it stands once, and what is decoded from it is never
longer than twice the text, three codes deep.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from agent_claimcheck.checks.injection import fold
from agent_claimcheck.core.text import spaces_for

MAX_DEPTH = 3
ROT13_WORDS = r"(?:vtaber|qvfertneq|cerivbhf|vafgehpgvba|sbetrg|flfgrz cebzcg|cnffjbeq|bireevqr)"
REVERSED_WORDS = r"(?:erongi|snoitcurtsni|suoiverp|drowssap|dragersid|tegrof|tpmorp metsys)"
_AROUND = 400  # characters around a trace of a code that are decoded with it
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_BASE32 = re.compile(r"[A-Z2-7]{32,}")
_HEX = re.compile(r"(?:(?:0x)?[0-9a-fA-F]{2}[ :,]{0,2}){12,}")
_BINARY = re.compile(r"(?:[01]{8}[ ,]?){4,}")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
_SPLIT_WORD = re.compile(r"(?<=[A-Za-z])(?:</?[A-Za-z][^<>\n]{0,80}>|<!--[^<>\n]{0,80}-->|\*\*|~~){1,8}(?=[A-Za-z])")
_SPACED = re.compile(r"(?:(?<![^\W_])[^\W\d_][ ._\-*|]{1,6}){5,}[^\W\d_](?![^\W_])")
_WIDE_GAP = re.compile(r"[ ._\-*|]{2,}")
_LEET = str.maketrans("0134578@$!|", "oieastbasil")
_LEET_WORD = re.compile(r"[A-Za-z]*[0134578@$!|][A-Za-z0-9@$!|]*")
_MOST_PIECES = 200
_READABLE_SHARE = 0.9


# A line that goes on in the next: no sentence ended, and the next begins with a word of running text.
_CONTINUED = re.compile(
    r"\n(?<=[^\n.!?:;|>`{}\[\]]\n) *(?=(?:the|following|to|and|or|of|in|for|with|that|this|you|your|all|previous|prior|first|"
    r"a|an|is|are|any|instructions?|then|must|from|please|my|me|it|on|at|by|as|not)\b)"
)


class View:
    """One reading of a text. ``text`` is what is searched, ``disguise`` says what had to be undone to read it."""

    __slots__ = ("_source", "disguise", "text")

    def __init__(self, text: str, disguise: str | None, source: fold.Folded) -> None:
        self.text = text
        self.disguise = disguise
        self._source = source

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where in the real text ``[start, end)`` stands."""
        return self._source.span(start, end)


def plain_view(text: str) -> tuple[View, fold.Folded]:
    """Return the text as it stands, folded, with a line break only where a new thought may begin."""
    folded = fold.Folded(text)
    return View(_flatten(folded.text), None, folded), folded


def lookalike_view(view: View, folded: fold.Folded) -> View | None:
    """Return the view with look-alike letters replaced, ``None`` when there are none to replace."""
    if folded.is_plain or not fold.has_lookalikes(view.text, folded.others):
        return None
    return View(fold.replace_lookalikes(view.text), "lookalike_letters", folded)


def _flatten(text: str) -> str:
    """Return ``text`` with blanks for tabs, escapes and line breaks inside a sentence. Every character keeps its place."""
    if "\\" in text:
        text = text.replace("\\n", " \n").replace("\\r", "  ").replace("\\t", "  ").replace("\\", " ")
    if "\t" in text:
        text = text.replace("\t", " ")
    if "\n" not in text:
        return text
    return _CONTINUED.sub(spaces_for, text.replace("\r", " ") if "\r" in text else text)


def decoded_texts(text: str, hints: frozenset[str]) -> Iterator[tuple[str, str, tuple[int, int]]]:
    """Yield what ``text`` holds in a code: the name of the code, the decoded text, and the span of the code.

    ``hints`` are the codes that the text shows traces of; others are not looked for.
    """
    for name, (trace, decode) in _CODES.items():
        if name in hints:
            for start, end in _windows(trace, text):
                decoded = decode(text[start:end])
                if decoded != text[start:end]:
                    yield name, decoded, (start, end)
    for name, (pattern, decode) in _RUNS.items():
        if name in hints:
            for found in _bounded(pattern, text):
                decoded = decode(found[0])
                if decoded:
                    yield name, decoded, found.span()
    if "spaced" in hints:
        for found in _bounded(_SPACED, text):
            words = [re.sub(r"[\W_]", "", word) for word in _WIDE_GAP.split(found[0])]
            yield "spaced_letters", " ".join(words), found.span()
            yield "spaced_letters", "".join(words), found.span()


def hidden_texts(folded: fold.Folded) -> Iterator[tuple[str, str]]:
    """Yield what invisible characters of a text spell: their name and the text. Nothing for a text without them."""
    if not fold.has_invisible(folded.others):
        return
    text = folded.real
    spelled = fold.tag_text(text)
    if len(spelled) >= 4:
        yield "tag_characters", spelled
    selected = fold.selector_text(text)
    if selected:
        yield "variation_selectors", selected


def _windows(trace: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches of ``text`` around what ``trace`` finds. They do not overlap, so all are at most the text."""
    start = end = -1
    for found in trace.finditer(text):
        if found.start() > end:
            if end > start:
                yield start, end
            start = max(end, 0, found.start() - _AROUND)
        end = min(len(text), found.end() + _AROUND)
    if end > start:
        yield start, end


def _bounded(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    for count, found in enumerate(pattern.finditer(text)):
        if count >= _MOST_PIECES:
            return
        yield found


def _from_base64(run: str) -> str:
    body = run.rstrip("=").replace("-", "+").replace("_", "/")
    body = body[: len(body) - (len(body) % 4 == 1)]
    return _decoded(base64.b64decode, body + "=" * (-len(body) % 4)) or _from_base32(run)


def _from_base32(run: str) -> str:
    body = run.rstrip("=")
    return _decoded(base64.b32decode, body + "=" * (-len(body) % 8)) if _BASE32.fullmatch(body) else ""


def _from_hex(run: str) -> str:
    digits = re.sub(r"0[xX]|[ ,:]", "", run)
    return _decoded(bytes.fromhex, digits[: len(digits) // 2 * 2])


def _from_binary(run: str) -> str:
    bits = re.sub(r"[ ,]", "", run)
    return _readable(bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) // 8 * 8, 8)))


def _decoded(decode: Callable[[str], bytes], code: str) -> str:
    try:
        return _readable(decode(code))
    except (binascii.Error, ValueError):
        return ""


def _readable(data: bytes) -> str:
    """Return ``data`` as text when it is text: eight characters or more, nearly all of them printable."""
    for encoding in ("utf-8", "utf-16-le") if data[1:2] == b"\0" else ("utf-8",):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        shown = sum(char.isprintable() or char in "\n\r\t" for char in text[:2_000])
        if len(text) >= 8 and shown >= _READABLE_SHARE * len(text[:2_000]):
            return text
    return ""


def _unescape(found: re.Match[str]) -> str:
    return chr(int(found[1] or found[2], 16))


def _unleet(found: re.Match[str]) -> str:
    word = found[0]
    return word if word.isalpha() or not any(char.isalpha() for char in word) else word.translate(_LEET)


def _unleet_text(text: str) -> str:
    return _LEET_WORD.sub(_unleet, text)


def _unescape_text(text: str) -> str:
    return _ESCAPE.sub(_unescape, text)


def _join_words(text: str) -> str:
    return _SPLIT_WORD.sub("", text)


def _unquote(text: str) -> str:
    return unquote(text, errors="ignore")


def _rot13(text: str) -> str:
    return codecs.encode(text, "rot13")


def _reverse(text: str) -> str:
    return text[::-1]


_CODES: dict[str, tuple[re.Pattern[str], Callable[[str], str]]] = {
    "entities": (re.compile(r"&(?:#[xX]?[0-9a-fA-F]{1,7}|lt|gt|quot|amp|nbsp);"), html.unescape),
    "percent": (re.compile(r"%[0-9a-fA-F]{2}"), _unquote),
    "escapes": (_ESCAPE, _unescape_text),
    "split": (_SPLIT_WORD, _join_words),
    "leet": (_LEET_WORD, _unleet_text),
    "rot13": (re.compile(r"(?i)" + ROT13_WORDS), _rot13),
    "reversed": (re.compile(r"(?i)" + REVERSED_WORDS), _reverse),
}
"""Codes that change a text letter by letter: what their traces look like, and how they are undone."""

_RUNS: dict[str, tuple[re.Pattern[str], Callable[[str], str]]] = {
    "base64": (_BASE64, _from_base64),
    "hex": (_HEX, _from_hex),
    "binary": (_BINARY, _from_binary),
}
"""Codes that are one long run of their own characters."""
