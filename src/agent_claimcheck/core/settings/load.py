"""Loads the settings: flag over environment over TOML over default.

A reader must not miss: everything that is wrong anywhere is reported at once, even in a value that another source
overrides, and ``.env`` files are never read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from agent_claimcheck.core.errors import ConfigError
from agent_claimcheck.core.settings.keys import SECTIONS, SETTINGS
from agent_claimcheck.core.settings.lines import key_lines, line_of
from agent_claimcheck.core.settings.model import API_KEY, Settings
from agent_claimcheck.core.settings.paths import cache_dir
from agent_claimcheck.core.settings.secrets import find_api_key
from agent_claimcheck.core.settings.values import ValueFault, checked, from_text, shown
from agent_claimcheck.core.suggest import closest
from agent_claimcheck.core.text import printable, shorten

CONFIG_NAME = "claimcheck.toml"
PYPROJECT_NAME = "pyproject.toml"
PYPROJECT_TABLE = "agent-claimcheck"
_TABLE_HEADER = re.compile(rb"tool\s*\.\s*[\"']?agent-claimcheck")
DEFAULT_SOURCE = "default"
FLAG_SOURCE = "flag"

# A settings file is a page of text. A larger one is the wrong file.
_LARGEST_FILE = 1024 * 1024

# No section has nearly as many keys. Beyond it the file is not a settings file, and hints for it would take long.
_MOST_FAULTS = 200


class _Fault(NamedTuple):
    """Where it was met, the dotted name of the key or table, and the whole message."""

    source: str
    name: str
    message: str


class _Gathered:
    """Values, their sources and the faults met on the way."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {name: setting.default for name, setting in SETTINGS.items()}
        self.sources: dict[str, str] = dict.fromkeys(SETTINGS, DEFAULT_SOURCE)
        self.faults: list[_Fault] = []
        self.faulty: set[str] = set()

    def take(self, name: str, value: Any, source: str) -> None:
        self.values[name] = value
        self.sources[name] = source

    def blame(self, source: str, name: str, message: str) -> None:
        self.faults.append(_Fault(source, name, f"{name} {message}"))
        self.faulty.add(name)


def load_settings(config: Path | None, overrides: Mapping[str, Any], environ: Mapping[str, str], cwd: Path) -> Settings:
    """Return the settings of one run.

    ``config`` is the file named on the command line; without one, ``claimcheck.toml`` in ``cwd`` is read, else the
    table ``[tool.agent-claimcheck]`` of ``pyproject.toml`` there. ``overrides`` maps dotted keys to the values of
    flags; ``None`` means the flag was not given. Raises ``ConfigError`` that lists every fault, one a line.
    """
    gathered = _Gathered()
    label = _read_file(gathered, config, cwd)
    _read_environment(gathered, environ)
    _read_overrides(gathered, overrides)
    _check_pairs(gathered)
    if gathered.faults:
        lines = _lines_of(cwd / (config or Path(label))) if label is not None else {}
        raise ConfigError("\n".join(_told(fault, label, lines) for fault in gathered.faults))
    return _build(gathered, environ, label)


def _lines_of(path: Path) -> dict[str, int]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        return {}  # gone since it was read
    return key_lines(text, f"tool.{PYPROJECT_TABLE}" if path.name == PYPROJECT_NAME else "")


def _told(fault: _Fault, label: str | None, lines: dict[str, int]) -> str:
    line = line_of(fault.name, lines) if fault.source == label else None
    return f"{fault.source}:{line}: {fault.message}" if line is not None else f"{fault.source}: {fault.message}"


def _build(gathered: _Gathered, environ: Mapping[str, str], label: str | None) -> Settings:
    parts: dict[str, Any] = {}
    for section, record in SECTIONS.items():
        rows = (setting for setting in SETTINGS.values() if setting.section == section)
        parts[section] = record(**{row.field: gathered.values[row.name] for row in rows})
    judge = parts["judge"]
    api_key, variable = find_api_key(environ, judge.api_key_env, judge.base_url)
    gathered.sources[API_KEY] = f"env {variable}" if variable else DEFAULT_SOURCE
    return Settings(
        **parts,
        cache_dir=cache_dir(environ),
        api_key=api_key,
        config_file=label,
        sources=gathered.sources,
    )


# --- files ---------------------------------------------------------------------------------------------------------


def _read_file(gathered: _Gathered, config: Path | None, cwd: Path) -> str | None:
    if config is not None:
        label = printable(str(config))
        document = read_toml(cwd / config, label)
        if config.name == PYPROJECT_NAME:
            table = _pyproject_table(document)
            if table is None:
                raise ConfigError(f"{label}: has no table [tool.{PYPROJECT_TABLE}]")
            document = table
    elif os.path.lexists(cwd / CONFIG_NAME):  # a link to nowhere is an error, not "no settings"
        label, document = CONFIG_NAME, read_toml(cwd / CONFIG_NAME, CONFIG_NAME)
    else:
        found = _find_in_pyproject(cwd / PYPROJECT_NAME)
        if found is None:
            return None
        label, document = PYPROJECT_NAME, found
    _read_document(gathered, document, label)
    return label


