"""The judge wired from settings: records, prices, the Python interface."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.settings import Settings, load_settings
from agent_claimcheck.lab.bench.records import JudgeRecord
from agent_claimcheck.pipeline.build import spec_from_settings
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.judge_options import JudgeOptions
from agent_claimcheck.pipeline.judging import build_judge, judge_records
from fakes import ModelServer, booking_trace, model_server, says

TRACES = [booking_trace(f"t-{n}", instruction=f"Book room {n}.") for n in range(12)]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def settings_for(base_url: str, directory: Path, environ: dict[str, str] | None = None, **judge: Any) -> Settings:
    overrides = {"judge.base_url": base_url, "judge.model": "stub", **{f"judge.{k}": v for k, v in judge.items()}}
    return load_settings(None, overrides, {"XDG_CACHE_HOME": str(directory), **(environ or {})}, directory)


def free(server: ModelServer, directory: Path, **judge: Any) -> Settings:
    return settings_for(server.base_url, directory, price_in_per_m=0.0, price_out_per_m=0.0, **judge)


def test_records_come_in_order_and_are_what_the_bench_reads(server: ModelServer, tmp_path: Path) -> None:
    silent = booking_trace("silent", final="I looked at the rooms.")
    options = JudgeOptions(settings=free(server, tmp_path))
    records = list(judge_records([TRACES[0], silent, *TRACES[1:]], options, split="train"))
    assert [record["trace_id"] for record in records] == [trace.trace_id for trace in TRACES]
    read = msgspec.json.decode(json.dumps(records), type=list[JudgeRecord])
    assert {(record.split, record.detector, record.p_raw) for record in read} == {("train", "judge:stub", 0.95)}


def test_given_judge_is_left_open(server: ModelServer, tmp_path: Path) -> None:
    options = JudgeOptions(settings=free(server, tmp_path))
    judge = build_judge(options)
    assert len(list(judge_records(TRACES[:2], options, judge=judge))) == 2
    assert len(list(judge_records(TRACES[2:4], options, judge=judge))) == 2
    judge.close()


def test_checker_specification_can_be_pickled_and_hides_the_key(server: ModelServer, tmp_path: Path) -> None:
    settings = settings_for(server.base_url, tmp_path, {"CLAIMCHECK_API_KEY": "sk-1"})
    spec = spec_from_settings(settings)
    assert "sk-1" not in repr(spec)
    assert pickle.loads(pickle.dumps(spec)).judge == spec.judge


def test_threads_give_what_one_after_the_other_gives(server: ModelServer, tmp_path: Path) -> None:
    def checked(concurrency: int, name: str) -> list[Any]:
        spec = spec_from_settings(free(server, tmp_path / name, concurrency=concurrency))
        with Checker("cascade", spec=spec) as checker:
            return [(r.trace_id, r.verdict, r.p_success, r.detectors[0].details) for r in checker.check(TRACES)]

    assert checked(1, "a") == checked(8, "b")


def test_python_interface_takes_price_budget_and_cache(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {
        "CLAIMCHECK_BASE_URL": server.base_url,
        "CLAIMCHECK_MODEL": "stub",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }.items():
        monkeypatch.setenv(name, value)
    server.always = lambda request: says(cost=0.01)
    with Checker("judge", price=(1.0, 2.0), max_usd=0.02, concurrency=1, use_cache=False) as checker:
        results = list(checker.check(TRACES[:4]))
    assert [result.abstain_reason for result in results] == [None, None, "budget_exhausted", "budget_exhausted"]
    assert not (tmp_path / "cache" / "agent-claimcheck" / "judge").exists()


def openrouter(requests: list[httpx.Request]) -> httpx.MockTransport:
    row = {
        "id": "v/m",
        "pricing": {"prompt": "0.000001", "completion": "0.000002"},
        "supported_parameters": ["reasoning", "temperature"],
    }

    def respond(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        if request.url.path.endswith("/endpoints"):
            return httpx.Response(200, json={"data": {"endpoints": [row]}})
        if request.method == "GET":
            return httpx.Response(200, json={"data": [row]})
        answer = {"p_success": 0.9, "failure_kind": "none", "evidence_steps": [2], "rationale": "ok"}
        return httpx.Response(
            200,
            json={
                "choices": [{"message": {"content": json.dumps(answer)}}],
                "usage": {"prompt_tokens": 10, "completion_tokens": 5, "cost": 0.25},
            },
        )

    return httpx.MockTransport(respond)


@pytest.mark.parametrize("price", [{}, {"price_in_per_m": 3.0, "price_out_per_m": 3.0}])
def test_openrouter_is_asked_with_its_own_key_and_extras(tmp_path: Path, price: dict[str, float]) -> None:
    environ = {"OPENROUTER_API_KEY": "sk-or"}
    settings = settings_for("https://openrouter.ai/api/v1", tmp_path, environ, model="v/m", **price)
    requests: list[httpx.Request] = []
    judge = build_judge(JudgeOptions(settings=settings), openrouter(requests))
    (record,) = judge_records(TRACES[:1], JudgeOptions(settings=settings), judge=judge)
    judge.close()
    assert {request.headers["Authorization"] for request in requests} == {"Bearer sk-or"}
    body = json.loads(requests[-1].content)
    assert body["provider"] == {"require_parameters": True}
    assert body["reasoning"] == {"enabled": False}
    assert record["cost_usd"] == 0.25


def test_fallback_key_goes_to_no_other_host(tmp_path: Path) -> None:
    environ = {"OPENROUTER_API_KEY": "sk-or"}
    settings = settings_for("https://api.example.test/v1", tmp_path, environ, price_in_per_m=0.0, price_out_per_m=0.0)
    requests: list[httpx.Request] = []
    judge = build_judge(JudgeOptions(settings=settings), openrouter(requests))
    (record,) = judge_records(TRACES[:1], JudgeOptions(settings=settings), judge=judge)
    judge.close()
    assert (requests, record["abstain_reason"], record["p_raw"]) == ([], "no_api_key", 0.6)


def test_model_of_a_known_provider_has_a_packaged_price(tmp_path: Path) -> None:
    settings = settings_for("https://api.anthropic.com/v1", tmp_path, model="claude-sonnet-4-5")
    judge = build_judge(JudgeOptions(settings=settings, is_dry=True))
    price = judge.session.route.price
    judge.close()
    assert price is not None and price.source == "packaged table"


@pytest.mark.parametrize(
    ("judge", "slug"),
    [({"model": None}, "judge_model"), ({}, "unknown_price"), ({"prompt": "no-such-prompt"}, "prompt")],
)
def test_judge_that_cannot_work_is_refused_at_once(tmp_path: Path, judge: dict[str, Any], slug: str) -> None:
    requests: list[httpx.Request] = []
    transport = httpx.MockTransport(lambda request: requests.append(request) or httpx.Response(404))
    settings = settings_for("https://api.example.test/v1", tmp_path, **judge)
    with pytest.raises(UsageError) as raised:
        build_judge(JudgeOptions(settings=settings), transport)
    assert raised.value.slug == slug
    assert not (tmp_path / "agent-claimcheck" / "ledger.jsonl").exists()


def test_several_samples_are_bounded(server: ModelServer, tmp_path: Path) -> None:
    for samples in (0, 101):
        with pytest.raises(UsageError):
            build_judge(JudgeOptions(settings=free(server, tmp_path), samples=samples))
