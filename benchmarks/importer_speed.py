"""How fast line-wise formats are imported, and how much memory a large file takes.

    python benchmarks/importer_speed.py [--megabytes 50] [--format NAME ...]

Files are made up on the spot: sessions and runs of realistic shape and size (tool outputs of 1 to 4 KB). The figure is
megabytes of input per second of CPU; peak memory is of the whole process.
"""

from __future__ import annotations

import argparse
import io
import json
import resource
import time
from collections.abc import Callable, Iterator
from typing import Any

import piped
from agent_claimcheck.importers.catalog import load
from agent_claimcheck.importers.contract import ImportNote, ImportOptions
from agent_claimcheck.importers.head import HEAD_BYTES
from agent_claimcheck.importers.sniff import recognise

_OUTPUT = "".join(
    f"{number:04d} src/module_{number % 37}.py:{number % 90}: def step_{number}(value):\n" for number in range(40)
)


def openai_chat(number: int) -> Iterator[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "system", "content": "Answer politely. " * 40}]
    messages.append({"role": "user", "content": f"Please look up order {number} and tell me its state."})
    for step in range(6):
        name = f"call_{number}_{step}"
        function = {"name": "lookup", "arguments": json.dumps({"order": number, "page": step})}
        messages.append(
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": name, "type": "function", "function": function}],
            }
        )
        messages.append({"role": "tool", "tool_call_id": name, "content": _OUTPUT[: 800 + 300 * step]})
    messages.append({"role": "assistant", "content": f"Order {number} was shipped."})
    yield {"id": f"run-{number}", "messages": messages}


def claude_code(number: int) -> Iterator[dict[str, Any]]:
    session, parent = f"session-{number}", None
    lines: list[tuple[str, Any]] = [("user", f"Fix the test number {number}.")]
    for step in range(6):
        call = {
            "type": "tool_use",
            "id": f"toolu_{number}_{step}",
            "name": "Bash",
            "input": {"command": f"pytest -k {step}"},
        }
        lines.append(("assistant", [{"type": "text", "text": "I run the tests."}, call]))
        result = {"type": "tool_result", "tool_use_id": f"toolu_{number}_{step}", "content": _OUTPUT, "is_error": False}
        lines.append(("user", [result]))
    lines.append(("assistant", [{"type": "text", "text": "All tests pass."}]))
    for step, (role, content) in enumerate(lines):
        uuid = f"{number}-{step}"
        yield {
            "parentUuid": parent, "isSidechain": False, "userType": "external", "cwd": "/repo", "sessionId": session,
            "version": "2.1.0", "type": role, "uuid": uuid, "timestamp": "2026-01-02T03:04:05.000Z",
            "message": {"role": role, "id": f"msg-{uuid}", "model": "model-x", "content": content},
        }  # fmt: skip
        parent = uuid


def codex(number: int) -> Iterator[dict[str, Any]]:
    def line(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
        return {"timestamp": "2026-01-02T03:04:05.000Z", "type": kind, "payload": payload}

    yield line("session_meta", {"id": f"session-{number}", "cwd": "/repo", "cli_version": "0.100.0"})
    yield line("event_msg", {"type": "user_message", "message": f"Fix the test number {number}."})
    for step in range(6):
        name = f"call_{number}_{step}"
        arguments = json.dumps({"command": ["pytest", "-k", str(step)]})
        yield line("response_item", {"type": "function_call", "name": "shell", "arguments": arguments, "call_id": name})
        output = f"Exit code: 0\nWall time: 0.1 seconds\nOutput:\n{_OUTPUT}"
        yield line("response_item", {"type": "function_call_output", "call_id": name, "output": output})
    content = [{"type": "output_text", "text": "All tests pass."}]
    yield line("response_item", {"type": "message", "role": "assistant", "content": content})


def tau_bench(number: int) -> Iterator[dict[str, Any]]:
    episode = next(openai_chat(number))
    yield {"task_id": number, "reward": 1.0, "info": {}, "traj": episode["messages"], "trial": 0}


def otlp(number: int) -> Iterator[dict[str, Any]]:
    def attribute(key: str, value: Any) -> dict[str, Any]:
        return {"key": key, "value": {"stringValue": value if isinstance(value, str) else json.dumps(value)}}

    spans = []
    for step in range(6):
        keys = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "lookup",
            "gen_ai.tool.call.id": f"c{step}",
        }
        keys |= {"gen_ai.tool.call.arguments": json.dumps({"page": step}), "gen_ai.tool.call.result": _OUTPUT}
        begin = 1_700_000_000_000_000_000 + step * 1000
        spans.append(
            {"traceId": f"trace-{number}", "spanId": f"{number}-{step}", "parentSpanId": f"{number}-root", "name": "execute_tool lookup",
             "startTimeUnixNano": str(begin), "endTimeUnixNano": str(begin + 500), "status": {},
             "attributes": [attribute(key, value) for key, value in keys.items()]}
        )  # fmt: skip
    yield {
        "resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {"name": "x"}, "spans": spans}]}]
    }


