"""Every shell sample of the manual: what it shows is the whole of what is printed, and every flag it uses exists.

The tutorial, whose steps are edited on the way, and the README have tests of their own.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from agent_claimcheck.cli.app import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
ELSEWHERE = {"README.md", "tutorial.md"}
SERVES = re.compile(r"serve\b")
PROGRAMS = {
    "agent-claimcheck": [sys.executable, "-m", "agent_claimcheck"],
    "attest": [sys.executable, "-m", "agent_claimcheck"],
    "python": [sys.executable],
}


def files_of(text: str) -> dict[str, str]:
    """Return the files a page gives in full."""
    return dict(re.findall(r"(?ms)^`([\w./]+)`:\n\n```\w+\n(.*?)^```", text))


def sessions_of(text: str) -> list[list[tuple[str, str]]]:
    """Return the console blocks that show output, each as its commands with what they print."""
    blocks = []
    for block in re.findall(r"(?ms)^```console\n(.*?)^```", text):
        parts = re.split(r"(?m)^\$ (.*)\n", block)[1:]
        steps = list(zip(parts[::2], parts[1::2], strict=True))
        if any(shown for _, shown in steps) and not any(SERVES.search(command) for command, _ in steps):
            blocks.append(steps)
    return blocks


def run(command: str, folder: Path) -> str:
    command, _, target = command.partition(" > ")
    program, *words = shlex.split(command)
    done = subprocess.run([*PROGRAMS[program], *words], cwd=folder, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    if target:
        (folder / target).write_text(done.stdout, encoding="utf-8")
        return ""
    return done.stdout


def commands_of(text: str) -> Iterator[list[str]]:
    """Yield the words of every command of ours in a shell block, continued lines joined."""
    for block in re.findall(r"(?ms)^```(?:bash|console)\n(.*?)^```", text):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line.removeprefix("$ ").replace("[", " ").replace("]", " "), comments=True)
            if words and words[0] in ("agent-claimcheck", "attest"):
                yield words[1:]


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.name not in ELSEWHERE and sessions_of(page.read_text(encoding="utf-8"))],
    ids=lambda page: page.name,
)
def test_a_sample_shows_the_whole_of_what_is_printed(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    files = files_of(text)
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    for name in files:
        if name.startswith("make_"):
            run(f"python {name}", tmp_path)
    for steps in sessions_of(text):
        for command, shown in steps:
            assert run(command, tmp_path) == shown, command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_flag_in_a_shell_sample_exists(page: Path) -> None:
    for words in commands_of(page.read_text(encoding="utf-8")):
        command: click.Command | None = app
        while isinstance(command, click.Group):
            command = command.get_command(click.Context(command), words.pop(0))
        assert command is not None, (page.name, words)
        known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
        used = {word.partition("=")[0] for word in words if word.startswith("-") and word != "-"}
        assert used <= known, (page.name, words)
