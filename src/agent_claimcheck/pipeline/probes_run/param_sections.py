"""Reads the parameters of one probe: from where in a trace a value is taken, and what it must look like.

A reader must not miss: a text needs a pattern that the whole value matches; there is no parameter for any text at all.
"""

from __future__ import annotations

import re
from typing import Any

from agent_claimcheck.core.errors import PatternError
from agent_claimcheck.core.patterns import compile_user_pattern
from agent_claimcheck.packs.paths import SyntaxFault, split_path
from agent_claimcheck.pipeline.probes_run.definition import Param, ValueSource
from agent_claimcheck.pipeline.probes_run.faults import Faults
from agent_claimcheck.trace.schema import show

_PLAIN_PLACES = ("claim.type", "call.name", "task.id", "trace.id")
_DEEP_PLACES = ("claim.subject", "call.args", "call.output")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,59}\Z")
_LONGEST_VALUE = 1000


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
            segments = segments_of(key, text[len(place) + 1 :], faults)
            return ValueSource(place=place, segments=segments) if segments else None  # type: ignore[arg-type]  # likewise
    known = ", ".join((*_PLAIN_PLACES, *(f"{place}.FIELD" for place in _DEEP_PLACES)))
    faults.add(key, f"must be one of {known}; got {show(text)}")
    return None


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


def segments_of(key: str, path: str, faults: Faults) -> tuple[str, ...]:
    """Return the segments of a field path; none, and a fault of ``key``, when it is no path."""
    try:
        segments, is_args = split_path(path)
    except SyntaxFault as fault:
        faults.add(key, str(fault))
        return ()
    return ("args", *segments) if is_args else segments
