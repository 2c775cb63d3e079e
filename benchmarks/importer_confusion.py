"""Recognition and counts over a folder of sample files.

    python benchmarks/importer_confusion.py --data DIR --expect FILE

``FILE`` holds one ``glob format`` pair a line (the first that matches a file's path below DIR counts; ``-`` means "no
format"). Printed are a confusion table of expected and recognised formats, and every file whose import differs from an
independent count. The count walks the decoded JSON for the plain marks of calls, results and answers (their ids, once
each) and shares no code with the importers; where a format has no ids it counts the format's own records.
"""

from __future__ import annotations

import argparse
import collections
import fnmatch
import io
import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import piped
from agent_claimcheck.importers.catalog import load
from agent_claimcheck.importers.contract import ImportNote, ImportOptions
from agent_claimcheck.importers.head import HEAD_BYTES
from agent_claimcheck.importers.sniff import recognise
from agent_claimcheck.trace.model import Trace
from data_argument import existing_file, sample_directory

SKIPPED = {".txt", ".md", ".py"}
CALL_TYPES = {
    *("tool_use", "server_tool_use", "mcp_tool_use", "tool_call", "function_call", "custom_tool_call", "mcp_call"),
    *("web_search_call", "local_shell_call", "shell_call", "tool_search_call", "toolCall"),
}
RESULT_TYPES = {
    *("tool_result", "mcp_tool_result", "tool_call_response", "function_call_output", "custom_tool_call_output"),
    *("tool_search_output",),
}


def documents(path: Path) -> list[Any]:
    """All JSON values of a file, archives opened."""
    data = path.read_bytes()
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [json.loads(archive.read(name)) for name in archive.namelist() if name.startswith("samples/")]
    text = data.decode("utf-8", "replace")
    try:
        return [json.loads(text)]
    except ValueError:
        rows = []
        for line in text.splitlines():
            try:
                rows.append(json.loads(line))
            except ValueError:
                continue
        return rows


