"""Reads what a command line does: does it change anything, and does it test, build or check?

A reader must not miss: what it cannot follow (a script, a build, an unknown program) is ``unknown``, never "read".
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.coding.shell_jobs import (
    BUILD_PROGRAMS,
    CHECK_PROGRAMS,
    PYTHON,
    TASK_RUNNERS,
    TEST_PROGRAMS,
    builds,
    checks,
    runs_tests,
)
from agent_claimcheck.evidence.coding.shell_split import (
    MAX_COMMAND_CHARS,
    MAX_PARTS,
    ShellPart,
    program_name,
    split_command,
)
from agent_claimcheck.evidence.word_lists import WordLists

ShellKind = Literal["read", "write", "unknown"]
_Effect = tuple[ShellKind, str | None, str]

_CACHE_CHARS = 4_000
"""Longer command lines are read each time, so that the cache stays small."""


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


_LISTS = WordLists("shell")
_READERS = _LISTS.words("readers")
_WRITERS = _LISTS.keys_by_word("writers")
_GIT = _LISTS.keys_by_word("git_writes")
_GIT_READS = _LISTS.words("git_reads")
_MAY_WRITE = frozenset({"sed", "perl", "awk", "gawk", "mawk"})
_PACKAGERS = _LISTS.words("packagers")
_INSTALL_WORDS = _LISTS.words("install")
_REMOVE_WORDS = _LISTS.words("remove")
_PACKAGE_READS = _LISTS.words("package_reads")
_ENVIRONMENT_WRITES = {"create": "created", "update": "updated", "remove": "deleted", "use": "created"}
"""What follows ``env`` where that does not only ask: ``conda env create``, ``poetry env use``."""
_SERVICES = _LISTS.keys_by_word("services")
_DEPLOYERS = _LISTS.keys_by_word("deploy")
_CLOUD = _LISTS.words("cloud")
_CLOUD_READS = _LISTS.words("cloud_reads")
_ANSWERING = frozenset({"grep", "egrep", "fgrep", "rg", "ag", "ack", "pgrep", "test", "[", "[["})
_METHOD = late_pattern(r"(?:-X ?|--request[ =])([A-Za-z]{3,12})\b|(?:^| )(POST|PUT|PATCH|DELETE|GET|HEAD)\b")


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
        kind, part_class, why = _effect_of(part)
        kinds.add(kind)
        paths.extend(part.writes_to)
        if kind == "write":
            paths.extend(word for word in part.words[1:] if _is_path(word))
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


def _class_or_none(verb_class: str) -> str | None:
    """``-`` in a list stands for a write without a class of its own."""
    return None if verb_class == "-" else verb_class


def is_known_program(program: str) -> bool:
    """True when the lists say what ``program`` does."""
    return (
        program in _READERS
        or program in _WRITERS
        or program in TEST_PROGRAMS
        or program in BUILD_PROGRAMS
        or program in CHECK_PROGRAMS
        or program in _PACKAGERS
        or program in TASK_RUNNERS
        or program in _CLOUD
        or program in ("git", "curl", "wget", "bash", "sh")
        or PYTHON.match(program) is not None
    )


def _is_path(word: str) -> bool:
    return not word.startswith("-") and ("/" in word or "." in word[1:]) and len(word) < 300 and "\n" not in word


def _effect_of(part: ShellPart) -> _Effect:
    words = part.words
    if part.writes_to:
        return "write", _class_of_redirect(words), f"output goes to {part.writes_to[0][:80]}"
    if not words:
        return "read", None, "no program"
    program = program_name(words[0])
    first = next((word for word in words[1:] if not word.startswith("-")), "")
    if program == "git":
        return _git_effect(words)
    if runs_tests(words):
        return "unknown", "tests_run", "runs tests"
    if program in ("sed", "perl"):
        in_place = any(word.startswith("-") and not word.startswith("--") and "i" in word for word in words[1:4])
        if in_place or "--in-place" in words:
            return "write", "updated", f"{program} changes files in place"
        return ("read", None, "sed prints") if program == "sed" else ("unknown", None, "runs a script")
    if program == "find":
        return _find_effect(words)
    if program == "tar":
        lists = any(word.lstrip("-").startswith("t") for word in words[1:2])
        return ("read", None, "tar lists") if lists else ("write", "created", "tar writes")
    if program in _WRITERS:
        return "write", _WRITERS[program], f"{program} changes files"
    if program in ("curl", "wget", "http", "https", "httpie", "xh"):
        return _http_effect(program, words)
    if program in _PACKAGERS or (PYTHON.match(program) and words[1:3] == ("-m", "pip")):
        found = _packager_effect(words)
        if found:
            return found
    if program in ("systemctl", "service", "supervisorctl", "pm2"):
        word = next((word for word in words[1:] if word in _SERVICES), None)
        return ("write", _SERVICES[word], "changes a service") if word else ("read", None, "asks about a service")
    if program in _CLOUD:
        return _cloud_effect(words)
    if checks(words):
        fixes = any(word in ("--fix", "--write", "-w", "--fix-only") for word in words) or program in ("black", "isort")
        if fixes and "--check" not in words:
            return "write", "updated", "a formatter that rewrites files"
        return "read", None, "a check"
    if program in _READERS:
        return "read", None, f"{program} only reads"
    if any(word in ("--version", "--help", "-V", "-version") for word in words[1:3]):
        return "read", None, "asks for help or version"
    if builds(words):
        return "unknown", "built", "runs a build"
    shown = f"{program[:40]} {first}" if len(first) <= 40 and "\n" not in first else program[:40]
    return "unknown", None, f"what '{shown.rstrip()}' does is not known"


def _class_of_redirect(words: tuple[str, ...]) -> str:
    return "created" if words and program_name(words[0]) in ("cat", "echo", "printf") else "updated"


def _find_effect(words: tuple[str, ...]) -> _Effect:
    if "-delete" in words:
        return "write", "deleted", "find deletes"
    for option in ("-exec", "-execdir", "-ok"):
        if option in words[:-1]:
            inner = program_name(words[words.index(option) + 1])
            if inner in _WRITERS:
                return "write", _WRITERS[inner], f"find runs {inner}"
            return (
                ("read", None, f"find runs {inner}")
                if inner in _READERS - _MAY_WRITE
                else ("unknown", None, "find runs a command")
            )
    return "read", None, "find only reads"


def _git_effect(words: tuple[str, ...]) -> _Effect:
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in ("-C", "-c", "--git-dir", "--work-tree") else 1
    verb = words[at] if at < len(words) else "status"
    rest = words[at + 1 :]
    if verb == "branch" and any(word in ("-d", "-D", "--delete") for word in rest):
        return "write", "deleted", "git branch deletes"
    if (verb == "stash" and rest[:1] in (("list",), ("show",))) or (verb == "tag" and not rest):
        return "read", None, "git only reads"
    if "--dry-run" in rest:
        return "read", None, "git dry run"
    if verb in _GIT:
        return "write", _class_or_none(_GIT[verb]), f"git {verb}"
    if verb in _GIT_READS:
        return "read", None, f"git {verb} only reads"
    return "unknown", None, f"git {verb[:40]} is not known"


def _http_effect(program: str, words: tuple[str, ...]) -> _Effect:
    text = " ".join(words[1:])[:2000]
    verb = _METHOD.search(text)
    method = (verb.group(1) or verb.group(2)).upper() if verb else "GET"
    sends = any(
        word.startswith(("-d", "--data", "-F", "--form", "--json", "--post", "-T", "--upload-file"))
        for word in words[1:]
    )
    if method not in ("GET", "HEAD", "OPTIONS") or sends:
        return "unknown", None, f"{program} sends data"
    saves = any(word in ("-o", "-O", "--output", "--remote-name") for word in words) or program == "wget"
    return ("write", "downloaded", "downloads a file") if saves else ("read", None, f"{program} fetches")


def _packager_effect(words: tuple[str, ...]) -> _Effect | None:
    for at, word in enumerate(words[1:5], 1):
        if word == "env" and (made := _ENVIRONMENT_WRITES.get(next(iter(words[at + 1 : at + 2]), ""))):
            return "write", made, "changes an environment"
        if word in _INSTALL_WORDS:
            return "write", "installed", "installs packages"
        if word in _REMOVE_WORDS:
            return "write", "uninstalled", "removes packages"
        if word in _PACKAGE_READS:
            return "read", None, "asks about packages"
        if word in ("publish", "release"):
            return "write", "deployed", "publishes a package"
        if word in ("init", "new"):
            return "write", "created", "starts a project"
        if word in ("update", "upgrade"):
            return "write", "updated", "updates packages"
    return None


def _cloud_effect(words: tuple[str, ...]) -> _Effect:
    for word in words[1:5]:
        if word in _CLOUD_READS or word.startswith(("get-", "list-", "describe-")):
            return "read", None, "asks about a service"
        if word in _DEPLOYERS:
            return "write", _DEPLOYERS[word], f"{words[0]} {word}"
    return "unknown", None, f"what {words[0][:40]} does here is not known"


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
