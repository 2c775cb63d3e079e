"""Outputs must not fall over each other or over what is read, and the last line must not promise another exit code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent_claimcheck.cli.app import app
from agent_claimcheck.cli.output_places import among_inputs, refuse_clashes
from agent_claimcheck.core.errors import OutputError, UsageError
from agent_claimcheck.results.writers.contract import OutputSpec
from agent_claimcheck.results.writers.output import AtomicFile


def test_output_over_the_input_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "runs.jsonl"
    source.write_text("{}\n")
    (tmp_path / "link.jsonl").symlink_to(source)
    for place in (source, tmp_path / "." / "runs.jsonl", tmp_path / "link.jsonl"):
        with pytest.raises(UsageError, match="would overwrite"):
            refuse_clashes([OutputSpec(format="jsonl", path=place)], [source])


@pytest.mark.parametrize(
    ("outputs", "both"),
    [
        (("-o", "html=-", "-o", "junit=-"), "html and junit"),
        (("--format", "json", "-o", "junit=-"), "json and junit"),
        (("--out", "-", "-o", "markdown=-"), "jsonl-v1 and markdown"),
    ],
)
def test_two_outputs_do_not_share_standard_output(outputs: tuple[str, ...], both: str) -> None:
    done = CliRunner().invoke(app, ["check", "example:mixed", *outputs])
    assert isinstance(done.exception, UsageError)
    assert f"outputs {both} both go to standard output" in str(done.exception)
    assert done.stdout == ""


@pytest.mark.parametrize("named", [".", "*.jsonl", "deep", "d*/*"])
def test_output_over_a_file_of_a_directory_or_pattern_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("deep").mkdir()
    for place in ("runs.jsonl", "deep/runs.jsonl"):
        Path(place).write_text("{}\n")
    place = Path("deep/runs.jsonl" if "d" in named else "runs.jsonl")
    with pytest.raises(UsageError, match=r"would overwrite \S*runs\.jsonl"):
        refuse_clashes([OutputSpec(format="jsonl", path=place)], [named])
    refuse_clashes([OutputSpec(format="jsonl", path=Path("new.jsonl"))], [named])


@pytest.mark.parametrize(
    "command",
    [
        ("check", "runs", "--out", "runs/a.jsonl"),
        ("run", "runs", "--html", "runs/a.jsonl"),
        ("report", "runs", "--html", "runs/a.jsonl"),
        ("report", "runs", "--markdown", "runs/a.jsonl"),
        ("import", "runs", "--out", "runs/a.jsonl"),
    ],
)
def test_no_command_writes_over_what_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    Path("runs/a.jsonl").write_text('{"task": "a", "final_answer": "b"}\n')
    done = CliRunner().invoke(app, list(command))
    assert isinstance(done.exception, UsageError)
    assert Path("runs/a.jsonl").read_text() == '{"task": "a", "final_answer": "b"}\n'


@pytest.mark.parametrize(("place", "told"), [("no/page.html", "create the folder first"), (".", "Is a directory")])
def test_a_page_that_cannot_be_written_is_told_before_anything_is_graded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.json").write_text('{"task": "a", "final_answer": "b"}\n')
    done = CliRunner().invoke(app, ["run", "a.json", "--html", place])
    assert isinstance(done.exception, OutputError)
    assert told in str(done.exception)
    assert done.stdout == ""


def test_a_pipe_takes_an_output_under_its_name_in_proc() -> None:
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as reading:
        with os.fdopen(writer, "wb") as writing:
            file = AtomicFile(Path(f"/dev/fd/{writing.fileno()}"))
            file.write(b"all\n")
            file.commit()
        assert reading.read() == b"all\n"


def test_two_outputs_to_one_file_are_refused(tmp_path: Path) -> None:
    one, two = tmp_path / "out", tmp_path / "sub" / ".." / "out"
    (tmp_path / "sub").mkdir()
    with pytest.raises(UsageError, match="both go to"):
        refuse_clashes([OutputSpec(format="jsonl", path=one), OutputSpec(format="junit", path=two)], [])


def test_streams_and_distinct_files_are_fine(tmp_path: Path) -> None:
    null = Path("/dev/null")
    refuse_clashes(
        [
            OutputSpec(format="table", path=None),
            OutputSpec(format="jsonl", path=null),
            OutputSpec(format="junit", path=null),
            OutputSpec(format="markdown", path=tmp_path / "a.md"),
        ],
        ["-", "example:mixed", None, tmp_path / "missing.jsonl"],
    )


def test_results_among_the_inputs_are_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs/deep").mkdir(parents=True)

    def warned(place: str, *inputs: str) -> bool:
        return any(
            "the next check" in line for line in among_inputs([OutputSpec(format="x", path=Path(place))], inputs)
        )

    assert warned("runs/results.jsonl", "runs")
    assert warned("runs/deep/results.json.gz", "other.jsonl", "runs/")
    assert not warned("results.jsonl", "runs")
    assert not warned("runs/claims.xml", "runs")
    assert not warned("runs/results.jsonl", "runs/*.json")
