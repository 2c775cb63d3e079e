"""Reads the parts of one probe: its parameters and its command, request, query or file.

A reader must not miss: a value of a trace may stand in an argument only as the whole argument or behind ``--name=``,
``name=`` or ``name:``, never in the program's name, never behind an option that takes code, and never beside a shell.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from agent_claimcheck.core.errors import PatternError
from agent_claimcheck.core.loopback import is_loopback_url
from agent_claimcheck.core.patterns import compile_user_pattern
from agent_claimcheck.core.suggest import did_you_mean
from agent_claimcheck.packs.paths import SyntaxFault, split_path
from agent_claimcheck.pipeline.probes_run.definition import (
    Action,
    CommandRead,
    FileRead,
    HeaderValue,
    HttpRead,
    Param,
    SlottedText,
    SqlRead,
    ValueSource,
)
from agent_claimcheck.pipeline.probes_run.sql_read import POSTGRES, SQLITE
from agent_claimcheck.pipeline.probes_run.sql_text import SqlFault, read_query
from agent_claimcheck.trace.schema import show

KINDS = ("command", "http", "sql", "file")
_PLAIN_PLACES = ("claim.type", "call.name", "task.id", "trace.id")
_DEEP_PLACES = ("claim.subject", "call.args", "call.output")
_SLOT = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}|[{}]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,59}\Z")
_BEFORE_SLOT = re.compile(r"(?:[A-Za-z0-9_.-]{1,60}[=:])?\Z")
_HEADER = re.compile(r"[A-Za-z0-9-]{1,80}\Z")
_SECRET_HEADER = re.compile(r"authori[sz]ation|cookie|token|secret|password|api-?key|credential", re.IGNORECASE)
_LONGEST_VALUE = 1000
_SHELLS = frozenset(
    ["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "busybox", "cmd", "powershell", "pwsh"]
)
_RUNNERS = frozenset(
    ["ssh", "su", "sudo", "doas", "runuser", "xargs", "parallel", "script", "watch", "env", "nice", "nohup", "timeout",
     "time", "setsid", "stdbuf", "strace", "chroot", "unshare", "find", "npx", "uvx", "pipx"]
)  # fmt: skip
_INTERPRETERS = frozenset(
    ["python", "pypy", "node", "deno", "bun", "perl", "ruby", "php", "lua", "awk", "gawk", "mawk", "sed", "make", "npm",
     "osascript", "java", "uv"]
)  # fmt: skip
_CODE_OPTIONS = frozenset(
    ["-c", "-e", "-r", "-x", "-exec", "--eval", "--exec", "--execute", "--command", "--print", "-Command"]
)


class Faults:
    """The faults of one file, by dotted key."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._found: dict[tuple[str, str], None] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, key: str, message: str) -> None:
        """Note a fault of ``key``; an empty key is the whole file."""
        self._found[key, message] = None

    def is_under(self, key: str) -> bool:
        """True when ``key`` or a part of it has a fault."""
        return any(known == key or known.startswith((f"{key}.", f"{key}[")) for known, _ in self._found)

    def lines(self, most: int) -> list[str]:
        """Return the faults as ``file: key: message``, at most ``most``."""
        lines = [": ".join(part for part in (self._label, key, message) if part) for key, message in self._found]
        return lines if len(lines) <= most else [*lines[:most], f"{self._label}: and {len(lines) - most} more faults"]


# --- parameters ------------------------------------------------------------------------------------------------------


