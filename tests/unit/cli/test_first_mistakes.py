"""What a first user gets wrong at the command line, and what the answer tells them to do next."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Literal

import pytest
from click.testing import CliRunner, Result

from agent_claimcheck.cli.app import app
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.resources import read_data
from agent_claimcheck.core.settings import load_settings
from agent_claimcheck.pipeline.build import spec_from_settings
from agent_claimcheck.review.scoring import ScoringPlan, store_key


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def failure(*arguments: str) -> str:
    result = run(*arguments)
    return f"{result.stderr}{result.exception}"


def test_never_is_a_gate_that_no_verdict_closes() -> None:
    result = run("check", "example:mixed", "--fail-on", "never")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].startswith("NO GATE - 3 accused")


@pytest.mark.parametrize("words", ["", " , ", "never,false_success"])
def test_a_gate_is_never_opened_by_an_unset_variable(words: str) -> None:
    result = run("check", "example:mixed", "--fail-on", words)
    assert isinstance(result.exception, UsageError)
    assert "never" in str(result.exception)


@pytest.mark.parametrize("share", ["50%", "50", "-0.1", "nan", ""])
def test_a_share_that_is_none_is_refused_with_an_example(share: str) -> None:
    result = run("check", "example:mixed", "--min-checked", share)
    assert result.exit_code == 2
    assert "is no number from 0 to 1, such as 0.8" in result.stderr


def test_a_slip_in_a_trace_id_is_answered_with_the_nearest_id() -> None:
    assert 'did you mean "booking-02"?' in failure("explain", "example:mixed", "booking-2")


def test_json_of_ones_own_is_answered_with_the_next_step(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"input": "Book it", "output": "Booked."}), encoding="utf-8")
    result = run("check", str(own))
    assert result.exit_code == 2
    assert "keys of the first object: input, output" in result.stderr
    assert "agent-claimcheck formats" in result.stderr
    assert "0 runs" not in result.stderr


def test_several_faults_of_one_line_are_counted_as_problems_not_as_lines(tmp_path: Path) -> None:
    faulty = tmp_path / "faulty.jsonl"
    faulty.write_text('{"schema": "agent-trace/v1", "trace_id": "a"}\n', encoding="utf-8")
    result = run("check", str(faulty))
    count = len(result.stderr.splitlines())
    assert count > 1
    assert f"{count} problems in the input" in result.stdout


def test_results_given_as_input_are_told_from_runs(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    run("check", "example:mixed", "--out", str(results))
    assert "holds results of `check`, not runs" in run("check", str(results)).stderr


def test_the_suppressions_and_gates_of_the_manual_are_accepted(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "ci.md").read_text(encoding="utf-8")
    accepted = tmp_path / "accepted.toml"
    accepted.write_text(page.split("```toml\n")[1].split("```")[0], encoding="utf-8")
    gates = [line.split("check runs/")[1].split("#")[0].split() for line in page.splitlines() if "never   " in line]
    assert gates
    for gate in gates:
        result = run("check", "example:mixed", *gate, "--suppressions", str(accepted))
        assert result.exit_code == 0, result.stderr


def test_a_file_cut_off_in_its_first_block_is_named_and_read_as_far_as_it_goes(in_folder: Path) -> None:
    data = read_data("examples/traces.jsonl")
    packed = gzip.compress(data)
    Path("cut.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    Path("whole.jsonl").write_bytes(data.splitlines()[-1] + b"\n")
    result = run("check", "cut.jsonl.gz", "whole.jsonl", "--detector", "rules")
    assert result.exit_code == 2
    assert "cut.jsonl.gz:" in result.stderr
    assert "compressed data is damaged" in result.stderr
    assert "booking-01" in result.stdout
    assert "coding-04" in result.stdout


def test_an_import_of_a_file_cut_off_keeps_the_runs_before_the_damage(in_folder: Path) -> None:
    line = {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]}
    for name, data in (
        ("own.gz", read_data("examples/traces.jsonl")),
        ("chat.gz", b"".join(json.dumps({"id": os.urandom(400).hex(), **line}).encode() + b"\n" for _ in range(40))),
    ):
        packed = gzip.compress(data)
        Path(name).write_bytes(packed[: len(packed) * 2 // 3])
        imported = run("import", name)
        assert imported.exit_code == 2
        assert "compressed data is damaged" in imported.stderr
        assert len(imported.stdout.splitlines()) >= data.count(b"\n") // 3


@pytest.mark.parametrize("mode", ["w:gz", "w"])
def test_a_tar_archive_is_told_and_not_read_as_lines(in_folder: Path, mode: Literal["w:gz", "w"]) -> None:
    Path("traces.jsonl").write_bytes(read_data("examples/traces.jsonl"))
    with tarfile.open("a.tar", mode) as archive:
        archive.add("traces.jsonl")
    result = run("check", "a.tar")
    assert result.exit_code == 2
    assert "a tar archive; unpack it" in result.stderr
    assert "0 traces" in result.stdout


def test_a_zip_archive_and_binary_data_are_told_with_the_next_step(in_folder: Path) -> None:
    for pack in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile("a.zip", "w", pack) as archive:
            archive.writestr("traces.jsonl", read_data("examples/traces.jsonl"))
        assert "a zip archive" in (told := run("check", "a.zip").stderr)
        assert "unpack it" in told
    Path("a.bin").write_bytes(bytes(range(256)) * 20)
    assert "is binary data" in run("check", "a.bin").stderr


@pytest.mark.parametrize("command", ["check", "run", "validate"])
def test_an_input_without_a_name_is_told(command: str) -> None:
    assert "the name of an input is empty" in failure(command, "")


def test_a_full_disk_behind_standard_output_is_named() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "agent_claimcheck", "explain", "example:mixed"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("error: cannot write standard output")


def test_a_directory_without_results_is_not_said_to_lack_traces(in_folder: Path) -> None:
    assert ".: no result files found here" in failure("report", ".")


def test_a_directory_is_searched_for_the_same_files_by_attest_and_serve(in_folder: Path) -> None:
    case = Path(__file__).parents[2] / "cases" / "importers" / "swe-agent"
    [source, *_] = sorted(case.rglob("input*"))
    Path("runs").mkdir()
    Path("runs/a.traj").write_bytes(source.read_bytes())
    assert run("tools", "runs").exit_code != 2
    spec = spec_from_settings(load_settings(None, {}, {"XDG_CACHE_HOME": "."}, Path()))
    first = store_key(ScoringPlan(inputs=("runs",), spec=spec))
    os.utime("runs/a.traj", ns=(1, 1))
    assert first != store_key(ScoringPlan(inputs=("runs",), spec=spec))


def test_bench_says_what_was_wrong_when_nothing_is_left(in_folder: Path) -> None:
    Path("a.json").write_text('{"a": 1}')
    assert "a.json: JSON of no known format" in failure("bench", "--dataset", "a.json", "--out", "out")


@pytest.mark.parametrize("command", ["check", "check --jobs 2", "validate", "run", "import", "explain --all", "doctor"])
def test_a_file_that_cannot_be_opened_costs_no_other(in_folder: Path, command: str) -> None:
    lines = read_data("examples/traces.jsonl").splitlines(keepends=True)
    Path("runs").mkdir()
    Path("runs/a.jsonl").write_bytes(lines[0])
    Path("runs/b.jsonl").symlink_to("nowhere")
    Path("runs/c.jsonl").write_bytes(lines[-1])
    os.mkfifo("runs/d.jsonl")
    result = run(*command.split(), "runs")
    assert result.output.count("runs/b.jsonl: no such file") == 1
    if command not in ("validate", "doctor"):
        assert "booking-01" in result.output
        assert "coding-04" in result.output
    assert result.exit_code == 2


@pytest.mark.parametrize("command", ["tools", "run", "check", "import", "validate"])
def test_a_named_pipe_is_read_once_and_whole(in_folder: Path, command: str) -> None:
    data = read_data("examples/traces.jsonl")
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as sink:
        sink.write(data)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "agent_claimcheck", command, f"/dev/fd/{reading}"],
            pass_fds=[reading], capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
    finally:
        os.close(reading)
    assert "no runs" not in done.stderr and "no traces" not in done.stderr
    assert command == "validate" or "coding-04" in done.stdout
