"""Where files are kept that are nobody's input or output: the judge's cache and the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

APP_NAME = "agent-claimcheck"


def cache_dir(environ: Mapping[str, str]) -> Path:
    """Return the cache directory, ``$XDG_CACHE_HOME/agent-claimcheck`` or ``~/.cache/agent-claimcheck``; not created.

    A relative ``XDG_CACHE_HOME`` is ignored, as the XDG specification asks.
    """
    root = Path(environ.get("XDG_CACHE_HOME", ""))
    if not root.is_absolute():
        home = environ.get("HOME", "")
        root = (Path(home) if home else Path.home()) / ".cache"
    return root / APP_NAME


def judge_cache_dir(cache: Path) -> Path:
    """Return where answers of the judge are kept under the cache directory ``cache``."""
    return cache / "judge"


def ledger_path(cache: Path, configured: str | None) -> Path:
    """Return the ledger file: ``configured`` (relative to the working directory) or ``ledger.jsonl`` in ``cache``."""
    return Path(configured).expanduser() if configured else cache / "ledger.jsonl"
