"""One row of a feature table: a stable name and what it says in words a reviewer understands."""

from __future__ import annotations

from collections.abc import Container

from msgspec import Struct

Wanted = Container[str]
"""Names of the features somebody will look at. A dear one that is not among them may be left at 0."""


class Feature(Struct, frozen=True):
    """A feature's stable name, and its meaning in words.

    ``direction`` is +1 where more of it can only speak for success, -1 where it can only speak against it, and 0 where
    that depends on the agents and tools at hand. A model for runs of unknown agents is fitted on the first two alone.
    """

    name: str
    words: str
    direction: int = 0
