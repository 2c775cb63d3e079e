from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.core.install import InstalledCopy, Installer, install_hint, requirements_of, running_copy

REQUIRES = (
    "click>=8.1.7",
    "zstandard>=0.22; extra == 'zstd'",
    'ray>=2.40; extra == "ray"',
    "agent-claimcheck[ray,zstd]; extra == 'all'",
)
GIT = {"url": "https://example.com/a.git", "vcs_info": {"vcs": "git", "commit_id": "abc123"}}


def copy(installer: Installer, direct_url: dict[str, Any] | None = None) -> InstalledCopy:
    return InstalledCopy(installer=installer, python="/venv/bin/python", requires=REQUIRES, direct_url=direct_url)


@pytest.mark.parametrize(
    ("installed", "command"),
    [
        (copy("pip"), "/venv/bin/python -m pip install 'zstandard>=0.22'"),
        (copy("uv"), "uv pip install --python /venv/bin/python 'zstandard>=0.22'"),
        (copy("uv-tool", GIT), "uv pip install --python /venv/bin/python 'zstandard>=0.22'"),
        (copy("uvx", GIT), "add `--with 'zstandard>=0.22'` right after `uvx`"),
        (copy("pipx", GIT), "pipx inject agent-claimcheck 'zstandard>=0.22'"),
        (
            copy("pip", GIT),
            "/venv/bin/python -m pip install 'agent-claimcheck[zstd] @ git+https://example.com/a.git@abc123'",
        ),
        (
            copy("pip", {"url": "https://example.com/a-1.0-py3-none-any.whl", "archive_info": {}}),
            "/venv/bin/python -m pip install 'agent-claimcheck[zstd] @ https://example.com/a-1.0-py3-none-any.whl'",
        ),
        (
            copy("pip", {"url": "file:///gone", "dir_info": {"editable": True}}),
            "/venv/bin/python -m pip install 'zstandard>=0.22'",
        ),
    ],
)
def test_hint_is_the_command_for_this_kind_of_installation(installed: InstalledCopy, command: str) -> None:
    assert install_hint("zstd", installed) == command


def test_a_directory_is_named_with_the_extra_and_quoted(tmp_path: Path) -> None:
    source = tmp_path / "my copy"
    source.mkdir()
    url = source.as_uri()
    plain = install_hint("zstd", copy("pip", {"url": url, "dir_info": {}}))
    editable = install_hint("zstd", copy("pip", {"url": url, "dir_info": {"editable": True}}))
    assert plain == f"/venv/bin/python -m pip install '{source}[zstd]'"
    assert editable == f"/venv/bin/python -m pip install -e '{source}[zstd]'"


@pytest.mark.parametrize("installer", ["uv-tool", "uvx", "pipx", "uv", "pip"])
def test_no_hint_fetches_the_bare_package(installer: Installer) -> None:
    hint = install_hint("all", copy(installer)).replace("pipx inject agent-claimcheck", "")
    assert not re.search(r"agent-claimcheck(?!\[\w+\] @)", hint)
    assert "ray>=2.40" in hint and "zstandard>=0.22" in hint


def test_an_extra_made_of_extras_is_followed() -> None:
    assert requirements_of("all", REQUIRES) == ["ray>=2.40", "zstandard>=0.22"]
    assert requirements_of("loop", ("agent-claimcheck[loop]; extra == 'loop'",)) == []


def test_an_unknown_extra_names_nothing_to_fetch() -> None:
    assert install_hint("nosuch", copy("pip")) == "install this package again with its extra `nosuch`"


def test_the_running_copy_knows_its_extras() -> None:
    running = running_copy()
    assert Path(running.python).exists()
    assert any("zstd" in line for line in running.requires)
    assert "zstandard" in install_hint("zstd", running) or "[zstd]" in install_hint("zstd", running)
