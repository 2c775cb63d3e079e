"""``bench --from-recorded``: what is printed, what is written, and the exit codes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner, Result

from agent_claimcheck.cli.commands.bench import bench
from agent_claimcheck.core.errors import InputError, UsageError
from agent_claimcheck.lab.bench.readme import END, START
from agent_claimcheck.lab.bench.replay import replay_run

RunWriter = Callable[..., Path]


def call(*args: str | Path) -> Result:
    return CliRunner().invoke(bench, [str(arg) for arg in args])


def test_the_report_is_printed_as_it_is(write_run: RunWriter) -> None:
    directory = write_run()
    done = call("--from-recorded", directory)
    assert done.exit_code == 0
    assert done.stdout == replay_run(directory).markdown


def test_out_writes_every_file(write_run: RunWriter, tmp_path: Path) -> None:
    directory, out = write_run(), tmp_path / "new" / "report"
    assert call("--from-recorded", directory, "--out", out).exit_code == 0
    expected = replay_run(directory).files
    assert {path.name: path.read_bytes() for path in out.iterdir()} == expected
    assert set(expected) == {
        "bench.md", "bench.json", "bench.html", "reliability.svg", "histogram.svg", "risk-coverage.svg",
    }  # fmt: skip


def test_a_readme_that_says_the_same_passes(write_run: RunWriter, tmp_path: Path) -> None:
    directory, readme = write_run(), tmp_path / "README.md"
    readme.write_text(f"{START}\n{replay_run(directory).markdown}{END}\n", encoding="utf-8")
    assert call("--from-recorded", directory, "--check-readme", readme).exit_code == 0


def test_a_readme_that_says_otherwise_exits_1_with_a_diff(write_run: RunWriter, tmp_path: Path) -> None:
    directory, readme = write_run(), tmp_path / "README.md"
    block = replay_run(directory).markdown.replace("| rules |", "| RULES |")
    readme.write_text(f"{START}\n{block}{END}\n", encoding="utf-8")
    done = call("--from-recorded", directory, "--check-readme", readme)
    assert done.exit_code == 1
    assert "-| RULES |" in done.stdout and "+| rules |" in done.stdout


def test_a_readme_without_markers_exits_1(write_run: RunWriter, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("nothing here\n", encoding="utf-8")
    assert call("--from-recorded", write_run(), "--check-readme", readme).exit_code == 1


def test_nothing_to_report_on_is_a_usage_error() -> None:
    assert isinstance(call().exception, UsageError)


def test_a_directory_that_is_no_run_is_an_input_error(tmp_path: Path) -> None:
    assert isinstance(call("--from-recorded", tmp_path).exception, InputError)


def test_an_unknown_short_name_is_a_usage_error() -> None:
    assert isinstance(call("--from-recorded", "recorded:v9").exception, UsageError)
