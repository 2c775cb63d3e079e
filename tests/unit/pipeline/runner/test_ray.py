"""A real Ray instance on this machine; skipped where Ray is not installed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

import dying_detector
from agent_claimcheck.pipeline.runner.collect import Collector
from agent_claimcheck.pipeline.runner.engine import run_parts
from agent_claimcheck.pipeline.runner.parts import plan_parts
from agent_claimcheck.pipeline.sources import SourceOptions
from agent_claimcheck.results.summary import Summary
from line_sink import LineSink

pytestmark = pytest.mark.ray
pytest.importorskip("ray", reason="needs the ray extra")


def test_a_trace_that_ends_ray_workers_is_set_aside_and_the_rest_goes_on(tmp_path, work, lines, monkeypatch):
    from agent_claimcheck.pipeline.runner.ray import RayEngine

    # Ray's workers find modules where its own environment leads, not where pytest looks.
    found = (str(Path(dying_detector.__file__).parent), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, found)))
    path = tmp_path / "t.jsonl"
    good = lines(*(f"r{n}" for n in range(30)))
    good[17] = lines("always", id=dying_detector.ALWAYS)[0]
    path.write_bytes(b"".join(good))
    dying = replace(
        work, spec=replace(work.spec, detector=dying_detector.NAME), suppressions=dying_detector.NO_SUPPRESSIONS
    )
    sink, summary = LineSink(), Summary()
    collector = Collector([sink], summary)
    engine = RayEngine(dying, tmp_path, workers=2)
    try:
        parts = plan_parts([(str(path), path.name)], SourceOptions(), 5000)
        told = [str(item) for report in run_parts(parts, engine, window=8) for item in collector.collect(report)]
    finally:
        engine.close()
    assert told == ["t.jsonl:18: set aside: it ended a worker process twice, so it was not checked"]
    assert summary.total == sink.data.count(b"\n") == 29


@pytest.mark.parametrize("is_seen", [True, False], ids=["written in place", "sent to the driver"])
def test_results_are_the_same_wherever_the_worker_is(tmp_path, work, lines, is_seen):
    from agent_claimcheck.pipeline.runner.processes import ProcessEngine
    from agent_claimcheck.pipeline.runner.ray import RayEngine

    path = tmp_path / "t.jsonl"
    path.write_bytes(b"".join(lines(*(f"r{n}" for n in range(30)))))
    data = []
    for kind in (RayEngine, ProcessEngine):
        directory = tmp_path / kind.__name__
        directory.mkdir()
        engine = kind(work, directory, workers=2)
        if not is_seen:
            for sign in directory.glob(".driver-*"):
                sign.unlink()
        sink = LineSink()
        collector = Collector([sink], Summary())
        try:
            parts = plan_parts([(str(path), path.name)], SourceOptions(), 5000)
            for report in run_parts(parts, engine, window=8):
                assert not list(collector.collect(report))
                report.discard()
        finally:
            engine.close()
        assert not list(directory.iterdir())
        data.append(sink.data)
    assert data[0] == data[1] != b""