def walk(value: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a value, JSON inside strings included."""
    if isinstance(value, str) and value[:1] in "{[" and len(value) > 1:
        try:
            value = json.loads(value)
        except ValueError:
            return
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from walk(item)
    elif isinstance(value, list):
        for item in value:
            yield from walk(item)


def by_ids(values: list[Any]) -> tuple[int, int]:
    """Calls and results that carry an id, each id once."""
    calls: set[str] = set()
    results: set[str] = set()
    for table in walk(values):
        kind = table.get("type")
        for entry in table.get("tool_calls") or []:
            if isinstance(entry, dict) and isinstance(entry.get("id"), str):
                calls.add(entry["id"])
        if kind in CALL_TYPES:
            name = table.get("call_id") or table.get("id")
            if isinstance(name, str):
                calls.add(name)
        if kind in ("mcp_call", "web_search_call") and (table.get("output") or table.get("action")):
            results.add(str(table.get("id")))
        is_result = kind in RESULT_TYPES or (isinstance(kind, str) and kind.endswith("_tool_result"))
        if is_result or table.get("role") == "tool" or kind == "tool":
            name = table.get("tool_use_id") or table.get("call_id") or table.get("tool_call_id") or table.get("id")
            if isinstance(name, str):
                results.add(name)
    return len(calls), len(results)


def spans_otel(values: list[Any]) -> tuple[int, int]:
    names = collections.Counter()
    for table in walk(values):
        name = table.get("name") or table.get("operationName")
        if isinstance(name, str) and name.startswith("execute_tool "):
            keys = {
                str(e.get("key")) for e in table.get("attributes") or table.get("tags") or [] if isinstance(e, dict)
            }
            ids = [
                (e.get("value") or {}).get("stringValue") if isinstance(e.get("value"), dict) else e.get("value")
                for e in table.get("attributes") or table.get("tags") or []
                if isinstance(e, dict) and e.get("key") == "gen_ai.tool.call.id"
            ]
            names[(ids or [name])[0]] += bool(keys)
    return len(names), len(names)


def count_kind(values: list[Any], *tests: Any) -> tuple[int, int]:
    call, result = tests
    rows = list(walk(values))
    return sum(bool(call(row)) for row in rows), sum(bool(result(row)) for row in rows)


SPECIAL: dict[str, Any] = {
    "otel-genai": spans_otel,
    "attest-run": lambda v: count_kind(v, *[lambda r: "output" in r and "arguments" in r] * 2),
    "tau-bench": lambda v: count_kind(
        v, lambda r: isinstance(r.get("function"), dict) and "id" in r, lambda r: r.get("role") == "tool"
    ),
    "anthropic-managed": lambda v: count_kind(
        v,
        lambda r: r.get("type") in ("agent.tool_use", "agent.custom_tool_use"),
        lambda r: r.get("type") in ("agent.tool_result", "user.custom_tool_result") and "id" in r,
    ),
    "openclaw": lambda v: count_kind(v, lambda r: r.get("type") == "toolCall", lambda r: r.get("role") == "toolResult"),
    "mcp-log": lambda v: count_kind(
        v,
        lambda r: r.get("method") == "tools/call",
        lambda r: "jsonrpc" in r and isinstance(r.get("result"), dict) and "isError" in r["result"],
    ),
    "pydantic-ai": lambda v: count_kind(
        v, lambda r: r.get("part_kind") == "tool-call", lambda r: r.get("part_kind") == "tool-return"
    ),
    "vercel-ai": lambda v: count_kind(
        v,
        lambda r: str(r.get("type")).startswith("tool-") and "toolCallId" in r,
        lambda r: str(r.get("state")).startswith("output-"),
    ),
    "autogen": lambda v: count_kind(
        v, lambda r: "arguments" in r and "name" in r and "id" in r, lambda r: "is_error" in r and "call_id" in r
    ),
    "gemini-cli": lambda v: count_kind(
        v, lambda r: "args" in r and "status" in r, lambda r: "functionResponse" in r
    ),
    "mlflow": lambda v: count_kind(
        v,
        lambda r: r.get("mlflow.spanType") == '"TOOL"',
        lambda r: r.get("mlflow.spanType") == '"TOOL"',
    ),
}  # fmt: skip
UNCOUNTED = {
    "langfuse",
    "mini-swe-agent",
    "openhands",
    "smolagents",
    "copilot-cli",
    "gemini",
    "openai-agents",
    "codex",
    "swe-agent",
}
"""Formats whose calls carry no ids, or whose trimmed fixtures repeat one: their counts are held by the case folders."""


def last_answer(name: str, values: list[Any]) -> str | None:
    """The last text of the agent, for the formats where that is one plain rule."""
    if name not in ("openai-chat", "tau-bench", "anthropic-messages", "langchain-messages", "claude-code"):
        return None
    found = None
    for table in walk(values):
        message = table.get("kwargs") if "kwargs" in table else table
        if not isinstance(message, dict) or message.get("isApiErrorMessage"):
            continue
        if message.get("role") == "assistant" or (message.get("type") == "ai" and "content" in message):
            content = message.get("content")
            blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
            texts = [b.get("text") for b in blocks if isinstance(b, dict) and b.get("type") == "text" and b.get("text")]
            if texts and str(texts[-1]).strip():
                found = str(texts[-1])
    return found


def imported(path: Path, name: str) -> tuple[int, int, list[str | None], int]:
    finals: list[str | None] = []
    calls = results = runs = 0
    with path.open("rb") as stream:
        for item in load(name).read(stream, file=path.name, options=ImportOptions(subagents="inline")):
            if isinstance(item, Trace):
                finals.append(item.final_claim.text)
                calls += len({s.call_id for s in item.steps if s.kind == "tool_call"})
                results += len({s.call_id for s in item.steps if s.kind == "tool_result"})
            elif isinstance(item, ImportNote):
                runs = item.report.runs
    return calls, results, finals, runs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=sample_directory, required=True)
    parser.add_argument("--expect", type=existing_file, required=True)
    args = parser.parse_args()
    pairs = [line.split() for line in args.expect.read_text().splitlines() if line.strip() and not line.startswith("#")]
    table: collections.Counter[tuple[str, str]] = collections.Counter()
    compared = wrong = finals_compared = 0
    for path in sorted(p for p in args.data.rglob("*") if p.is_file() and p.suffix not in SKIPPED):
        place = str(path.relative_to(args.data))
        expected = next((name for pattern, name in pairs if fnmatch.fnmatch(place, pattern)), "?")
        found = recognise(path.read_bytes()[:HEAD_BYTES])
        name = found.name if found else "-"
        table[(expected, name)] += 1
        if expected != name:
            print(f"recognised as {name}, expected {expected}: {place}")
        if name == "-" or name in UNCOUNTED:
            continue
        values = documents(path)
        calls, results, finals, runs = imported(path, name)
        counted = SPECIAL.get(name, by_ids)(values)
        if runs:
            compared += 1
            if counted != (calls, results):
                wrong += 1
                print(f"{place} ({name}): counted {counted}, imported {(calls, results)}")
        answer = last_answer(name, values)
        if runs == 1 and answer is not None:
            finals_compared += 1
            if not any(final and (answer in final or final in answer) for final in finals):
                print(f"{place} ({name}): last answer {answer[:60]!r}, imported {str(finals[0])[:60]!r}")
    names = sorted({name for pair in table for name in pair})
    print("\nexpected -> recognised")
    for expected in names:
        row = {name: table[(expected, name)] for name in names if table[(expected, name)]}
        if row:
            print(f"  {expected:<20} {', '.join(f'{name} {count}' for name, count in row.items())}")
    right = sum(count for (expected, name), count in table.items() if expected == name)
    print(f"recognised rightly: {right} of {sum(table.values())}")
    print(f"calls and results equal to the independent count: {compared - wrong} of {compared} files")
    print(f"final messages compared: {finals_compared}")
    sys.exit(0)


if __name__ == "__main__":
    piped.run(main)
