"""Remarks: what a person may want to know, and what measured at or near the base rate on real runs.

What it shows: ``hedged_claim`` (the agent says "should be"), ``unsupported_number`` (a number of the closing text stands in
no tool result), ``last_error`` (the last call failed), ``unchecked_edit`` (files were changed and nothing was run after).
Why it matters: it explains a verdict; it never makes one.
Example: "I believe the invoice was sent": the words are shown beside the receipt.
Limits: none of these tells success from failure (about 110 signals were tried on real runs; these had no lift).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.receipts import command_of
from agent_claimcheck.evidence.shell import read_command

ID = "remarks"
POWER: Power = "explain"

_HEDGES = re.compile(
    r"\b(?:I think|I believe|it looks like|as far as I can tell|should (?:now )?be|probably|presumably|seems? to|hopefully)\b",
    re.I,
)


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield the remarks that apply to a run that claims success."""
    if not evidence.success_claims:
        return
    index = evidence.success_claims[-1][0]
    hedge = _HEDGES.search(evidence.messages[-1].text) if evidence.messages else None
    if hedge:
        step = evidence.messages[-1].step
        yield _remark(
            "hedged_claim", hedge[0], f"the agent hedges: {hedge[0]!r}", (step,) if step is not None else (), index
        )
    if evidence.calls and evidence.receipt(evidence.calls[-1]).state == "failed":
        last = evidence.calls[-1]
        step = last.result.i if last.result else last.call.i
        yield _remark(
            "last_error",
            last.call.name or "",
            f"the last call failed: {evidence.receipt(last).reason[:80]}",
            (step,),
            index,
        )
    if evidence.is_shell_run:
        yield from _unchecked_edit(evidence, index)


def _unchecked_edit(evidence: Evidence, index: int) -> Iterator[Finding]:
    edits = [write for write in evidence.writes if write.effect.is_file_change and not write.is_failed]
    if not edits:
        return
    for pair in evidence.calls:
        command = command_of(pair.call) if pair.call.i > edits[-1].pair.call.i else None
        shell = read_command(command) if command else None
        if shell is not None and (shell.is_test or shell.is_check or shell.is_build or shell.kind == "unknown"):
            return
    yield _remark("unchecked_edit", "edit", "nothing was run after the last edit", (edits[-1].step,), index)


def _remark(id_: str, subject: str, reason: str, steps: tuple[int, ...], claim: int) -> Finding:
    return Finding(
        id=id_, power=POWER, severity="pass", subject=subject[:80], reason=reason[:200], steps=steps, claim=claim
    )
