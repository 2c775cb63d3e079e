"""Files that come with the package, and the short names under which commands accept them.

A reader must not miss: an installed package is plain files on disk, so every resource has a path, found from a source file and
without ``importlib.resources``, which is slow to import.
"""

from __future__ import annotations

from pathlib import Path

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.suggest import did_you_mean
from agent_claimcheck.core.text import printable, shorten

_ALIASES: dict[str, str] = {
    "example:mixed": "examples/traces.jsonl",
    "example:browser": "examples/browser-demo.jsonl",
    "example:probes": "examples/probes.jsonl",
    "bench:train": "benchmark/traces.train.jsonl",
    "bench:test": "benchmark/traces.test.jsonl",
    "recorded:v0.1.0": "recorded/v0.1.0",
}
_NOT_TRACES = {"example:probes": "state probes", "recorded:v0.1.0": "recorded bench runs"}
"""Short names of what is no trace file, and what it is."""
_PREFIXES = tuple(sorted({f"{alias.partition(':')[0]}:" for alias in _ALIASES}))


def data_path(name: str) -> Path:
    """Return the path of the packaged file or directory ``name``, relative to the package's data directory."""
    return Path(__file__).parents[1] / "_data" / name


def read_data(name: str) -> bytes:
    """Return the bytes of the packaged file ``name``, for example ``schemas/agent-trace-v1.json``."""
    return data_path(name).read_bytes()


def known_aliases() -> list[str]:
    """Return the short names whose files came with this copy, in the order in which they are documented."""
    return [alias for alias, name in _ALIASES.items() if data_path(name).exists()]


def aliases_by_kind() -> dict[str, list[str]]:
    """Return the short names that came with this copy by what stands behind them; ``traces`` can be checked."""
    kinds: dict[str, list[str]] = {"traces": []}
    for alias in known_aliases():
        kinds.setdefault(_NOT_TRACES.get(alias, "traces"), []).append(alias)
    return kinds


def short_name(path: str) -> str:
    """Return the short name of a packaged file, any other path as it is: what to show a person."""
    for alias, name in _ALIASES.items():
        if path.endswith(Path(name).name) and path == str(data_path(name)):
            return alias
    return path


def resolve_alias(name: str) -> Path | None:
    """Return the packaged path that ``name`` stands for, or ``None`` when ``name`` is an ordinary path.

    A name that starts like a short name (``example:``, ``bench:`` ...) and is none raises ``UsageError``. A file that
    really has such a name is reached as ``./example:x``.
    """
    if not name.startswith(_PREFIXES):
        return None
    known = known_aliases()
    if name in known:
        return data_path(_ALIASES[name])
    shown = shorten(printable(name), 80)
    if name in _ALIASES:
        raise UsageError(f'"{shown}" did not come with this copy', hint=f"known: {', '.join(known)}", slug="alias")
    raise UsageError(
        f'"{shown}" is not a packaged file{did_you_mean(name, known)}',
        hint=f"known: {', '.join(known)}; write ./{shown} for a file of that name",
        slug="alias",
    )
