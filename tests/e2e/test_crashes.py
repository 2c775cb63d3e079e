"""Runs that are killed at random moments: after the same command has ended, every trace is there exactly once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "crash.py"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="finds workers through /proc")]


@pytest.mark.parametrize("what", ["worker", "driver", "disk"])
def test_every_trace_comes_once_whatever_is_killed(what):
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--what", what, "--times", "5", "--copies", "60", "--seed", "7"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 traces missing or repeated" in done.stdout
    hit = int(done.stdout.split(" traces, ")[1].split(" hit")[0])
    assert hit >= 1, "no run was disturbed, so nothing was tested"
