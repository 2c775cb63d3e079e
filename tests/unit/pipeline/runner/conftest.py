from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.pipeline.build import spec_from_settings
from agent_claimcheck.pipeline.runner.work import PartWork

Lines = Callable[..., list[bytes]]


def trace(trace_id: str, **task: Any) -> dict[str, Any]:
    """A run that books a table and says so; the call succeeded."""
    ts = "2026-03-02T10:00:00Z"
    return {
        "schema": "agent-trace/v1",
        "trace_id": trace_id,
        "source": "shop",
        "task": {"id": f"t-{trace_id}", "domain": "booking", "instruction": "Book a table for two.", **task},
        "steps": [
            {"i": 0, "ts": ts, "kind": "message", "role": "user", "content": "Book a table for two."},
            {"i": 1, "ts": ts, "kind": "tool_call", "role": "agent", "name": "book_table", "args": {"guests": 2}},
            {
                "i": 2, "ts": ts, "kind": "tool_result", "role": "tool", "name": "book_table", "ok": True,
                "output": {"booking_id": "B7", "status": "confirmed"},
            },
            {"i": 3, "ts": ts, "kind": "message", "role": "agent", "content": "I booked the table."},
        ],
        "final_claim": {"text": "I booked the table.", "claims": []},
        "ground_truth": {"outcome": "unknown", "checked_by": "none"},
    }  # fmt: skip


@pytest.fixture(scope="session")
def lines() -> Lines:
    """Return a function that gives one encoded trace for each id, all with the same extra fields of the task."""

    def build(*ids: str, **task: Any) -> list[bytes]:
        return [json.dumps(trace(trace_id, **task)).encode() + b"\n" for trace_id in ids]

    return build


@pytest.fixture(scope="session")
def work() -> PartWork:
    """The work of a plain run with the default settings."""
    return PartWork(spec=spec_from_settings(overrides={"check.detector": "rules"}), today=date(2026, 3, 2))


@pytest.fixture
def big_file(tmp_path: Path, lines: Lines) -> Path:
    """A file of 900 traces, among them two faulty lines and one repeated id."""
    data = lines(*(f"r{n:04d}" for n in range(900)))
    data[100] = b'{"trace_id": "broken"\n'
    data[500] = data[20]
    data[700] = b"[]\n"
    path = tmp_path / "big.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + b"".join(data))
    return path
