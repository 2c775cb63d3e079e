"""Writes the pages and example files that are made from the code; ``--check`` only says which have drifted.

A reader must not miss: a new generated file is one line in ``GENERATED``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from agent_claimcheck.core.settings.reference import example_env, example_toml, reference_page
from agent_claimcheck.evidence.findings.manual import findings_page

ROOT = Path(__file__).resolve().parent.parent

GENERATED: dict[str, Callable[[], str]] = {
    "claimcheck.toml.example": example_toml,
    ".env.example": example_env,
    "docs/configuration.md": reference_page,
    "docs/findings.md": findings_page,
}


def drifted(root: Path = ROOT) -> list[str]:
    """Return the names of generated files that differ from what the code makes."""
    names: list[str] = []
    for name, make in GENERATED.items():
        path = root / name
        if not path.is_file() or path.read_text(encoding="utf-8") != make():
            names.append(name)
    return names


def main(arguments: list[str]) -> int:
    """Write what has drifted and return 0; with ``--check`` only name it, and return 1 when there is any."""
    stale = drifted()
    if arguments == ["--check"]:
        for name in stale:
            sys.stderr.write(f"{name} is not what the code makes: run `python docs/generate.py`\n")
        return 1 if stale else 0
    for name in stale:
        (ROOT / name).write_text(GENERATED[name](), encoding="utf-8")
        sys.stdout.write(f"wrote {name}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
