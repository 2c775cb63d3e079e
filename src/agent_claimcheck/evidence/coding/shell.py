"""Reads what a command line does: does it change anything, and does it test, build or check?

A reader must not miss: what it cannot follow (a script, a build, an unknown program) is ``unknown``, never "read".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from agent_claimcheck.evidence.coding.shell_effects import ShellKind, effect_of
from agent_claimcheck.evidence.coding.shell_jobs import builds, checks, runs_tests
from agent_claimcheck.evidence.coding.shell_split import (
    MAX_COMMAND_CHARS,
    MAX_PARTS,
    ShellPart,
    program_name,
    split_command,
)

_ANSWERING = frozenset({"grep", "egrep", "fgrep", "rg", "ag", "ack", "pgrep", "test", "[", "[["})
_CACHE_CHARS = 4_000
"""Longer command lines are read each time, so that the cache stays small."""
_SUBSTITUTION = re.compile(
    r"[\d,$]{0,20}[sy]([/|#,@:])(?:(?!\1).){0,500}\1(?:(?!\1).){0,500}\1[gIMepw\d]{0,8}", re.DOTALL
)
"""What a stream editor is told to do: ``s/old/new/`` is no file."""


class ShellReading(Struct, frozen=True, kw_only=True):
    """What a command line does. ``verb_class`` is the class of its strongest part (``committed``, ``installed`` ...).

    ``paths`` are files it names as changed; ``is_cut`` is true when the line was too long to read whole.
    """

    parts: tuple[ShellPart, ...]
    kind: ShellKind
    verb_class: str | None
    paths: tuple[str, ...]
    is_test: bool
    is_build: bool
    is_check: bool
    reason: str
    is_cut: bool = False

    @property
    def is_any_check(self) -> bool:
        """True when it tests, builds, lints or checks types: its result says something of the code."""
        return self.is_test or self.is_check or self.is_build


def read_command(command: str) -> ShellReading:
    """Say what a command line does. Never raises; linear in the part of it that is read."""
    return _read_cached(command) if len(command) <= _CACHE_CHARS else _read_command(command)


def _read_command(command: str) -> ShellReading:
    parts = split_command(command)
    kinds: set[ShellKind] = set()
    verb_class: str | None = None
    paths: list[str] = []
    reason = "empty command"
    for part in parts:
        kind, part_class, why = effect_of(part)
        kinds.add(kind)
        paths.extend(part.writes_to)
        if kind == "write":
            paths.extend(word for word in part.words[1:] if _is_path(word) and not _SUBSTITUTION.fullmatch(word))
            # The last write names the command: "git add . && git commit" committed.
            verb_class, reason = part_class or verb_class, why
        elif kind == "unknown" and "write" not in kinds:
            verb_class, reason = part_class or verb_class, why
        elif kinds == {"read"}:
            reason = why
    is_cut = len(command) > MAX_COMMAND_CHARS or len(parts) >= MAX_PARTS
    kind_of_all: ShellKind = (
        "write" if "write" in kinds else "unknown" if "unknown" in kinds or is_cut or not kinds else "read"
    )
    return ShellReading(
        parts=parts, kind=kind_of_all, verb_class=verb_class, paths=tuple(dict.fromkeys(paths)),
        is_test=any(runs_tests(part.words) for part in parts), is_build=any(builds(part.words) for part in parts),
        is_check=any(checks(part.words) for part in parts), reason=reason, is_cut=is_cut,
    )  # fmt: skip


_read_cached = lru_cache(maxsize=1024)(_read_command)


def _is_path(word: str) -> bool:
    return not word.startswith("-") and ("/" in word or "." in word[1:]) and len(word) < 300 and "\n" not in word


def answers_by_exit_code(part: ShellPart) -> Literal["nothing", "difference"] | None:
    """Say what an exit code of 1 tells when ``part`` ends a line: nothing was found, or a difference was."""
    if not part.words:
        return None
    program = program_name(part.words[0])
    if program == "git":
        program = next((word for word in part.words[1:] if word in ("diff", "grep")), "")
    if program in ("diff", "cmp", "colordiff"):
        return "difference"
    return "nothing" if program in _ANSWERING else None
