"""An output of the tests that takes encoded result lines and keeps them."""

from __future__ import annotations

from typing import Literal

from agent_claimcheck.results.model import CheckResult


class LineSink:
    """Keeps v2 lines as they come; a result that was decoded on the way is a fault."""

    line_format: Literal["v2"] = "v2"

    def __init__(self) -> None:
        self.data = b""

    def write(self, result: CheckResult) -> None:
        """Refuse a decoded result."""
        raise AssertionError("encoded lines were not used")

    def write_lines(self, data: bytes) -> None:
        """Keep ``data``."""
        self.data += data
