"""Real worker processes. They take half a second to start, so each test starts few."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from msgspec.structs import replace

import dying_detector
from agent_claimcheck.core.errors import OutputError
from agent_claimcheck.pipeline.runner.collect import Collector
from agent_claimcheck.pipeline.runner.engine import run_parts
from agent_claimcheck.pipeline.runner.parts import plan_parts
from agent_claimcheck.pipeline.runner.processes import ProcessEngine
from agent_claimcheck.pipeline.runner.serial import SerialEngine
from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
from agent_claimcheck.results.summary import Summary
from agent_claimcheck.trace.model import Trace, TraceProblem
from line_sink import LineSink


def run(engine, path: Path, part_bytes: int, window: int | None = 4):
    sink, summary, told = LineSink(), Summary(), []
    collector = Collector([sink], summary)
    try:
        for report in run_parts(
            plan_parts([(str(path), path.name)], SourceOptions(), part_bytes), engine, window=window
        ):
            told += [str(item) for item in collector.collect(report)]
    finally:
        engine.close()
    return sink.data, told, summary


def test_processes_give_what_one_process_gives(tmp_path, work, big_file):
    engine = ProcessEngine(work, tmp_path, 2)
    data, told, summary = run(engine, big_file, 40_000)
    alone, told_alone, _ = run(SerialEngine(work, tmp_path), big_file, 10**9)
    assert data == alone
    assert told == told_alone
    problems = [item for item in read_sources([str(big_file)], SourceOptions()) if isinstance(item, TraceProblem)]
    assert sorted(line.partition(": ")[0] for line in told) == [f"big.jsonl:{item.line}" for item in problems]
    assert summary.total == 897
    assert summary.problems == len(problems) == 3


@pytest.fixture
def dying_work(work):
    return replace(
        work,
        spec=replace(work.spec, detector=dying_detector.NAME),
        suppressions=dying_detector.NO_SUPPRESSIONS,
    )


def test_a_dead_worker_is_replaced_and_its_part_redone(tmp_path, dying_work, lines):
    path = tmp_path / "t.jsonl"
    good = lines(*(f"r{n}" for n in range(30)))
    good[17] = lines("once", id=f"{dying_detector.ONCE}{tmp_path / 'died'}")[0]
    path.write_bytes(b"".join(good))
    engine = ProcessEngine(dying_work, tmp_path, 1)
    data, told, summary = run(engine, path, 5000)
    assert engine.restarts == 1
    assert told == []
    assert summary.total == data.count(b"\n") == 30


def test_a_trace_that_ends_two_workers_is_set_aside_and_the_rest_goes_on(tmp_path, dying_work, lines):
    path = tmp_path / "t.jsonl"
    good = lines(*(f"r{n}" for n in range(30)))
    good[17] = lines("always", id=dying_detector.ALWAYS)[0]
    path.write_bytes(b"".join(good))
    engine = ProcessEngine(dying_work, tmp_path, 1)
    data, told, summary = run(engine, path, 5000)
    assert engine.restarts == 2
    assert told == ["t.jsonl:18: set aside: it ended a worker process twice, so it was not checked"]
    assert summary.total == data.count(b"\n") == 29
    assert summary.problems == 1


def test_in_a_file_that_is_read_whole_the_trace_is_found_too(tmp_path, dying_work, lines):
    path = tmp_path / "t.json"
    good = lines(*(f"r{n}" for n in range(6)))
    good[3] = lines("always", id=dying_detector.ALWAYS)[0]
    path.write_bytes(b"[" + b",".join(good) + b"]")
    _, told, summary = run(ProcessEngine(dying_work, tmp_path, 1), path, 10**9)
    assert told == ["t.json:4: set aside: it ended a worker process twice, so it was not checked"]
    assert summary.total == 5


def test_workers_killed_from_outside_lose_nothing(tmp_path, work, big_file):
    engine = ProcessEngine(work, tmp_path, 2)
    parts = plan_parts([(str(big_file), "big.jsonl")], SourceOptions(), 20_000)
    total = problems = killed = 0
    for number, report in enumerate(run_parts(parts, engine)):
        total += report.counts.total
        problems += report.counts.problems
        if number in (2, 6, 11):
            os.kill(engine.worker_pids[-1], signal.SIGKILL)
            killed += 1
    assert killed == 3
    assert (total, problems) == (898, 2), "the two faulty lines, and no trace held to have ended a worker"
    engine.close()


def test_a_disk_that_takes_nothing_ends_the_run_with_a_reason(tmp_path, work, big_file):
    engine = ProcessEngine(work, tmp_path / "missing", 1)
    with pytest.raises(OutputError, match="cannot write"):
        run(engine, big_file, 10**9)


def test_traces_keep_their_line_numbers_across_ranges(tmp_path, work, big_file):
    data, _, _ = run(SerialEngine(work, tmp_path), big_file, 15_000)
    expected = [
        item.where.line
        for item in read_sources([str(big_file)], SourceOptions())
        if isinstance(item, Trace) and item.where
    ]
    import json

    assert [json.loads(line)["line"] for line in data.splitlines()] == expected
