"""One line of JSON, decoded for a test: the trace it gives, or the faults it has."""

from __future__ import annotations

import json
from typing import Any

from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.model import Trace


def read(data: bytes) -> Trace:
    found = decode_trace(data, file="f.jsonl", line=3)
    assert isinstance(found, Trace), found
    return found


def faults(data: bytes) -> list[tuple[str, str]]:
    found = decode_trace(data, file="f.jsonl", line=3)
    assert isinstance(found, list), "was accepted"
    assert found
    assert all((p.file, p.line, p.severity) == ("f.jsonl", 3, "error") for p in found)
    return [(p.path, p.message) for p in found]


def with_step(document: Any, **changes: Any) -> bytes:
    step = {"i": 0, "ts": "2026-01-01", "kind": "message", "role": "user", **changes}
    return json.dumps(document(steps=[step])).encode()


def with_meta(line: Any, raw: str) -> bytes:
    return line(meta={"x": "HERE"}).replace(b'"HERE"', raw.encode("utf-8"))
