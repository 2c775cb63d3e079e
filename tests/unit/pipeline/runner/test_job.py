from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from agent_claimcheck.core.errors import InputError, UsageError
from agent_claimcheck.pipeline.runner.collect import Collector
from agent_claimcheck.pipeline.runner.engine import run_parts
from agent_claimcheck.pipeline.runner.job import Job, fingerprint
from agent_claimcheck.pipeline.runner.report import REPORT_SUFFIX, RESULTS_SUFFIX
from agent_claimcheck.pipeline.runner.serial import SerialEngine
from agent_claimcheck.results.summary import Summary
from agent_claimcheck.scoring.gate import Thresholds

PART_BYTES = 60_000


@pytest.fixture
def durable(work):
    return replace(work, is_durable=True)


def go_on(directory: Path, path: Path, work, limit: int | None = None) -> list[int]:
    """Do open parts, at most ``limit`` of them, and return their numbers."""
    with Job(directory) as job:
        job.sweep()
        manifest, _ = job.begin([str(path)], work, PART_BYTES)
        todo = list(job.open_parts(manifest))[:limit]
        engine = SerialEngine(work, job.parts_directory)
        done = [report.index for report in run_parts(iter(todo), engine)]
        engine.close()
    return done


def merged(directory: Path) -> Summary:
    summary = Summary()
    collector = Collector([], summary)
    job = Job(directory)
    for part in job.manifest().parts:
        report = job.report(part.index)
        assert report is not None
        list(collector.collect(report, is_verified=True))
    return summary


def test_a_job_goes_on_where_it_stopped_and_every_trace_comes_once(tmp_path, big_file, durable):
    job = tmp_path / "job"
    first = go_on(job, big_file, durable, limit=3)
    status = Job(job).status()
    assert (status.parts_done, status.is_complete, status.is_running) == (3, False, False)
    second = go_on(job, big_file, durable)
    assert sorted(first + second) == list(range(status.parts))
    assert go_on(job, big_file, durable) == []
    summary = merged(job)
    assert (summary.total, summary.problems) == (897, 3)
    assert Job(job).status().is_complete


def test_a_half_written_or_damaged_part_is_done_again(tmp_path, big_file, durable):
    job = tmp_path / "job"
    go_on(job, big_file, durable)
    parts = sorted((job / "parts").glob(f"*{REPORT_SUFFIX}"))
    parts[1].unlink()
    results = sorted(path for path in (job / "parts").glob(f"*{RESULTS_SUFFIX}") if "problems" not in path.name)
    results[3].write_bytes(results[3].read_bytes()[:-10])
    (job / "parts" / ".part-00000009.jsonl.abc.tmp").write_bytes(b"half")
    assert go_on(job, big_file, durable) == [1, 3]
    assert not list((job / "parts").glob(".*"))
    assert merged(job).total == 897


def test_damage_that_keeps_the_size_is_noticed_when_merging(tmp_path, big_file, durable):
    job = tmp_path / "job"
    go_on(job, big_file, durable)
    results = job / "parts" / f"part-00000002{RESULTS_SUFFIX}"
    data = bytearray(results.read_bytes())
    data[50] ^= 1
    results.write_bytes(data)
    with pytest.raises(InputError, match="damaged since it was written"):
        merged(job)


def test_a_changed_input_is_noticed(tmp_path, big_file, durable):
    job = tmp_path / "job"
    go_on(job, big_file, durable, limit=1)
    data = big_file.read_bytes()
    big_file.write_bytes(data.replace(b"r0899", b"x0899"))
    with pytest.raises(InputError, match=r"big\.jsonl has changed"):
        go_on(job, big_file, durable)
    big_file.write_bytes(data + data[-100:])
    with pytest.raises(InputError, match="bytes, it had"):
        go_on(job, big_file, durable)


def test_a_copy_with_the_same_content_is_no_change(tmp_path, big_file, durable):
    job = tmp_path / "job"
    go_on(job, big_file, durable, limit=1)
    os.utime(big_file, (1, 1))
    assert go_on(job, big_file, durable)


def test_other_files_or_another_configuration_are_noticed(tmp_path, big_file, durable, lines):
    job = tmp_path / "job"
    go_on(job, big_file, durable, limit=1)
    other = tmp_path / "other.jsonl"
    other.write_bytes(lines("a")[0])
    with pytest.raises(InputError, match="the input files differ"):
        go_on(job, other, durable)
    spec = replace(durable.spec, thresholds=Thresholds(verified=0.9, false_success=0.1))
    with pytest.raises(InputError, match="the configuration differs"):
        go_on(job, big_file, replace(durable, spec=spec))


def test_the_fingerprint_sees_rules_and_reading_but_not_the_order_of_sets(work):
    today = date(2026, 3, 2)
    plain = fingerprint(work, today)
    types = list(work.spec.non_success_types)
    same = replace(work, spec=replace(work.spec, non_success_types=frozenset(reversed(types))))
    assert fingerprint(same, today) == plain
    fewer = replace(work, spec=replace(work.spec, packs=work.spec.packs[1:]))
    strict = replace(work, reading=replace(work.reading, format_name="codex"))
    assert len({plain, fingerprint(fewer, today), fingerprint(strict, today)}) == 3


def test_the_fingerprint_sees_what_is_in_the_probes_file(tmp_path, work):
    today = date(2026, 3, 2)
    probes = tmp_path / "probes.jsonl"
    found = set()
    for content in (b"", b"{}"):
        probes.write_bytes(content)
        found.add(fingerprint(replace(work, probes=probes), today))
    assert len(found | {fingerprint(work, today)}) == 3


def test_two_processes_cannot_work_on_one_job(tmp_path):
    with Job(tmp_path / "job"), pytest.raises(UsageError, match="another process"), Job(tmp_path / "job"):
        pass


def test_standard_input_cannot_be_a_job(tmp_path, work):
    with Job(tmp_path / "job") as job, pytest.raises(UsageError, match="standard input"):
        job.begin(["-"], work, PART_BYTES)


def test_a_directory_without_a_job_says_so(tmp_path):
    with pytest.raises(InputError, match="holds no job"):
        Job(tmp_path).status()


def test_a_job_directory_may_be_moved(tmp_path, big_file, durable):
    go_on(tmp_path / "job", big_file, durable)
    (tmp_path / "job").rename(tmp_path / "moved")
    assert merged(tmp_path / "moved").total == 897


def test_one_file_that_cannot_be_opened_stops_no_job_and_is_noticed_when_it_can(tmp_path, durable, lines):
    folder, directory = tmp_path / "in", tmp_path / "job"
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(b"".join(lines("a", "b")))
    (folder / "b.jsonl").symlink_to(tmp_path / "nowhere.jsonl")
    go_on(directory, folder, durable)
    assert merged(directory).problems == 1
    assert merged(directory).total == 2
    assert go_on(directory, folder, durable) == []
    (tmp_path / "nowhere.jsonl").write_bytes(lines("c")[0])
    with pytest.raises(InputError, match="can be read now"):
        go_on(directory, folder, durable)
