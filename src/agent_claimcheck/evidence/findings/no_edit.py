"""A change is claimed in a shell run that changed nothing.

What it catches: only ``ls`` and ``cat``, then "The fix is in place and working."
Why it matters: a change to files needs a command that can change files.
Example: every edit command was refused by the editor, and the run still reports the fix.
Limits: one command of unknown effect that did not fail (a script, a build) silences it, and what may as well explain the program
("the old name was removed") is no such claim.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SURE_CLAIM
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_claim

ID = "no_edit"
POWER: Power = "accuse"

_NO_CHANGE = frozenset(
    {"tests_passed", "answered", "found", "identified", "verified", "confirmed", "explained", "provided"}
)


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding, on the last claim of a change."""
    claimed = [(i, c) for i, c in evidence.success_claims if c.confidence >= SURE_CLAIM and (c.verb_class or c.type) not in _NO_CHANGE]
    if not claimed:
        return
    index, claim = claimed[-1]
    tried = [write.step for write in evidence.writes[-3:]]
    reason = "every command that could change a file failed" if tried else "no command of this run could change a file"
    yield on_claim(ID, POWER, index, claim, reason=reason, steps=tuple(tried) or (evidence.calls[-1].call.i,))
