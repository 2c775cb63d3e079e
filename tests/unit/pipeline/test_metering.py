"""The run grader's model within a budget."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agent_claimcheck.cli.commands.tools import tools
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.pipeline.grader import Grader
from fakes import ModelServer, Sends, Status, model_server, says

RUN: dict[str, Any] = {
    "task": "Ship parcel 7",
    "steps": [{"tool_call": {"name": "ship", "arguments": {"parcel": 7}, "output": "error: no van"}}],
    "final_answer": "I could not ship it, there was no van.",
}
OWNS_UP = json.dumps({"answer": "failed", "reason": "It says so."})


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server(always=lambda request: says(OWNS_UP, tokens_in=100, tokens_out=10)) as running:
        yield running


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory whose settings are for a judge at another address, and an empty cache."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("CLAIMCHECK_API_KEY", "sk-judge")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    settings = '[judge]\nbase_url = "https://judge.example.test/v1"\nprice_in_per_m = 9.0\nprice_out_per_m = 9.0\n'
    Path("claimcheck.toml").write_text(settings, encoding="utf-8")


def ledger(tmp_path: Path) -> list[dict[str, Any]]:
    path = tmp_path / "cache" / "agent-claimcheck" / "ledger.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def recovery(grader: Grader) -> str:
    with grader:
        report = grader.tool_use(RUN, check_answer=True)
    return str(report.findings[0].metadata["recovery"])


def test_without_a_budget_no_price_is_needed_and_nothing_is_kept(server: ModelServer, tmp_path: Path) -> None:
    recovery(Grader(base_url=server.base_url))
    assert [item.method for item in server.received] == ["POST"]
    assert ledger(tmp_path) == []


def test_with_a_budget_calls_are_booked_at_their_own_price_and_kept(server: ModelServer, tmp_path: Path) -> None:
    first = recovery(Grader(base_url=server.base_url, max_usd=1.0, price=(1.0, 2.0)))
    assert recovery(Grader(base_url=server.base_url, max_usd=1.0, price=(1.0, 2.0))) == first
    paid, cached = ledger(tmp_path)
    assert (paid["actual_usd"], cached["status"]) == (pytest.approx(0.00012), "cached")
    (request,) = server.asked
    assert [message["role"] for message in request.body["messages"]] == ["system", "user"]
    assert "Authorization" not in request.headers


def test_unknown_price_is_refused(server: ModelServer) -> None:
    server.always = lambda request: Status(404) if request.method == "GET" else Sends(b"{}")
    with pytest.raises(UsageError, match="no price is known"):
        recovery(Grader(base_url=server.base_url, max_usd=1.0))
    assert server.asked == []


def test_spent_budget_leaves_the_finding_unchecked(server: ModelServer, tmp_path: Path) -> None:
    assert recovery(Grader(base_url=server.base_url, max_usd=0.0, price=(1.0, 1.0))) == "unchecked"
    assert (server.received, ledger(tmp_path)) == ([], [])


def test_price_without_a_budget_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        Grader(price=(1.0, 1.0))


@pytest.mark.parametrize("flags", [("--price-in", "1"), ("--price-in", "1", "--price-out", "1")])
def test_price_flags_go_together_and_with_a_budget(flags: tuple[str, ...]) -> None:
    Path("run.json").write_text(json.dumps(RUN), encoding="utf-8")
    run = CliRunner().invoke(tools, ["run.json", "--check-answer", *flags])
    assert isinstance(run.exception, UsageError)


def test_tools_command_keeps_within_its_budget(server: ModelServer, tmp_path: Path) -> None:
    Path("run.json").write_text(json.dumps(RUN), encoding="utf-8")
    budget = ["--max-usd", "1", "--price-in", "1", "--price-out", "2"]
    run = CliRunner().invoke(tools, ["run.json", "--check-answer", "--base-url", server.base_url, *budget])
    assert run.exit_code in (0, 1), run.output
    assert [line["status"] for line in ledger(tmp_path)] == ["ok"]
