"""A record that should be a run and cannot be read is a fault of the file, never passed over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent_claimcheck.cli.app import app

MESSAGES = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello to you."}]


def _check(tmp_path: Path, *lines: str | bytes) -> tuple[int, list[str]]:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join(line.encode() if isinstance(line, str) else line for line in lines) + b"\n")
    done = CliRunner().invoke(app, ["check", str(path), "--detector", "rules"])
    return done.exit_code, done.stderr.replace(str(path), "F").splitlines()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            '{"id": "b", "messages": []}',
            "F:2: $.messages: expected a list of messages, got a list of 0 items; no run was read here",
        ),
        (
            '{"id": "b", "messages": {"x": 1}}',
            "F:2: $.messages: expected a list of messages, got an object of 1 field; no run was read here",
        ),
        (
            "42",
            "F:2: $: expected an object with a list of messages like the lines before it, got 42; no run was read here",
        ),
        (
            '{"foo": 1}',
            "F:2: $: expected an object with a list of messages like the lines before it, got an object of 1 field;"
            " no run was read here",
        ),
    ],
)
def test_a_line_that_holds_no_run_among_runs_is_told_and_fails_the_check(tmp_path: Path, line: str, said: str) -> None:
    code, told = _check(tmp_path, json.dumps({"id": "a", "messages": MESSAGES}), line)
    assert code == 2
    assert said in told


def test_a_record_of_another_kind_is_only_noted(tmp_path: Path) -> None:
    code, told = _check(tmp_path, json.dumps({"id": "a", "messages": MESSAGES}), '{"type": "meta", "version": 3}')
    assert code == 0
    assert "1 record of no known kind left behind, first at F:2" in told[-1]


def test_messages_as_a_text_are_read(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    whole = [{"id": "a", "messages": MESSAGES}, {"id": "b", "messages": json.dumps(MESSAGES)}]
    path.write_text("\n".join(map(json.dumps, whole)))
    assert "2 runs, 4 steps" in CliRunner().invoke(app, ["check", str(path)]).stderr


def test_lost_letters_are_told_once(tmp_path: Path) -> None:
    line = json.dumps({"id": "a", "messages": MESSAGES}).replace("Hello to", "F\xfcr").encode("latin-1")
    code, told = _check(tmp_path, line, line.replace(b'"a"', b'"b"'))
    assert code == 0
    assert [one for one in told if "not UTF-8" in one] == [
        "F:1: warning: $: holds bytes that are not UTF-8, each of which was read as \ufffd; save the file as UTF-8 "
        "(iconv -f LATIN1 -t UTF-8)"
    ]
