"""``dataset``: the command's output and exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agent_claimcheck.cli.commands.dataset import dataset
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.install import install_hint


def run(*args: str) -> Result:
    return CliRunner().invoke(dataset, list(args))


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "deep" / "v1"
    result = run("generate", "--out", str(path))
    assert (result.exit_code, result.output) == (0, "")
    return path


def test_generate_writes_four_files(directory: Path) -> None:
    assert sorted(path.name for path in directory.iterdir()) == [
        "DATASET_CARD.md",
        "manifest.json",
        "traces.test.jsonl",
        "traces.train.jsonl",
    ]


def test_generate_full_of_a_size(tmp_path: Path) -> None:
    assert run("generate", "--profile", "full", "--size", "60", "--out", str(tmp_path)).exit_code == 0
    assert json.loads((tmp_path / "manifest.json").read_bytes())["size"] == 60


def test_a_size_goes_with_the_full_profile_only(tmp_path: Path) -> None:
    result = run("generate", "--size", "60", "--out", str(tmp_path))
    assert isinstance(result.exception, UsageError)


def test_validate_finds_nothing_in_the_packaged_benchmark_and_is_silent() -> None:
    result = CliRunner().invoke(dataset, ["validate"])
    assert (result.exit_code, result.stdout) == (0, "")


def test_validate_exits_2_with_a_line_for_each_fault(tmp_path: Path) -> None:
    result = CliRunner().invoke(dataset, ["validate", str(tmp_path)])
    assert result.exit_code == 2
    assert set(result.stdout.splitlines()) == {
        "manifest.json: missing",
        "traces.train.jsonl: missing",
        "traces.test.jsonl: missing",
        "DATASET_CARD.md: missing",
    }


def test_show_lists_the_runs_of_a_directory_and_of_an_alias(directory: Path) -> None:
    assert len(run("show", str(directory)).output.splitlines()) == 300
    listed = run("show", "bench:test").output.splitlines()
    assert len(listed) == 120
    assert listed[0].startswith("booking-")


def test_show_prints_a_run_with_its_label(directory: Path) -> None:
    output = run("show", str(directory), "crm-010").output
    assert output.startswith("crm-010  crm  ")
    assert "\nrequest " in output and "\nfinal   " in output and "\nlabel   " in output


def test_show_of_an_unknown_run_offers_a_near_one(directory: Path) -> None:
    result = run("show", str(directory), "crm-1000")
    assert isinstance(result.exception, UsageError)
    assert "crm-100" in str(result.exception)


def test_show_lets_nothing_of_a_run_act_on_the_terminal(tmp_path: Path) -> None:
    evil = "\x1b[2J\u202eevil\x07"
    line = {
        "schema": "agent-trace/v1", "trace_id": f"a{evil}", "source": "s",
        "task": {"id": "t", "domain": evil, "instruction": evil},
        "steps": [{"i": 0, "ts": "2026-01-01T00:00:00Z", "kind": "tool_call", "role": "agent", "name": evil,
                   "args": {evil: evil}, "content": evil, "output": [evil], "error": evil}],
        "final_claim": {"text": evil, "claims": [{"type": evil, "subject": {evil: evil}}]},
        "ground_truth": {"outcome": "success", "checked_by": "human", "details": {evil: evil, "injection": evil}},
    }  # fmt: skip
    line["task"]["domain"] = "other"  # type: ignore[index]
    path = tmp_path / "evil.jsonl"
    path.write_text(json.dumps(line))
    for output in (run("show", str(path)).output, run("show", str(path), f"a{evil}").output):
        assert "evil" in output
        assert not set(output) & {"\x1b", "\u202e", "\x07"}


def test_validate_says_what_was_left_out_without_the_extra_and_how_to_add_it() -> None:
    # A None in sys.modules is how Python marks a module that is not to be found.
    script = (
        "import sys; sys.modules['sklearn'] = None\n"
        "from agent_claimcheck.cli.app import main\n"
        "main(['dataset', 'validate'])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line == f"note: the audit of words was left out, it needs the extra train: {install_hint('train')}"


def test_show_of_what_holds_no_run_is_told_and_exits_2(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": 1}')
    result = CliRunner().invoke(dataset, ["show", str(tmp_path / "a.json")])
    assert result.exit_code == 2
    assert "JSON of no known format" in result.stderr
    assert "ImportNote(" not in result.output
