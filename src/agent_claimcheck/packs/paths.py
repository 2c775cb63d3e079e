"""Field paths and templates: how a check names a value in a result, and how it refers to what was claimed or asked.

A path is dotted (``event.attendees.0.email``). ``args.`` at its start reads the call's arguments. A number indexes a
list, ``-1`` is its last item. A segment in double quotes is taken whole, so ``"a.b".c`` reaches the key ``a.b``.
A template is ``{subject.x}`` or ``{args.x}`` inside a text; ``x`` is again a path.
"""

from __future__ import annotations

import re

from msgspec import Struct

from agent_claimcheck.core.suggest import closest

TEMPLATE_ROOTS = ("subject", "args")
MAX_SEGMENTS = 32

_TEMPLATE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]{0,40})(?:\.((?:\"[^\"{}]{1,200}\"|[^{}\"]){0,200}))?\}")


class SyntaxFault(ValueError):
    """A path or template is written wrongly; ``hint`` says how to write it."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class Template(Struct, frozen=True, kw_only=True):
    """One reference inside a text: ``root`` is ``subject`` or ``args``; ``start``, ``end`` are its span."""

    root: str
    segments: tuple[str, ...]
    start: int
    end: int


def split_path(path: str) -> tuple[tuple[str, ...], bool]:
    """Split a field path. Returns the segments and whether it reads the call's arguments. Raises ``SyntaxFault``.

    >>> split_path('args.to.0')
    (('to', '0'), True)
    >>> split_path('"content.type".name')
    (('content.type', 'name'), False)
    """
    if path.startswith("args."):
        return _segments(path, 5), True
    return _segments(path, 0), False


def find_templates(text: str) -> tuple[Template, ...]:
    """Find the references in ``text``; other braces are plain text. Raises ``SyntaxFault`` for an unknown root.

    >>> [t.segments for t in find_templates('{subject.start} for {args.to.0}')]
    [('start',), ('to', '0')]
    """
    if "{" not in text:
        return ()
    found = []
    for match in _TEMPLATE.finditer(text):
        root, path = match.group(1), match.group(2)
        if root not in TEMPLATE_ROOTS:
            near = closest(root, TEMPLATE_ROOTS)
            if path is None and near is None:
                continue
            hint = f"did you mean {{{near}.{path or 'field'}}}?" if near else "use {subject.field} or {args.field}"
            raise SyntaxFault(f"the template {match.group(0)} has an unknown root {root!r}", hint)
        if not path:
            raise SyntaxFault(f"the template {match.group(0)} names no field", f"{{{root}.field}}")
        found.append(Template(root=root, segments=_segments(path, 0), start=match.start(), end=match.end()))
    return tuple(found)


def _segments(path: str, at: int) -> tuple[str, ...]:
    segments: list[str] = []
    while True:
        if path[at : at + 1] == '"':
            end = path.find('"', at + 1)
            if end == -1:
                raise SyntaxFault(f"the quote in the path {path[:60]!r} is not closed", 'write "a.b".c')
            segment, at = path[at + 1 : end], end + 1
            if at < len(path) and path[at] != ".":
                raise SyntaxFault(f"the path {path[:60]!r} needs a dot after the quoted part", 'write "a.b".c')
        else:
            end = path.find(".", at)
            segment, at = (path[at:], len(path)) if end == -1 else (path[at:end], end)
            if '"' in segment or segment != segment.strip():
                raise SyntaxFault(f"the path {path[:60]!r} has a stray quote or space", 'quote the whole part: "a b".c')
        if not segment:
            raise SyntaxFault(f"the path {path[:60]!r} has an empty part", "write a.b.c")
        segments.append(segment)
        if len(segments) > MAX_SEGMENTS:
            raise SyntaxFault(f"the path {path[:60]!r} has more than {MAX_SEGMENTS} parts")
        if at >= len(path):
            return tuple(segments)
        at += 1
