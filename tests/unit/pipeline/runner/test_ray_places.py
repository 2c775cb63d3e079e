"""Where a Ray worker puts its part, without Ray: its task is a plain function."""

from __future__ import annotations

from agent_claimcheck.pipeline.runner.parts import plan_parts
from agent_claimcheck.pipeline.runner.ray import _do
from agent_claimcheck.pipeline.sources import SourceOptions


def test_a_worker_that_may_not_even_look_for_the_sign_sends_its_results(tmp_path, work, lines):
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"".join(lines("a", "b")))
    (part,) = plan_parts([(str(path), path.name)], SourceOptions(), 5000)
    # No system looks up a name this long; the error stands for that of a home that only its owner may enter.
    report, files = _do(work, part, tmp_path / ("x" * 300) / "sign")
    assert files is not None
    assert sum(data.count(b"\n") for data in files.values()) == report.counts.total == 2


def test_a_worker_that_sees_the_sign_leaves_its_results_beside_it(tmp_path, work, lines):
    path, place = tmp_path / "t.jsonl", tmp_path / "parts"
    path.write_bytes(b"".join(lines("a", "b")))
    place.mkdir()
    (place / "sign").touch()
    (part,) = plan_parts([(str(path), path.name)], SourceOptions(), 5000)
    report, files = _do(work, part, place / "sign")
    assert files is None
    assert report.path(".jsonl").read_bytes().count(b"\n") == 2
