"""``check --group``, ``packs draft`` and ``doctor`` at the command line: what is printed, written and returned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agent_claimcheck.cli.app import app
from agent_claimcheck.core.errors import InputError


def run_of(name: str, desk: str = "D14") -> dict[str, Any]:
    ts = "2026-03-02T09:00:00Z"
    return {
        "schema": "agent-trace/v1",
        "trace_id": name,
        "source": "desks",
        "task": {"id": "desk-1", "domain": "other", "instruction": "Book a desk."},
        "steps": [
            {"i": 0, "ts": ts, "kind": "tool_call", "role": "agent", "name": "book_desk", "args": {"desk_id": desk}},
            {
                "i": 1,
                "ts": ts,
                "kind": "tool_result",
                "role": "tool",
                "name": "book_desk",
                "ok": True,
                "output": {"ref": name},
            },
        ],
        "final_claim": {"text": "I have booked the desk.", "claims": []},
        "meta": {"model": f"model-{name}"},
    }


RUNS = "".join(json.dumps(run_of(name, "D15" if name == "e" else "D14")) + "\n" for name in "abcde")
TOOLS = [
    {"name": "create_rental", "input_schema": {"type": "object", "properties": {"boat_id": {"type": "string"}}}},
    {"name": "get_rental", "input_schema": {"type": "object", "properties": {"rental_id": {"type": "string"}}}},
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs.jsonl").write_text(RUNS, encoding="utf-8")
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    return tmp_path


def command(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, list(args), input=stdin)


def records(path: Path) -> dict[str, tuple[str, str]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["trace_id"]: (row["record"], row["verdict"]) for row in rows}


def test_grouped_results_come_in_input_order_with_the_records_of_the_comparison(folder: Path) -> None:
    result = command("check", "runs.jsonl", "--group", "task", "-o", "jsonl=out.jsonl")
    assert result.exit_code == 0
    assert "groups: 5 of 5 runs have 3 or more others of their task, 4 corroborated" in result.stderr
    found = records(folder / "out.jsonl")
    assert list(found) == list("abcde")
    assert found["a"] == ("corroborated", "unverifiable")
    assert found["e"] == ("supported", "unverifiable")


def test_grouping_works_on_standard_input(folder: Path) -> None:
    command("check", "-", "--group", "task", "-o", "jsonl=stdin.jsonl", stdin=RUNS)
    command("check", "runs.jsonl", "--group", "task", "-o", "jsonl=file.jsonl")
    assert records(folder / "stdin.jsonl") == records(folder / "file.jsonl")


def test_without_grouping_nothing_is_corroborated(folder: Path) -> None:
    command("check", "runs.jsonl", "-o", "jsonl=out.jsonl")
    assert {record for record, _ in records(folder / "out.jsonl").values()} == {"supported"}


def test_accepted_agreement_verifies_and_says_so(folder: Path) -> None:
    result = command("check", "runs.jsonl", "--group", "task", "--accept", "corroborated", "-o", "jsonl=out.jsonl")
    assert records(folder / "out.jsonl")["a"] == ("corroborated", "verified")
    assert "3 of 4 other runs of this task made the same changes" in result.stdout


def test_accept_needs_group(folder: Path) -> None:
    result = command("check", "runs.jsonl", "--accept", "corroborated")
    assert result.exit_code != 0
    assert "--accept needs --group" in str(result.exception) + result.stderr


def test_a_draft_is_printed_or_written_and_never_overwrites(folder: Path) -> None:
    printed = command("packs", "draft", "tools.json")
    assert printed.exit_code == 0
    assert "rental_created:" in printed.stdout
    written = command("packs", "draft", "tools.json", "--out", "made", "--name", "boats")
    assert written.exit_code == 0
    assert "pack: boats" in (folder / "made" / "pack.yaml").read_text(encoding="utf-8")
    assert 'name = "get_rental"' in (folder / "made" / "probes.toml").read_text(encoding="utf-8")
    again = command("packs", "draft", "tools.json", "--out", "made")
    assert again.exit_code != 0
    assert "already there" in str(again.exception) + again.stderr


def test_what_can_be_read_beside_a_broken_file_is_worked_on_before_the_exit_code_says_so(folder: Path) -> None:
    (folder / "broken.json").write_text('{"task": ', encoding="utf-8")
    drafted = command("packs", "draft", "broken.json", "runs.jsonl", "--out", "made")
    assert (drafted.exit_code, (folder / "made" / "pack.yaml").exists()) == (2, True)
    examined = command("doctor", "broken.json", "runs.jsonl")
    assert examined.exit_code == 2
    assert "of 5 runs" in examined.stdout


def test_definitions_and_traces_are_told_apart(folder: Path) -> None:
    result = command("packs", "draft", "tools.json", "runs.jsonl")
    assert "# - tools.json" in result.stdout
    assert "# - 5 traces of runs.jsonl" in result.stdout
    assert {"desk_booked", "rental_created"} <= {line.strip().rstrip(":") for line in result.stdout.splitlines()}


def test_a_draft_goes_to_a_directory_and_not_to_a_file(folder: Path) -> None:
    result = command("packs", "draft", "tools.json", "--out", "pack.yaml")
    assert "is to be a directory" in str(result.exception)
    assert not (folder / "pack.yaml").exists()


def test_a_drafted_pack_lints_without_warnings(folder: Path) -> None:
    command("packs", "draft", "tools.json", "--out", "made")
    assert command("packs", "lint", "made/pack.yaml").exit_code == 0


def test_a_tried_pack_says_which_of_its_claims_the_runs_make(folder: Path) -> None:
    command("packs", "draft", "tools.json", "runs.jsonl", "--out", "made")
    said = command("packs", "test", "made/pack.yaml", "runs.jsonl").stdout
    assert "runs that claim it: desk_booked in 5" in said
    assert "claimed in no run: rental_created (claim_patterns says which words claim them)" in said


def test_the_doctor_looks_at_the_installation_and_at_traces(folder: Path) -> None:
    alone = command("doctor")
    assert alone.exit_code == 0
    assert alone.stdout.startswith("Installation\n  ok agent-claimcheck ")
    result = command("doctor", "runs.jsonl")
    assert result.exit_code == 0
    assert "5 claims in 5 runs" in result.stdout
    assert "1 writing tool mapped by no pack: book_desk (5)" in result.stdout


def test_the_doctor_leaves_with_2_when_nothing_can_be_read_and_1_when_settings_are_wrong(folder: Path) -> None:
    (folder / "bad.jsonl").write_text('{"schema": "agent-trace/v1"}\n', encoding="utf-8")
    assert command("doctor", "bad.jsonl").exit_code == 2
    (folder / "claimcheck.toml").write_text("[gate]\nnope = 1\n", encoding="utf-8")
    assert command("doctor", "runs.jsonl").exit_code == 1


def test_where_nothing_can_be_drafted_the_reasons_are_said_and_nothing_is_written(folder: Path) -> None:
    tool = {"name": "bash", "description": "Run a command.", "input_schema": {"type": "object", "properties": {}}}
    (folder / "shell.json").write_text(json.dumps([tool]), encoding="utf-8")
    with pytest.raises(InputError, match="no rule can be drafted from this") as raised:
        CliRunner().invoke(app, ["packs", "draft", "shell.json", "--out", "made"], catch_exceptions=False)
    assert "shells and file editors need no pack" in str(raised.value.hint)
    assert not (folder / "made").exists()
