"""How this copy was installed, and the command that adds an optional dependency to exactly this copy.

A reader must not miss: the hint never names the bare package. A name alone would be looked up in an index and could
fetch a different package or version than the one that is running.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from msgspec import Struct

PACKAGE = "agent-claimcheck"

Installer = Literal["uv-tool", "uvx", "pipx", "uv", "pip"]

_EXTRA_MARKER = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")
_SELF = re.compile(r"agent[-_.]claimcheck\s*\[([^\]]*)\]", re.IGNORECASE)


class InstalledCopy(Struct, frozen=True, kw_only=True):
    """Facts about an installed copy.

    ``requires`` holds its ``Requires-Dist`` lines, ``direct_url`` its PEP 610 record. ``python`` is the interpreter.
    """

    installer: Installer
    python: str
    requires: tuple[str, ...] = ()
    direct_url: dict[str, Any] | None = None


def install_hint(extra: str, copy: InstalledCopy | None = None) -> str:
    """Return the shell command that adds the dependencies of ``extra`` to ``copy`` (default: the running one)."""
    copy = copy or running_copy()
    source = _source(copy.direct_url, extra) if copy.installer in ("uv", "pip") else ""
    requirements = [shlex.quote(requirement) for requirement in requirements_of(extra, copy.requires)]
    if not requirements and not source:
        return f"install this package again with its extra `{extra}`"
    if copy.installer == "uvx":
        return f"add `{' '.join(f'--with {requirement}' for requirement in requirements)}` right after `uvx`"
    wanted = " ".join(requirements)
    if copy.installer == "pipx":
        return f"pipx inject {PACKAGE} {wanted}"
    return f"{_pip_command(copy)} {source or wanted}"


def _pip_command(copy: InstalledCopy) -> str:
    python = shlex.quote(copy.python)
    return f"{python} -m pip install" if copy.installer == "pip" else f"uv pip install --python {python}"


def requirements_of(extra: str, requires: tuple[str, ...]) -> list[str]:
    """Return the requirements that ``extra`` adds, without markers. An extra made of other extras is followed."""
    found: dict[str, None] = {}
    seen: set[str] = set()
    waiting = [extra]
    while waiting:
        name = waiting.pop(0)
        if name in seen:
            continue
        seen.add(name)
        for line in requires:
            requirement, _, marker = line.partition(";")
            match = _EXTRA_MARKER.search(marker)
            if match is None or match[1] != name:
                continue
            own = _SELF.match(requirement)
            if own:
                waiting += [part.strip() for part in own[1].split(",")]
            else:
                found[requirement.strip()] = None
    return list(found)


def _source(direct_url: dict[str, Any] | None, extra: str) -> str:
    """Return the pip argument for the place the copy came from, or an empty text when that place is unknown or gone."""
    if not direct_url or not isinstance(direct_url.get("url"), str):
        return ""
    url = direct_url["url"]
    directory, version_control = direct_url.get("dir_info"), direct_url.get("vcs_info")
    if isinstance(directory, dict):
        path = unquote(urlsplit(url).path)
        if not Path(path).is_dir():
            return ""
        target = shlex.quote(f"{path}[{extra}]")
        return f"-e {target}" if directory.get("editable") else target
    if isinstance(version_control, dict):
        commit = version_control.get("commit_id") or version_control.get("requested_revision")
        at = f"@{commit}" if commit else ""
        return shlex.quote(f"{PACKAGE}[{extra}] @ {version_control.get('vcs', 'git')}+{url}{at}")
    if url.startswith("file:") and not Path(unquote(urlsplit(url).path)).is_file():
        return ""
    return shlex.quote(f"{PACKAGE}[{extra}] @ {url}")


def running_copy() -> InstalledCopy:
    """Return the facts about the copy that is running."""
    from importlib.metadata import PackageNotFoundError, distribution  # slow to import, needed only for a hint

    prefix = Path(sys.prefix)
    try:
        found = distribution(PACKAGE)
    except PackageNotFoundError:  # run from a source tree that was never installed
        return InstalledCopy(installer=_installer(prefix, "pip"), python=sys.executable)
    return InstalledCopy(
        installer=_installer(prefix, (found.read_text("INSTALLER") or "").strip()),
        python=sys.executable,
        requires=tuple(found.requires or ()),
        direct_url=_direct_url(found.read_text("direct_url.json")),
    )


def _installer(prefix: Path, recorded: str) -> Installer:
    if (prefix / "uv-receipt.toml").is_file():
        return "uv-tool"
    if any(part.startswith(("archive-v", "environments-v")) for part in prefix.parts):
        return "uvx"
    if (prefix / "pipx_metadata.json").is_file():
        return "pipx"
    return "uv" if recorded == "uv" else "pip"


def _direct_url(text: str | None) -> dict[str, Any] | None:
    try:
        value = json.loads(text or "null")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
