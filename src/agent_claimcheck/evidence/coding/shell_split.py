"""Splits a command line into its simple commands: quotes, here-documents, redirections, wrappers, nested shells.

A reader must not miss: this is a reader, not a shell. Nothing is expanded, and what is cut off is counted, not guessed.
"""

from __future__ import annotations

import re

from msgspec import Struct

from agent_claimcheck.evidence.word_lists import WordLists

MAX_COMMAND_CHARS = 20_000
"""Longer command lines (generated files in a here-document) are read up to here and then count as unknown."""
MAX_PARTS = 200


class ShellPart(Struct, frozen=True):
    """One simple command: its words without wrappers and redirections, and the files its output is redirected to."""

    words: tuple[str, ...]
    writes_to: tuple[str, ...] = ()


_TOKEN = re.compile(
    r"""(?:[ \t\r]|\\\n)*(?:(?P<redir>(?:\d|&)?(?:>>|>\||>&|>)|<<<|<<-?|<)"""
    r"""|(?P<op>&&|\|\||\|&|;;|;|\||&|\n|\(|\)|\{(?=\s)|\}(?=[\s;]|$))"""
    r"""|(?P<word>(?:\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`"""
    r"""|[^\s\\'"`;|&()<>])+)"""
    r"""|(?P<other>[\s\S]))?"""
)
_LISTS = WordLists("shell")
_WRAPPERS = _LISTS.words("wrappers")
_RUNNERS = _LISTS.table("runners")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_NULL = frozenset({"/dev/null", "/dev/stderr", "/dev/stdout", "&1", "&2", "1", "2"})
SHELLS = _LISTS.words("shells")


def split_command(command: str) -> tuple[ShellPart, ...]:
    """Split ``command`` into its simple commands, wrappers removed, ``bash -lc "..."`` opened (two levels deep)."""
    return tuple(_parts(command[:MAX_COMMAND_CHARS], 2))


def _parts(command: str, depth: int) -> list[ShellPart]:
    found: list[ShellPart] = []
    words: list[str] = []
    writes: list[str] = []
    redirect = ""
    position, size = 0, len(command)

    def close() -> None:
        if words or writes:
            found.extend(_unwrap(words, tuple(writes), depth))
        words.clear()
        writes.clear()

    marks: list[str] = []
    while position < size and len(found) < MAX_PARTS:
        token = _TOKEN.match(command, position)
        kind = token.lastgroup if token is not None else None
        if token is None or kind is None:
            break
        position, text = token.end(), token[kind]
        if kind == "word":
            word = _unquote(text)
            if redirect in ("<<", "<<-"):
                marks.append(word)
            elif ">" in redirect:
                if word not in _NULL:
                    writes.append(word)
            elif not redirect:
                words.append(word)
            redirect = ""
        elif kind == "redir":
            redirect = text
        elif kind == "op":
            redirect = ""
            close()
            if text == "\n" and marks:
                position = _skip_here_documents(command, position, marks)
                marks.clear()
    close()
    return found


def _unquote(word: str) -> str:
    if len(word) >= 2 and word[0] == word[-1] and word[0] in "'\"":
        return word[1:-1].replace('\\"', '"').replace("\\$", "$") if word[0] == '"' else word[1:-1]
    if "'" in word or '"' in word or "\\" in word:
        return re.sub(r"[\"'\\]", "", word)
    return word


def _skip_here_documents(command: str, position: int, marks: list[str]) -> int:
    """Return where the bodies that end with ``marks`` end. A body without its mark runs to the end of the command."""
    for mark in marks[:8]:
        while position < len(command):
            end = command.find("\n", position)
            end = len(command) if end < 0 else end
            line = command[position:end].strip(" \t\r")
            position = end + 1
            if line == mark:
                break
    return min(position, len(command))


_TAKES_VALUE = frozenset(
    {"-n", "-p", "--with", "--python", "--extra", "--group", "--package", "-I", "-P", "-L", "-d", "-w", "-u", "-e"}
    | {"--workdir", "--user", "--env"}
)
"""Options of wrappers that are followed by a value."""


def _unwrap(words: list[str], writes: tuple[str, ...], depth: int) -> list[ShellPart]:
    """Drop assignments and wrappers in front of the real program; open a nested shell."""
    at = 0
    while at < len(words):
        following = _behind_wrapper(words, at)
        if following == at:
            break
        at = following
    rest = words[at:]
    if depth and len(rest) >= 3 and program_name(rest[0]) in SHELLS:
        for k, option in enumerate(rest[1:-1], start=1):
            if option.startswith("-") and option.endswith("c"):
                inner = _parts(rest[k + 1], depth - 1)
                return [*inner, ShellPart((), writes)] if writes else inner
    return [ShellPart(tuple(rest), writes)] if rest or writes else []


def _behind_wrapper(words: list[str], at: int) -> int:
    """Return where the command wrapped by the word at ``at`` begins; ``at`` itself when that word wraps nothing."""
    word = words[at]
    name = program_name(word)
    if _ASSIGNMENT.match(word):
        return at + 1
    if name in _WRAPPERS:
        return _behind_options(words, at + 1)
    if name == "timeout":
        at = _behind_options(words, at + 1)
        return at + (at < len(words) and words[at][:1].isdigit())
    if name == "xargs":
        return _behind_options(words, at + 1)
    if name in _RUNNERS:
        verbs = _RUNNERS[name]
        if verbs == ("*",):
            return _behind_options(words, at + 1)
        return _behind_options(words, at + 2) if at + 1 < len(words) and words[at + 1] in verbs else at
    if name in ("docker", "podman", "docker-compose") and "exec" in words[at + 1 : at + 3]:
        return _behind_options(words, words.index("exec", at) + 1) + 1
    return at


def _behind_options(words: list[str], at: int) -> int:
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _TAKES_VALUE else 1
    return at


def program_name(word: str) -> str:
    """Return the bare name of a program: ``/usr/bin/python3`` is ``python3``."""
    return word.rsplit("/", 1)[-1] or word if len(word) < 300 else word
