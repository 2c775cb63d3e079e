"""Tell the format of a file from its content.

A reader must not miss: the name of the file plays no part, and the first importer that knows the head wins, so the
order of the catalog is the order of the questions.
"""

from __future__ import annotations

from agent_claimcheck.importers.catalog import IMPORTERS, load
from agent_claimcheck.importers.contract import Recognition
from agent_claimcheck.importers.foreign_json import BadJson, decode_json
from agent_claimcheck.importers.head import HEAD_BYTES, Head
from agent_claimcheck.trace.streams import name_format

_PROBE_KEYS = {"trace_id", "name", "ok", "ts"}
_AGENT_STREAM = ("raw_response_event", "run_item_stream_event", "agent_updated_stream_event")
_NEXT_STEP = (
    "`agent-claimcheck formats` lists what is read, --from NAME reads it as one of them, "
    "and `agent-claimcheck import example:mixed` shows agent-trace, into which anything can be converted"
)


def recognise(head: bytes) -> Recognition | None:
    """Return the format of a file that starts with ``head`` (decompressed), or ``None``. Never raises on content.

    Give about ``HEAD_BYTES``; less works as long as the keys that tell the format are in it.
    """
    try:
        parsed = Head(head)
    except RecursionError:
        return None
    for name in IMPORTERS:
        found = load(name).recognise(parsed)
        if found is not None:
            return found
    return None


def describe_unknown(head: bytes) -> str:
    """One sentence about a file of no known format: what it looks like and what to try next."""
    try:
        parsed = Head(head)
    except RecursionError:
        return "the content is nested too deeply"
    if parsed.layout == "empty":
        return "the file is empty"
    if parsed.layout == "zip":
        return "a zip archive of no known format; unpack it and give what it holds"
    if parsed.layout == "parquet":
        return "a parquet archive of no known format"
    if parsed.layout == "text":
        other = name_format(head)
        if other is not None:
            return f"no log of a known kind: it is {other}"
        if len(head) < HEAD_BYTES and (value := _plain_value(parsed.raw)):
            return f"JSON, but no run: it is {value}; {_NEXT_STEP}"
        return f"not JSON, and not a log of a known kind; {_NEXT_STEP}"
    if parsed.fault and len(head) < HEAD_BYTES:
        return parsed.fault
    if str(parsed.object.get("schema", "")).startswith("claimcheck-result/"):
        return "holds results of `check`, not runs: give the file that was checked"
    if parsed.object.keys() >= _PROBE_KEYS and "steps" not in parsed.object:
        return "holds state probes, not runs: give it with --probes"
    if _is_stream(parsed):
        return (
            "holds what a run streamed, piece by piece: write its messages once it has ended "
            "(docs/formats.md says how, under 'Getting your runs into a file')"
        )
    keys = ", ".join(sorted(str(key)[:30] for key in parsed.object)[:8])
    seen = f"JSON of no known format (keys of the first object: {keys})" if keys else "JSON of no known format"
    return f"{seen}; {_NEXT_STEP}"


def _plain_value(raw: bytes) -> str:
    """Name a JSON value that is no object or list; empty for anything else."""
    try:
        value = decode_json(raw.strip())
    except BadJson:
        return ""
    if isinstance(value, str):
        return "a text"
    if value is None or isinstance(value, bool):
        return raw.strip().decode()
    return "a number"


def _is_stream(head: Head) -> bool:
    """Events of OpenAI, of its Agents SDK or of ``astream_events``, and what LangGraph's ``stream`` yields."""
    for row in head.rows[:20]:
        if isinstance(row, list) and len(row) == 2:
            if isinstance(row[1], dict) and any(str(key).startswith("langgraph_") for key in row[1]):
                return True
        elif isinstance(row, dict):
            event, kind = row.get("event"), row.get("type")
            if row.get("object") == "chat.completion.chunk" or kind in _AGENT_STREAM:
                return True
            if isinstance(event, str) and event.startswith("on_") and isinstance(row.get("data"), dict):
                return True
            update = next(iter(row.values())) if len(row) == 1 else None
            if isinstance(update, dict) and isinstance(update.get("messages"), list):
                return True
    return False
