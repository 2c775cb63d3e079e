"""``import`` and ``formats`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agent_claimcheck.cli.commands.formats import formats
from agent_claimcheck.cli.commands.import_ import import_
from agent_claimcheck.importers.catalog import IMPORTERS

CASES = Path(__file__).parents[2] / "cases" / "importers"
TAU = str(CASES / "tau-bench" / "episodes" / "input.json")


def run(*args: str) -> Result:
    return CliRunner().invoke(import_, list(args))


def rows(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_file_is_converted_to_either_version(version: str) -> None:
    result = run(TAU, "--to", version)
    assert result.exit_code == 0
    assert [row["schema"] for row in rows(result)] == [f"agent-trace/{version}"]
    assert result.stderr.startswith(f"{TAU}: tau-bench: 1 run")


def test_labels_come_only_when_asked_for() -> None:
    assert "ground_truth" not in rows(run(TAU))[0]
    assert rows(run(TAU, "--labels"))[0]["ground_truth"]["outcome"] == "success"


def test_the_full_report_says_where_statuses_come_from() -> None:
    assert "status taken from: none 2" in run(TAU, "--report").stderr


def test_output_goes_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    result = run(TAU, "-o", str(out))
    assert result.stdout == ""
    assert json.loads(out.read_text())["trace_id"] == "tau-bench-3-0"


def test_converted_files_are_read_back_the_same(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    run(TAU, "-o", str(out))
    assert rows(run(str(out))) == rows(run(TAU))


def test_an_unknown_file_is_named_and_leaves_with_two(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"a": 1}')
    result = run(str(path))
    assert result.exit_code == 2
    assert "JSON of no known format" in result.stderr


def test_packaged_examples_are_inputs_like_any_other() -> None:
    first = rows(run("example:mixed", "--to", "v1"))[0]
    assert (first["schema"], first["trace_id"]) == ("agent-trace/v1", "booking-01")


def test_an_input_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(Path(TAU).read_bytes())
    result = run(str(path), "-o", str(path))
    assert result.exit_code != 0
    assert path.read_bytes() == Path(TAU).read_bytes()


def test_from_overrides_recognition() -> None:
    path = str(CASES / "openai-chat" / "function_call_without_ids" / "input.json")
    assert rows(run(path, "--from", "anthropic-messages"))[0]["source"] == "anthropic-messages"


def test_an_id_that_comes_twice_is_written_and_said(tmp_path: Path) -> None:
    first, second, out = tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "out.jsonl"
    for path, said in ((first, "Watered."), (second, "Watered again.")):
        messages = [{"role": "user", "content": "Water it."}, {"role": "assistant", "content": said}]
        path.write_text(json.dumps({"id": "run-1", "messages": messages}) + "\n")
    result = run(str(first), str(second), "-o", str(out))
    assert result.exit_code == 2
    assert f'{second}:1: $.trace_id: trace_id "run-1" was used before, at {first}:1' in result.stderr
    assert [json.loads(line)["final_claim"]["text"] for line in out.read_text().splitlines()] == [
        "Watered.",
        "Watered again.",
    ]


def test_secrets_are_masked_on_request(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps([{"role": "user", "content": "Write to kim@example.org."}]))
    assert "kim@example.org" in run(str(path)).stdout
    assert "kim@example.org" not in run(str(path), "--redact").stdout


def test_formats_lists_every_importer() -> None:
    result = CliRunner().invoke(formats, ["--format", "json"])
    assert [json.loads(line)["name"] for line in result.stdout.splitlines()] == list(IMPORTERS)
    text = CliRunner().invoke(formats, []).stdout
    assert all(name in text for name in IMPORTERS)


def test_an_output_that_cannot_be_finished_leaves_the_former_file(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("former")
    listed = [str(CASES / "tau-bench"), "--from", "no-such-format", "-o", str(out)]
    assert run(*listed).exit_code != 0
    assert out.read_text() == "former"
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
