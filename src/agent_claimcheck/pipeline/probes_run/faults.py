"""The faults of a probes file, each under its dotted key, so that a user sees all of them at once."""

from __future__ import annotations


class Faults:
    """The faults of one file, by dotted key."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._found: dict[tuple[str, str], None] = {}
        self._unknown: dict[tuple[str, str], None] = {}

    def __bool__(self) -> bool:
        return bool(self._found or self._unknown)

    def add(self, key: str, message: str) -> None:
        """Note a fault of ``key``; an empty key is the whole file."""
        self._found[key, message] = None

    def add_unknown(self, key: str, message: str) -> None:
        """Note a ``key`` that nobody knows: what stands beside it can still be read, so it is not under ``is_under``."""
        self._unknown[key, message] = None

    def is_under(self, key: str) -> bool:
        """True when ``key`` or a part of it has a fault."""
        return any(known == key or known.startswith((f"{key}.", f"{key}[")) for known, _ in self._found)

    def lines(self, most: int) -> list[str]:
        """Return the faults as ``file: key: message``, at most ``most``."""
        found = (*self._unknown, *self._found)
        lines = [": ".join(part for part in (self._label, key, message) if part) for key, message in found]
        return lines if len(lines) <= most else [*lines[:most], f"{self._label}: and {len(lines) - most} more faults"]
