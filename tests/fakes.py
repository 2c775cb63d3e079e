"""The only doubles of the tests: a model server on loopback that can fail in every way, a clock, and small traces.

A reader must not miss: the server is a real one behind a real socket. A test scripts what it does next; nothing of our
own code is replaced.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec import Struct

from agent_claimcheck.trace.model import Claim, FinalClaim, GroundTruth, Step, Task, Trace

GOOD = {"p_success": 0.95, "failure_kind": "none", "evidence_steps": [2], "rationale": "The result of step 2 agrees."}
BAD = {
    "p_success": 0.05,
    "failure_kind": "wrong_value",
    "evidence_steps": [2],
    "rationale": "Step 2 names another day.",
}


class Received(Struct, frozen=True):
    """One request as the server got it."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any

    @property
    def prompt(self) -> str:
        """The text of the one user message."""
        text: str = self.body["messages"][0]["content"]
        return text


class Says(Struct, frozen=True):
    """A proper completion. ``cost`` is what the provider says it cost."""

    text: str
    tokens_in: int = 1000
    tokens_out: int = 50
    cost: float | None = None
    model: str = "stub-1"


class Status(Struct, frozen=True):
    """A reply with another status, perhaps with headers."""

    code: int
    headers: dict[str, str] = {}
    body: bytes = b'{"error": "sk-secret and the whole prompt"}'


class Sends(Struct, frozen=True):
    """Status 200 with exactly these bytes."""

    body: bytes


class CutsOff(Struct, frozen=True):
    """Half a reply, then the connection ends."""


class Waits(Struct, frozen=True):
    """No reply until the server stops."""


class Drips(Struct, frozen=True):
    """A reply that comes a byte at a time and never ends."""


Move = Says | Status | Sends | CutsOff | Waits | Drips


def says(answer: dict[str, Any] | str = GOOD, **fields: Any) -> Says:
    """Return a completion that holds ``answer``."""
    return Says(answer if isinstance(answer, str) else json.dumps(answer), **fields)


class ModelServer:
    """An OpenAI-compatible server. ``moves`` are played first, one a request; then ``always`` answers."""

    def __init__(self, always: Callable[[Received], Move], delay_s: float = 0.0) -> None:
        self.always = always
        self.moves: deque[Move] = deque()
        self.received: list[Received] = []
        self.delay_s = delay_s
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.model = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def asked(self) -> list[Received]:
        """The questions, without requests for listings."""
        return [item for item in self.received if item.method == "POST"]

    def next_move(self, request: Received) -> Move:
        with self._lock:
            self.received.append(request)
            if self.moves:
                return self.moves.popleft()
        return self.always(request)

    def stop(self) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()


