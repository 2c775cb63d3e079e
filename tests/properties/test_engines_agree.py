"""Whoever does the parts and however they are cut, the results are the same bytes in the same order."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_claimcheck.core.resources import resolve_alias
from agent_claimcheck.pipeline.build import spec_from_settings
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.runner.collect import Collector
from agent_claimcheck.pipeline.runner.engine import Engine, run_parts
from agent_claimcheck.pipeline.runner.parts import plan_parts
from agent_claimcheck.pipeline.runner.processes import ProcessEngine
from agent_claimcheck.pipeline.runner.serial import SerialEngine
from agent_claimcheck.pipeline.runner.work import PartWork
from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
from agent_claimcheck.results.summary import Summary
from agent_claimcheck.results.v2 import encode_v2
from agent_claimcheck.trace.model import Trace, TraceProblem
from line_sink import LineSink

SPEC = spec_from_settings(overrides={"check.detector": "rules"})


@pytest.fixture(scope="module")
def texts() -> list[str]:
    path = resolve_alias("example:mixed")
    assert path is not None
    return path.read_text().splitlines()


@st.composite
def inputs(draw):
    """Files of example traces, faulty lines, blank lines and ids that come again, and a part size."""
    line = st.one_of(st.integers(0, 11), st.sampled_from(["", "{", "[]", "repeat"]))
    files = draw(st.lists(st.lists(line, max_size=25), min_size=1, max_size=3))
    return files, draw(st.integers(1, 60_000)), draw(st.integers(1, 4))


def write(files, texts: list[str], folder: Path) -> list[str]:
    names, count = [], 0
    for number, lines in enumerate(files):
        out = []
        for line in lines:
            if isinstance(line, str) and line != "repeat":
                out.append(line)
                continue
            record = json.loads(texts[line if isinstance(line, int) else 0])
            if line != "repeat":
                count += 1
                record["trace_id"] = f"{record['trace_id']}-{count}"
            out.append(json.dumps(record))
        names.append(str(folder / f"{number}.jsonl"))
        Path(names[-1]).write_text("\n".join(out) + "\n")
    return names


def in_parts(engine: Engine, names: list[str], part_bytes: int, window: int):
    sink, summary = LineSink(), Summary()
    collector = Collector([sink], summary)
    parts = plan_parts([(name, name) for name in names], SourceOptions(), part_bytes)
    told = [item for report in run_parts(parts, engine, window=window) for item in collector.collect(report)]
    return sink.data, sorted(map(str, told)), (summary.total, summary.problems, dict(summary.verdicts))


def in_one_piece(names: list[str]):
    checker, summary, told, data = Checker(spec=SPEC), Summary(), [], b""
    for item in read_sources(names, SourceOptions()):
        if isinstance(item, Trace):
            result = checker.check_one(item)
            summary.add(result)
            data += encode_v2(result) + b"\n"
        else:
            told.append(str(item))
            summary.add_problems(isinstance(item, TraceProblem))
    return data, sorted(told), (summary.total, summary.problems, dict(summary.verdicts))


def agrees_with_one_piece(make, examples: int, texts: list[str], folder: Path) -> None:
    """Hold an engine against the plain loop for many inputs."""
    engine = make(PartWork(spec=SPEC, today=date(2026, 3, 2)), folder)

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(inputs())
    def same(drawn) -> None:
        files, part_bytes, window = drawn
        names = write(files, texts, folder)
        assert in_parts(engine, names, part_bytes, window) == in_one_piece(names)

    try:
        same()
    finally:
        engine.close()


def test_serial_parts_agree_with_one_piece(texts, tmp_path):
    agrees_with_one_piece(SerialEngine, 60, texts, tmp_path)


def test_processes_agree_with_one_piece(texts, tmp_path):
    agrees_with_one_piece(lambda work, folder: ProcessEngine(work, folder, 2), 25, texts, tmp_path)


@pytest.mark.ray
def test_ray_agrees_with_one_piece(texts, tmp_path):
    pytest.importorskip("ray", reason="needs the ray extra")
    from agent_claimcheck.pipeline.runner.ray import RayEngine

    agrees_with_one_piece(lambda work, folder: RayEngine(work, folder, workers=2), 10, texts, tmp_path)
