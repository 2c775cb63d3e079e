"""One thing that the evidence says about a statement."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Vote(NamedTuple):
    """A verdict on one part of a statement, why, and the words of evidence that decide it."""

    verdict: Literal["supported", "contradicted", "unverifiable"]
    reason: str
    piece: int | None = None
    deciding: str = ""
