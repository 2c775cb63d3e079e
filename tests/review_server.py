"""A review server on a free loopback port, as the command starts it, and a client that has opened the page."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from msgspec.structs import replace

from agent_claimcheck.core.settings import Settings, load_settings
from agent_claimcheck.pipeline.build import spec_from_settings
from agent_claimcheck.review.scoring import ScoringPlan
from agent_claimcheck.review.security import Policy, policy_for
from agent_claimcheck.review.service import Service, open_service
from agent_claimcheck.review.serving import listen, server_for
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.write import to_json

RULES = {"check.detector": "rules"}
"""The tests of the page ask the rules alone: a learned score may change with every fit."""


class Running:
    """A running server: its parts, where it listens, and ``client``, which has a session."""

    def __init__(self, service: Service, policy: Policy) -> None:
        self.service = service
        self.policy = policy
        self.url = f"http://127.0.0.1:{policy.port}"
        self.client = self.new_client()

    def new_client(self) -> httpx.Client:
        """Return another browser, so to speak: a client with a session of its own."""
        client = httpx.Client(base_url=self.url, headers={"origin": self.url}, timeout=20)
        client.get("/", params={"token": self.policy.token} if self.policy.token else {})
        return client

    def get(self, path: str, **query: Any) -> Any:
        """Return the JSON of a route."""
        answer = self.client.get(f"/api/{path}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, **body: Any) -> Any:
        """Return the JSON a route answers to a body."""
        answer = self.client.post(f"/api/{path}", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def ids(self, **query: Any) -> list[str]:
        """Return the trace ids of a list."""
        return [row["trace_id"] for row in self.get("queue", **query)["items"]]


def write_traces(path: Path, traces: Iterable[Trace]) -> Path:
    """Write traces as agent-trace/v1 lines."""
    path.write_bytes(b"".join(to_json(trace) + b"\n" for trace in traces))
    return path


@contextmanager
def running_review(
    inputs: Sequence[str],
    folder: Path,
    *,
    settings: Settings | None = None,
    host: str = "127.0.0.1",
    reports: tuple[Path, ...] = (),
    request_s: float = 15.0,
    **plan: Any,
) -> Iterator[Running]:
    """Run a server on ``inputs`` with its store and reviews in ``folder``, and wait until everything is checked."""
    spec = spec_from_settings(settings or load_settings(None, RULES, {"XDG_CACHE_HOME": str(folder)}, folder))
    made = ScoringPlan(inputs=tuple(inputs), spec=spec, **plan)
    listening = listen("127.0.0.1", 0)
    policy = replace(policy_for(host, 0), port=listening.getsockname()[1])
    files = {"store_file": folder / "store.sqlite", "reviews_file": folder / "reviews.jsonl"}
    with listening, open_service(made, **files, reports=reports) as service:
        server = server_for(service, policy, request_s=request_s)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            service.scoring.wait(60)
            while not server.started:
                time.sleep(0.005)
            running = Running(service, policy)
            try:
                yield running
            finally:
                running.client.close()
        finally:
            server.should_exit = True
            thread.join()
