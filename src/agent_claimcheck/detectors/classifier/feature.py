"""One row of a feature table: a stable name and what it says in words a reviewer understands."""

from __future__ import annotations

from msgspec import Struct


class Feature(Struct, frozen=True):
    """A feature's stable name, and its meaning as a phrase that fits "higher: ..."."""

    name: str
    words: str
