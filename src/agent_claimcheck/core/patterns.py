"""Patterns written by users, run on an engine whose time is linear in the text.

What a reader must not miss: a user's pattern never reaches Python's ``re``. It is translated (``pattern_syntax``) and
run by RE2, so no pattern can hang on any text; what needs backtracking is refused when the pattern is loaded.
``\\b \\w \\d \\s`` know every script. Limits: ``$`` means the very end of the text, not "before a last newline". Words
written without spaces, as in Chinese or Thai, have no ``\\b`` inside a run of letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from agent_claimcheck.core.errors import PatternError
from agent_claimcheck.core.pattern_syntax import ANY_CHARACTER, is_word_character, translate

MAX_MEMORY = 64 << 20
"""Bytes the engine may use for one pattern or one chunk of a set."""
MAX_PROGRAM = 10_000
"""Largest compiled pattern, in engine instructions: keeps the slowest path (instructions x characters) short."""
MAX_MATCHES = 1000
"""Matches one ``finditer`` gives. Each may look ahead to the end of the text, so their number has to be bounded."""
_CHUNK_PROGRAM = 40_000
_QUICK_TRIES = 16
_LAZY_START = f"(?:{ANY_CHARACTER})*?"
_UNWRAP = re.compile("_(.)_", re.DOTALL)
_KEPT_TEXT = 1 << 16


class _Wrapping(dict[int, str]):
    """A translation table that wraps word characters outside ASCII, filled as characters are met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        wrapped = f"_{char}_" if not char.isascii() and is_word_character(char) else char
        self[code] = wrapped
        return wrapped


_WRAPPING = _Wrapping({ord("_"): "___"})


class _Prepared(NamedTuple):
    """A text as the engine reads it; ``wrapped`` is there when it has word characters outside ASCII."""

    plain: bytes
    wrapped: bytes | None
    is_ascii: bool


def _prepare(text: str) -> _Prepared:
    if len(text) <= _KEPT_TEXT:
        return _prepare_kept(text)
    return _prepare_text(text)


def _prepare_text(text: str) -> _Prepared:
    plain = text.encode("utf-8", "replace")  # half surrogates become "?", one for one
    if text.isascii():
        return _Prepared(plain, None, True)
    wrapped = text.translate(_WRAPPING)
    if len(wrapped) - len(text) == 2 * text.count("_"):
        return _Prepared(plain, None, False)
    return _Prepared(plain, wrapped.encode("utf-8", "replace"), False)


_prepare_kept = lru_cache(maxsize=8)(_prepare_text)


class Match:
    """Where a pattern matched: ``[start, end)`` character offsets into the text, and what its named groups took."""

    __slots__ = ("_names", "_spans", "_text")

    def __init__(self, text: str, spans: Sequence[tuple[int, int]], names: dict[str, int]) -> None:
        self._text = text
        self._spans = spans
        self._names = names

    def span(self, group: int | str = 0) -> tuple[int, int]:
        """Return the span of the match (0) or of a named group, ``(-1, -1)`` when the group took no part.

        Named groups also have numbers, from 1 in the order written; groups without a name take nothing.
        Raises ``IndexError`` for a group that does not exist.
        """
        if isinstance(group, str):
            if group not in self._names:
                raise IndexError(f"no group named {group!r}")
            group = self._names[group]
        if not 0 <= group < len(self._spans):
            raise IndexError(f"no group {group}")
        return self._spans[group]

    def start(self, group: int | str = 0) -> int:
        """Return where the group begins."""
        return self.span(group)[0]

    def end(self, group: int | str = 0) -> int:
        """Return where the group ends."""
        return self.span(group)[1]

    def group(self, group: int | str = 0) -> str | None:
        """Return what the group took, ``None`` when it took no part."""
        start, end = self.span(group)
        return None if start < 0 else self._text[start:end]

    def groupdict(self) -> dict[str, str | None]:
        """Return what every named group took."""
        return {name: self.group(index) for name, index in self._names.items()}


