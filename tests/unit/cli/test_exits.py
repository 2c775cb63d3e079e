"""How a command ends when its standard streams are not what it expects."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "agent_claimcheck"]


def in_shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program = " ".join(COMMAND)
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line.replace('CLAIMCHECK', program)}"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("command", ["explain bench:train --all", "check bench:train --detector rules --format jsonl"])
def test_output_that_is_not_read_to_the_end_is_neither_a_pass_nor_a_hit_gate(command: str, tmp_path: Path) -> None:
    done = in_shell(f"CLAIMCHECK {command} | head -n 1", tmp_path)
    assert done.returncode == 141
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("command", "code"), [("check example:mixed --detector rules", 1), ("explain example:mixed", 0), ("--help", 0)]
)
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&- <&-"])
def test_closed_streams_change_no_exit_code(command: str, code: int, closed: str, tmp_path: Path) -> None:
    done = in_shell(f"CLAIMCHECK {command} {closed}", tmp_path)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_a_closed_standard_output_does_not_leak_into_files(tmp_path: Path) -> None:
    plain = in_shell("CLAIMCHECK check example:mixed --detector rules -o jsonl=plain.jsonl", tmp_path)
    done = in_shell("CLAIMCHECK check example:mixed --detector rules -o jsonl=out.jsonl >&- 2>&-", tmp_path)
    assert plain.returncode == done.returncode == 1
    lines = [(tmp_path / name).read_text().splitlines() for name in ("plain.jsonl", "out.jsonl")]
    assert len(lines[0]) == len(lines[1]) == 12


def test_a_report_that_is_not_read_to_the_end_still_writes_its_files(tmp_path: Path) -> None:
    in_shell("CLAIMCHECK check bench:train --detector rules -o jsonl=out.jsonl --fail-on never > seen", tmp_path)
    in_shell("CLAIMCHECK report out.jsonl --html report.html --markdown report.md --rows 100 | true", tmp_path)
    assert (tmp_path / "report.html").is_file()
    assert (tmp_path / "report.md").is_file()


@pytest.mark.parametrize("command", ["check pipe --out out.jsonl -o html=out.html", "import pipe --out out.jsonl"])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_program_that_is_ended_leaves_the_former_file_and_no_other(tmp_path: Path, command: str, how: int) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "out.jsonl").write_text("former")
    process = subprocess.Popen(
        [sys.executable, "-c", "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
         "from agent_claimcheck.cli.app import main; main()", *command.split()],
        cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    # Opening waits for the reader, which by then has begun its outputs or is about to.
    with (tmp_path / "pipe").open("wb"):
        process.send_signal(how)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 128 + how
    assert "stopped" in told and "Traceback" not in told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.jsonl", "pipe"]
    assert (tmp_path / "out.jsonl").read_text() == "former"
