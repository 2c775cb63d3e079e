"""``-o FORMAT=PATH``: parsed, opened, written whole or not at all."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_claimcheck.core.errors import OutputError, UsageError
from agent_claimcheck.core.scratch import take_lock
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.summary import FailPolicy, Summary, exit_decision
from agent_claimcheck.results.writers.catalog import WRITERS, parse_output, writer_factory
from agent_claimcheck.results.writers.contract import Destination, OutputSpec
from agent_claimcheck.results.writers.output import open_writer

Build = Callable[..., CheckResult]


def finish(spec: OutputSpec, result: CheckResult, job_summary: Path | None = None) -> str:
    """Write one result and return what went to standard output."""
    stdout = io.BytesIO()
    summary = Summary()
    summary.add(result)
    with open_writer(spec, Destination(sink=stdout), job_summary=job_summary) as output:
        output.begin()
        output.write(result)
        output.end(summary, exit_decision(summary, FailPolicy()))
    return stdout.getvalue().decode()


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("jsonl=out.jsonl", OutputSpec(format="jsonl", path=Path("out.jsonl"))),
        ("junit=a=b.xml", OutputSpec(format="junit", path=Path("a=b.xml"))),
        ("markdown=-", OutputSpec(format="markdown", path=None)),
        ("github", OutputSpec(format="github", path=None)),
    ],
)
def test_an_output_is_a_format_and_a_path(text: str, spec: OutputSpec) -> None:
    assert parse_output(text) == spec


@pytest.mark.parametrize(
    ("text", "message"),
    [("junit", "has no path"), ("junit=", "has no path"), ("junti=x", "did you mean junit"), ("", "known formats")],
)
def test_a_wrong_output_says_what_is_right(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_output(text)


@pytest.mark.parametrize("name", sorted(WRITERS.keys() - {"parquet"}))
def test_every_text_format_writes_a_file_and_to_standard_output(build_result: Build, tmp_path: Path, name: str) -> None:
    path = tmp_path / "out"
    finish(OutputSpec(format=name, path=path), build_result())
    assert "run-1" in path.read_text()
    assert "run-1" in finish(OutputSpec(format=name, path=None), build_result())
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_run_that_breaks_off_leaves_the_former_file(build_result: Build, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("former")
    with (
        pytest.raises(ZeroDivisionError),
        open_writer(OutputSpec(format="jsonl", path=path), Destination(sink=io.BytesIO())) as output,
    ):
        output.begin()
        output.write(build_result())
        raise ZeroDivisionError
    assert path.read_text() == "former"
    assert [p.name for p in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_link_keeps_pointing_where_it_points_and_the_mode_stays(build_result: Build, tmp_path: Path) -> None:
    target = tmp_path / "real.jsonl"
    target.write_text("")
    target.chmod(0o640)
    link = tmp_path / "link.jsonl"
    link.symlink_to(target)
    finish(OutputSpec(format="jsonl", path=link), build_result())
    assert link.is_symlink()
    assert "run-1" in target.read_text()
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_missing_folder_is_named(build_result: Build, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"no/out\.xml: No such file.*create the folder first"):
        finish(OutputSpec(format="junit", path=tmp_path / "no" / "out.xml"), build_result())


def test_a_folder_is_no_place_for_a_file(build_result: Build, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="Is a directory"):
        finish(OutputSpec(format="junit", path=tmp_path), build_result())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_a_clear_error(build_result: Build) -> None:
    with pytest.raises(OutputError, match="cannot write /dev/full: No space left"):
        finish(OutputSpec(format="jsonl", path=Path("/dev/full")), build_result())


def test_a_pipe_is_written_directly(build_result: Build, tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        finish(OutputSpec(format="jsonl", path=path), build_result())
        assert b"run-1" in os.read(reader, 1 << 16)
    finally:
        os.close(reader)
    assert path.is_fifo()


def test_github_adds_to_the_job_summary_and_annotates_on_standard_output(build_result: Build, tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    path.write_text("before\n")
    log = finish(OutputSpec(format="github", path=None), build_result(), job_summary=path)
    assert log.startswith("::error ")
    assert path.read_text().startswith("before\n# Claim check")


def test_github_without_a_job_summary_only_annotates(build_result: Build) -> None:
    log = finish(OutputSpec(format="github", path=None), build_result())
    assert all(line.startswith("::") for line in log.splitlines())


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(UsageError, match="did you mean table"):
        writer_factory("tabel")


def test_what_a_killed_run_left_is_removed_and_nothing_else(tmp_path: Path, build_result: Build) -> None:
    out = tmp_path / "out.jsonl"
    left, young, other, held = (
        tmp_path / name
        for name in (
            f".out.jsonl.{'a' * 12}.tmp", f".out.jsonl.{'b' * 12}.tmp", f".more.jsonl.{'c' * 12}.tmp", f".out.jsonl.{'d' * 12}.tmp",
        )
    )  # fmt: skip
    for path in (left, young, other, held):
        path.write_bytes(b"half")
    for path in (left, other, held):
        os.utime(path, (0, 0))
    with held.open("rb") as stream:
        assert take_lock(stream)
        finish(OutputSpec(format="jsonl", path=out), build_result())
    assert not left.exists()
    assert all(path.exists() for path in (young, other, held, out))
