"""The judge in several processes: together they stay within one budget."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.core.settings import load_settings
from agent_claimcheck.pipeline.build import spec_from_settings
from agent_claimcheck.pipeline.runner.engine import Engine, run_parts
from agent_claimcheck.pipeline.runner.parts import plan_parts
from agent_claimcheck.pipeline.runner.processes import ProcessEngine
from agent_claimcheck.pipeline.runner.report import RESULTS_SUFFIX
from agent_claimcheck.pipeline.runner.work import PartWork
from agent_claimcheck.pipeline.sources import SourceOptions
from agent_claimcheck.trace.write import to_json
from fakes import ModelServer, booking_trace, model_server

COUNT = 24
MAX_USD = 3.0


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "traces.jsonl"
    traces = (booking_trace(f"t-{n}", instruction=f"Book room {n}.") for n in range(COUNT))
    path.write_bytes(b"".join(to_json(trace) + b"\n" for trace in traces))
    return path


def work_for(server: ModelServer, folder: Path) -> PartWork:
    overrides = {
        "check.detector": "judge",
        "judge.base_url": server.base_url,
        "judge.model": "stub",
        "judge.price_in_per_m": 0.0,
        "judge.price_out_per_m": 1_000_000.0 / 400,
        "judge.max_tokens": 400,
        "budget.max_usd": MAX_USD,
    }
    settings = load_settings(None, overrides, {"XDG_CACHE_HOME": str(folder / "cache")}, folder)
    return PartWork(spec=spec_from_settings(settings), today=date(2026, 3, 2))


def results_of(engine: Engine, source: Path) -> list[dict[str, Any]]:
    """Run all parts and return the results."""
    found: list[dict[str, Any]] = []
    try:
        parts = plan_parts([(str(source), source.name)], SourceOptions(), 3000)
        for report in run_parts(parts, engine, window=8):
            found += map(json.loads, report.path(RESULTS_SUFFIX).read_bytes().splitlines())
    finally:
        engine.close()
    return found


def holds(found: list[dict[str, Any]], server: ModelServer) -> None:
    """Some calls were made, no more than the money allows, and every trace left over says why."""
    assert len(found) == COUNT
    judged = [result for result in found if result["abstain_reason"] is None]
    left_over = [result for result in found if result["abstain_reason"] == "budget_exhausted"]
    assert len(judged) + len(left_over) == COUNT
    assert judged
    assert left_over
    assert len(server.asked) == len(judged)
    assert 0 < sum(result["cost_usd"] for result in found) <= MAX_USD


def test_two_processes_share_one_budget(server, source, tmp_path):
    engine = ProcessEngine(work_for(server, tmp_path).shared_by(2), tmp_path, 2)
    holds(results_of(engine, source), server)


@pytest.mark.ray
def test_ray_workers_share_one_budget(server, source, tmp_path):
    pytest.importorskip("ray", reason="needs the ray extra")
    from agent_claimcheck.pipeline.runner.ray import RayEngine

    holds(results_of(RayEngine(work_for(server, tmp_path), tmp_path, workers=2), source), server)
