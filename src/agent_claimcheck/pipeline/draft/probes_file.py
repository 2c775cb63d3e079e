"""Writes the skeleton of a probes file to go with a draft: one commented probe for each reading the pack asks for.

A reader must not miss: every probe is commented out. Only its user knows the database, the address or the program that
shows the state, and a probe that reads the wrong thing could verify a lie.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.pipeline.draft.model import Draft, DraftRule

_NAME = re.compile(r"[a-z_][a-z0-9_]{0,40}\Z")
_RESERVED = frozenset(
    ["by", "check", "default", "end", "from", "group", "index", "limit", "order", "to", "values", "when"]
)
_HEAD = """\
# Readings of the state to go with the drafted pack. Each probe below is an example that reads an SQLite file; a probe
# may also be an HTTP GET, a command or a file. Take the "# " away, write your own table, and look what it would do:
#   agent-claimcheck probes run probes.toml TRACES --dry-run
version = 1
"""


def render_probes(draft: Draft) -> str:
    """Return the TOML text."""
    by_probe: dict[str, list[DraftRule]] = {}
    for rule in draft.rules:
        if rule.probe is not None and "*" not in rule.probe:
            by_probe.setdefault(rule.probe, []).append(rule)
    return _HEAD + "".join("\n" + "\n".join(_probe(name, rules)) + "\n" for name, rules in by_probe.items())


def _probe(name: str, rules: Sequence[DraftRule]) -> list[str]:
    actions = ", ".join(dict.fromkeys(_string(rule.action) for rule in rules))
    places = list(dict.fromkeys(rule.record_from for rule in rules if rule.record_from)) or ["call.output.id"]
    param = next((last for place in places if _NAME.match(last := place.rsplit(".", 1)[-1].lower())), "record_id")
    columns = [path for rule in rules for check in rule.probe_checks if _NAME.match(path := check.path.split(".")[0])]
    names = [f'"{name}"' if name in _RESERVED else name for name in dict.fromkeys([param, *columns])]
    source = _string(places[0]) if len(places) == 1 else f"[{', '.join(map(_string, places))}]"
    query = f"SELECT {', '.join(names)} FROM records WHERE {names[0]} = :{param}"  # noqa: S608 - plain names, and a draft to read
    return [
        f"## {shorten(printable(name), 80)}: shows what {shorten(actions, 80)} wrote",
        "# [[probe]]",
        f"# name = {_string(name)}",
        f"# for_tools = [{actions}]",
        f"# [probe.params.{param}]",
        f"# from = {source}",
        '# type = "string"',
        "# pattern = '[A-Za-z0-9_.-]{1,64}'",
        "# [probe.sql]",
        '# url = "sqlite:///state.db"',
        f"# query = {_string(query)}",
    ]


def _string(text: str) -> str:
    return json.dumps(printable(text))
