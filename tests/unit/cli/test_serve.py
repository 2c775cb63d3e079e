"""``serve`` as a process: it starts, says where, answers, and ends cleanly."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from agent_claimcheck.cli.commands.serve import serve
from agent_claimcheck.core.errors import InputError, UsageError
from fakes import booking_trace
from review_server import write_traces


@contextmanager
def serving(folder: Path, *arguments: str, stdin: bytes = b"") -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "agent_claimcheck", "serve", *arguments, "--port", "0"],
        cwd=folder,
        env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(stdin)
    process.stdin.close()
    process.stdin = None
    try:
        yield process, process.stdout.readline().decode().split()[-1]
    finally:
        process.kill()
        process.communicate()


def ended(process: subprocess.Popen[bytes], how: signal.Signals) -> tuple[int, str]:
    process.send_signal(how)
    _, errors = process.communicate(timeout=20)
    return process.returncode, errors.decode()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_stopped(tmp_path: Path, how: signal.Signals) -> None:
    with serving(tmp_path, "example:mixed") as (process, address):
        with httpx.Client(base_url=address, headers={"origin": address}) as client:
            assert client.get("/").status_code == 200
            while client.get("/api/state").json()["scoring"]["state"] == "reading":
                pass
            answer = client.post("/api/review", json={"trace_id": "booking-03", "decision": "verified"})
            assert answer.status_code == 200
        code, errors = ended(process, how)
    assert (code, errors.splitlines()[1:]) == (0, [])
    assert (tmp_path / "claimcheck-reviews.jsonl").read_text().count("\n") == 1
    (store,) = (tmp_path / "cache" / "agent-claimcheck" / "review").glob("*.sqlite")
    assert store.stat().st_mode & 0o777 == 0o600


def test_standard_input_is_served_and_leaves_no_store(tmp_path: Path) -> None:
    data = write_traces(tmp_path / "t.jsonl", [booking_trace("a")]).read_bytes()
    with serving(tmp_path, "-", stdin=data) as (process, address):
        with httpx.Client(base_url=address) as client:
            client.get("/")
            while client.get("/api/state").json()["scoring"]["state"] == "reading":
                pass
            assert client.get("/api/state").json()["total"] == 1
        assert ended(process, signal.SIGINT)[0] == 0
    assert not (tmp_path / "cache").exists()


def test_another_host_prints_an_address_with_a_token(tmp_path: Path) -> None:
    with serving(tmp_path, "example:mixed", "--host", "0.0.0.0") as (process, address):
        assert "/?token=" in address
        port = address.split(":")[2].split("/")[0]
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", follow_redirects=True) as client:
            assert client.get("/").status_code == 403
            assert client.get("/?" + address.split("?")[1]).status_code == 200
            assert client.get("/api/state").status_code == 200
        assert ended(process, signal.SIGINT)[0] == 0


def test_a_port_in_use_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(serve, ["example:mixed", "--port", port])
    assert isinstance(result.exception, UsageError)
    assert f"127.0.0.1:{port}" in str(result.exception)


def test_a_missing_input_is_told_before_anything_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(serve, ["nosuch.jsonl"])
    assert isinstance(result.exception, InputError)
    assert "nosuch.jsonl" in str(result.exception)


@pytest.mark.parametrize("start", ["first", "again"])
@pytest.mark.parametrize("content", [b"", b"{broken\n"], ids=["empty", "broken"])
def test_inputs_without_a_trace_end_it_as_they_end_check(tmp_path: Path, content: bytes, start: str) -> None:
    (tmp_path / "t.jsonl").write_bytes(content)
    command = [sys.executable, "-m", "agent_claimcheck", "serve", "t.jsonl", "--port", "0"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for _ in range(2 if start == "again" else 1):
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    first, last = done.stderr.splitlines()
    assert first.startswith("t.jsonl")
    assert "no valid traces" in last
    assert not (tmp_path / "claimcheck-reviews.jsonl").exists()


@pytest.mark.parametrize("start", ["first", "again"])
def test_what_cannot_be_read_is_told_as_check_tells_it(tmp_path: Path, start: str) -> None:
    (tmp_path / "runs").mkdir()
    path = write_traces(tmp_path / "runs" / "t.jsonl", [booking_trace("a")])
    path.write_bytes(path.read_bytes() + b"{broken\n")
    (tmp_path / "runs" / "gone.jsonl").symlink_to("nowhere")
    for _ in range(2 if start == "again" else 1):
        with serving(tmp_path, "runs") as (process, address):
            with httpx.Client(base_url=address) as client:
                client.get("/")
                while client.get("/api/state").json()["scoring"]["state"] == "reading":
                    pass
            code, errors = ended(process, signal.SIGINT)
    assert code == 0
    assert errors.count("runs/t.jsonl:2: ") == 1
    assert errors.count("gone.jsonl: no such file") == 1


@pytest.mark.parametrize(
    ("flag", "content", "said"),
    [
        ("--results", b"{broken\n", "--results given:1: is not JSON: a field name in double quotes is missing"),
        ("--results", b"\n", "--results given holds no results"),
        ("--reviews", b'{"a": 1}\n', "given is no reviews file: no line of it holds a decision"),
        ("--reviews", b"{broken", "given is no reviews file: no line of it holds a decision"),
        ("--reports", None, "--reports given: no such folder"),
    ],
)
def test_a_file_that_is_none_is_refused_before_anything_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flag: str, content: bytes | None, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if content is not None:
        Path("given").write_bytes(content)
    result = CliRunner().invoke(serve, ["example:mixed", "--port", "0", flag, "given"])
    assert isinstance(result.exception, UsageError)
    assert said in str(result.exception)
