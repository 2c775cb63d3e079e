"""Which message a run closes with is decided once: behind a last "You're welcome!" stands the report."""

from __future__ import annotations

import re
from pathlib import Path

ROOMS = Path(__file__).parents[2] / "src" / "agent_claimcheck"
DECIDES = {"case.py", "finder.py", "trace_run.py"}
"""Where the closing message is found."""
DOCUMENTED = {"documented_claims.py", "shape.py"}
"""The documented features are of the last text, whatever it says."""
AS_WRITTEN = {"reading.py", "signature.py", "steps.py", "contract.py", "deeds.py"}
"""Which messages there are, what tells two runs apart, what is printed, and a text that ``trace_run`` chose."""


def test_rules_and_findings_ask_the_case_file_for_the_closing_message() -> None:
    own = re.compile(r"messages\[-1\]|final_claim\.text")
    files = [path for room in ("evidence", "detectors", "checks") for path in (ROOMS / room).rglob("*.py")]
    found = {path.name for path in files if own.search(path.read_text(encoding="utf-8"))}
    assert found <= DECIDES | DOCUMENTED | AS_WRITTEN
