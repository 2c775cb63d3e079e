"""MCP traffic: JSON-RPC lines, bare or in an envelope, and Claude Desktop's ``mcp.log``.

A reader must not miss: there is no user and no agent text here, so there is nothing to check; the trace serves to see
what a server returned. Ids restart with each connection, so a result pairs with the latest open call of its id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import iter_lines, iter_rows
from agent_claimcheck.importers.events import SUCCEEDED, SUCCEEDED_WEAKLY, Status, called, failed, flagged, returned
from agent_claimcheck.importers.foreign_json import BadJson, decode_json, mapping, string
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.blocks import result_value
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading
from agent_claimcheck.importers.toolset import tool_defs
from agent_claimcheck.trace.model import TraceProblem

_NAME = "mcp-log"
_LINE = re.compile(
    rb"\A(\S{10,40}) (?:\[[^\]]{1,80}\] ){1,2}Message from (client|server): (\{.*\})(?: \{ metadata: undefined \})?\s*\Z"
)


def _recognise(head: Head) -> str | None:
    for record in head.records:
        if "jsonrpc" in record or "jsonrpc" in mapping(record.get("message")):
            return "JSON-RPC messages"
    if head.layout == "text" and any(_LINE.match(line) for line in head.raw[: 1 << 16].split(b"\n")[:200]):
        return "lines with 'Message from client'"
    return None


def _drafts(reading: Reading) -> Drafts:
    draft = Draft(format=_NAME)
    names: dict[str, list[str]] = {}
    for item in _messages(reading):
        if isinstance(item, TraceProblem):
            yield item
            continue
        message, ts, line = item
        draft.line = draft.line or line
        draft.name_by(repr(message)[:500].encode("utf-8", "replace"))
        _add(draft, message, ts, names)
    if draft.events:
        yield draft


def _messages(reading: Reading) -> Iterator[tuple[dict[str, Any], Any, int] | TraceProblem]:
    if reading.head().layout == "text":
        for number, line in iter_lines(reading.stream):
            match = _LINE.match(line)
            if match is None:
                reading.report.drop("line of another kind")
                continue
            try:
                yield mapping(decode_json(match.group(3))), match.group(1).decode("ascii", "replace"), number
            except BadJson as error:
                yield reading.problem(number, "", str(error))
        return
    for row in iter_rows(reading.stream, reading.file):
        if isinstance(row, TraceProblem):
            yield row
            continue
        record = mapping(row.value)
        inner = mapping(record.get("message"))
        message = inner if "jsonrpc" in inner else record
        yield message, record.get("ts") or record.get("timestamp"), row.line


def _add(draft: Draft, message: dict[str, Any], ts: Any, names: dict[str, list[str]]) -> None:
    name = string(message.get("id"))
    if message.get("method") == "tools/call":
        params = mapping(message.get("params"))
        call = called(params.get("name"), params.get("arguments"), name, ts=ts)
        names.setdefault(name or "", []).append(call.name or "")
        draft.add([call])
        return
    if "method" in message or name is None:
        return
    result = mapping(message.get("result"))
    if isinstance(result.get("tools"), list):
        draft.tools = tool_defs(result["tools"])
        return
    if not names.get(name):
        return
    if "error" in message or "content" in result or "structuredContent" in result or "isError" in result:
        output = result.get("structuredContent")
        if output is None:
            output = result_value(result.get("content"))
        draft.add([returned(names[name].pop(), output, name, status=_status(message, result), ts=ts)])


def _status(message: dict[str, Any], result: dict[str, Any]) -> Status:
    if "error" in message:
        return failed(message["error"], "protocol")
    flag = result.get("isError")
    if flag is None:
        return SUCCEEDED_WEAKLY
    return SUCCEEDED if flag is False else flagged(flag)


IMPORTER = FormatImporter(
    name=_NAME,
    title="MCP logs",
    recognised_by="JSON-RPC messages, bare or in an envelope; 'Message from client' lines",
    recognise_by=_recognise,
    drafts=_drafts,
)
