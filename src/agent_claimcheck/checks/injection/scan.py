"""The scan: which stretches of a text give orders to an agent. Offline, linear, the same on every machine.

A reader must not miss: a match is about the text alone. That an agent read such text is no fault of the agent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from agent_claimcheck.checks.injection.fold import has_invisible, invisible_runs
from agent_claimcheck.checks.injection.patterns import BuiltinPattern, ScanPattern, builtin_patterns
from agent_claimcheck.checks.injection.views import (
    MAX_DEPTH,
    REVERSED_WORDS,
    ROT13_WORDS,
    View,
    decoded_texts,
    hidden_texts,
    lookalike_view,
    plain_view,
)
from agent_claimcheck.core.patterns import compile_user_pattern

MAX_MATCHES = 20
"""Matches of one pattern in one text that are reported."""
_NEIGHBOUR = 400  # characters within which two weak matches back each other
_BEFORE = 200  # characters before a match that belong to its surroundings
_LONGEST_MATCH = 600
_SENTENCE_END = re.compile(r"[.!?](?=\s|\Z)|\n|[\"'](?=[,:}\]])")
_MAX_MEMORY = 256 << 20
_DATA_RUN = 16  # invisible characters in a row: no script and no emoji needs as many

_HINTS = {
    "entities": r"&#x?[0-9a-f]+;|&(?:lt|gt|quot|amp|nbsp);",
    "percent": r"%[0-9a-f][0-9a-f][^%\n]?[^%\n]?[^%\n]?%[0-9a-f][0-9a-f]|[a-z]%20[a-z]",
    "escapes": r"\\u[0-9a-f][0-9a-f][0-9a-f][0-9a-f]|\\x[0-9a-f][0-9a-f]\\x",
    "split": r"[a-z](?:</?[a-z][^<> \n]*>|<!--[^<>\n]*-->|\*\*|~~)+[a-z]",
    "base64": r"[a-z0-9+]{32}",
    "hex": r"(?:[0-9a-f]{2} ?){20}|(?:0x[0-9a-f]{2}[ ,]*){12}",
    "binary": r"[01]{8} ?[01]{8} ?[01]{8} ?[01]{8}",
    "spaced": r"(?:^|[^a-z])[a-z][ ._*|-]+[a-z][ ._*|-]+[a-z][ ._*|-]+[a-z][ ._*|-]+[a-z][ ._*|-]+[a-z][^a-z]",
    "leet": r"1gn[o0]r|ign0r|d[1!]sr[e3]g|pr3v[1i][0o]u|prev1ou|1nstruct|instruct[1!][o0]n|syst3m pr|0verr[1i]d|byp4ss",
    "rot13": ROT13_WORDS,
    "reversed": REVERSED_WORDS,
}

_HINT_NAMES = tuple(_HINTS)
_NO_HINTS: frozenset[str] = frozenset()


class TextMatch(Struct, frozen=True, kw_only=True):
    """One stretch of a text that a pattern matched. ``start`` and ``end`` are places in the real text.

    ``matched`` is what was read there, ``order`` the rest of that sentence with it, ``context`` what stands around;
    ``disguise`` how it was hidden, ``None`` when it stands in the open.
    """

    name: str
    category: str
    confidence: float
    severity: str
    start: int
    end: int
    matched: str
    context: str
    order: str = ""
    disguise: str | None = None
    language: str | None = None


class Scanner:
    """Scans texts for built-in patterns, a user's own, or both. Build one and use it for many texts."""

    def __init__(self, extra: Sequence[ScanPattern] = (), *, builtin: bool = True) -> None:
        self._builtin = _compiled() if builtin else None
        self._extra = tuple((pattern, compile_user_pattern(pattern.pattern, ignore_case=True)) for pattern in extra)

    def scan(self, text: str) -> list[TextMatch]:
        """Return the matches in ``text``, in order of place. Never raises; time is linear in the text."""
        found: list[TextMatch] = []
        if self._builtin is not None:
            found.extend(_scan_builtin(text, self._builtin, 0, len(text) + 10_000))
        for pattern, compiled in self._extra:
            for count, match in enumerate(compiled.finditer(text)):
                if count >= MAX_MATCHES:
                    break
                start, end = match.span()
                found.append(_match_of(pattern, text, (start, end), (start, end), None))
        found.sort(key=lambda match: (match.start, match.end, match.name))
        return _without_echoes(found)