def read_params(key: str, tables: dict[str, Any], probe: dict[str, Any], faults: Faults) -> dict[str, Param]:
    """Read the parameters of a probe. A faulty one is left out of the result."""
    found = {}
    for name, table in tables.items():
        place = f"{key}.params.{name}"
        if not _NAME.match(name):
            faults.add(place, "must be named with letters, digits and underscores")
        sources = table["from"] if isinstance(table["from"], list) else [table["from"]]
        read = [source for text in sources if (source := _source(f"{place}.from", text, probe, faults)) is not None]
        if not sources:
            faults.add(f"{place}.from", "names no place")
        pattern = _pattern(place, table, faults)
        length = table.get("max_length", 200)
        if length > _LONGEST_VALUE:
            faults.add(f"{place}.max_length", f"must be at most {_LONGEST_VALUE}, got {length}")
        if "strip" in table and table["type"] != "path":
            faults.add(f"{place}.strip", "belongs to a path")
        if not faults.is_under(place):
            found[name] = Param(
                name=name,
                sources=tuple(read),
                type=table["type"],
                pattern=pattern,
                max_length=length,
                is_unicode_allowed=table.get("unicode", False),
                is_dash_allowed=table.get("leading_dash", False),
                strip=table.get("strip", ""),
            )
    return found


def _source(key: str, text: str, probe: dict[str, Any], faults: Faults) -> ValueSource | None:
    for owner, switch in (("claim", "for_claims"), ("call", "for_tools")):
        if text.startswith(f"{owner}.") and not probe.get(switch):
            faults.add(key, f"takes a value of a {owner}, so the probe needs {switch}; got {show(text)}")
    if text in _PLAIN_PLACES:
        return ValueSource(place=text)  # type: ignore[arg-type]  # one of the places, as just asked
    for place in _DEEP_PLACES:
        if text.startswith(f"{place}."):
            segments = _segments(key, text[len(place) + 1 :], faults)
            return ValueSource(place=place, segments=segments) if segments else None  # type: ignore[arg-type]  # likewise
    known = ", ".join((*_PLAIN_PLACES, *(f"{place}.FIELD" for place in _DEEP_PLACES)))
    faults.add(key, f"must be one of {known}; got {show(text)}")
    return None


def _segments(key: str, path: str, faults: Faults) -> tuple[str, ...]:
    try:
        segments, is_args = split_path(path)
    except SyntaxFault as fault:
        faults.add(key, str(fault))
        return ()
    return ("args", *segments) if is_args else segments


def _pattern(key: str, table: dict[str, Any], faults: Faults) -> Any:
    source = table.get("pattern")
    if source is None:
        if table["type"] == "string":
            faults.add(f"{key}.pattern", "is required for a string: say what the whole value looks like")
        return None
    try:
        compile_user_pattern(source)  # alone first, so that a stray bracket cannot close the one put around it
        return compile_user_pattern(f"^(?:{source})$")
    except PatternError as error:
        faults.add(f"{key}.pattern", str(error))
        return None


# --- texts with places for values ------------------------------------------------------------------------------------


class _Part:
    """What reading one action needs: its key, its table, the parameters it may use and the ones it did."""

    def __init__(self, key: str, table: dict[str, Any], params: dict[str, Param], faults: Faults) -> None:
        self.key = key
        self.table = table
        self.params = params
        self.faults = faults
        self.used: set[str] = set()

    def fault(self, name: str, message: str) -> None:
        self.faults.add(f"{self.key}.{name}", message)

    def slotted(self, name: str, text: str, *, is_free: bool = False) -> SlottedText:
        """Split ``text`` at its ``{param}`` places. Unless ``is_free`` a value must be the whole or follow ``name=``."""
        literals, slots, at = [""], list[str](), 0
        for match in _SLOT.finditer(text):
            literals[-1] += text[at : match.start()]
            at = match.end()
            if match[1] is not None:
                self._use(name, match[1])
                slots.append(match[1])
                literals.append("")
            elif match[0] in ("{{", "}}"):
                literals[-1] += match[0][0]
            else:
                self.fault(name, f"has a stray {match[0]}; write {match[0] * 2} for the character itself")
        literals[-1] += text[at:]
        if slots and not is_free and (len(slots) > 1 or literals[1] or not _BEFORE_SLOT.match(literals[0])):
            self.fault(name, f"may hold one value, as the whole text or behind name= or name:; got {show(text)}")
        return SlottedText(literals=tuple(literals), params=tuple(slots))

    def _use(self, name: str, param: str) -> None:
        if param not in self.params:
            self.fault(name, f"uses {{{param}}}, which is no parameter{did_you_mean(param, self.params)}")
        self.used.add(param)

    def take(self) -> tuple[str, ...]:
        text = self.table.get("take")
        return _segments(f"{self.key}.take", text, self.faults) if text else ()

    def root(self, roots: dict[str, Path]) -> Path:
        name = self.table["root"]
        if name not in roots:
            known = f"known: {', '.join(roots)}" if roots else 'declare it: [roots] repo = "checkout"'
            self.fault("root", f"names no root: {show(name)} ({known})")
        return roots.get(name, Path())


