"""Secrets of a probes file: found in the environment when readings begin, and taken out of everything that is written.

A reader must not miss: every variable a probes file names counts as a secret, except the few that are known to hold
none (``HOME``, ``TZ`` ...). Values shorter than four characters cannot be told from ordinary text and are left.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from agent_claimcheck.core.errors import ConfigError
from agent_claimcheck.pipeline.probes_run.definition import CommandRead, HttpRead, ProbeFile, SqlRead

HIDDEN = "***"
_SHORTEST = 4
_PLAIN = frozenset({"HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TEMP", "TERM", "TMP", "TMPDIR", "TZ", "USER"})


def _named_variables(file: ProbeFile) -> dict[str, bool]:
    """Return the environment variables ``file`` names, and whether a reading cannot be made without it."""
    names: dict[str, bool] = {}
    for probe in file.probes:
        match probe.action:
            case CommandRead(env=env):
                for name in env:
                    names.setdefault(name, False)
            case HttpRead(headers=headers):
                names |= {value.env: True for _, value in headers if value.env is not None}
            case SqlRead(url_env=str() as name):
                names[name] = True
    return names


def require_variables(file: ProbeFile, environ: Mapping[str, str]) -> None:
    """Raise ``ConfigError`` naming every variable that is needed and not set, and every URL that cannot be used."""
    faults = [
        f"{file.path.name}: the environment variable {name} is not set"
        for name, is_needed in _named_variables(file).items()
        if is_needed and not environ.get(name, "").strip()
    ]
    faults += [
        f"{file.path.name}: the environment variable {name} holds a line break, which no header may"
        for name, is_needed in _named_variables(file).items()
        if is_needed and any(char in environ.get(name, "").strip() for char in "\r\n\0")
    ]
    if faults:
        raise ConfigError("\n".join(faults), slug="probes_environment")


class Redactor:
    """Takes secrets out of texts and JSON values, also where they are percent-encoded, base64 or escaped as JSON."""

    def __init__(self, file: ProbeFile, environ: Mapping[str, str]) -> None:
        found: set[str] = set()
        for name in _named_variables(file):
            if name not in _PLAIN and not name.startswith(("LC_", "XDG_")):
                found |= _forms(environ.get(name, "").strip())
        self._forms = sorted((form for form in found if len(form) >= _SHORTEST), key=len, reverse=True)

    def text(self, text: str) -> str:
        """Return ``text`` without secrets."""
        for form in self._forms:
            if form in text:
                text = text.replace(form, HIDDEN)
        return text

    def value(self, value: Any) -> Any:
        """Return a JSON value without secrets, in keys and numbers too. ``value`` is at most 200 levels deep."""
        if not self._forms:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(key): self.value(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            return HIDDEN if self.text(str(value)) != str(value) else value
        return value


def _forms(secret: str) -> set[str]:
    if not secret:
        return set()
    plain = {secret}
    if "://" in secret:
        parts = urlsplit(secret)
        plain |= {parts.password or "", unquote(parts.password or "")}
    forms = set(plain)
    for text in plain:
        data = text.encode("utf-8", "surrogateescape")
        forms |= {quote(data, safe=""), json.dumps(text)[1:-1]}
        if len(data) >= _SHORTEST:
            forms |= {base64.b64encode(data).decode().rstrip("="), base64.urlsafe_b64encode(data).decode().rstrip("=")}
    return forms
