"""The calls of a run that may take something back, found once a run: most runs have none, and then nobody has to look.

A reader must not miss: only a write that worked takes anything back, and only on the same record.
"""

from __future__ import annotations

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.effects import may_undo
from agent_claimcheck.evidence.writes import Write


def takers(evidence: Evidence) -> tuple[Write, ...]:
    """Return the writes that worked and whose kind of action can undo another, in call order."""
    return evidence.shared("takers", lambda: _takers(evidence))


def _takers(evidence: Evidence) -> tuple[Write, ...]:
    return tuple([write for write in evidence.writes if may_undo(write.effect) and write.is_ok])