class Pattern:
    """A compiled user pattern. Build it with ``compile_user_pattern``; it can be pickled and shared by threads."""

    __slots__ = ("_group_count", "_names", "_narrow", "_wide", "ignore_case", "source")

    def __init__(self, source: str, ignore_case: bool = False) -> None:
        self.source = source
        self.ignore_case = ignore_case
        form = translate(source)
        self._narrow = _compile(form.narrow, ignore_case)
        self._wide = _WideSearch(form.wide, ignore_case) if form.needs_words else None
        self._group_count = int(self._narrow.groups) + 1
        named = sorted((index, name.decode("utf-8")) for name, index in self._narrow.groupindex.items())
        self._names = {name: index for index, name in named}
        if len(self._names) != form.narrow.count("(?P<"):
            raise PatternError("a group name is used twice", hint="give each group its own name, or write two patterns")

    def __repr__(self) -> str:
        return f"Pattern({self.source!r}, ignore_case={self.ignore_case})"

    def __reduce__(self) -> tuple[type[Pattern], tuple[str, bool]]:
        return Pattern, (self.source, self.ignore_case)

    @property
    def group_names(self) -> tuple[str, ...]:
        """The named groups, in the order written."""
        return tuple(self._names)

    @property
    def program_size(self) -> int:
        """Engine instructions of the larger compiled form."""
        return max(int(self._narrow.programsize), self._wide.program_size if self._wide is not None else 0)

    def search(self, text: str) -> Match | None:
        """Return the first match in ``text``, or ``None``."""
        prepared = _prepare(text)
        if not prepared.is_ascii:
            return next(self.finditer(text), None)
        found = self._narrow.search(prepared.plain)  # the common case, kept short
        if found is None:
            return None
        return Match(text, [found.span(index) for index in range(self._group_count)], self._names)

    def matches_empty(self) -> bool:
        """Say whether the pattern matches the empty text, and so every text."""
        return self._narrow.search(b"") is not None

    def finditer(self, text: str) -> Iterator[Match]:
        """Yield the matches from left to right; they do not overlap. At most ``MAX_MATCHES`` come."""
        prepared = _prepare(text)
        if prepared.wrapped is not None and self._wide is not None:
            return islice(self._find_wrapped(text, prepared.wrapped), MAX_MATCHES)
        return islice(self._find_plain(text, prepared), MAX_MATCHES)

    def _find_plain(self, text: str, prepared: _Prepared) -> Iterator[Match]:
        data = prepared.plain
        offsets = _Offsets(data, is_wrapped=False)
        at = 0
        while at <= len(data):
            found = self._narrow.search(data, at)
            if found is None:
                return
            start, end = found.span()
            at = end if end > start else end + 1
            if _is_inside_character(data, start):  # an empty match between the bytes of one character
                continue
            spans = [found.span(index) for index in range(self._group_count)]
            yield Match(text, spans if prepared.is_ascii else offsets.to_characters(spans), self._names)

    def _find_wrapped(self, text: str, data: bytes) -> Iterator[Match]:
        offsets = _Offsets(data, is_wrapped=True)
        at = 0
        wide = self._wide
        while wide is not None and at <= len(data):
            spans = wide.find(data, at)
            if spans is None:
                return
            yield Match(text, offsets.to_characters(spans), self._names)
            start, end = spans[0]
            at = end if end > start else _next_character(data, end)


class _WideSearch:
    """Finds the first match in a wrapped text that begins at a whole character.

    The quick search may propose a start inside a wrapping. Such a start is passed over, and after a few of them a
    slower form decides, whose prefix takes whole characters only. Both are linear.
    """

    __slots__ = ("_quick", "_strict", "program_size")

    def __init__(self, source: str, ignore_case: bool) -> None:
        self._quick = _compile(source, ignore_case)
        self._strict = _compile(f"{_LAZY_START}({source})", ignore_case)
        self.program_size = int(self._strict.programsize)

    def find(self, data: bytes, at: int) -> list[tuple[int, int]] | None:
        """Return the spans of the match and its groups, from the whole character at ``at`` on, or ``None``."""
        for _ in range(_QUICK_TRIES):
            found = self._quick.search(data, at)
            if found is None:
                return None
            start = found.start()
            border = _border_at_or_after(data, at, start)
            if border == start:
                return [found.span(index) for index in range(self._quick.groups + 1)]
            at = border
        found = self._strict.match(data, at)
        return None if found is None else [found.span(index) for index in range(1, self._strict.groups + 1)]


def _border_at_or_after(data: bytes, known: int, at: int) -> int:
    """Return the first border of a whole character at or after ``at``; ``known`` is a border before it."""
    while _is_inside_character(data, at):
        at += 1
    if data.find(b"_", known, at) == -1:
        return at
    rest = _UNWRAP.sub("", data[known:at].decode("utf-8"))
    begun = len(rest) - rest.find("_") if "_" in rest else 0
    if begun == 1:  # after the opening underscore: the wrapped character and the closing one are still to come
        at += 1
        while _is_inside_character(data, at):
            at += 1
    return at + 1 if begun else at


def _is_inside_character(data: bytes, at: int) -> bool:
    return at < len(data) and data[at] & 0xC0 == 0x80