def _without_echoes(found: list[TextMatch]) -> list[TextMatch]:
    """Keep one match of a category where several overlap: the English one, then the longest.

    Languages share words such as "ignore", and one order often fits two patterns.
    """
    kept: list[TextMatch] = []
    last: dict[tuple[str, str | None], int] = {}
    for match in found:
        key = (match.category, match.disguise)
        at = last.get(key)
        if match.language is None or at is None or kept[at].end <= match.start:
            if match.language is not None:
                last[key] = len(kept)
            kept.append(match)
        elif _weight(match) > _weight(kept[at]):
            kept[at] = match
    return sorted(kept, key=lambda match: (match.start, match.end, match.name))


def _weight(match: TextMatch) -> tuple[bool, float, int]:
    return match.language == "en", match.confidence, match.end - match.start


class _Compiled:
    """The built-in patterns as sets, which say in one pass over a text which of them are worth a search."""

    def __init__(self, patterns: Sequence[BuiltinPattern]) -> None:
        import re2

        options = re2.Options()
        options.max_mem = _MAX_MEMORY
        options.log_errors = False
        self.patterns = tuple(patterns)
        self.searches: list[Any] = [re2.compile(pattern.pattern.encode(), options) for pattern in patterns]
        self.sets: list[tuple[Any | None, Any, list[int]]] = []
        groups: dict[str, list[int]] = {}
        for index, pattern in enumerate(patterns):
            is_mixed = pattern.category == "task_injection" or pattern.language != "en"
            groups.setdefault("rare" if pattern.needs else "mixed" if is_mixed else "en", []).append(index)
        for indices in groups.values():
            compiled = re2.Set.SearchSet(options)
            for index in indices:
                compiled.Add(patterns[index].pattern.encode())
            compiled.Compile()
            needs = "|".join(
                dict.fromkeys(f"(?:{patterns[index].needs})" for index in indices if patterns[index].needs)
            )
            self.sets.append((re2.compile(needs.encode(), options) if needs else None, compiled, indices))
        self.hints = re2.Set.SearchSet(options)
        for hint in _HINTS.values():
            self.hints.Add(hint.encode())
        self.hints.Compile()

    def hits(self, data: bytes) -> list[int]:
        return [
            indices[hit]
            for needed, compiled, indices in self.sets
            if needed is None or needed.search(data) is not None
            for hit in compiled.Match(data) or ()
        ]

    def hints_of(self, data: bytes) -> frozenset[str]:
        found = self.hints.Match(data)
        return frozenset([_HINT_NAMES[hit] for hit in found]) if found else _NO_HINTS


@cache
def _compiled() -> _Compiled:
    return _Compiled(builtin_patterns())


def _scan_builtin(text: str, compiled: _Compiled, depth: int, budget: int) -> list[TextMatch]:
    view, folded = plain_view(text)
    data = view.text.encode("utf-8", "replace")
    found = _search(view, data, compiled, text)
    if not folded.is_plain:
        lookalike = lookalike_view(view, folded)
        if lookalike is not None:
            found.extend(_search(lookalike, lookalike.text.encode("utf-8", "replace"), compiled, text))
    if depth >= MAX_DEPTH:
        return found
    if not folded.is_plain:
        for name, decoded in hidden_texts(folded):
            inner = _scan_builtin(decoded, compiled, depth + 1, 0)
            found.extend(_hidden(match, name, (0, len(text))) for match in inner)
            if not inner:
                found.append(_smuggled(name, decoded, len(text)))
    hints = compiled.hints_of(data if folded.text is view.text else folded.text.encode("utf-8", "replace"))
    if hints:
        known = {(match.name, match.matched) for match in found}
        for name, decoded, span in decoded_texts(text, hints):
            budget -= len(decoded)
            if budget < 0:
                break
            inner = _scan_builtin(decoded, compiled, depth + 1, budget)
            found.extend(_hidden(match, name, span) for match in inner if (match.name, match.matched) not in known)
    if (
        depth == 0
        and not found
        and not folded.is_plain
        and has_invisible(folded.others)
        and invisible_runs(text) >= _DATA_RUN
    ):
        found.append(_smuggled("invisible_run", "", len(text)))
    return found


