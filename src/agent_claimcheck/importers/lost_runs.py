"""Records that stand where a run should stand and cannot be read as one: each is a problem, so that no gate passes over it.

A reader must not miss: healthy exports hold other records beside their runs. One that names its kind, tells of a failed
request or logs another sort of request is no lost run; it is left behind and counted.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.foreign_json import mapping, string
from agent_claimcheck.importers.messages.dialects import HISTORY_KEYS, OUTER_KEYS
from agent_claimcheck.trace.model import TraceProblem
from agent_claimcheck.trace.schema import show

_NEXT_STEP = "correct the record or take it out"
_KIND_KEYS = ("type", "kind", "object", "event", "role")
_REQUEST_KEYS = ("input", "prompt", "data", "output", "response")
_KEYS_SHOWN = 6


def no_object(row: Row, file: str) -> TraceProblem | None:
    """The problem of a row that is neither an object nor a list: no message and no run is written so."""
    if isinstance(row.value, dict | list):
        return None
    message = f"expected an object with a run or a message of one; got {show(row.value)}; {_NEXT_STEP}"
    return TraceProblem(file=file, line=row.line, path="$", message=message)


def no_run(row: Row, file: str, format_name: str) -> TraceProblem:
    """The problem of a row in a format of which every record is a run."""
    message = f"expected a run of the format {format_name}; got {_shown(row.value)}; {_NEXT_STEP}"
    return TraceProblem(file=file, line=row.line, path="$", message=message)


def no_history(row: Row, file: str, *, among_runs: bool) -> TraceProblem | None:
    """The problem of a row that should hold the messages of a run; ``None`` for a record of another kind.

    ``among_runs``: the other rows of the file hold a run each, so this one should, too.
    """
    problem = no_object(row, file)
    if problem is not None or (isinstance(row.value, list) and not among_runs):
        return problem
    table = mapping(row.value)
    key = next((key for key in HISTORY_KEYS if table.get(key) is not None), None)
    is_meant = key is not None and bool(table[key])
    if not (is_meant and among_runs) and (_is_other(table) or not (among_runs or "messages" in table)):
        return None
    if key is not None:
        path, wanted, got = f"$.{key}", "a list of the run's messages", table[key]
    else:
        path, wanted, got = "$", "an object with the messages of a run", row.value
    message = f"expected {wanted}; got {_shown(got)}; {_NEXT_STEP} (docs/formats.md says what a run needs)"
    return TraceProblem(file=file, line=row.line, path=path, message=message)


def _is_other(table: dict[str, Any]) -> bool:
    """The record says what it is, or is a request of another sort, a failed one or a state without messages."""
    return (
        bool(table.get("error"))
        or any(string(table.get(key)) for key in _KIND_KEYS)
        or any(isinstance(table.get(key), dict) for key in OUTER_KEYS)
        or ("model" in table and any(key in table for key in _REQUEST_KEYS))
    )


def _shown(value: Any) -> str:
    if value in ([], {}):
        return "an empty list" if value == [] else "an empty object"
    if not isinstance(value, dict):
        return show(value)
    keys = ", ".join(show(str(key)) for key in list(value)[:_KEYS_SHOWN])
    return f"an object with {keys}{', ...' if len(value) > _KEYS_SHOWN else ''}"
