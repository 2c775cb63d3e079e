"""The Python shown in the manual runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"(?ms)^```python\n(.*?)^```")

RUN_FILE = '{"task": "What is 2 + 2?", "steps": [], "final_answer": "4"}'


def test_the_snippets_of_the_python_page_run(tmp_path: Path) -> None:
    snippets = BLOCK.findall((ROOT / "docs" / "python-api.md").read_text(encoding="utf-8"))
    assert len(snippets) >= 3
    (tmp_path / "run.json").write_text(RUN_FILE, encoding="utf-8")
    code = "\n".join(snippets)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "booking-01 verified" in done.stdout
