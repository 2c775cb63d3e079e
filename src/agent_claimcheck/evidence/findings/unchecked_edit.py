"""Files were changed and nothing was run after the last change.

What it catches: an edit as the last act of a coding run, then "The bug is fixed."
Why it matters: nobody knows yet whether it works.
Example: the tests were green before the last edit, and were not run again.
Limits: an explanation only. On real runs it was no sign of failure: many small edits need no run.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coding.commands import command_of
from agent_claimcheck.evidence.coding.shell import read_command
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_call

ID = "unchecked_edit"
POWER: Power = "explain"


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding, on the last edit."""
    edits = [write for write in evidence.writes if write.effect.is_file_change and not write.is_failed]
    if not edits:
        return
    for pair in evidence.calls:
        command = command_of(pair.call) if pair.call.i > edits[-1].pair.call.i else None
        shell = read_command(command) if command else None
        if shell is not None and (shell.is_any_check or shell.kind == "unknown"):
            return
    yield on_call(ID, POWER, edits[-1].pair, evidence, reason="nothing was run after the last edit")
