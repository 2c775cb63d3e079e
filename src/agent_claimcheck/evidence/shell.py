"""Reads a shell command line: its parts, what each is for (test, build, check) and whether it changes anything.

A reader must not miss: this is a reader, not a shell. What it cannot follow is ``unknown``, never "read".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.evidence.tool_names import NameReading, read_tool_name
from agent_claimcheck.trace.model import Step

ShellKind = Literal["read", "write", "unknown"]

MAX_COMMAND_CHARS = 20_000
"""Longer command lines (generated files in a here-document) are read up to here and then count as unknown."""
MAX_PARTS = 200
_CACHE_CHARS = 4_000


class ShellPart(Struct, frozen=True):
    """One simple command: its words without wrappers and redirections, and the files its output is redirected to."""

    words: tuple[str, ...]
    writes_to: tuple[str, ...] = ()


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


_TOKEN = re.compile(
    r"""(?P<space>[ \t\r]+|\\\n)"""
    r"""|(?P<redir>(?:\d|&)?(?:>>|>\||>&|>)|<<<|<<-?|<)"""
    r"""|(?P<op>&&|\|\||\|&|;;|;|\||&|\n|\(|\)|\{(?=\s)|\}(?=[\s;]|$))"""
    r"""|(?P<word>(?:\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|[^\s\\'"`;|&()<>])+)"""
    r"""|(?P<other>[\s\S])"""
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash"})
_WRAPPERS = frozenset(
    {"sudo", "env", "time", "nohup", "nice", "command", "exec", "builtin", "stdbuf", "unbuffer", "ionice", "doas",
     "caffeinate", "xvfb-run", "dotenv", "then", "do", "else", "if", "while", "until", "!", "{", "&"}
)  # fmt: skip
_RUNNERS = {
    "uv": ("run",), "poetry": ("run",), "pipenv": ("run",), "pdm": ("run",), "rye": ("run",), "hatch": ("run",),
    "conda": ("run",), "mamba": ("run",), "micromamba": ("run",), "bundle": ("exec",), "pnpm": ("exec", "dlx"),
    "yarn": ("dlx", "exec"), "npm": ("exec",), "npx": (), "bunx": (), "pipx": ("run",), "corepack": (),
}  # fmt: skip
_NULL = frozenset({"/dev/null", "/dev/stderr", "/dev/stdout", "&1", "&2", "1", "2"})

_READERS = frozenset(
    [
        "ls",
        "cat",
        "head",
        "tail",
        "less",
        "more",
        "grep",
        "egrep",
        "fgrep",
        "rg",
        "ag",
        "ack",
        "find",
        "fd",
        "wc",
        "file",
        "stat",
        "du",
        "df",
        "pwd",
        "echo",
        "printf",
        "which",
        "whereis",
        "type",
        "whoami",
        "id",
        "env",
        "printenv",
        "date",
        "cal",
        "uname",
        "hostname",
        "ps",
        "top",
        "htop",
        "free",
        "uptime",
        "tree",
        "diff",
        "cmp",
        "comm",
        "sort",
        "uniq",
        "cut",
        "tr",
        "nl",
        "od",
        "xxd",
        "hexdump",
        "strings",
        "md5sum",
        "sha1sum",
        "sha256sum",
        "cksum",
        "basename",
        "dirname",
        "realpath",
        "readlink",
        "test",
        "[",
        "[[",
        "true",
        "false",
        "cd",
        "pushd",
        "popd",
        "dirs",
        "history",
        "man",
        "help",
        "tldr",
        "jq",
        "yq",
        "xmllint",
        "column",
        "paste",
        "join",
        "fold",
        "fmt",
        "expand",
        "rev",
        "tac",
        "seq",
        "lsof",
        "netstat",
        "ss",
        "ping",
        "dig",
        "nslookup",
        "host",
        "traceroute",
        "ip",
        "ifconfig",
        "lscpu",
        "lsblk",
        "lsmod",
        "dmesg",
        "journalctl",
        "getent",
        "groups",
        "w",
        "who",
        "last",
        "zcat",
        "zgrep",
        "bat",
        "nproc",
        "arch",
        "locale",
        "tput",
        "clear",
        "sleep",
        "wait",
        "jobs",
        "set",
        "shopt",
        "source",
        ".",
        "export",
        "declare",
        "local",
        "read",
        "return",
        "exit",
        "break",
        "continue",
        "fi",
        "done",
        "esac",
        "for",
        "case",
        "in",
        "awk",
        "gawk",
        "mawk",
        "sed",
        "perl",
        "nm",
        "objdump",
        "ldd",
        "readelf",
        "cloc",
        "tokei",
        "exa",
        "eza",
    ]
)
_WRITERS = {
    "rm": "deleted", "rmdir": "deleted", "unlink": "deleted", "shred": "deleted", "mv": "moved", "rename": "moved",
    "cp": "copied", "rsync": "copied", "scp": "copied", "install": "installed", "ln": "created", "mkdir": "created",
    "touch": "created", "mktemp": "created", "truncate": "updated", "tee": "updated", "dd": "updated",
    "patch": "updated", "apply_patch": "updated", "chmod": "changed", "chown": "changed", "chgrp": "changed",
    "unzip": "created", "gunzip": "created", "gzip": "created", "zip": "created", "sponge": "updated", "kill": "stopped",
    "pkill": "stopped", "killall": "stopped", "crontab": "updated", "useradd": "added", "usermod": "updated",
    "passwd": "updated", "mail": "sent", "sendmail": "sent", "mailx": "sent", "ed": "updated", "ex": "updated",
}  # fmt: skip
_GIT = {
    "commit": "committed", "push": "pushed", "merge": "merged", "rebase": "changed", "reset": "reverted",
    "revert": "reverted", "checkout": "changed", "switch": "changed", "restore": "reverted", "clean": "deleted",
    "add": "staged", "rm": "deleted", "mv": "moved", "cherry-pick": "merged", "apply": "updated", "am": "committed",
    "clone": "created", "init": "created", "pull": "updated", "stash": "changed", "tag": "created", "fetch": None,
    "worktree": "changed", "submodule": "changed",
}  # fmt: skip
_GIT_READS = frozenset(
    [
        "status",
        "log",
        "diff",
        "show",
        "blame",
        "grep",
        "ls-files",
        "ls-tree",
        "ls-remote",
        "rev-parse",
        "rev-list",
        "describe",
        "shortlog",
        "reflog",
        "cat-file",
        "config",
        "remote",
        "branch",
        "help",
        "version",
        "name-rev",
        "merge-base",
        "check-ignore",
        "whatchanged",
        "for-each-ref",
        "symbolic-ref",
    ]
)
_PACKAGERS = frozenset(
    [
        "pip",
        "pip3",
        "apt",
        "apt-get",
        "yum",
        "dnf",
        "apk",
        "brew",
        "gem",
        "cargo",
        "npm",
        "yarn",
        "pnpm",
        "bun",
        "conda",
        "mamba",
        "poetry",
        "uv",
        "pipenv",
        "pdm",
        "go",
        "pacman",
        "choco",
        "snap",
        "composer",
        "bundle",
        "dotnet",
        "nuget",
        "mvn",
    ]
)
_INSTALL_WORDS = frozenset({"install", "add", "i", "ci", "sync", "get", "require", "restore", "in"})
_REMOVE_WORDS = frozenset({"uninstall", "remove", "rm", "purge", "erase", "autoremove"})
_SERVICES = {
    "start": "started", "stop": "stopped", "restart": "started", "reload": "started", "enable": "enabled",
    "disable": "disabled",
}  # fmt: skip
_DEPLOYERS = {
    "apply": "deployed", "deploy": "deployed", "destroy": "deleted", "delete": "deleted", "create": "created",
    "up": "started", "down": "stopped", "publish": "deployed", "upgrade": "deployed", "rollout": "deployed",
    "run": "started", "build": "built", "push": "pushed", "stop": "stopped", "start": "started", "rm": "deleted",
}  # fmt: skip
_CLOUD = frozenset(
    [
        "kubectl",
        "helm",
        "terraform",
        "docker",
        "docker-compose",
        "podman",
        "fly",
        "flyctl",
        "vercel",
        "netlify",
        "heroku",
        "gcloud",
        "aws",
        "az",
    ]
)
_CLOUD_READS = frozenset(
    [
        "get",
        "describe",
        "list",
        "ls",
        "logs",
        "ps",
        "images",
        "inspect",
        "show",
        "plan",
        "status",
        "version",
        "info",
        "top",
        "events",
    ]
)

_TEST_PROGRAMS = frozenset(
    [
        "pytest",
        "py.test",
        "tox",
        "nox",
        "nosetests",
        "nose2",
        "unittest",
        "jest",
        "vitest",
        "mocha",
        "ava",
        "tap",
        "karma",
        "cypress",
        "phpunit",
        "pest",
        "rspec",
        "minitest",
        "ctest",
        "bats",
        "gotestsum",
        "ginkgo",
        "trial",
        "green",
        "stestr",
        "testr",
        "behave",
        "robot",
        "runtests.py",
        "runtests",
    ]
)
_TEST_WORDS = frozenset({"test", "tests", "check", "pytest", "t", "nextest", "unittest"})
_BUILD_PROGRAMS = frozenset(
    [
        "make",
        "cmake",
        "ninja",
        "tsc",
        "webpack",
        "rollup",
        "esbuild",
        "gcc",
        "g++",
        "clang",
        "clang++",
        "cc",
        "javac",
        "rustc",
        "bazel",
        "scons",
        "meson",
        "gradle",
        "gradlew",
        "mvn",
        "mvnw",
        "ant",
        "msbuild",
    ]
)
_BUILD_WORDS = frozenset({"build", "compile", "package", "assemble", "bundle", "bdist_wheel", "build_ext", "install"})
_CHECK_PROGRAMS = frozenset(
    [
        "ruff",
        "flake8",
        "pylint",
        "mypy",
        "pyright",
        "pyre",
        "pycodestyle",
        "pydocstyle",
        "bandit",
        "eslint",
        "tslint",
        "stylelint",
        "prettier",
        "black",
        "isort",
        "rubocop",
        "shellcheck",
        "golangci-lint",
        "golint",
        "staticcheck",
        "clippy",
        "ktlint",
        "checkstyle",
        "phpstan",
        "psalm",
        "hadolint",
        "yamllint",
        "vale",
        "markdownlint",
        "biome",
        "oxlint",
        "standard",
        "xo",
        "lint-imports",
        "vulture",
        "pyflakes",
        "basedpyright",
    ]
)
_CHECK_WORDS = frozenset({"lint", "typecheck", "type-check", "vet", "clippy", "fmt", "format", "tsc", "py_compile"})
_TASK_RUNNERS = frozenset(
    [
        "npm",
        "yarn",
        "pnpm",
        "bun",
        "make",
        "just",
        "task",
        "rake",
        "mix",
        "gradle",
        "gradlew",
        "mvn",
        "mvnw",
        "cargo",
        "go",
        "dotnet",
        "sbt",
        "lein",
        "swift",
        "deno",
        "composer",
        "hatch",
        "pdm",
        "bazel",
        "zig",
        "dart",
        "flutter",
        "stack",
        "cabal",
    ]
)
_PYTHON = re.compile(r"^(?:python|pypy)[\d.]*$")
_TEST_SCRIPT = re.compile(
    r"(?:^|/)(?:run_?tests?|tests?|test_[\w\-]{1,60}|[\w\-]{1,60}_test)\.(?:py|sh|js|ts|rb)$|^(?:\./)?bin/test$"
)
_MANAGE = re.compile(r"(?:^|/)manage\.py$")


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
        if token is None:  # pragma: no cover - the last branch of the pattern takes any character
            break
        position = token.end()
        kind, text = token.lastgroup, token.group()
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
        ending = re.compile(r"^[ \t]*" + re.escape(mark[:200]) + r"[ \t]*$", re.MULTILINE)
        found = ending.search(command, position)
        if found is None:
            return len(command)
        position = found.end()
    return position


def _unwrap(words: list[str], writes: tuple[str, ...], depth: int) -> list[ShellPart]:
    """Drop assignments and wrappers in front of the real program; open a nested shell."""
    at = 0
    while at < len(words):
        word = words[at]
        name = program_name(word)
        if _ASSIGNMENT.match(word) or name in _WRAPPERS:
            at += 1
            while at < len(words) and words[at].startswith("-") and name in _WRAPPERS:
                at += 1
        elif name == "timeout":
            at += 1
            while at < len(words) and (words[at].startswith("-") or words[at][:1].isdigit()):
                at += 1
        elif name in _RUNNERS and (not _RUNNERS[name] or (words[at + 1 : at + 2] and words[at + 1] in _RUNNERS[name])):
            at += 1 + bool(_RUNNERS[name])
            while at < len(words) and words[at].startswith("-"):
                at += 2 if words[at] in ("-n", "-p", "--with", "--python", "--extra", "--group", "--package") else 1
        elif name == "xargs":
            at += 1
            while at < len(words) and words[at].startswith("-"):
                at += 2 if words[at] in ("-n", "-I", "-P", "-L", "-d") else 1
        elif name in ("docker", "podman", "docker-compose") and "exec" in words[at + 1 : at + 3]:
            at = words.index("exec", at) + 1
            while at < len(words) and words[at].startswith("-"):
                at += 2 if words[at] in ("-w", "-u", "-e", "--workdir", "--user", "--env") else 1
            at += 1
        else:
            break
    rest = words[at:]
    if depth and len(rest) >= 3 and program_name(rest[0]) in _SHELLS:
        for k, option in enumerate(rest[1:-1], start=1):
            if option.startswith("-") and option.endswith("c"):
                inner = _parts(rest[k + 1], depth - 1)
                return [*inner, ShellPart((), writes)] if writes else inner
    return [ShellPart(tuple(rest), writes)] if rest or writes else []


def program_name(word: str) -> str:
    """Return the bare name of a program: ``/usr/bin/python3`` is ``python3``."""
    return PurePosixPath(word).name if "/" in word and len(word) < 300 else word


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
    is_cut = len(command) > MAX_COMMAND_CHARS
    kind_of_all: ShellKind = (
        "write" if "write" in kinds else "unknown" if "unknown" in kinds or is_cut or not kinds else "read"
    )
    return ShellReading(
        parts=parts, kind=kind_of_all, verb_class=verb_class, paths=tuple(dict.fromkeys(paths)),
        is_test=any(_is_test(part.words) for part in parts), is_build=any(_is_build(part.words) for part in parts),
        is_check=any(_is_check(part.words) for part in parts), reason=reason, is_cut=is_cut,
    )  # fmt: skip


_read_cached = lru_cache(maxsize=1024)(_read_command)


def _is_path(word: str) -> bool:
    return not word.startswith("-") and ("/" in word or "." in word[1:]) and len(word) < 300 and "\n" not in word


def _effect_of(part: ShellPart) -> tuple[ShellKind, str | None, str]:
    words = part.words
    if part.writes_to:
        return "write", _class_of_redirect(words), f"output goes to {part.writes_to[0][:80]}"
    if not words:
        return "read", None, "no program"
    program = program_name(words[0])
    first = next((word for word in words[1:] if not word.startswith("-")), "")
    if program == "git":
        return _git_effect(words)
    if _is_test(words):
        return "unknown", "tests_run", "runs tests"
    if program in ("sed", "perl"):
        in_place = any(word.startswith("-") and not word.startswith("--") and "i" in word for word in words[1:4])
        if in_place or "--in-place" in words:
            return "write", "updated", f"{program} changes files in place"
        return ("read", None, "sed prints") if program == "sed" else ("unknown", None, "runs a script")
    if program == "find" and any(word in ("-delete", "-exec", "-execdir", "-ok") for word in words):
        deletes = "-delete" in words or "rm" in words
        return ("write", "deleted", "find deletes") if deletes else ("unknown", None, "find runs a command")
    if program == "tar":
        lists = any(word.lstrip("-").startswith("t") for word in words[1:2])
        return ("read", None, "tar lists") if lists else ("write", "created", "tar writes")
    if program in _WRITERS:
        return "write", _WRITERS[program], f"{program} changes files"
    if program in ("curl", "wget", "http", "https", "httpie", "xh"):
        return _http_effect(program, words)
    if program in _PACKAGERS or (_PYTHON.match(program) and words[1:3] == ("-m", "pip")):
        found = _packager_effect(words)
        if found:
            return found
    if program in ("systemctl", "service", "supervisorctl", "pm2"):
        word = next((word for word in words[1:] if word in _SERVICES), None)
        return ("write", _SERVICES[word], "changes a service") if word else ("read", None, "asks about a service")
    if program in _CLOUD:
        return _cloud_effect(words)
    if _is_check(words):
        fixes = any(word in ("--fix", "--write", "-w", "--fix-only") for word in words) or program in ("black", "isort")
        if fixes and "--check" not in words:
            return "write", "updated", "a formatter that rewrites files"
        return "read", None, "a check"
    if program in _READERS:
        return "read", None, f"{program} only reads"
    if any(word in ("--version", "--help", "-V", "-version") for word in words[1:3]):
        return "read", None, "asks for help or version"
    if _is_build(words):
        return "unknown", "built", "runs a build"
    return "unknown", None, f"what {program[:40]} {first[:40]}".rstrip() + " does is not known"


def _class_of_redirect(words: tuple[str, ...]) -> str:
    return "created" if words and program_name(words[0]) in ("cat", "echo", "printf") else "updated"


def _git_effect(words: tuple[str, ...]) -> tuple[ShellKind, str | None, str]:
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
        return "write", _GIT[verb], f"git {verb}"
    if verb in _GIT_READS:
        return "read", None, f"git {verb} only reads"
    return "unknown", None, f"git {verb[:40]} is not known"


def _http_effect(program: str, words: tuple[str, ...]) -> tuple[ShellKind, str | None, str]:
    text = " ".join(words[1:])[:2000]
    verb = re.search(r"(?:-X ?|--request[ =]|^| )(POST|PUT|PATCH|DELETE|GET|HEAD)\b", text)
    method = verb.group(1) if verb else "GET"
    sends = any(word.startswith(("-d", "--data", "-F", "--form", "--json", "--post")) for word in words[1:])
    if method in ("POST", "PUT", "PATCH", "DELETE") or sends:
        return "unknown", None, f"{program} sends data"
    saves = any(word in ("-o", "-O", "--output", "--remote-name") for word in words) or program == "wget"
    return ("write", "downloaded", "downloads a file") if saves else ("read", None, f"{program} fetches")


def _packager_effect(words: tuple[str, ...]) -> tuple[ShellKind, str | None, str] | None:
    for word in words[1:5]:
        if word in _INSTALL_WORDS:
            return "write", "installed", "installs packages"
        if word in _REMOVE_WORDS:
            return "write", "uninstalled", "removes packages"
        if word in (
            "list",
            "show",
            "freeze",
            "search",
            "info",
            "view",
            "ls",
            "tree",
            "env",
            "version",
            "outdated",
            "check",
            "policy",
        ):
            return "read", None, "asks about packages"
        if word in ("publish", "release"):
            return "write", "deployed", "publishes a package"
        if word in ("init", "new"):
            return "write", "created", "starts a project"
        if word in ("update", "upgrade"):
            return "write", "updated", "updates packages"
    return None


def _cloud_effect(words: tuple[str, ...]) -> tuple[ShellKind, str | None, str]:
    for word in words[1:5]:
        if word in _CLOUD_READS or word.startswith(("get-", "list-", "describe-")):
            return "read", None, "asks about a service"
        if word in _DEPLOYERS:
            return "write", _DEPLOYERS[word], f"{words[0]} {word}"
    return "unknown", None, f"what {words[0][:40]} does here is not known"


def _task_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """The task names a task runner was given: ``npm run test:unit`` gives ``test``, ``unit``."""
    found: list[str] = []
    for word in words[1:6]:
        if word.startswith("-") or "=" in word:
            continue
        found.extend(piece for piece in re.split(r"[:/]", word) if piece not in ("run", "exec", "."))
        if len(found) >= 3:
            break
    return tuple(found)


def _module_of(words: tuple[str, ...]) -> str | None:
    """``python -m pytest`` gives ``pytest``; a script gives its path."""
    for k, word in enumerate(words[1:8], start=1):
        if word == "-m" and k + 1 < len(words):
            return words[k + 1]
        if word == "-c":
            return None
        if not word.startswith("-"):
            return word
    return None


def _is_test(words: tuple[str, ...]) -> bool:
    if not words:
        return False
    program = program_name(words[0])
    if program in _TEST_PROGRAMS:
        return not any(word in ("--version", "--help", "--collect-only", "--co") for word in words[1:])
    if _PYTHON.match(program):
        module = _module_of(words)
        if module is None:
            return False
        if _MANAGE.search(module) or module.endswith("setup.py"):
            return any(word in ("test", "pytest") for word in words[2:6])
        return (
            module.split(".")[0] in _TEST_PROGRAMS
            or program_name(module) in _TEST_PROGRAMS
            or bool(_TEST_SCRIPT.search(module))
        )
    if program in _TASK_RUNNERS:
        tasks = _task_words(words)
        if program in ("cargo", "go", "mix", "npm", "yarn", "pnpm", "bun", "dotnet", "swift", "deno", "zig"):
            tasks = tasks[:1] if program in ("cargo", "go", "dotnet") else tasks[:2]
            return any(word in _TEST_WORDS - {"check"} for word in tasks)
        return any(word in _TEST_WORDS or word in ("verify", "integration-test") for word in tasks)
    return bool(_TEST_SCRIPT.search(words[0]) if len(words[0]) < 300 else False)


def _is_build(words: tuple[str, ...]) -> bool:
    if not words or _is_test(words):
        return False
    program = program_name(words[0])
    if program in ("make", "just", "task"):
        tasks = _task_words(words)
        return not tasks or any(word in _BUILD_WORDS or word == "all" for word in tasks)
    if program in _TASK_RUNNERS or program in ("docker", "podman", "next", "vite", "ng", "nx", "turbo"):
        return any(word in _BUILD_WORDS - {"install"} for word in _task_words(words))
    if _PYTHON.match(program):
        module = _module_of(words) or ""
        return module in ("build", "compileall") or (
            module.endswith("setup.py") and any(w in _BUILD_WORDS for w in words[2:])
        )
    return program in _BUILD_PROGRAMS


def _is_check(words: tuple[str, ...]) -> bool:
    if not words:
        return False
    program = program_name(words[0])
    if program in _CHECK_PROGRAMS:
        return True
    if _PYTHON.match(program):
        module = (_module_of(words) or "").split(".")[0]
        return module in _CHECK_PROGRAMS or module == "py_compile"
    if program == "tsc":
        return "--noEmit" in words
    if program in _TASK_RUNNERS:
        return any(word in _CHECK_WORDS for word in _task_words(words)) or (
            program == "cargo" and words[1:2] == ("check",)
        )
    return False


def is_test_command(command: str) -> bool:
    """True when some part of ``command`` runs tests (``cd x && FOO=1 python -m pytest -q | tail``)."""
    return read_command(command).is_test


def is_build_command(command: str) -> bool:
    """True when some part of ``command`` builds or compiles."""
    return read_command(command).is_build


def is_check_command(command: str) -> bool:
    """True when some part of ``command`` lints or checks types."""
    return read_command(command).is_check


_COMMAND_KEYS = (
    "command",
    "cmd",
    "script",
    "bash",
    "bash_command",
    "shell_command",
    "commands",
    "keystrokes",
    "input",
    "code",
)
_LOOSE_KEYS = frozenset({"input", "code", "script", "keystrokes"})


def command_of_args(args: Mapping[str, Any] | None, tool_name: str) -> str | None:
    """Return the command line in a call's arguments; ``None`` when the tool does not run commands.

    Reads ``command``, ``cmd``, ``script``, ``bash``, ``code``, ``input``; a list of words is joined. The last three are
    trusted only for tools whose name says that they run commands.
    """
    if not isinstance(args, Mapping):
        return None
    name = read_tool_name(tool_name)
    if name.is_editor and "path" in args:
        return None
    for key in _COMMAND_KEYS:
        value = args.get(key)
        if isinstance(value, str) and value.strip():
            return value if _runs_commands(name, key, value) else None
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value[:MAX_PARTS]):
            joined = _join_words(value)
            return joined if _runs_commands(name, key, joined) else None
    return None


def _join_words(words: list[str]) -> str:
    if len(words) >= 3 and program_name(words[0]) in _SHELLS and words[1].startswith("-") and words[1].endswith("c"):
        return words[2]
    return " ".join(words[:MAX_PARTS])[: MAX_COMMAND_CHARS + 1]


def _runs_commands(name: NameReading, key: str, value: str) -> bool:
    if name.is_shell:
        return True
    if key in _LOOSE_KEYS or name.is_code:
        return name.words == (program_name(value.split(None, 1)[0]).lower(),) if len(name.words) == 1 else False
    first = value.split(None, 1)[0].lower()[:80]
    # An agent that turns each command line into a call named after its program: pytest(command="pytest -q").
    return name.words[-1:] == (program_name(first),) or name.kind == "unknown" or name.verb_class == "tests_run"


def command_of(call: Step) -> str | None:
    """Return the command line a call runs, or ``None`` when it is not a command. Never raises."""
    return command_of_args(call.args, call.name or "") if call.args else None