def agent_trace(number: int) -> Iterator[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    for step in range(6):
        common = {"ts": "2026-01-02T03:04:05Z", "name": "lookup"}
        steps.append({"i": 2 * step, "kind": "tool_call", "role": "agent", "args": {"page": step}, **common})
        steps.append(
            {"i": 2 * step + 1, "kind": "tool_result", "role": "tool", "ok": True, "output": _OUTPUT, **common}
        )
    yield {
        "schema": "agent-trace/v1", "trace_id": f"t-{number}", "source": "speed",
        "task": {"id": "t", "domain": "other", "instruction": "Look it up."}, "steps": steps,
        "final_claim": {"text": "Done.", "claims": []},
    }  # fmt: skip


FORMATS: dict[str, Callable[[int], Iterator[dict[str, Any]]]] = {
    "agent-trace": agent_trace,
    "openai-chat": openai_chat,
    "claude-code": claude_code,
    "codex": codex,
    "tau-bench": tau_bench,
    "otel-genai": otlp,
}


class Endless(io.RawIOBase):
    """A file of ``size`` bytes made while it is read, so that its own bytes take no memory."""

    def __init__(self, make: Callable[[int], Iterator[dict[str, Any]]], size: int) -> None:
        self._lines = (json.dumps(row).encode() + b"\n" for number in range(10**9) for row in make(number))
        self._left = size
        self._rest = b""
        self.spent = 0.0
        self.given = 0

    def read(self, size: int = -1) -> bytes:
        before = time.process_time()
        parts, have = [self._rest], len(self._rest)
        while have < size and self._left > 0:
            line = next(self._lines)
            parts.append(line)
            have += len(line)
            self._left -= len(line)
        data = b"".join(parts)
        data, self._rest = data[:size], data[size:]
        self.given += len(data)
        self.spent += time.process_time() - before
        return data


def measure(name: str, megabytes: int) -> str:
    sample = b"\n".join(json.dumps(row).encode() for number in range(40) for row in FORMATS[name](number))
    found = recognise(sample[:HEAD_BYTES])
    assert found is not None and found.name == name, f"{name} was recognised as {found}"
    stream = Endless(FORMATS[name], megabytes << 20)
    started = time.process_time()
    runs = 0
    for item in load(name).read(stream, file="speed", options=ImportOptions()):  # type: ignore[arg-type]
        if isinstance(item, ImportNote):
            runs = item.report.runs
    seconds = time.process_time() - started - stream.spent
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{name:<14} {stream.given / 2**20 / seconds:7.1f} MB per CPU second, {runs} runs, peak memory {peak:.0f} MB"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=50)
    parser.add_argument("--format", action="append", choices=list(FORMATS))
    args = parser.parse_args()
    for name in args.format or FORMATS:
        print(measure(name, args.megabytes))


if __name__ == "__main__":
    piped.run(main)
