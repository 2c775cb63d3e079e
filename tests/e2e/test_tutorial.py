"""The tutorial, followed line by line: own tools, a draft, an edit, probes, a verified claim."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-m", "agent_claimcheck"]
PAGE = (Path(__file__).parents[2] / "docs" / "tutorial.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"(?ms)^`([\w./]+)`:\n\n```\w+\n(.*?)^```", PAGE))
SESSIONS = re.findall(r"(?ms)^```console\n(.*?)^```", PAGE)
EDIT = re.search(r"(?ms)replace\n\n```yaml\n(.*?)^```\n\nby\n\n```yaml\n(.*?)^```", PAGE[PAGE.index("## 3") :])


def steps_of(session: str) -> list[tuple[str, str]]:
    """Return each command of a console block with what it prints; ``...`` stands for lines left out."""
    parts = re.split(r"(?m)^\$ agent-claimcheck (.*)\n", session)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def follow(session: str, folder: Path) -> None:
    for command, shown in steps_of(session):
        done = subprocess.run(
            [*COMMAND, *shlex.split(command)], cwd=folder, capture_output=True, text=True, check=False
        )
        assert "Traceback" not in done.stderr
        for part in shown.split("...\n"):
            assert part.strip() in done.stdout, (command, done.stdout, done.stderr)


def test_the_tutorial_can_be_followed_to_a_verified_claim(tmp_path: Path) -> None:
    assert set(FILES) == {"tools.json", "traces.jsonl", "make_boats.py", "draft/probes.toml"}
    assert EDIT is not None
    look, ask, draft, test, dry, verify = SESSIONS
    for name in ("tools.json", "traces.jsonl", "make_boats.py"):
        (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    for session in (look, ask, draft):
        follow(session, tmp_path)
    pack = tmp_path / "draft" / "pack.yaml"
    drafted = pack.read_text(encoding="utf-8")
    shown = re.findall(r"(?ms)^```yaml\n(  rental_created:.*?)^```", PAGE)
    assert len(shown) == 1
    assert shown[0].strip() in drafted
    before, after = EDIT.groups()
    assert drafted.count(before) == 1
    pack.write_text(drafted.replace(before, after), encoding="utf-8")
    follow(test, tmp_path)
    subprocess.run([sys.executable, "make_boats.py"], cwd=tmp_path, check=True)
    (tmp_path / "draft" / "probes.toml").write_text(FILES["draft/probes.toml"], encoding="utf-8")
    follow(dry, tmp_path)
    follow(verify, tmp_path)
    assert re.search(r"(?m)^run-1 +other +verified ", verify)
