"""``bench --live`` against a real local server: limits, records, resumption, repeats, and that a dry run sends nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.cli.app import main
from agent_claimcheck.trace.write import to_json
from fakes import BAD, GOOD, ModelServer, Move, Received, Sends, Status, booking_trace, model_server, says

Run = Callable[..., tuple[int, str, str]]
PRICES = ("--price-in", "1", "--price-out", "2")
N = 12


def answer(request: Received) -> Move:
    """A judge that is right: rooms of failed runs are booked for another day."""
    return says(BAD if "2026-06-06" in request.prompt else GOOD, cost=0.001, model=f"{request.body['model']}-2026")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server(always=answer) as running:
        yield running


@pytest.fixture
def run(tmp_path: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Run:
    for name in list(os.environ):
        if name.startswith(("CLAIMCHECK_", "OPENROUTER_", "HTTP", "http")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("CLAIMCHECK_BASE_URL", server.base_url)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    traces = []
    for number in range(2 * N):
        output = {"booking_id": f"bk-{number}", "start": "2026-06-06T10:00"} if number % 3 == 1 else None
        trace = booking_trace(
            f"t{number:02d}",
            output=output,
            instruction=f"Book room {number} for 2026-05-04 at 10:00.",
            outcome="failure" if number % 3 == 1 else "success",
        )
        plain = json.loads(to_json(trace))
        plain["meta"] = {"split": "train" if number < N else "test"}
        traces.append(json.dumps(plain))
    (tmp_path / "traces.jsonl").write_text("\n".join(traces), encoding="utf-8")

    def bench(*args: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(["bench", "--live", "--dataset", "traces.jsonl", *args])
        out, err = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return left.value.code, out, err

    return bench


def records(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def test_dry_run_prints_every_pass_and_sends_nothing(run: Run, server: ModelServer, tmp_path: Path) -> None:
    code, out, _ = run(
        "--judges", "a/small,b/large", "--ablation-judge", "a/small", "--max-usd", "1", "--dry-run", *PRICES
    )
    assert code == 0
    lines = out.splitlines()
    assert [line.split("calls")[0] for line in lines[:3]] == [
        "judge:a/small (claim-audit): 24 ",
        "judge:b/large (claim-audit): 24 ",
        "judge:a/small:claim-by-claim (claim-by-claim): 24 ",
    ]
    amounts = [float(line.rpartition("$")[2]) for line in lines]
    assert amounts[-1] == pytest.approx(sum(amounts[:3]), abs=2e-6) and lines[-1].startswith("grand total: $")
    assert server.received == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["traces.jsonl"]


def test_a_run_that_may_cost_too_much_is_refused_before_anything_is_sent(run: Run, server: ModelServer) -> None:
    code, _, err = run("--judges", "a/small", "--max-usd", "0.0001", "--out", "r", *PRICES)
    assert code == 2 and "--allow-partial" in err
    assert server.asked == []


def test_a_run_is_recorded_and_reported(run: Run, server: ModelServer) -> None:
    code, out, _ = run(
        "--judges", "a/small", "--ablation-judge", "a/small", "--max-usd", "5", "--out", "r", "--hardware", "a desk",
        "--price-date", "2026-01-02", *PRICES,
    )  # fmt: skip
    assert code == 0
    assert "| judge:a/small | 1.000 [1.000, 1.000] |" in out and "claim-audit vs. claim-by-claim" in out
    kept = records("r/judge-records.jsonl")
    assert len(kept) == len(server.asked) == 4 * N
    assert {record["answered_by"] for record in kept} == {"a/small-2026"}
    assert {record["split"] for record in kept} == {"train", "test"}
    info = json.loads(Path("r/run.json").read_bytes())
    assert info["total_spend_usd"] == pytest.approx(4 * N * 0.001)
    assert info["hardware"] == "a desk" and info["concurrency"] == 8
    assert info["judges"][0]["price_date"] == "2026-01-02"
    assert set(info["judge_wall_clock_s"]) == {"judge:a/small", "judge:a/small:claim-by-claim"}
    assert "judge:a/small" in json.loads(Path("r/calibration.json").read_bytes())["calibrators"]


def test_a_partial_run_is_taken_up_and_pays_only_for_what_is_missing(run: Run, server: ModelServer) -> None:
    args = ("--judges", "a/small", "--out", "r", "--no-cache", "--concurrency", "1", *PRICES)
    code, _, _ = run(*args, "--max-usd", "0.01", "--allow-partial")
    assert code == 0
    first = len(server.asked)
    assert 0 < first < 2 * N
    assert {r["abstain_reason"] for r in records("r/judge-records.jsonl") if r["abstain"]} == {"budget_exhausted"}
    code, _, err = run(*args, "--max-usd", "5")
    assert code == 0 and f"judge:a/small (claim-audit): {2 * N - first} calls" in err
    assert len(server.asked) == 2 * N
    kept = records("r/judge-records.jsonl")
    assert len({record["trace_id"] for record in kept}) == len(kept) == 2 * N
    assert not any(record["abstain"] for record in kept)
    assert json.loads(Path("r/run.json").read_bytes())["total_spend_usd"] == pytest.approx(2 * N * 0.001)


def test_a_half_written_last_line_costs_only_that_record(run: Run, server: ModelServer) -> None:
    args = ("--judges", "a/small", "--out", "r", "--no-cache", "--max-usd", "5", *PRICES)
    run(*args)
    path = Path("r/judge-records.jsonl")
    path.write_bytes(path.read_bytes()[:-30])
    before = len(server.asked)
    assert run(*args)[0] == 0
    assert len(server.asked) == before + 1
    assert len(records("r/judge-records.jsonl")) == 2 * N


def test_an_unreadable_answer_is_an_abstention_and_is_not_asked_again(run: Run, server: ModelServer) -> None:
    server.moves.append(says("I cannot say."))
    args = ("--judges", "a/small", "--out", "r", "--no-cache", "--max-usd", "5", *PRICES)
    assert run(*args)[0] == 0
    assert sum(record["abstain_reason"] == "parse_error" for record in records("r/judge-records.jsonl")) == 1
    asked = len(server.asked)
    assert run(*args)[0] == 0
    assert len(server.asked) == asked


def test_calls_that_failed_are_asked_again(run: Run, server: ModelServer) -> None:
    server.moves.append(Status(403))
    args = ("--judges", "a/small", "--out", "r", "--no-cache", "--max-usd", "5", "--concurrency", "1", *PRICES)
    run(*args)
    assert sum(record["abstain"] for record in records("r/judge-records.jsonl")) == 1
    run(*args)
    assert not any(record["abstain"] for record in records("r/judge-records.jsonl"))


def test_repeats_measure_how_much_a_judge_varies(run: Run, server: ModelServer) -> None:
    code, out, _ = run("--judges", "a/small", "--repeats", "3", "--limit", "6", "--max-usd", "5", "--out", "r", *PRICES)
    assert code == 0
    assert len(server.asked) == 18
    assert len(records("r/judge-records.jsonl")) == 6 and len(records("r/judge-samples.jsonl")) == 12
    assert "| judge:a/small | 3 | 6 | 0.000 | 0.000 | 0 | 0 |" in out
    assert "judge:a/small 3 of 12" in out


def test_an_empty_reply_ends_nothing(run: Run, server: ModelServer) -> None:
    server.moves.append(Sends(b"{}"))
    assert run("--judges", "a/small", "--out", "r", "--max-usd", "5", "--concurrency", "1", *PRICES)[0] == 0


def test_what_is_missing_is_named(run: Run) -> None:
    code, _, err = run("--out", "r")
    assert code == 2 and "--judges" in err and "--max-usd" in err
    code, _, err = run("--judges", "a", "--ablation-judge", "b", "--max-usd", "1", "--out", "r", *PRICES)
    assert code == 2 and "ablation judge" in err
    code, _, err = run("--judges", "a", "--max-usd", "1", "--out", "r")
    assert code == 2 and "price" in err


def test_scoring_offline_again_keeps_the_answers_of_judges(run: Run, server: ModelServer) -> None:
    assert run("--judges", "a/small", "--max-usd", "5", "--out", "r", *PRICES)[0] == 0
    before = json.loads(Path("r/run.json").read_bytes())
    asked = len(server.asked)
    with pytest.raises(SystemExit) as left:
        main(["bench", "--dataset", "traces.jsonl", "--out", "r"])
    assert left.value.code == 0 and len(server.asked) == asked
    after = json.loads(Path("r/run.json").read_bytes())
    assert after["judges"] == before["judges"] and after["total_spend_usd"] == before["total_spend_usd"]
    assert "| judge:a/small |" in Path("r/bench.md").read_text(encoding="utf-8")
