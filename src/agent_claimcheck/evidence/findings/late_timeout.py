"""One of the last commands of a shell run timed out or was killed, and the run still reports success.

What it catches: the training command is killed after its time limit; two ``ls`` later "the model has been trained".
Why it matters: what the command should have left behind is likely not there.
Example: the server the task asks for was stopped by the same time-out that ended its start command.
Limits: the work may have been done before the limit; for review.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_call

ID = "late_timeout"
POWER: Power = "review"

_STOPPED = late_pattern(
    r"\btimed? ?-?out\b|\bkilled\b|out of memory|\boom\b|\bsigkill\b|exit code (?:124|137)\b", re.IGNORECASE
)
_LAST = 4


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding: the latest stopped command among the last few."""
    for pair in reversed(evidence.calls[-_LAST:]):
        receipt = evidence.receipt(pair)
        text = f"{receipt.reason} {pair.result.error if pair.result and isinstance(pair.result.error, str) else ''}"
        if receipt.state == "failed" and _STOPPED.search(text):
            reason = f"one of the last commands was stopped: {receipt.reason[:100]}"
            yield on_call(ID, POWER, pair, evidence, reason=reason)
            return
