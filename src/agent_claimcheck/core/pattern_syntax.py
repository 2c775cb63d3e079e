"""Rewrites a user's pattern so that ``\\b``, ``\\w`` and ``\\d`` know every script, on an engine that knows ASCII only.

RE2 is linear in time, but its ``\\b \\w \\d`` see ASCII only. A pattern is therefore translated into two forms:

* ``narrow`` for texts without word characters outside ASCII. There the engine's own classes are already right.
* ``wide`` for all other texts. Every word character outside ASCII, and the underscore, is *wrapped* in underscores
  first (``é`` becomes ``_é_``). Each wrapped character then begins and ends with an ASCII word character, so the
  engine's ``\\b`` is true exactly at the word borders of the real text, wherever it stands in the pattern. Every part
  of the pattern that takes a character takes one bare character or one wrapped one, never half of either.

What a reader must not miss: in the wide form nothing may match a bare underscore; ``write_bare`` sees to it.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from agent_claimcheck.core.errors import PatternError
from agent_claimcheck.core.pattern_classes import (
    BARE_CATEGORY,
    EVERYTHING,
    NO_SPACES,
    POSIX,
    SPACES,
    ClassParts,
    write_bare,
    write_range,
)

MAX_SOURCE = 4096
"""Longest pattern accepted, in characters. Longer ones are lists of words that belong in several patterns."""

ANY_CHARACTER = r"(?:[^_]|_[\x{0}-\x{10FFFF}]_)"
"""One whole character of a wrapped text."""

_CONTROL = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_GROUP_HINTS = {
    "(?=": ("a lookahead", "match the following words too, or use two patterns"),
    "(?!": ("a negative lookahead", "match what you want to see instead; negated sentences are dropped by the reader"),
    "(?<=": ("a lookbehind", "match the preceding words too"),
    "(?<!": ("a negative lookbehind", "match what you want to see instead"),
    "(?P=": ("a backreference", "spell the second occurrence out"),
    "(?(": ("a conditional group", "write the two cases as two patterns"),
    "(?>": ("an atomic group", "use (?:...): this engine never backtracks"),
    "(?#": ("a comment group", "use a YAML comment"),
}


class Translation(NamedTuple):
    """The two forms of one pattern. ``needs_words`` is true when the narrow form is wrong on a wide text."""

    narrow: str
    wide: str
    needs_words: bool


def is_word_character(char: str) -> bool:
    """Say whether one character belongs to words: letters, marks and decimal digits of any script, and ``_``.

    Variation selectors and the keycap mark are left out: they belong to the emoji before a word, not to the word.
    """
    if char == "_":
        return True
    category = unicodedata.category(char)
    if category[0] == "M":
        return not (0xFE00 <= ord(char) <= 0xFE0F or 0xE0100 <= ord(char) <= 0xE01EF or ord(char) == 0x20E3)
    return category[0] == "L" or category == "Nd"


def translate(source: str) -> Translation:
    """Translate ``source``. Raises ``PatternError`` for what RE2 cannot do; other faults are left to the engine."""
    if len(source) > MAX_SOURCE:
        raise PatternError(f"the pattern is longer than {MAX_SOURCE} characters", hint="split it into several patterns")
    if any(0xD800 <= ord(char) <= 0xDFFF for char in source):
        raise PatternError("the pattern holds half of a surrogate pair", hint="write the character itself")
    return _Translator(source).run()


class _Translator:
    """One pass over the source, left to right, writing both forms."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.narrow: list[str] = []
        self.wide: list[str] = []
        self.needs_words = False
        self.dot_takes_newline = False
        self.outer_flags: list[bool] = []

    def run(self) -> Translation:
        while self.at < len(self.source):
            char = self.source[self.at]
            if char == "\\":
                self._escape()
            elif char == "[":
                self._character_class()
            elif char == "(":
                self._group()
            elif char == ")":
                self._both(")")
                self.dot_takes_newline = self.outer_flags.pop() if self.outer_flags else False
                self.at += 1
            elif char == ".":
                self._write(".", ANY_CHARACTER if self.dot_takes_newline else r"(?:[^_\n]|_[^\n]_)")
                self.at += 1
            elif char in "*+?{":
                self._repetition()
            elif char in "|^$":
                self._both(char)
                self.at += 1
            else:
                self._literal(char)
                self.at += 1
        return Translation("".join(self.narrow), "".join(self.wide), self.needs_words)

    def _write(self, narrow: str, wide: str) -> None:
        self.narrow.append(narrow)
        self.wide.append(wide)

    def _both(self, text: str) -> None:
        self._write(text, text)

    def _literal(self, char: str) -> None:
        written = _quoted(char)
        if char == "_" or (not char.isascii() and is_word_character(char)):
            self._write(written, f"(?:_{written}_)")
        elif char in "kKsS":  # with case ignored they also mean the Kelvin sign and the long s, which are wrapped
            self._write(written, f"(?:{written}|_{written}_)")
        else:
            self._both(written)

    def _repetition(self) -> None:
        start = self.at
        if self.source[start] == "{":
            end = self.source.find("}", start)
            body = self.source[start + 1 : end] if end != -1 else ""
            low, _, high = body.partition(",")
            if not (low.isascii() and low.isdigit() and (not high or (high.isascii() and high.isdigit()))):
                self._literal("{")
                self.at += 1
                return
            if max(int(low[:9]), int(high[:9] or 0)) > 1000:
                hint = "the largest count is 1000; use + or * instead"
                raise PatternError(f"the repetition {{{body[:40]}}} counts too far", hint=hint)
            self.at = end + 1
        else:
            self.at += 1
        if self.source[self.at : self.at + 1] == "+":
            raise PatternError("possessive repetition is not known", hint="drop the second +: nothing backtracks here")
        if self.source[self.at : self.at + 1] == "?":
            self.at += 1
        self._both(self.source[start : self.at])

    def _group(self) -> None:
        rest = self.source[self.at : self.at + 4]
        for opening in ("(?<=", "(?<!", "(?P=", "(?=", "(?!", "(?(", "(?>", "(?#"):
            if rest.startswith(opening):
                what, hint = _GROUP_HINTS[opening]
                raise PatternError(f"{what} {opening}...) cannot be used: patterns run in linear time", hint=hint)
        if not rest.startswith("(?"):
            self._open("(?:", length=1)  # nobody asks for a group without a name, and taking none is much faster
            return
        if rest.startswith(("(?P<", "(?<")):
            end = self.source.find(">", self.at)
            name = self.source[self.source.find("<", self.at) + 1 : end] if end != -1 else ""
            if not name.isidentifier():
                raise PatternError(f"the group name {name[:40]!r} is not a name", hint="(?P<field>...)")
            self._open(f"(?P<{name}>", length=end + 1 - self.at)
            return
        self._flags()

    def _open(self, text: str, *, length: int | None = None) -> None:
        self.outer_flags.append(self.dot_takes_newline)
        self._both(text)
        self.at += len(text) if length is None else length

    def _flags(self) -> None:
        end = self.at + 2
        while end < len(self.source) and (self.source[end].isalpha() or self.source[end] == "-"):
            end += 1
        flags, closing = self.source[self.at + 2 : end], self.source[end : end + 1]
        on, _, off = flags.partition("-")
        unknown = sorted(set(on + off) - set("imsU"))
        if unknown or closing not in (":", ")"):
            hint = "flags are i, m, s and U; patterns are Unicode already, and x (free spacing) is not known"
            raise PatternError(f"the group {self.source[self.at : end + 1][:20]!r} is not known", hint=hint)
        outer = self.dot_takes_newline
        if "s" in on:
            self.dot_takes_newline = True
        if "s" in off:
            self.dot_takes_newline = False
        if closing == ":":
            self.outer_flags.append(outer)
        self._both(self.source[self.at : end + 1])
        self.at = end + 1

    def _escape(self) -> None:
        following = self.source[self.at + 1 : self.at + 2]
        if following and following in "wWdDsS":
            self._short_class(following)
        elif following and following in "bB":
            self.needs_words = True
            self._both("\\" + following)
            self.at += 2
        elif following == "A":
            self._both("\\A")
            self.at += 2
        elif following and following in "zZ":  # Python's \Z is this engine's \z
            self._both("\\z")
            self.at += 2
        elif following and following in "pP":
            parts = ClassParts()
            self._property(parts)
            self._write(f"[{parts.narrow[0]}]", parts.wide(False))
        elif following == "Q":
            end = self.source.find("\\E", self.at)
            for char in self.source[self.at + 2 : end if end != -1 else len(self.source)]:
                self._literal(char)
            self.at = end + 2 if end != -1 else len(self.source)
        else:
            self._literal(self._escaped_character())

    def _short_class(self, letter: str) -> None:
        parts = ClassParts()
        self._add_short_class(parts, letter)
        self._write(f"[{parts.narrow[0]}]", parts.wide(False))
        self.at += 2

    def _add_short_class(self, parts: ClassParts, letter: str) -> None:
        if letter in "wWdD":
            self.needs_words = True
        match letter:
            case "w":
                parts.add("0-9A-Za-z_", "0-9A-Za-z", EVERYTHING)
            case "W":
                parts.add(r"\W", r"\W", "")
            case "d":
                parts.add("0-9", "0-9", r"\p{Nd}")
            case "D":
                parts.add(r"\D", r"\x{0}-\x{2F}\x{3A}-\x{5E}\x{60}-\x{10FFFF}", r"\P{Nd}")
            case "s":
                parts.add(SPACES, SPACES, "")
            case _:
                parts.add(NO_SPACES, write_bare(0x21, 0x84) + NO_SPACES.replace(r"\x{21}-\x{84}", ""), EVERYTHING)

    def _property(self, parts: ClassParts) -> None:
        negated = self.source[self.at + 1] == "P"
        if self.source[self.at + 2 : self.at + 3] == "{":
            end = self.source.find("}", self.at)
            name = self.source[self.at + 3 : end] if end != -1 else ""
            self.at = end + 1
        else:
            name = self.source[self.at + 2 : self.at + 3]
            self.at += 3
        if name.startswith("^"):
            negated, name = not negated, name[1:]
        if not (name.isascii() and name.replace("_", "").isalpha()) or name == "Common":
            hint = r"categories such as \p{L} or scripts such as \p{Greek}"
            raise PatternError(f"the character property {name[:40]!r} cannot be used", hint=hint)
        written = f"\\{'P' if negated else 'p'}{{{name}}}"
        if not negated:
            parts.add(written, BARE_CATEGORY.get(name, written), written)
            return
        parts.add(written, "", written)
        if name != "Any":
            parts.bare_besides.append(f"[^\\p{{{name}}}_]")

    def _escaped_character(self) -> str:
        """Read one escape that stands for one character and move past it."""
        following = self.source[self.at + 1 : self.at + 2]
        if not following:
            raise PatternError("the pattern ends in a lone backslash", hint="write \\\\ for a backslash")
        if following in _CONTROL:
            self.at += 2
            return chr(_CONTROL[following])
        if following in "123456789":
            raise PatternError(f"the backreference \\{following} cannot be used", hint="spell the second one out")
        if following == "0":
            end = self.at + 2
            while end < self.at + 4 and self.source[end : end + 1] in tuple("01234567"):
                end += 1
            code = int(self.source[self.at + 1 : end], 8)
            self.at = end
            return chr(code)
        if following in "xuU":
            return self._hexadecimal(following)
        if following.isascii() and following.isalnum():
            raise PatternError(f"the escape \\{following} is not known", hint="only punctuation needs a backslash")
        self.at += 2
        return following

    def _hexadecimal(self, letter: str) -> str:
        digits_at = self.at + 2
        if letter == "x" and self.source[digits_at : digits_at + 1] == "{":
            end = self.source.find("}", digits_at)
            digits, after = self.source[digits_at + 1 : max(end, digits_at)], end + 1
        else:
            width = {"x": 2, "u": 4, "U": 8}[letter]
            digits, after = self.source[digits_at : digits_at + width], digits_at + width
            digits = digits if len(digits) == width else ""
        is_hexadecimal = bool(digits) and len(digits) <= 8 and all(c in "0123456789abcdefABCDEF" for c in digits)
        code = int(digits, 16) if is_hexadecimal else -1
        if not 0 <= code <= 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            written = self.source[self.at : self.at + 12]
            raise PatternError(f"the escape {written!r} names no character", hint=r"for example \x{1F600}")
        self.at = after
        return chr(code)

    def _character_class(self) -> None:
        start = self.at
        self.at += 1
        negated = self.source[self.at : self.at + 1] == "^"
        self.at += negated
        parts = ClassParts()
        is_first = True
        while True:
            char = self.source[self.at : self.at + 1]
            if not char:
                raise PatternError(f"the class {self.source[start : start + 20]!r} is not closed", hint="add ]")
            if char == "]" and not is_first:
                self.at += 1
                break
            is_first = False
            self._class_item(parts, char)
        self._write(f"[{'^' if negated else ''}{''.join(parts.narrow)}]", parts.wide(negated))

    def _class_item(self, parts: ClassParts, char: str) -> None:
        if char == "[" and self.source[self.at + 1 : self.at + 2] == ":":
            self._posix_class(parts)
            return
        if char == "\\":
            following = self.source[self.at + 1 : self.at + 2]
            if following and following in "wWdDsS":
                self._add_short_class(parts, following)
                self.at += 2
                return
            if following and following in "pP":
                self._property(parts)
                return
            if following == "b":
                raise PatternError(r"\b inside [...] is not known", hint="a class holds characters; put \\b outside it")
        low = self._class_character()
        high = low
        if self.source[self.at : self.at + 1] == "-" and self.source[self.at + 1 : self.at + 2] not in ("]", ""):
            self.at += 1
            high = self._class_character()
            if high < low:
                raise PatternError(f"the range {low}-{high} runs backwards", hint=f"{high}-{low}")
        written = write_range(ord(low), ord(high))
        parts.add(written, write_bare(ord(low), ord(high)), written)

    def _class_character(self) -> str:
        char = self.source[self.at]
        if char == "\\":
            return self._escaped_character()
        self.at += 1
        return char

    def _posix_class(self, parts: ClassParts) -> None:
        end = self.source.find(":]", self.at)
        name = self.source[self.at + 2 : end] if end != -1 else ""
        if name not in POSIX:
            raise PatternError(f"the class [:{name[:20]}:] is not known", hint="known: " + ", ".join(sorted(POSIX)))
        self.at = end + 2
        written = POSIX[name]
        bare = written.replace("_", "")
        for containing in (r"\x{0}-\x{7F}", r"\x{21}-\x{7E}", r"\x{20}-\x{7E}", r"\x{5B}-\x{60}"):
            if containing in bare:
                low, high = (int(part[3:-1], 16) for part in containing.split("-"))
                bare = bare.replace(containing, write_bare(low, high))
        parts.add(written, bare, written)


def _quoted(char: str) -> str:
    return char if char.isalnum() and char.isascii() else f"\\x{{{ord(char):X}}}"