# --- the four kinds --------------------------------------------------------------------------------------------------


def read_action(
    key: str, kind: str, table: dict[str, Any], params: dict[str, Param], roots: dict[str, Path], folder: Path,
    faults: Faults,
) -> tuple[Action | None, set[str]]:  # fmt: skip
    """Read the action of a probe. Returns it and the names of the parameters it uses; faults go to ``faults``."""
    part = _Part(key, table, params, faults)
    readers: dict[str, Callable[[], Action]] = {
        "command": lambda: _command(part, roots),
        "http": lambda: _http(part),
        "sql": lambda: _sql(part, folder),
        "file": lambda: _file(part, roots),
    }
    action = readers[kind]()
    return (None if faults.is_under(key) else action), part.used


def _command(part: _Part, roots: dict[str, Path]) -> CommandRead:
    argv = [part.slotted(f"argv[{index}]", text) for index, text in enumerate(part.table["argv"])]
    if not argv:
        part.fault("argv", "names no program")
    for index, argument in enumerate(argv):
        if "\0" in "".join(argument.literals):
            part.fault(f"argv[{index}]", "must not hold a NUL character")
        why = _misuse(argv, index)
        if why:
            part.fault(f"argv[{index}]", f"{why}: {show(part.table['argv'][index])}")
    env = part.table.get("env", [])
    for index, name in enumerate(env):
        _check_variable(part, f"env[{index}]", name)
    return CommandRead(
        root=part.root(roots),
        argv=tuple(argv),
        env=tuple(env),
        not_found_exit=tuple(part.table.get("not_found_exit", ())),
        take=part.take(),
    )


def _misuse(argv: list[SlottedText], index: int) -> str:
    """Say why an argument could make text of a trace run as code, an empty text when it cannot."""
    argument = argv[index]
    text = argument.literals[0]
    if not argument.params:
        name = _program(text)
        if name in _SHELLS or (index == 0 and name in _RUNNERS):
            return "would run its arguments as commands, through a shell or another program"
        return ""
    if index == 0:
        return "is the program and takes no value of a trace"
    before = argv[index - 1]
    is_after_option = not before.params and before.literals[0] in _CODE_OPTIONS
    is_script = _program(argv[0].literals[0]).rstrip("0123456789.") in _INTERPRETERS and all(
        not earlier.params and earlier.literals[0].startswith("-") for earlier in argv[1:index]
    )
    if is_after_option or is_script or text.rstrip("=:") in _CODE_OPTIONS:
        return "puts a value where the program expects code"
    return ""


def _program(text: str) -> str:
    return PurePosixPath(text).name.lower().removesuffix(".exe")


def _check_variable(part: _Part, name: str, text: str) -> None:
    if not _NAME.match(text):
        # The text may be the secret itself, so it is not repeated.
        part.fault(name, "must be the name of an environment variable, not its content")


