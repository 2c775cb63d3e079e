"""What the text of a trace can do to whoever reads the output of a command, a person at a terminal or a CI runner: nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent_claimcheck.cli.app import app
from agent_claimcheck.trace.model import Claim, FinalClaim, GroundTruth, Step, Task, Trace
from agent_claimcheck.trace.write import to_json

PIECES = (
    "::error file=a::x", "  ::set-env name=A::b", "\u3000::error::wide", "##[error]x", "##vso[task.setvariable variable=a]b",
    "##teamcity[buildStatus text='x']", "a\r\n::error::y", "\u2028::error::z", "\x85::error::n",
    "\x1b[31mred", "\x1b]0;title\x07", "\x9b31m", "\u202etxet", "\x7f",
)  # fmt: skip
PLACES = ("trace_id", "source", "task", "instruction", "name", "args", "output", "error", "content", "claim", "final")
COMMANDS = (
    "check {}", "check {} -o markdown=-", "check {} -o junit=-", "explain {} --all", "tools {}", "faithfulness {} --offline",
    "injection {}", "run {} --checks tool_use,faithfulness,injection", "doctor {}", "forge {}", "dataset show {}",
    "packs draft {}", "validate {}", "report results.jsonl", "compare results.jsonl results.jsonl",
)  # fmt: skip

COMMAND = re.compile(r"\s*::(?!error title=agent-claimcheck|notice title=agent-claimcheck)|.*##\w*\[")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029]")


def hostile(number: int, piece: str, place: str) -> Trace:
    def at(here: str, usual: str) -> str:
        return piece if here == place else usual

    name = at("name", "create_booking")
    failed = number % 2 == 0
    ts = "2026-05-01T09:00:00Z"
    steps = [
        Step(i=0, ts=ts, kind="message", role="agent", content=at("content", "One moment.")),
        Step(i=1, ts=ts, kind="tool_call", role="agent", name=name, args={at("args", "desk"): at("args", "D7")}),
        Step(
            i=2, ts=ts, kind="tool_result", role="tool", name=name, ok=not failed,
            output={at("output", "id"): at("output", "B-1")}, error=at("error", "taken") if failed else None,
        ),
    ]  # fmt: skip
    final = "I have booked desk D7 for you."
    return Trace(
        trace_id=f"{at('trace_id', 'run')} {number}",
        source=at("source", "agent"),
        task=Task(id=at("task", "t"), domain="other", instruction=at("instruction", "Book desk D7.")),
        steps=steps,
        final_claim=FinalClaim(
            text=f"{piece}\n{final}" if place == "final" else final,
            claims=[Claim(type=at("claim", "booked"), subject={"desk": "D7"})],
        ),
        ground_truth=GroundTruth(outcome="failure" if failed else "success", checked_by="human"),
    )


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pairs = [(piece, place) for piece in PIECES for place in PLACES]
    lines = [to_json(hostile(number, *pair)) for number, pair in enumerate(pairs)]
    Path("runs.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    CliRunner().invoke(app, ["check", "runs.jsonl", "--out", "results.jsonl"])
    return tmp_path


def test_no_line_of_any_command_is_an_order_to_a_runner_or_a_terminal(in_folder: Path) -> None:
    for command in COMMANDS:
        result = CliRunner().invoke(app, command.format("runs.jsonl").split())
        assert result.exit_code in (0, 1), (command, result.output[-300:])
        if command.startswith("packs draft"):
            # What is drafted is a file of YAML; only what is told beside it goes to a log.
            result_text = result.stderr
        else:
            result_text = result.output
        for line in result_text.split("\n"):
            assert not COMMAND.match(line), (command, line)
            assert not CONTROL.search(line.rstrip("\r")), (command, line)


def test_a_file_name_is_no_order_either(in_folder: Path) -> None:
    for name in ("::error::x.jsonl", "##vso[a]b.jsonl", "\x1b[31mred.jsonl"):
        Path(name).write_text("no json\n")
        for command in ("check", "validate", "tools", "explain", "import", "doctor", "report"):
            output = CliRunner().invoke(app, [command, name]).output
            assert output
            for line in output.split("\n"):
                assert not COMMAND.match(line), (command, line)
                assert not CONTROL.search(line), (command, line)
