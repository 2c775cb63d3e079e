"""The README's console block prints what it shows, and its rule pack is sound."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-m", "agent_claimcheck"]
README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"(?ms)^```console\n\$ agent-claimcheck ([^\n]+)\n(.*?)^```", README)
PACK = re.search(r"(?ms)^```yaml\n(pack: .*?)^```", README)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def test_the_first_check_prints_what_is_shown(tmp_path: Path) -> None:
    assert SESSIONS
    for command, shown in SESSIONS:
        assert run(tmp_path, *shlex.split(command)).stdout == shown


def test_the_rule_pack_has_no_errors_or_warnings(tmp_path: Path) -> None:
    assert PACK is not None
    (tmp_path / "my-pack.yaml").write_text(PACK[1], encoding="utf-8")
    assert run(tmp_path, "packs", "lint", "my-pack.yaml").returncode == 0