def _find_in_pyproject(path: Path) -> Any:
    """Return our table, or ``None``. A broken file that has no such table is somebody else's trouble."""
    try:
        data = path.read_bytes() if path.is_file() else b""
    except OSError:
        return None
    if PYPROJECT_TABLE.encode() not in data:
        return None
    try:
        return _pyproject_table(read_toml(path, PYPROJECT_NAME))
    except ConfigError:
        if _TABLE_HEADER.search(data) is None:
            return None
        raise


def _pyproject_table(document: dict[str, Any]) -> Any:
    tool = document.get("tool")
    return tool.get(PYPROJECT_TABLE) if isinstance(tool, dict) else None


def read_toml(path: Path, label: str) -> dict[str, Any]:
    """Return the content of a TOML file of at most 1 MiB. Raises ``ConfigError``, which names the file ``label``."""
    import tomllib  # most runs have no settings file

    try:
        with path.open("rb") as stream:
            data = stream.read(_LARGEST_FILE + 1)
    except FileNotFoundError:
        raise ConfigError(f"{label}: file not found") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"{label}: cannot be read: {reason}") from error
    if len(data) > _LARGEST_FILE:
        raise ConfigError(f"{label}: is larger than 1 MiB, which no settings file is")
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{label}: is not UTF-8 text (byte {error.start})") from error
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        reason = "it is nested too deep" if isinstance(error, RecursionError) else printable(str(error))
        raise ConfigError(f"{label}: is not valid TOML: {shorten(reason, 200)}") from error


def _read_document(gathered: _Gathered, document: Any, label: str) -> None:
    if not isinstance(document, dict):
        message = f"tool.{PYPROJECT_TABLE} must be a table, got {shown(document)}"
        gathered.faults.append(_Fault(label, f"tool.{PYPROJECT_TABLE}", message))
        return
    for section, table in document.items():
        if section not in SECTIONS:
            gathered.faults.append(_Fault(label, section, _unknown_section(section)))
            if len(gathered.faults) >= _MOST_FAULTS:
                return
        elif not isinstance(table, dict):
            gathered.faults.append(_Fault(label, section, f"{section} must be a table, got {shown(table)}"))
        else:
            for field, value in islice(table.items(), _MOST_FAULTS):
                _read_value(gathered, f"{section}.{field}", value, label)


def _unknown_section(section: str) -> str:
    name = shorten(printable(section), 60)
    homes = [key for key in SETTINGS if key.endswith(f".{section}")]
    if homes:
        return f"{name} must stand in its section: {' or '.join(homes)}"
    near = closest(section, SECTIONS)
    hint = f', did you mean "[{near}]"?' if near else f" (known: {', '.join(SECTIONS)})"
    return f"[{name}] is not a section{hint}"


def _unknown_key(name: str) -> str:
    if name in ("judge.api_key", "judge.key", "judge.token"):
        return "is not a setting: keys are never read from files, set the environment variable CLAIMCHECK_API_KEY"
    section, _, field = name.partition(".")
    homes = [key for key in SETTINGS if key.endswith(f".{field}")]
    near = homes[0] if homes else closest(name, SETTINGS)
    if near:
        return f'is not a setting, did you mean "{near}"?'
    known = [setting.field for setting in SETTINGS.values() if setting.section == section]
    return f"is not a setting (known in [{section}]: {', '.join(known)})" if known else "is not a setting"


def _read_value(gathered: _Gathered, name: str, value: Any, source: str) -> None:
    setting = SETTINGS.get(name)
    if setting is None:
        gathered.blame(source, shorten(printable(name), 80), _unknown_key(name))
        return
    try:
        gathered.take(name, checked(setting, value), source)
    except ValueFault as fault:
        gathered.blame(source, name, str(fault))


# --- environment and flags -----------------------------------------------------------------------------------------


def _read_environment(gathered: _Gathered, environ: Mapping[str, str]) -> None:
    for name, setting in SETTINGS.items():
        variable = setting.key.env
        # An empty variable is how shells and CI systems say "not set".
        if variable is None or not environ.get(variable, "").strip():
            continue
        source = f"env {variable}"
        try:
            gathered.take(name, from_text(setting, environ[variable]), source)
        except ValueFault as fault:
            gathered.blame(source, name, str(fault))


def _read_overrides(gathered: _Gathered, overrides: Mapping[str, Any]) -> None:
    for name, value in overrides.items():
        if value is not None:
            _read_value(gathered, name, str(value) if isinstance(value, Path) else value, FLAG_SOURCE)


# --- values that must agree ----------------------------------------------------------------------------------------


def _check_pairs(gathered: _Gathered) -> None:
    values = gathered.values
    low, high = "gate.false_success", "gate.verified"
    if not gathered.faulty & {low, high} and values[low] >= values[high]:
        message = f"must be below {high}, got {shown(values[low])} and {shown(values[high])}"
        gathered.blame(_joint_source(gathered, low, high), low, message)
    price_in, price_out = "judge.price_in_per_m", "judge.price_out_per_m"
    missing = [name for name in (price_in, price_out) if values[name] is None]
    if not gathered.faulty & {price_in, price_out} and len(missing) == 1:
        given = price_out if missing == [price_in] else price_in
        gathered.blame(gathered.sources[given], missing[0], f"must be set too when {given} is")


def _joint_source(gathered: _Gathered, *names: str) -> str:
    sources = dict.fromkeys(gathered.sources[name] for name in names)
    sources.pop(DEFAULT_SOURCE, None)
    return ", ".join(sources)
