"""Features of runs in a shell or an editor: tests, builds and edits, and how the last of them ended."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent_claimcheck.detectors.classifier.feature import Feature, Wanted
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coding.commands import command_of
from agent_claimcheck.evidence.coding.shell import read_command
from agent_claimcheck.evidence.receipts.reading import Receipt
from agent_claimcheck.trace.pairing import CallPair

_NARROW = re.compile(r"\s-k\s|::|\w\.(?:py|go|js|ts|rb|java|rs|php|c|cpp)\b")
"""A test command that names files or cases runs a part of the tests."""
_STOPPED = re.compile(r"timed? ?out|time limit|out of memory|\bkilled\b", re.IGNORECASE)
_LAST_CALLS = 5
_TAIL = 500

SHELL_FEATURES: tuple[Feature, ...] = (
    Feature("works_in_shell", "the agent worked in a shell or an editor"),
    Feature("tests_run", "tests were run"),
    Feature("last_tests_red", "the last test run failed", -1),
    Feature("test_runs_red", "share of test runs that failed", -1),
    Feature("change_after_tests", "files were changed after the last test run", -1),
    Feature("narrow_tests", "the last test run covered only a part of the tests", -1),
    Feature("stopped_late", "one of the last calls timed out or was killed", -1),
)


def shell_features(evidence: Evidence, receipts: Sequence[Receipt], wanted: Wanted) -> tuple[float, ...]:
    """Return the values of ``SHELL_FEATURES``; ``receipts`` are those of the calls, in order."""
    in_shell = float(evidence.is_shell_run)
    stopped = _stopped_late(evidence) if "stopped_late" in wanted else 0.0
    runs = _test_runs(evidence, receipts)
    if not runs:
        return (in_shell, 0.0, 0.0, 0.0, 0.0, 0.0, stopped)
    red = [_is_red(receipt) for _, receipt in runs]
    last = runs[-1][0]
    edits = (write.pair.call.i for write in evidence.writes if write.effect.is_file_change)
    return (
        in_shell,
        1.0,
        float(red[-1]),
        sum(red) / len(red),
        float(max(edits, default=-1) > last.call.i),
        float(_NARROW.search((command_of(last.call) or "")[:2_000]) is not None),
        stopped,
    )


def _test_runs(evidence: Evidence, receipts: Sequence[Receipt]) -> Sequence[tuple[CallPair, Receipt]]:
    found = []
    for pair, receipt in zip(evidence.calls, receipts, strict=True):
        if receipt.tests is None:
            command = command_of(pair.call)
            if command is None or not read_command(command).is_test:
                continue
        found.append((pair, receipt))
    return found


def _is_red(receipt: Receipt) -> bool:
    return receipt.state == "failed" or (receipt.tests is not None and receipt.tests.is_red)


def _stopped_late(evidence: Evidence) -> float:
    for pair in evidence.calls[-_LAST_CALLS:]:
        output = pair.result.output if pair.result is not None else None
        if isinstance(output, str) and _may_tell_of_a_stop(output[-_TAIL:]) and _STOPPED.search(output[-_TAIL:]):
            return 1.0
    return 0.0


def _may_tell_of_a_stop(text: str) -> bool:
    """Return False where the pattern surely finds nothing. Outside ASCII other letters stand for ``i`` and ``k`` too."""
    low = text.lower()
    return "time" in low or "killed" in low or "out of memory" in low or not text.isascii()