class _Offsets:
    """Turns byte offsets into character offsets of the real text, in one pass over the bytes for rising matches."""

    def __init__(self, data: bytes, *, is_wrapped: bool) -> None:
        self._data = data
        self._is_wrapped = is_wrapped
        self._byte = 0
        self._character = 0

    def to_characters(self, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        known = {-1: -1}
        for offset in sorted({edge for span in spans for edge in span if edge >= 0}):
            piece = self._data[self._byte : offset].decode("utf-8")
            self._character += len(_UNWRAP.sub(r"\1", piece)) if self._is_wrapped else len(piece)
            self._byte = offset
            known[offset] = self._character
        return [(known[start], known[end]) for start, end in spans]


def _next_character(data: bytes, at: int) -> int:
    """Return the offset after the (wrapped or bare) character that begins at ``at``."""
    wrapping = 1 if data[at : at + 1] == b"_" else 0
    after = at + wrapping + 1
    while _is_inside_character(data, after):
        after += 1
    return after + wrapping


def _options(ignore_case: bool) -> Any:
    import re2

    options = re2.Options()
    options.max_mem = MAX_MEMORY
    options.log_errors = False
    options.case_sensitive = not ignore_case
    return options


def _compile(source: str, ignore_case: bool) -> Any:
    import re2

    try:
        compiled = re2.compile(source.encode("utf-8"), _options(ignore_case))
    except re2.error as exc:
        raise _explained(exc) from exc
    if compiled.programsize > MAX_PROGRAM:
        raise PatternError("the pattern is too large", hint="lower its counted repetitions, or split it")
    return compiled


def _explained(exc: Exception) -> PatternError:
    detail = exc.args[0] if exc.args else ""
    message = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
    what, _, where = message.partition(":")
    hint = ""
    if "repetition size" in what or "too large" in what:
        return PatternError("the counted repetitions multiply to over 1000", hint="use + or *, or lower the counts")
    if "missing" in what or "unexpected" in what:
        hint = "put a backslash before ( or ) to mean the character itself"
    elif "repetition" in what:
        hint = "put a backslash before * + ? to mean the character itself"
    elif "character class range" in what:
        hint = r"categories such as \p{L} or scripts such as \p{Greek}"
    elif "capture group" in what or "named" in what:
        hint = "a group is written (?P<field>...)"
    return PatternError(f"{what}{':' if where else ''}{where[:80]}", hint=hint)


@lru_cache(maxsize=2048)
def compile_user_pattern(source: str, *, ignore_case: bool = False) -> Pattern:
    """Compile a user's pattern. Raises ``PatternError`` with a hint for what is wrong, too large or needs backtracking.

    >>> compile_user_pattern(r"\\bgebucht\\b").search("Termin gebucht!").span()
    (7, 14)
    """
    return Pattern(source, ignore_case)


class PatternSet:
    """Many patterns, one pass: says which of them match a text. ``hits`` gives indices in the order of ``patterns``."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self.patterns = tuple(patterns)
        self._narrow: list[tuple[Any, list[int]]] | None = None
        self._wide: list[tuple[Any, list[int]]] | None = None

    def __reduce__(self) -> tuple[type[PatternSet], tuple[tuple[Pattern, ...]]]:
        return PatternSet, (self.patterns,)

    def hits(self, text: str) -> list[int]:
        """Return the indices of the patterns that match somewhere in ``text``, rising."""
        if not self.patterns:
            return []
        prepared = _prepare(text)
        if prepared.wrapped is None:
            if self._narrow is None:
                self._narrow = self._chunks(is_wide=False)
            chunks, data = self._narrow, prepared.plain
        else:
            if self._wide is None:
                self._wide = self._chunks(is_wide=True)
            chunks, data = self._wide, prepared.wrapped
        found = [indices[hit] for compiled, indices in chunks for hit in compiled.Match(data) or ()]
        return sorted(found)

    def _chunks(self, *, is_wide: bool) -> list[tuple[Any, list[int]]]:
        """Compile the sets. A chunk stays far below the engine's memory: a set that runs out answers "no hit"."""
        import re2

        chunks: list[tuple[Any, list[int]]] = []
        for ignore_case in (False, True):
            size, current, indices = 0, None, list[int]()
            for index, pattern in enumerate(self.patterns):
                if pattern.ignore_case is not ignore_case:
                    continue
                form = translate(pattern.source)
                source = f"{_LAZY_START}(?:{form.wide})" if is_wide else form.narrow
                program = 2 * pattern.program_size
                if current is None or size + program > _CHUNK_PROGRAM:
                    anchored = re2.Set.MatchSet if is_wide else re2.Set.SearchSet
                    current, indices, size = anchored(_options(ignore_case)), [], 0
                    chunks.append((current, indices))
                current.Add(source.encode("utf-8"))
                indices.append(index)
                size += program
        for compiled, _ in chunks:
            compiled.Compile()
        return chunks