def _search(view: View, data: bytes, compiled: _Compiled, text: str) -> list[TextMatch]:
    hits = compiled.hits(data)
    if not hits:
        return []
    places: list[tuple[int, int, BuiltinPattern]] = []
    for hit in hits:
        pattern = compiled.patterns[hit]
        for start, end in _spans(compiled.searches[hit], data):
            if end - start <= _LONGEST_MATCH and not _undone(data, start, end, pattern):
                places.append((start, end, pattern))
    ascii_only = len(data) == len(view.text)
    found: list[TextMatch] = []
    for start, end, pattern in places:
        if not pattern.alone and not any(
            other.name != pattern.name and abs(at - start) <= _NEIGHBOUR for at, _, other in places
        ):
            continue
        first, last = (start, end) if ascii_only else (len(data[:start].decode()), len(data[:end].decode()))
        disguise = view.disguise
        real_start, real_end = view.span(first, last)
        if disguise is None and has_invisible(text[real_start:real_end]):
            disguise = "invisible_characters"
        found.append(_match_of(pattern, view.text, (first, last), (real_start, real_end), disguise))
    return found


def _spans(search: Any, data: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    for _ in range(MAX_MATCHES):
        match = search.search(data, at)
        if match is None:
            return
        start, end = match.span()
        yield start, end
        at = max(end, at + 1)


def _undone(data: bytes, start: int, end: int, pattern: BuiltinPattern) -> bool:
    if pattern.not_after:
        after = data[end : end + 24].decode("utf-8", "ignore")
        if re.match(rf"\W{{1,2}}(?:{pattern.not_after})\b", after):
            return True
    if not pattern.not_before:
        return False
    before = data[max(0, start - 24) : start].decode("utf-8", "ignore")
    return re.search(rf"(?:^|\W)(?:{pattern.not_before})\W{{1,2}}$", before) is not None


def _match_of(
    pattern: ScanPattern, text: str, place: tuple[int, int], real: tuple[int, int], disguise: str | None
) -> TextMatch:
    """Return the match at ``place`` of the searched ``text``, which stands at ``real`` of the real one."""
    start, end = place
    return TextMatch(
        name=pattern.name,
        category=pattern.category,
        confidence=pattern.confidence,
        severity="high" if disguise else pattern.severity,
        start=real[0],
        end=real[1],
        matched=text[start:end],
        context=text[max(0, start - _BEFORE) : end + _NEIGHBOUR],
        order=_order(text, start, end),
        disguise=disguise,
        language=pattern.language if isinstance(pattern, BuiltinPattern) else None,
    )


def _order(text: str, start: int, end: int) -> str:
    """Return the sentence that begins with a match, as far as its end."""
    stop = _SENTENCE_END.search(text, end, end + _LONGEST_MATCH)
    return text[start : stop.start() if stop else end + _LONGEST_MATCH]


def _hidden(match: TextMatch, disguise: str, span: tuple[int, int]) -> TextMatch:
    import msgspec

    name = disguise if match.disguise is None else f"{disguise}+{match.disguise}"
    return msgspec.structs.replace(match, start=span[0], end=span[1], disguise=name, severity="high")


def _smuggled(disguise: str, decoded: str, length: int) -> TextMatch:
    return TextMatch(
        name="hidden-text",
        category="hidden_text",
        confidence=1.0,
        severity="high",
        start=0,
        end=length,
        matched=decoded,
        context=decoded[:600],
        order=decoded[:600],
        disguise=disguise,
    )