class _Server(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True
    model: ModelServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is part of the tests, not worth a traceback."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        self._play(None)

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self._play(json.loads(data))

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def _play(self, body: Any) -> None:
        model = self.server.model
        move = model.next_move(Received(self.command, self.path, dict(self.headers), body))
        if model.delay_s:
            model.stopping.wait(model.delay_s)
        if isinstance(move, Says):
            self._send(200, json.dumps(_completion(move)).encode())
        elif isinstance(move, Status):
            self._send(move.code, move.body, move.headers)
        elif isinstance(move, Sends):
            self._send(200, move.body)
        elif isinstance(move, CutsOff):
            self._start(200, {"Content-Length": "1000"})
            self.wfile.write(b'{"choices": [')
            self.close_connection = True
        elif isinstance(move, Drips):
            self._start(200, {"Content-Length": "1000000"})
            while not model.stopping.wait(0.02):
                self.wfile.write(b" ")
        else:
            model.stopping.wait(30)
            self.close_connection = True

    def _send(self, code: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self._start(code, {"Content-Length": str(len(body)), **(headers or {})})
        self.wfile.write(body)

    def _start(self, code: int, headers: dict[str, str]) -> None:
        self.send_response(code)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.end_headers()


def _completion(move: Says) -> dict[str, Any]:
    usage: dict[str, Any] = {"prompt_tokens": move.tokens_in, "completion_tokens": move.tokens_out}
    if move.cost is not None:
        usage["cost"] = move.cost
    return {
        "model": move.model,
        "choices": [{"message": {"role": "assistant", "content": move.text}, "finish_reason": "stop"}],
        "usage": usage,
    }


@contextmanager
def model_server(
    *moves: Move, always: Callable[[Received], Move] | None = None, delay_s: float = 0.0
) -> Iterator[ModelServer]:
    """Run a server for the block. Without ``always`` it says that everything is fine."""
    server = ModelServer(always or (lambda request: says()), delay_s)
    server.moves.extend(moves)
    try:
        yield server
    finally:
        server.stop()


class Clock:
    """A clock that only moves when told; as a ``wait`` it moves by what is waited for."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self.now = now
        self.waited: list[float] = []

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.now += seconds


def booking_trace(
    trace_id: str = "t-1",
    *,
    final: str = "I booked the room for 2026-05-04 10:00.",
    instruction: str = "Book a room for 2026-05-04 at 10:00.",
    output: Any = None,
    args: dict[str, Any] | None = None,
    ok: bool | None = True,
    error: str | None = None,
    outcome: str = "success",
) -> Trace:
    """Return a run of four steps in which a tool that no pack knows books a room, and the agent says so."""
    ts = "2026-05-01T09:00:00Z"
    steps = [
        Step(i=0, ts=ts, kind="message", role="user", content=instruction),
        Step(i=1, ts=ts, kind="tool_call", role="agent", name="rooms.book", args=args or {"start": "2026-05-04T10:00"}),
        Step(
            i=2,
            ts=ts,
            kind="tool_result",
            role="tool",
            name="rooms.book",
            ok=ok,
            output={"booking_id": "bk-1", "start": "2026-05-04T10:00"} if output is None else output,
            error=error,
        ),
        Step(i=3, ts=ts, kind="message", role="agent", content=final),
    ]
    return Trace(
        trace_id=trace_id,
        source="test",
        task=Task(id=trace_id, domain="other", instruction=instruction),
        steps=steps,
        final_claim=FinalClaim(text=final),
        ground_truth=GroundTruth(outcome=outcome, checked_by="human"),  # type: ignore[arg-type]
    )


def hostile_traces() -> list[Trace]:
    """Return runs whose tool outputs are of every wrong shape."""
    deep: Any = "x"
    for _ in range(150):
        deep = {"a": [deep]}
    outputs: list[Any] = [
        None, True, 0, -1.5, "", "\x1b[2J", "{" * 1000, [], {}, deep, ["x"] * 1000, {"error": {"error": "error:"}},
        "not " * 5000, {"id": None, "status": []}, "\ud800",
    ]  # fmt: skip
    traces = []
    for number, output in enumerate(outputs):
        steps = [
            Step(i=0, ts="2026-01-01T00:00:00Z", kind="message", role="user", content="do it"),
            Step(
                i=1,
                ts="2026-01-01T00:00:00Z",
                kind="tool_call",
                role="agent",
                name="calendar.create_event",
                args={"start": output},
            ),
            Step(
                i=2,
                ts="2026-01-01T00:00:00Z",
                kind="tool_result",
                role="tool",
                name="calendar.create_event",
                output=output,
            ),
            Step(
                i=3,
                ts="bad time",
                kind="state_probe",
                role="environment",
                name="calendar.get_event",
                ok=True,
                output=output,
            ),
        ]
        subject = {"start": output, "attendee_email": output}
        traces.append(
            Trace(
                trace_id=f"h-{number}",
                source="s",
                task=Task(id="t", domain="booking", instruction="Book it with a@b.example on 2026-01-01 at 10:00"),
                steps=steps,
                final_claim=FinalClaim(text="Done, booked!", claims=[Claim(type="booked", subject=subject)]),
            )
        )
    return traces
