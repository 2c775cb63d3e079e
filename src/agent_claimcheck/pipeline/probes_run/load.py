"""Loads a probes file: TOML in, ``ProbeFile`` out, or one ``ConfigError`` that lists every fault with its dotted key.

A reader must not miss: what must never happen with a value of a trace (a shell, a program's own code, another host, a
directory nobody declared) is refused here, when the file is loaded, whatever the trace will say.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from agent_claimcheck.core.errors import ConfigError
from agent_claimcheck.core.settings.load import read_toml
from agent_claimcheck.core.suggest import did_you_mean
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.pipeline.probes_run.action_sections import KINDS, Places, read_action
from agent_claimcheck.pipeline.probes_run.definition import Limits, ProbeDefinition, ProbeFile
from agent_claimcheck.pipeline.probes_run.faults import Faults
from agent_claimcheck.pipeline.probes_run.param_sections import read_params
from agent_claimcheck.trace.schema import load_schema, show

SCHEMA = "probes-file"
_MOST_FAULTS = 100
_MOST_PROBES = 500
_UNKNOWN = re.compile(r'unknown field "(.*)"\Z', re.DOTALL)
_COMMENTED = re.compile(r"^\s*#+\s*\[\[probe\]\]", re.MULTILINE)
_LIMITS = {"timeout_s": 600, "max_output_bytes": 10_000_000, "concurrency": 64, "max_runs_per_trace": 1000}


def load_probe_file(path: str | Path) -> ProbeFile:
    """Load a probes file. Relative directories and databases in it are relative to its own directory.

    Raises ``ConfigError`` listing every fault as ``file: key: message``.
    """
    label = printable(str(path))
    place = Path(path)
    document = read_toml(place, label)
    faults = Faults(label)
    if "probe" not in document and _COMMENTED.search(place.read_text("utf-8", "replace")):
        raise ConfigError(
            f"{label}: every probe in it is still commented out",
            hint='take the "# " away from one and write your own table, address or command; docs/probes.md says how',
            slug="probes_file",
        )
    for key, message, is_unknown in _shape_faults(document):
        (faults.add_unknown if is_unknown else faults.add)(key, message)
    limits = _limits(document.get("limits"), faults)
    folder = place.absolute().parent
    places = Places(folder, _roots(document.get("roots"), folder, faults))
    probes = [
        probe
        for index, table in enumerate(_tables(document.get("probe"), faults))
        if (probe := _probe(f"probe[{index}]", table, places, faults)) is not None
    ]
    if not faults and not probes:
        faults.add("probe", "holds no probe")
    if faults:
        raise ConfigError("\n".join(faults.lines(_MOST_FAULTS)), slug="probes_file")
    return ProbeFile(path=place, limits=limits, probes=tuple(probes))


def _tables(value: Any, faults: Faults) -> list[Any]:
    if not isinstance(value, list):
        return []
    if len(value) > _MOST_PROBES:
        faults.add("probe", f"holds {len(value)} probes; at most {_MOST_PROBES} go into one file")
    return value[:_MOST_PROBES]


def _shape_faults(document: dict[str, Any]) -> Iterator[tuple[str, str, bool]]:
    """Yield what the schema finds, with dotted keys instead of JSON paths, and whether the key is one that nobody knows.

    Dates, which JSON lacks, come first.
    """
    moments = list(_moments(document, ""))
    if moments:
        yield from ((key, "must be written in quotes, a date is no value here", False) for key in moments)
        return
    schema = load_schema(SCHEMA)
    known = _known_keys(schema.document)
    for path, message in schema.faults(copy.deepcopy(document)):
        key = path.removeprefix("$").removeprefix(".")
        unknown = _UNKNOWN.match(message)
        if unknown:
            key = f"{key}.{unknown[1]}".removeprefix(".")
            message = f"is not a key of a probes file{did_you_mean(unknown[1], known)}"
        yield key, message, unknown is not None


def _moments(value: Any, key: str) -> Iterator[str]:
    if isinstance(value, date | datetime | time):
        yield key
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _moments(item, f"{key}.{shorten(name, 60)}".removeprefix("."))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _moments(item, f"{key}[{index}]")


def _known_keys(document: dict[str, Any]) -> list[str]:
    parts = (document, *document["$defs"].values())
    return sorted({name for part in parts for name in part["properties"]})


def _limits(table: Any, faults: Faults) -> Limits:
    if not isinstance(table, dict) or faults.is_under("limits"):
        return Limits()
    for name, highest in _LIMITS.items():
        value = table.get(name, 1)
        if not 0 < value <= highest:  # also false for nan
            faults.add(f"limits.{name}", f"must be above 0 up to {highest}, got {show(value)}")
    known = {name: table[name] for name in _LIMITS if name in table}
    return Limits() if faults.is_under("limits") else Limits(**known)


def _roots(table: Any, folder: Path, faults: Faults) -> dict[str, Path]:
    if not isinstance(table, dict):
        return {}
    roots = {}
    for name, text in table.items():
        if not isinstance(text, str) or not text:
            continue
        if "\0" in text or text.startswith("~"):
            faults.add(f"roots.{name}", f"must be a plain directory path, got {show(text)}")
        elif (folder / text).resolve() == Path("/"):
            faults.add(f"roots.{name}", "must not be the whole file system")
        roots[name] = folder / text
    return roots


def _probe(key: str, table: Any, places: Places, faults: Faults) -> ProbeDefinition | None:
    if not isinstance(table, dict) or faults.is_under(key):
        return None
    kinds = [kind for kind in KINDS if kind in table]
    if len(kinds) != 1:
        what = "none of them" if not kinds else " and ".join(kinds)
        faults.add(key, f"must have exactly one of {', '.join(KINDS)}; it has {what}")
    if not table.get("for_claims") and not table.get("for_tools"):
        faults.add(key, 'must say when it runs: for_claims = ["..."] or for_tools = ["..."]')
    if printable(table["name"]) != table["name"]:
        faults.add(f"{key}.name", f"must be plain text, got {show(table['name'])}")
    params = read_params(key, table.get("params", {}), table, faults)
    if len(kinds) != 1 or faults.is_under(key):
        return None
    action, used = read_action(f"{key}.{kinds[0]}", kinds[0], table[kinds[0]], params, places, faults)
    for name in params:
        if name not in used and not faults.is_under(f"{key}.{kinds[0]}"):
            # A value that does not reach the reading would claim that this record was read when another one was.
            faults.add(f"{key}.params.{name}", f"is used nowhere in {kinds[0]}")
    if action is None or faults.is_under(key):
        return None
    return ProbeDefinition(
        name=table["name"],
        action=action,
        params=tuple(params.values()),
        for_claims=tuple(table.get("for_claims", ())),
        for_tools=tuple(table.get("for_tools", ())),
        is_missing_reported=table.get("when_missing") == "report",
    )
