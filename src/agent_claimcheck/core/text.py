"""Text of traces made safe to show and easy to compare.

A reader must not miss: trace text is hostile. Whatever goes to a terminal or a log passes through ``printable`` first.
A log is read by the program that runs the job too: what it would take for a command is broken up there as well.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

from agent_claimcheck.core.late_pattern import late_pattern

_NAMED_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Control characters (C0, C1, DEL), bidirectional marks, embeddings and isolates, invisible joiners that carry no
# script meaning, line and paragraph separators, annotation marks, tag characters and lone surrogates. ZWJ and ZWNJ
# stay: emoji and several scripts need them.
_UNPRINTABLE = (
    "\x00-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff"
)
_ESCAPABLE = late_pattern(f"[{_UNPRINTABLE}]")
_ESCAPABLE_BUT_NEWLINE = late_pattern(f"(?!\n)[{_UNPRINTABLE}]")


# What a CI runner obeys when it stands in a log: ``##[error]`` and ``##vso[...]`` anywhere in a line, ``##teamcity[...]``
# and ``::error::`` at the head of one.
_MARKED_COMMAND = late_pattern(r"##(?=\w*\[)")


COLOURS = late_pattern(r"\x1b(?:\[[0-9;?]{0,20}[A-Za-z]|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\))")
"""What a program writes to colour a terminal's text or to link it."""

_HALF_OF_PAIR = late_pattern("[\ud800-\udfff]")
_ELLIPSIS = "…"

# Sorting combining marks is quadratic in the length of one run, and no script stacks more than a few of them. Unicode's
# Stream-Safe Text Format (UAX #15, section 13) sets the same limit of 30.
_LONGEST_MARK_RUN = 30
_GRAPHEME_JOINER = "\u034f"


def shorten(text: str, n: int) -> str:
    """Return ``text`` cut to at most ``n`` characters; a cut text ends in an ellipsis, which counts.

    >>> shorten("a long message", 7)
    'a long…'
    """
    if len(text) <= n:
        return text
    return text[: n - 1] + _ELLIPSIS if n > 0 else ""


def printable(text: str, *, keep_newlines: bool = False) -> str:
    r"""Return ``text`` with everything escaped that a terminal would act on or that could mislead a reader's eye.

    Escaped are control characters (so no ANSI sequence works), bidirectional overrides, invisible characters and lone
    surrogates. Letters of all scripts and emoji stay. On the one line that comes out, what the runner of a CI job would
    take for a command is broken up. ``keep_newlines`` leaves line feeds alone, and commands: such text is for pages.

    >>> printable("\x1b[31mred\n")
    '\\x1b[31mred\\n'
    >>> printable("::error::failed")
    ':\\x3aerror::failed'
    """
    if keep_newlines:
        return text if text.isprintable() else _ESCAPABLE_BUT_NEWLINE.sub(_escape, text)
    if not text.isprintable():
        text = _ESCAPABLE.sub(_escape, text)
    if "##" in text:
        text = _MARKED_COMMAND.sub(r"#\\x23", text)
    if "::" in text and text.lstrip().startswith("::"):
        text = text.replace("::", ":\\x3a", 1)
    return text


def printable_json(data: bytes) -> bytes:
    r"""Return JSON text that means the same, with what a terminal would act on as escapes of JSON; line feeds stay.

    >>> printable_json('["\u202eabc\x9b"]'.encode())
    b'["\\u202eabc\\u009b"]'
    """
    if data.isascii() and b"\x7f" not in data:
        return data
    return _ESCAPABLE_BUT_NEWLINE.sub(_json_escape, data.decode()).encode()


def _json_escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    named = _NAMED_ESCAPES.get(char)
    if named is not None:
        return named
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def storable(text: str) -> str:
    r"""Return ``text`` as UTF-8 can hold it: lone surrogates, which no file and no transport carries, become U+FFFD.

    >>> storable("half a pair: \ud83d")
    'half a pair: \ufffd'
    """
    return text if text.isascii() else _HALF_OF_PAIR.sub("\ufffd", text)


def spaces_for(match: re.Match[str]) -> str:
    """Return as many spaces as ``match`` is long, so that what stands around it keeps its place."""
    return " " * len(match[0])


def fold(text: str) -> str:
    """Return the form in which two spellings of the same text are equal: NFKC, then case-folded. Length may change.

    Runs of more than 30 combining marks are broken up first, so the work stays linear on any text.

    >>> fold("ＳＴＲＡẞＥ")
    'strasse'
    """
    if text.isascii():
        return text.lower()
    if len(text) > _LONGEST_MARK_RUN:
        text = _break_mark_runs(text)
    return unicodedata.normalize("NFKC", text).casefold()


def _break_mark_runs(text: str) -> str:
    cuts: list[int] = []
    run = 0
    for index, char in enumerate(text):
        if char < "\u0300" or not unicodedata.combining(char):
            run = 0
            continue
        run += 1
        if run > _LONGEST_MARK_RUN:
            cuts.append(index)
            run = 1
    if not cuts:
        return text
    ends = [*cuts, len(text)]
    return text[: cuts[0]] + "".join(_GRAPHEME_JOINER + text[start:end] for start, end in pairwise(ends))


_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,24}")


def whole_number(text: str) -> int | None:
    """Return the whole number that ``text`` is, of at most 24 plain digits with one minus sign; ``None`` for anything else.

    >>> whole_number("-7"), whole_number("--7"), whole_number("\u00b2")
    (-7, None, None)
    """
    return int(text) if _WHOLE_NUMBER.fullmatch(text) else None


_SPACES = ("\u00a0", "\u202f", "\u2007")


def as_told(text: str) -> str:
    """Return ``text`` composed (NFC) and with plain spaces: what is compared with what tools returned."""
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFC", text)
    for space in _SPACES:
        composed = composed.replace(space, " ")
    return composed
