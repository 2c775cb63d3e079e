"""The page about formats, followed: records of one's own become traces that are valid and checked."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-m", "agent_claimcheck"]
PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"(?ms)^`([\w.]+)`:\n\n```\w+\n(.*?)^```", PAGE))
SESSION = re.search(r"(?ms)^\$ agent-claimcheck check traces\.jsonl\n(.*?)^```", PAGE)


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_conversion_on_the_formats_page_gives_the_verdicts_it_shows(tmp_path: Path) -> None:
    assert set(FILES) == {"own.jsonl", "to_trace.py"}
    assert SESSION is not None
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    converted = run(tmp_path, sys.executable, "to_trace.py")
    assert converted.returncode == 0, converted.stderr
    (tmp_path / "traces.jsonl").write_text(converted.stdout, encoding="utf-8")
    validated = run(tmp_path, *COMMAND, "validate", "traces.jsonl")
    assert (validated.returncode, validated.stdout) == (0, "")
    assert run(tmp_path, *COMMAND, "check", "traces.jsonl").stdout == SESSION[1]
