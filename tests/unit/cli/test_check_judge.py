"""``check`` with a detector that asks a model: flags, prices, money, interruption, recording."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.cli.app import main
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.write import to_json
from fakes import BAD, GOOD, ModelServer, Move, Received, Sends, Status, Waits, booking_trace, model_server, says

Run = Callable[..., tuple[int, str, str]]
FREE = ("--price-in", "0", "--price-out", "0")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def env(tmp_path: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of a user with one local server, an empty directory and an empty cache."""
    for name in list(os.environ):
        if name.startswith(("CLAIMCHECK_", "OPENROUTER_", "HTTP", "http")):
            monkeypatch.delenv(name)
    values = {
        "CLAIMCHECK_BASE_URL": server.base_url,
        "CLAIMCHECK_MODEL": "stub",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return {**os.environ, **values}


@pytest.fixture
def run(env: dict[str, str], capsys: pytest.CaptureFixture[str]) -> Run:
    def check(*args: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(["check", *args])
        out, err = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return left.value.code, out, err

    return check


def write(path: Path, *traces: Trace) -> str:
    path.write_bytes(b"".join(to_json(trace) + b"\n" for trace in traces))
    return str(path)


def results(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def ledger(tmp_path: Path) -> list[dict[str, Any]]:
    path = tmp_path / "cache" / "agent-claimcheck" / "ledger.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def wait_for_questions(count: int, server: ModelServer, process: subprocess.Popen[bytes]) -> None:
    while len(server.asked) < count:
        assert process.poll() is None
        server.stopping.wait(0.01)


def five(tmp_path: Path) -> str:
    return write(tmp_path / "five.jsonl", *(booking_trace(f"t-{n}", instruction=f"Book room {n}.") for n in range(5)))


def test_judge_scores_every_claiming_trace_in_order(run: Run, tmp_path: Path, server: ModelServer) -> None:
    server.always = lambda request: says(BAD if "room 3" in request.prompt else GOOD)
    path = write(tmp_path / "t.jsonl", *(booking_trace(f"t-{n}", instruction=f"Book room {n}.") for n in range(20)))
    code, out, _ = run(path, "--detector", "judge", *FREE, "--format", "jsonl")
    found = results(out)
    assert code == 1
    assert [row["trace_id"] for row in found] == [f"t-{n}" for n in range(20)]
    assert [row["trace_id"] for row in found if row["verdict"] == "false_success"] == ["t-3"]
    assert {row["detector"] for row in found} == {"judge"}
    assert len(ledger(tmp_path)) == 20


def test_skipped_traces_are_never_sent(run: Run, server: ModelServer) -> None:
    code, out, _ = run("example:mixed", "--detector", "judge", *FREE, "--format", "jsonl")
    assert sum(row["verdict"] == "skipped" for row in results(out)) == 3
    assert len(server.asked) == 9
    assert code == 0


def test_cascade_asks_only_what_the_rules_leave_open(run: Run, server: ModelServer) -> None:
    _, out, _ = run("example:mixed", "--detector", "cascade", *FREE, "--format", "jsonl")
    sent = [row for row in results(out) if row["detectors"] and row["detectors"][0]["details"]["sent_to_judge"]]
    assert len(server.asked) == len(sent) == 3
    assert {row["verdict"] for row in sent} == {"verified"}


def test_silent_judge_leaves_the_cascade_with_the_free_answer(run: Run, server: ModelServer) -> None:
    server.always = lambda request: Status(401)
    _, out, err = run("example:mixed", "--detector", "cascade", *FREE, "--format", "jsonl")
    assert "warning: the judge's server refused the request about 3 traces (HTTP 401: the key is missing or not" in err
    assert "sk-secret" not in out + err
    tops = [row["detectors"][0] for row in results(out) if row["detectors"]]
    sent = [top for top in tops if top["details"]["sent_to_judge"]]
    assert len(server.asked) == len(sent) > 0
    assert {top["details"]["judge_abstained"] for top in sent} == {"http_4xx"}
    assert {(top["abstain"], top["cost_usd"]) for top in sent} == {(False, 0.0)}


def test_unknown_price_is_refused_before_anything_is_asked(run: Run, tmp_path: Path, server: ModelServer) -> None:
    server.always = lambda request: Status(404)
    code, out, err = run(five(tmp_path), "--detector", "judge")
    assert (code, out) == (2, "")
    assert "no price is known for stub" in err
    assert server.asked == []


def test_price_of_the_servers_own_listing_is_used(run: Run, tmp_path: Path, server: ModelServer) -> None:
    page = json.dumps({"data": [{"id": "stub", "pricing": {"prompt": "0.000001", "completion": "0.000002"}}]})

    def listing_or_answer(request: Received) -> Move:
        return Sends(page.encode()) if request.method == "GET" else says(tokens_in=100, tokens_out=10)

    server.always = listing_or_answer
    _, out, _ = run(five(tmp_path), "--detector", "judge", "--format", "jsonl")
    assert [row["cost_usd"] for row in results(out)] == pytest.approx([0.00012] * 5)


def test_no_model_is_a_usage_error(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLAIMCHECK_MODEL")
    code, _, err = run(five(tmp_path), "--detector", "cascade", *FREE)
    assert (code, "CLAIMCHECK_MODEL" in err) == (2, True)


@pytest.mark.parametrize(
    "flags", [("--price-in", "1"), ("--price-in", "-1", "--price-out", "1"), ("--samples", "0"), ("--concurrency", "0")]
)
def test_senseless_flags_are_usage_errors(run: Run, tmp_path: Path, flags: tuple[str, ...]) -> None:
    assert run(five(tmp_path), "--detector", "judge", *flags)[0] == 2


def test_dry_run_says_the_most_it_may_cost_and_sends_nothing(run: Run, tmp_path: Path, server: ModelServer) -> None:
    code, out, err = run(five(tmp_path), "--detector", "judge", "--dry-run", "--price-in", "1", "--price-out", "2")
    assert code == 0
    assert out.startswith("judge:stub (claim-audit): 5 calls, worst-case reservation $0.0")
    assert len(out.splitlines()) == 1
    assert "nothing was sent" in err
    assert server.received == []
    assert not (tmp_path / "cache").exists()


def test_dry_run_without_a_price_asks_no_listing(run: Run, tmp_path: Path, server: ModelServer) -> None:
    assert run(five(tmp_path), "--detector", "judge", "--dry-run")[0] == 2
    assert server.received == []


def test_dry_run_of_a_free_detector_is_a_usage_error(run: Run, tmp_path: Path) -> None:
    assert run(five(tmp_path), "--dry-run")[0] == 2


def test_budget_stops_cleanly_and_a_rerun_pays_only_for_the_rest(run: Run, tmp_path: Path, server: ModelServer) -> None:
    path = five(tmp_path)
    prices = ("--price-in", "1", "--price-out", "2", "--detector", "judge", "--format", "jsonl", "--concurrency", "1")
    server.always = lambda request: says(cost=0.003)
    _, out, _ = run(path, *prices, "--max-usd", "0.01")
    reasons = [row["abstain_reason"] for row in results(out)]
    assert reasons == [None, None, None, "budget_exhausted", "budget_exhausted"]
    _, out, _ = run(path, *prices, "--max-usd", "1")
    rows = results(out)
    assert [row["cached"] for row in rows] == [True, True, True, False, False]
    assert len(server.asked) == 5
    assert sum(row["cost_usd"] for row in rows) == pytest.approx(0.006)


def test_no_cache_neither_reads_nor_keeps(run: Run, tmp_path: Path, server: ModelServer) -> None:
    path = five(tmp_path)
    for _ in range(2):
        run(path, "--detector", "judge", *FREE, "--no-cache")
    assert len(server.asked) == 10
    assert not (tmp_path / "cache" / "agent-claimcheck" / "judge").exists()


def test_recording_is_replayed_without_server_model_or_price(
    run: Run, tmp_path: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = five(tmp_path)
    _, first, _ = run(path, "--detector", "judge", *FREE, "--record", "rec", "--format", "jsonl")
    monkeypatch.delenv("CLAIMCHECK_MODEL")
    asked = len(server.received)
    _, again, _ = run(path, "--detector", "judge", "--replay", "rec", "--format", "jsonl", "--no-cache")
    assert len(server.received) == asked
    assert [row["p_success"] for row in results(again)] == [row["p_success"] for row in results(first)]


def test_one_failing_call_never_stops_the_others(run: Run, tmp_path: Path, server: ModelServer) -> None:
    server.moves.extend([Status(400), says("no JSON at all")])
    _, out, _ = run(five(tmp_path), "--detector", "judge", *FREE, "--concurrency", "1", "--format", "jsonl")
    assert [row["abstain_reason"] for row in results(out)] == ["http_4xx", "parse_error", None, None, None]


def test_key_goes_to_the_server_and_nowhere_else(
    run: Run, tmp_path: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAIMCHECK_API_KEY", "sk-canary-1")
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-canary-2")
    _, out, err = run(five(tmp_path), "--detector", "judge", *FREE, "--record", "rec", "--out", "out.jsonl")
    assert {request.headers["Authorization"] for request in server.asked} == {"Bearer sk-canary-1"}
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 5
    assert not any(b"sk-canary" in path.read_bytes() for path in written)
    assert "sk-canary" not in out + err


def test_interrupted_run_settles_the_ledger_and_keeps_what_is_done(
    env: dict[str, str], tmp_path: Path, server: ModelServer
) -> None:
    """Three answers come, two calls hang; Ctrl-C waits for them and their money counts as spent."""
    server.moves.extend([says(cost=0.001), says(cost=0.001), says(cost=0.001)])
    server.always = lambda request: Waits()
    path = write(tmp_path / "t.jsonl", *(booking_trace(f"t-{n}", instruction=f"Book room {n}.") for n in range(30)))
    (tmp_path / "claimcheck.toml").write_text("[judge]\ntimeout_s = 1.0\n", encoding="utf-8")
    command = [sys.executable, "-m", "agent_claimcheck", "check", path, "--detector", "judge", "--concurrency", "2"]
    command += ["--price-in", "1", "--price-out", "2", "--max-usd", "5"]
    with subprocess.Popen(command, env=env, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_for_questions(5, server, process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert [line.partition(":")[0] for line in err.decode().split("\n") if line] == ["stopping", "stopped"]
    lines = ledger(tmp_path)
    assert {line["run_id"] for line in lines} == {lines[0]["run_id"]}
    assert sorted(line["status"] for line in lines) == ["ok", "ok", "ok", "timeout", "timeout"]
    assert len(list((tmp_path / "cache" / "agent-claimcheck" / "judge").iterdir())) == 3
    server.always = lambda request: says()
    before = len(server.asked)
    again = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, check=False)
    assert again.returncode == 0
    assert len(server.asked) - before == 27


def test_second_interruption_leaves_at_once_and_books_the_calls_under_way(
    env: dict[str, str], tmp_path: Path, server: ModelServer
) -> None:
    server.always = lambda request: Waits()
    command = [sys.executable, "-m", "agent_claimcheck", "check", five(tmp_path), "--detector", "judge"]
    command += ["--concurrency", "2", "--price-in", "1", "--price-out", "2"]
    with subprocess.Popen(command, env=env, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_for_questions(2, server, process)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        assert process.stderr.readline().startswith(b"stopping: waiting")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert process.returncode == 130
    assert [(line["status"], line["actual_usd"] > 0) for line in ledger(tmp_path)] == [("stopped", True)] * 2


def test_a_key_that_no_header_can_carry_is_told_once_and_nothing_is_sent(
    run: Run, tmp_path: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAIMCHECK_API_KEY", "sk-hidden…")
    code, out, err = run(five(tmp_path), "--detector", "judge", "--price-in", "1", "--price-out", "1")
    assert code == 2
    assert "env CLAIMCHECK_API_KEY holds a character that no key has" in err
    assert "hidden" not in out + err
    assert server.received == []


@pytest.mark.parametrize("detector", ["judge", "cascade"])
def test_a_judge_without_a_key_is_warned_of_because_a_gate_may_pass_for_want_of_it(
    run: Run, monkeypatch: pytest.MonkeyPatch, detector: str
) -> None:
    monkeypatch.setenv("CLAIMCHECK_BASE_URL", "https://judge.invalid/v1")
    code, _, said = run("example:mixed", "--detector", detector, *FREE, "--fail-on", "never")
    assert code == 0
    assert "warning: CLAIMCHECK_API_KEY is not set, so the judge is asked nothing" in said
    monkeypatch.setenv("CLAIMCHECK_API_KEY", "a-key")
    assert "warning" not in run("example:mixed", "--detector", "rules", *FREE, "--fail-on", "never")[2]
