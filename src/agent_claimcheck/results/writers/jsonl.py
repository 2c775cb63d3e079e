"""JSON Lines: one result a line, ``claimcheck-result/v2`` or the documented v1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.summary import ExitDecision, Summary
from agent_claimcheck.results.v1 import encode_v1
from agent_claimcheck.results.v2 import encode_v2
from agent_claimcheck.results.writers.contract import Destination


class JsonLinesWriter:
    """Writes each result as one line, as it arrives."""

    def __init__(
        self, to: Destination, encode: Callable[[CheckResult], bytes], line_format: Literal["v1", "v2"]
    ) -> None:
        self.line_format = line_format
        self._write = to.put_json
        self._encode = encode

    def begin(self) -> None:
        """Nothing stands before the first line."""

    def write(self, result: CheckResult) -> None:
        """Write one line."""
        self._write(self._encode(result) + b"\n")

    def write_lines(self, data: bytes) -> None:
        """Write lines of this format that were encoded elsewhere, line ends included."""
        self._write(data)

    def end(self, summary: Summary, decision: ExitDecision) -> None:
        """Nothing stands after the last line."""


def v2_lines(to: Destination) -> JsonLinesWriter:
    """Return a writer of ``claimcheck-result/v2`` lines."""
    return JsonLinesWriter(to, encode_v2, "v2")


def v1_lines(to: Destination) -> JsonLinesWriter:
    """Return a writer of ``claimcheck-result/v1`` lines."""
    return JsonLinesWriter(to, encode_v1, "v1")
