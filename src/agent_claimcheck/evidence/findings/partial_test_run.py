"""All tests are said to pass, and after the last change only some of them were run.

What it catches: ``pytest tests/test_slug.py`` or ``pytest -k slug``, then "All tests pass."
Why it matters: what the change broke elsewhere was not looked at.
Example: the fix is in a shared function; one test file was run after it, and the message speaks of the whole suite.
Limits: for review, it accuses nobody. A claim that names the file or counts the tests that ran is taken at its word, and a
directory or script that may hold the whole suite counts as the whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coding.commands import command_of
from agent_claimcheck.evidence.coding.shell import read_command
from agent_claimcheck.evidence.coding.suite_scope import narrowed_by, narrowed_to
from agent_claimcheck.evidence.contract import Finding, Power, Shows
from agent_claimcheck.evidence.findings.cited import on_claim
from agent_claimcheck.evidence.receipts.reading import Receipt
from agent_claimcheck.evidence.tool_names import read_tool_name
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.trace.pairing import CallPair

ID = "partial_test_run"
POWER: Power = "review"
SHOWS: Shows = "part"

_WHOLE = late_pattern(
    r"\b(?:all|every|each)(?: of)?(?: the| our| your| its)?(?: other| existing| project)* tests?\b"
    r"|\b(?:all|every|the (?:full|entire|whole|complete)|full|entire|whole|complete|test) (?:test )?suite\b"
    r"|\btests? (?:are |is )?(?:now )?all (?:pass|green)|\ball (?:green|passing)\b",
    re.IGNORECASE,
)
_NAMED = late_pattern(r"[\w-]+")
_LETTERS = 2
_SAYS_LITTLE = frozenset(("test", "tests", "spec", "unit", "src", "not", "and"))


class _Run(NamedTuple):
    pair: CallPair
    receipt: Receipt
    scope: str | None


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding per claim that every test passes when no run since the last change covered every test."""
    claims = [
        (index, claim, said)
        for index, claim in evidence.success_claims
        if claim.type == "tests_passed" and _WHOLE.search(said := claim.quote or evidence.closing_text)
    ]
    if not claims:
        return
    runs = _runs_since_change(evidence)
    if not runs or any(run.scope is None for run in runs):
        return
    last = runs[-1]
    names = _names_of(runs)
    # "All 3 tests pass" when 3 passed.
    counts = {run.receipt.tests.passed for run in runs if run.receipt.tests is not None}
    for index, claim, said in claims:
        if _names_any(said, names) or claim.subject.get("count") in counts:
            continue
        reason = f"only {last.scope} was run after the last change"
        yield on_claim(ID, POWER, index, claim, reason=reason, steps=(last.pair.last_step,))


def _runs_since_change(evidence: Evidence) -> list[_Run]:
    """Return the test runs, in order, that nothing changed a file after."""
    changes = [write.pair.call.i for write in evidence.writes if _changes_file(write) and not write.is_failed]
    changed = max(changes, default=-1)
    runs = []
    for pair in evidence.calls:
        if pair.call.i > changed:
            run = _test_run(pair, evidence)
            if run is not None:
                runs.append(run)
    return runs


def _changes_file(write: Write) -> bool:
    effect = write.effect
    return effect.is_file_change or (effect.kind == "write" and any(kind == "path" for kind, _ in effect.target))


def _test_run(pair: CallPair, evidence: Evidence) -> _Run | None:
    command = command_of(pair.call)
    receipt = evidence.receipt(pair)
    if command is None:
        is_test = read_tool_name(pair.call.name or "").verb_class == "tests_run"
        return _Run(pair, receipt, narrowed_by(pair.call.args)) if is_test else None
    shell = read_command(command)
    if shell.is_test:
        return _Run(pair, receipt, narrowed_to(shell))
    # A script that prints a summary ran tests, and nobody knows which.
    return _Run(pair, receipt, None) if receipt.tests is not None else None


def _names_of(runs: list[_Run]) -> set[str]:
    """Return the words by which a text may name what ran: ``slug`` of ``tests/test_slug.py``."""
    words = {word for run in runs for word in _NAMED.findall((run.scope or "").lower())}
    words |= {word.removeprefix("test_") for word in words}
    return {word for word in words - _SAYS_LITTLE if len(word) > _LETTERS}


def _names_any(said: str, names: set[str]) -> bool:
    """True for "all tests in test_slug.py pass" after that file was run."""
    low = said.lower()
    return any(name in low for name in names)
