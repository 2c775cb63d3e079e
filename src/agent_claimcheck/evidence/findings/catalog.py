"""The visible list of findings. A new finding is one file here and one line in ``FINDINGS``."""

from __future__ import annotations

FINDINGS: dict[str, str] = {}
"""Finding id -> module that holds its ``find(evidence)``."""


def finding_ids() -> tuple[str, ...]:
    """Return the stable ids of all findings, sorted."""
    return tuple(sorted(FINDINGS))
