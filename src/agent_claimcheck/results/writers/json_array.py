"""One JSON array of documented v1 results, indented by two."""

from __future__ import annotations

import msgspec

from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.summary import ExitDecision, Summary
from agent_claimcheck.results.v1 import encode_v1
from agent_claimcheck.results.writers.contract import Destination


class JsonArrayWriter:
    """Writes the array item by item, so a long run is never held."""

    def __init__(self, to: Destination) -> None:
        self._write = to.put_json
        self._is_empty = True

    def begin(self) -> None:
        """Open the array."""
        self._write(b"[")

    def write(self, result: CheckResult) -> None:
        """Write one item. Line ends inside strings are escaped in JSON, so every line end may be indented."""
        item = msgspec.json.format(encode_v1(result), indent=2).replace(b"\n", b"\n  ")
        self._write((b"\n  " if self._is_empty else b",\n  ") + item)
        self._is_empty = False

    def end(self, summary: Summary, decision: ExitDecision) -> None:
        """Close the array."""
        self._write(b"]\n" if self._is_empty else b"\n]\n")
