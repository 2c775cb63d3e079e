"""Reads what one probe does: its command, request, query or file.

A reader must not miss: a value of a trace may stand in an argument only as the whole argument or behind ``--name=``,
``name=`` or ``name:``, never in the program's name, never behind an option that takes code, and never beside a shell.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from agent_claimcheck.core.loopback import is_loopback_url
from agent_claimcheck.core.suggest import did_you_mean
from agent_claimcheck.pipeline.probes_run.argument_safety import misuse_of
from agent_claimcheck.pipeline.probes_run.definition import (
    Action,
    CommandRead,
    FileRead,
    HeaderValue,
    HttpRead,
    Param,
    SlottedText,
    SqlRead,
)
from agent_claimcheck.pipeline.probes_run.faults import Faults
from agent_claimcheck.pipeline.probes_run.param_sections import segments_of
from agent_claimcheck.pipeline.probes_run.sql_read import POSTGRES, SQLITE
from agent_claimcheck.pipeline.probes_run.sql_text import SqlFault, read_query
from agent_claimcheck.trace.schema import show

_SLOT = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}|[{}]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,59}\Z")
_BEFORE_SLOT = re.compile(r"(?:[A-Za-z0-9_.-]{1,60}[=:])?\Z")
_HEADER = re.compile(r"[A-Za-z0-9-]{1,80}\Z")
_SECRET_HEADER = re.compile(r"authori[sz]ation|cookie|token|secret|password|api-?key|credential", re.IGNORECASE)


class Places(Struct, frozen=True):
    """Where a probes file lies, and the directories it declares by name."""

    folder: Path
    roots: dict[str, Path]


class _Part:
    """What reading one action needs: its key, its table, the parameters it may use and the ones it did, and the places."""

    def __init__(
        self, key: str, table: dict[str, Any], params: dict[str, Param], places: Places, faults: Faults
    ) -> None:
        self.key = key
        self.table = table
        self.params = params
        self.places = places
        self.faults = faults
        self.used: set[str] = set()

    def fault(self, name: str, message: str) -> None:
        """Note a fault of one key of the table."""
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
        """Return the path of the field that is taken from what was read; empty for all of it."""
        text = self.table.get("take")
        return segments_of(f"{self.key}.take", text, self.faults) if text else ()

    def root(self) -> Path:
        """Return the declared directory that the probe names."""
        name, roots = self.table["root"], self.places.roots
        if name not in roots:
            known = f"known: {', '.join(roots)}" if roots else 'declare it: [roots] repo = "checkout"'
            self.fault("root", f"names no root: {show(name)} ({known})")
        return roots.get(name, Path())


def read_action(
    key: str, kind: str, table: dict[str, Any], params: dict[str, Param], places: Places, faults: Faults
) -> tuple[Action | None, set[str]]:
    """Read the action of a probe, of one of ``KINDS``. Returns it and the names of the parameters it uses.

    Faults go to ``faults``; with one of them there is no action.
    """
    part = _Part(key, table, params, places, faults)
    action = _READERS[kind](part)
    return (None if faults.is_under(key) else action), part.used


def _command(part: _Part) -> CommandRead:
    argv = [part.slotted(f"argv[{index}]", text) for index, text in enumerate(part.table["argv"])]
    if not argv:
        part.fault("argv", "names no program")
    for index, argument in enumerate(argv):
        if "\0" in "".join(argument.literals):
            part.fault(f"argv[{index}]", "must not hold a NUL character")
        why = misuse_of(argv, index)
        if why:
            part.fault(f"argv[{index}]", f"{why}: {show(part.table['argv'][index])}")
    env = part.table.get("env", [])
    for index, name in enumerate(env):
        _check_variable(part, f"env[{index}]", name)
    return CommandRead(
        root=part.root(),
        argv=tuple(argv),
        env=tuple(env),
        not_found_exit=tuple(part.table.get("not_found_exit", ())),
        take=part.take(),
    )


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


def _sql(part: _Part) -> SqlRead:
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
        folder=part.places.folder,
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


def _file(part: _Part) -> FileRead:
    path = part.table["path"]
    if path.startswith(("/", "~")) or "\\" in path or "\0" in path or ".." in path.split("/"):
        part.fault("path", f"must be a path below the root, got {show(path)}")
    if "take" in part.table and part.table["read"] != "json":
        part.fault("take", 'needs read = "json"')
    return FileRead(
        root=part.root(), path=part.slotted("path", path, is_free=True), read=part.table["read"], take=part.take()
    )


_READERS: dict[str, Callable[[_Part], Action]] = {"command": _command, "http": _http, "sql": _sql, "file": _file}
KINDS = tuple(_READERS)
