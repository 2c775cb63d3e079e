"""What one simple command does to files and services: one reader for every program that needs one.

A reader must not miss: a program that no list knows is ``unknown``, and so is one that runs a script of somebody else's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

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
from agent_claimcheck.evidence.coding.shell_split import ShellPart, program_name
from agent_claimcheck.evidence.word_lists import WordLists

ShellKind = Literal["read", "write", "unknown"]
Words = tuple[str, ...]


class ShellEffect(NamedTuple):
    """What a command does, the class of its deed (``committed``, ``installed`` ...) where it has one, and why it is taken so."""

    kind: ShellKind
    verb_class: str | None
    reason: str


_LISTS = WordLists("shell")
_READERS = _LISTS.words("readers")
_WRITERS = _LISTS.keys_by_word("writers")
_GIT = _LISTS.keys_by_word("git_writes")
"""Verbs of git by the class of their deed; ``-`` stands for a write without a class of its own."""
_WRITING_OPTIONS = _LISTS.table("writing_options")
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
_METHOD = late_pattern(r"(?:-X ?|--request[ =])([A-Za-z]{3,12})\b|(?:^| )(POST|PUT|PATCH|DELETE|GET|HEAD)\b")


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


def effect_of(part: ShellPart) -> ShellEffect:
    """Say what a simple command does. Never raises."""
    words = part.words
    if part.writes_to:
        return ShellEffect("write", _class_of_redirect(words), f"output goes to {part.writes_to[0][:80]}")
    if not words:
        return ShellEffect("read", None, "no program")
    if runs_tests(words):
        return ShellEffect("unknown", "tests_run", "runs tests")
    program = program_name(words[0])
    read = _BY_PROGRAM.get(program)
    if read is not None:
        return read(program, words)
    if program in _WRITERS:
        return ShellEffect("write", _WRITERS[program], f"{program} changes files")
    if program in _PACKAGERS or (PYTHON.match(program) and words[1:3] == ("-m", "pip")):
        found = _packager_effect(words)
        if found is not None:
            return found
    if program in _CLOUD:
        return _cloud_effect(words)
    if checks(words):
        return _check_effect(program, words)
    if program in _READERS:
        if any(_is_option(word, _WRITING_OPTIONS.get(program, ())) for word in words[1:]):
            return ShellEffect("write", "updated", f"{program} is told to change something")
        if program == "hostname" and any(not word.startswith("-") for word in words[1:]):
            return ShellEffect("write", "renamed", "names the host")
        return ShellEffect("read", None, f"{program} only reads")
    if any(word in ("--version", "--help", "-V", "-version") for word in words[1:3]):
        return ShellEffect("read", None, "asks for help or version")
    if builds(words):
        return ShellEffect("unknown", "built", "runs a build")
    first = next((word for word in words[1:] if not word.startswith("-")), "")
    shown = f"{program[:40]} {first}" if len(first) <= 40 and "\n" not in first else program[:40]
    return ShellEffect("unknown", None, f"what '{shown.rstrip()}' does is not known")


def _is_option(word: str, options: tuple[str, ...]) -> bool:
    """True for one of ``options``, also where its value is written on to it: ``-owords.txt``, ``--output=words.txt``."""
    return any(word == option or (option.startswith("-") and word.startswith(option)) for option in options)


def _class_of_redirect(words: Words) -> str:
    return "created" if words and program_name(words[0]) in ("cat", "echo", "printf") else "updated"


def _stream_editor_effect(program: str, words: Words) -> ShellEffect:
    in_place = any(word.startswith("-") and not word.startswith("--") and "i" in word for word in words[1:4])
    if in_place or "--in-place" in words:
        return ShellEffect("write", "updated", f"{program} changes files in place")
    if program == "sed":
        return ShellEffect("read", None, "sed prints")
    return ShellEffect("unknown", None, "runs a script")


def _tar_effect(program: str, words: Words) -> ShellEffect:
    if any(word.lstrip("-").startswith("t") for word in words[1:2]):
        return ShellEffect("read", None, "tar lists")
    return ShellEffect("write", "created", "tar writes")


def _service_effect(program: str, words: Words) -> ShellEffect:
    word = next((word for word in words[1:] if word in _SERVICES), None)
    if word is None:
        return ShellEffect("read", None, "asks about a service")
    return ShellEffect("write", _SERVICES[word], "changes a service")


_FORMATS = late_pattern(r"(?:fmt|format)\b|[\w:-]+[:_-](?:fmt|format|fix)$")
_LOOKS_ONLY = late_pattern(r"check|diff|verify|^-[cnld]$|dry")


def _check_effect(program: str, words: Words) -> ShellEffect:
    fixes = any(word in ("--fix", "--write", "-w", "--fix-only") for word in words) or program in ("black", "isort")
    if fixes and "--check" not in words:
        return ShellEffect("write", "updated", "a formatter that rewrites files")
    if any(_FORMATS.match(word) for word in words[1:]) and not any(_LOOKS_ONLY.search(word) for word in words[1:]):
        return ShellEffect("unknown", None, "a task that may rewrite files")
    return ShellEffect("read", None, "a check")


def _find_effect(program: str, words: Words) -> ShellEffect:
    if "-delete" in words:
        return ShellEffect("write", "deleted", "find deletes")
    for option in ("-exec", "-execdir", "-ok"):
        if option in words[:-1]:
            inner = program_name(words[words.index(option) + 1])
            if inner in _WRITERS:
                return ShellEffect("write", _WRITERS[inner], f"find runs {inner}")
            if inner in _READERS - _MAY_WRITE:
                return ShellEffect("read", None, f"find runs {inner}")
            return ShellEffect("unknown", None, "find runs a command")
    return ShellEffect("read", None, "find only reads")


def _git_effect(program: str, words: Words) -> ShellEffect:
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in ("-C", "-c", "--git-dir", "--work-tree") else 1
    verb = words[at] if at < len(words) else "status"
    rest = words[at + 1 :]
    if verb == "branch" and any(word in ("-d", "-D", "--delete") for word in rest):
        return ShellEffect("write", "deleted", "git branch deletes")
    if _sets_something(verb, rest):
        return ShellEffect("unknown", None, f"git {verb} sets something")
    if (verb == "stash" and rest[:1] in (("list",), ("show",))) or (verb == "tag" and not rest):
        return ShellEffect("read", None, "git only reads")
    if "--dry-run" in rest:
        return ShellEffect("read", None, "git dry run")
    if verb in _GIT:
        return ShellEffect("write", None if _GIT[verb] == "-" else _GIT[verb], f"git {verb}")
    if verb in _GIT_READS:
        return ShellEffect("read", None, f"git {verb} only reads")
    return ShellEffect("unknown", None, f"git {verb[:40]} is not known")


def _sets_something(verb: str, rest: Words) -> bool:
    """True for ``git config user.name Ann``, ``git remote add``, ``git branch new``: of verbs that mostly look."""
    named = [word for word in rest if not word.startswith("-")]
    if verb == "config":
        return not any(word.startswith(("--get", "--list", "-l")) for word in rest) and (
            len(named) > 1
            or any(word.startswith(("--unset", "--add", "--replace", "--rename", "--remove")) for word in rest)
        )
    if verb == "symbolic-ref":
        return len(named) > 1 or any(word in ("-d", "--delete") for word in rest)
    if verb == "remote":
        return rest[:1] in (("add",), ("remove",), ("rm",), ("rename",), ("set-url",), ("set-head",), ("prune",))
    return verb == "branch" and bool(named) and named[:1] == list(rest[:1])


def _http_effect(program: str, words: Words) -> ShellEffect:
    text = " ".join(words[1:])[:2000]
    verb = _METHOD.search(text)
    method = (verb.group(1) or verb.group(2)).upper() if verb else "GET"
    sends = any(
        word.startswith(("-d", "--data", "-F", "--form", "--json", "--post", "-T", "--upload-file"))
        for word in words[1:]
    )
    if method not in ("GET", "HEAD", "OPTIONS") or sends:
        return ShellEffect("unknown", None, f"{program} sends data")
    saves = any(word in ("-o", "-O", "--output", "--remote-name") for word in words) or program == "wget"
    if saves:
        return ShellEffect("write", "downloaded", "downloads a file")
    return ShellEffect("read", None, f"{program} fetches")


def _packager_effect(words: Words) -> ShellEffect | None:
    for at, word in enumerate(words[1:5], 1):
        if word == "env" and (made := _ENVIRONMENT_WRITES.get(next(iter(words[at + 1 : at + 2]), ""))):
            return ShellEffect("write", made, "changes an environment")
        if word in _INSTALL_WORDS:
            return ShellEffect("write", "installed", "installs packages")
        if word in _REMOVE_WORDS:
            return ShellEffect("write", "uninstalled", "removes packages")
        if word in _PACKAGE_READS:
            return ShellEffect("read", None, "asks about packages")
        if word in ("publish", "release"):
            return ShellEffect("write", "deployed", "publishes a package")
        if word in ("init", "new"):
            return ShellEffect("write", "created", "starts a project")
        if word in ("update", "upgrade"):
            return ShellEffect("write", "updated", "updates packages")
    return None


def _cloud_effect(words: Words) -> ShellEffect:
    for word in words[1:5]:
        if word in _CLOUD_READS or word.startswith(("get-", "list-", "describe-")):
            return ShellEffect("read", None, "asks about a service")
        if word in _DEPLOYERS:
            return ShellEffect("write", _DEPLOYERS[word], f"{words[0]} {word}")
    return ShellEffect("unknown", None, f"what {words[0][:40]} does here is not known")


_BY_PROGRAM: dict[str, Callable[[str, Words], ShellEffect]] = {
    "git": _git_effect,
    "find": _find_effect,
    "tar": _tar_effect,
    **dict.fromkeys(("sed", "perl"), _stream_editor_effect),
    **dict.fromkeys(("curl", "wget", "http", "https", "httpie", "xh"), _http_effect),
    **dict.fromkeys(("systemctl", "service", "supervisorctl", "pm2"), _service_effect),
}
"""Programs whose effect hangs on their options. The others are known by the lists."""