def _http(part: _Part) -> HttpRead:
    base = part.table["base_url"]
    _check_base_url(part, base)
    headers = tuple((name, _header(part, name, value, base)) for name, value in part.table.get("headers", {}).items())
    query = part.table.get("query", {})
    path = part.table["path"]
    if any(char in path for char in "?#\\") or "//" in path or ".." in path.split("/"):
        part.fault("path", f"must be a plain path; parameters go into query; got {show(path)}")
    return HttpRead(
        base_url=base,
        path=part.slotted("path", path, is_free=True),
        query=tuple((name, part.slotted(f"query.{name}", text)) for name, text in query.items()),
        headers=headers,
        take=part.take(),
    )


def _check_base_url(part: _Part, url: str) -> None:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        part.fault("base_url", "must be an http or https URL")
        return
    if "@" in parts.netloc or not url.isascii() or any(char in url for char in "\\{} \t\r\n\0"):
        part.fault("base_url", "must be a plain URL without user, password, parameters or spaces")
    elif parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        part.fault("base_url", f"must be an http or https URL without ? and #, got {show(url)}")


def _header(part: _Part, name: str, value: Any, base_url: str) -> HeaderValue:
    key = f"headers.{name}"
    if not _HEADER.match(name):
        part.fault(key, "is no header name")
    if isinstance(value, str):
        if _SECRET_HEADER.search(name):
            part.fault(key, 'holds a secret, which is read from the environment: { env = "NAME", prefix = "Bearer " }')
        if not value.isascii() or not value.isprintable():
            part.fault(key, "must be printable ASCII text")
        return HeaderValue(text=value)
    _check_variable(part, f"{key}.env", value["env"])
    prefix = value.get("prefix", "")
    if not prefix.isascii() or not prefix.isprintable():
        part.fault(f"{key}.prefix", "must be printable ASCII text")
    if base_url.startswith("http:") and not is_loopback_url(base_url):
        part.fault(key, "would send a secret over plain http; use https")
    return HeaderValue(env=value["env"], prefix=prefix)


def _sql(part: _Part, folder: Path) -> SqlRead:
    url, variable = part.table.get("url"), part.table.get("url_env")
    if (url is None) == (variable is None):
        part.faults.add(part.key, "must have exactly one of url and url_env")
    if url is not None:
        _check_sql_url(part, url)
    if variable is not None:
        _check_variable(part, "url_env", variable)
    names: tuple[str, ...] = ()
    try:
        names = read_query(part.table["query"]).params
    except SqlFault as fault:
        part.fault("query", str(fault))
    for name in names:
        if name not in part.params:
            part.fault("query", f"binds :{name}, which is no parameter{did_you_mean(name, part.params)}")
    part.used |= set(names)
    return SqlRead(
        query=part.table["query"],
        params=names,
        folder=folder,
        url=url,
        url_env=variable,
        rows=part.table.get("rows", "one"),
    )


def _check_sql_url(part: _Part, url: str) -> None:
    try:
        parts = urlsplit(url)
        password, _ = parts.password, parts.port
    except ValueError:
        part.fault("url", "is no URL")
        return
    if password is not None or "password" in parts.query:
        part.fault("url", "holds a password; put the URL into an environment variable and name it with url_env")
    elif parts.scheme == SQLITE:
        if not url.startswith("sqlite:///") or len(parts.path) < 2 or parts.query or parts.fragment:
            part.fault("url", f"must be sqlite:///file.db or sqlite:////absolute/file.db, got {show(url)}")
    elif parts.scheme not in POSTGRES:
        part.fault("url", f"must be sqlite:/// or postgresql://, got {show(url)}")


def _file(part: _Part, roots: dict[str, Path]) -> FileRead:
    path = part.table["path"]
    if path.startswith(("/", "~")) or "\\" in path or "\0" in path or ".." in path.split("/"):
        part.fault("path", f"must be a path below the root, got {show(path)}")
    if "take" in part.table and part.table["read"] != "json":
        part.fault("take", 'needs read = "json"')
    return FileRead(
        root=part.root(roots), path=part.slotted("path", path, is_free=True), read=part.table["read"], take=part.take()
    )
