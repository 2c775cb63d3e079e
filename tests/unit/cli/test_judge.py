"""The ``judge`` commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent_claimcheck.cli.commands.judge import judge
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.loading import load_traces
from agent_claimcheck.results.v2 import encode_v2
from agent_claimcheck.trace.write import to_json
from fakes import booking_trace


@pytest.fixture
def labelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    traces = [booking_trace(f"t-{n}", outcome="success" if n % 2 else "failure", ok=bool(n % 2)) for n in range(6)]
    Path("labelled.jsonl").write_bytes(b"".join(to_json(trace) + b"\n" for trace in traces))
    return "labelled.jsonl"


def write_results(traces: str) -> None:
    results = Checker(thresholds=(0.6, 0.2)).check(load_traces(traces))
    Path("results.jsonl").write_bytes(b"".join(encode_v2(result) + b"\n" for result in results))


def test_agreement_is_printed_by_claim_type(labelled: str) -> None:
    write_results(labelled)
    run = CliRunner().invoke(judge, ["agreement", labelled, "results.jsonl", "results.jsonl"])
    assert run.exit_code == 0, run.output
    lines = run.output.splitlines()
    assert lines[1].startswith("all ") and lines[2].startswith("booked ")
    assert "1.00 [1.00, 1.00]" in lines[1]
    assert "6 traces repeated" in run.output
    as_json = CliRunner().invoke(judge, ["agreement", labelled, "results.jsonl", "--format", "json"])
    assert json.loads(as_json.output)["rows"][0]["decided"] == 6


@pytest.mark.parametrize("format_", ["table", "json"])
def test_results_of_other_traces_are_refused(labelled: str, format_: str) -> None:
    Path("others.jsonl").write_bytes(to_json(booking_trace("another")) + b"\n")
    write_results("others.jsonl")
    with pytest.raises(InputError, match="none of its 6 labelled traces is among the results") as refused:
        compare(labelled, "results.jsonl", "--format", format_)
    assert "paired by trace_id" in refused.value.hint


def test_traces_without_a_label_are_refused(labelled: str) -> None:
    Path("open.jsonl").write_bytes(to_json(booking_trace("t-1", outcome="unknown")) + b"\n")
    write_results("open.jsonl")
    with pytest.raises(InputError, match=r"open\.jsonl: no trace has both a label and a success claim"):
        compare("open.jsonl", "results.jsonl")


def compare(*arguments: str) -> None:
    CliRunner().invoke(judge, ["agreement", *arguments], catch_exceptions=False)


def test_examples_are_written_in_two_parts(labelled: str) -> None:
    run = CliRunner().invoke(judge, ["export", labelled, "--out", "examples", "--valid-share", "0.5"])
    assert run.exit_code == 0, run.output
    counts = [len(Path("examples", f"{part}.jsonl").read_bytes().splitlines()) for part in ("train", "valid")]
    assert sum(counts) == 6
    assert f"{counts[0]} examples to train, {counts[1]} to validate" in run.output


def test_file_without_labels_gives_nothing_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "unknown.jsonl"
    path.write_bytes(to_json(booking_trace(outcome="unknown")) + b"\n")
    run = CliRunner().invoke(judge, ["export", str(path), "--out", str(tmp_path / "out")])
    assert run.exit_code == 2
    assert "1 unlabelled" in run.output


def test_invalid_lines_cost_no_other_and_are_told_by_the_exit_code(labelled: str) -> None:
    with Path(labelled).open("ab") as file:
        file.write(b"{not json}\n")
    run = CliRunner().invoke(judge, ["export", labelled, "--out", "examples"])
    assert run.exit_code == 2
    assert f"{labelled}:7" in run.output and "examples to train" in run.output
