"""What the evidence says of a statement, or of one value, quotation or state in it."""

from __future__ import annotations

from typing import Literal, NamedTuple

StatementVerdict = Literal["supported", "contradicted", "unverifiable"]


class Judgement(NamedTuple):
    """A verdict and why. ``piece`` and ``deciding`` are the piece of evidence and its words that decide.

    ``is_weak`` marks support that only says that a name or an id stands in the evidence.
    """

    verdict: StatementVerdict
    reason: str
    piece: int | None = None
    deciding: str = ""
    is_weak: bool = False
