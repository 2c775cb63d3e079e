from __future__ import annotations

import json
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.evidence.case import CaseSettings
from agent_claimcheck.packs.load import parse_pack
from agent_claimcheck.pipeline.probes_run import ProbeFile, load_probe_file
from agent_claimcheck.trace.model import Claim, FinalClaim, Step, Task, Trace

PACK = r"""
pack: parcels
version: 1
tools: ["parcels.*"]
claim_patterns:
  shipped: ['\b(shipped|dispatched)\b']
claims:
  shipped:
    action: "parcels.create"
    receipt:
      parcel_id: { exists: true }
    probe: "parcels.get"
    probe_checks:
      status: { in: [in_transit, delivered] }
"""


@pytest.fixture
def case() -> CaseSettings:
    return CaseSettings(packs=(parse_pack(PACK, "parcels.yaml"),))


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str], ProbeFile]:
    def load_text(text: str) -> ProbeFile:
        path = tmp_path / "probes.toml"
        path.write_text("version = 1\n" + text, encoding="utf-8")
        return load_probe_file(path)

    return load_text


def make_trace(
    *outputs: Any, claims: list[Claim] | None = None, trace_id: str = "t", ts: str = "2026-01-01T00:00:00Z", **call: Any
) -> Trace:
    """A run that made one ``parcels.create`` call per output and says it shipped the parcel."""
    steps = [Step(i=0, ts=ts, kind="message", role="user", content="Ship the parcel.")]
    for output in outputs:
        name = call.get("name", "parcels.create")
        args, ok = call.get("args", {}), call.get("ok", True)
        steps.append(Step(i=len(steps), ts=ts, kind="tool_call", role="agent", name=name, args=args))
        steps.append(Step(i=len(steps), ts=ts, kind="tool_result", role="tool", name=name, ok=ok, output=output))
    return Trace(
        trace_id=trace_id,
        source="test",
        task=Task(id="task-7", domain="other", instruction="Ship the parcel."),
        steps=steps,
        final_claim=FinalClaim(text="I shipped the parcel.", claims=claims or []),
    )


@pytest.fixture
def trace() -> Callable[..., Trace]:
    return make_trace


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "parcels.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE parcels (parcel_id TEXT, status TEXT, weight REAL, label BLOB)")
    connection.executemany(
        "INSERT INTO parcels VALUES (?, ?, ?, ?)",
        [("P-1", "in_transit", 1.5, b"\x00\xff"), ("P-2", "lost", 2.0, None), ("P-3", "in_transit", 1.0, None),
         ("P-3", "in_transit", 1.0, None)],
    )  # fmt: skip
    connection.commit()
    connection.close()
    return path


@pytest.fixture
def repository(tmp_path: Path) -> tuple[Path, str]:
    """A git repository with one commit; returns it and the commit's id."""
    path = tmp_path / "repo"
    path.mkdir()

    def git(*args: str) -> str:
        who = ["-c", "user.name=Test", "-c", "user.email=test@test.example"]
        done = subprocess.run(["git", *who, *args], cwd=path, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("init", "-q")
    (path / "notes.txt").write_text("hello\n", encoding="utf-8")
    git("add", "notes.txt")
    git("commit", "-q", "-m", "first")
    return path, git("rev-parse", "HEAD")


class Api:
    """A small HTTP API on this machine. ``answers`` maps a path to (status, headers, body); ``seen`` keeps requests."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.seen: list[tuple[str, dict[str, str]]] = []
        api = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                api.seen.append((self.path, {key.lower(): value for key, value in self.headers.items()}))
                path = self.path.partition("?")[0]
                status, headers, body = api.answers.get(path, (404, {}, b'{"error": "nothing here"}'))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, path: str, body: Any, status: int = 200, **headers: str) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.answers[path] = (status, {name.replace("_", "-"): value for name, value in headers.items()}, data)


@pytest.fixture
def api() -> Iterator[Api]:
    api = Api()
    thread = threading.Thread(target=api.server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield api
    api.server.shutdown()
    api.server.server_close()
    thread.join(5)
