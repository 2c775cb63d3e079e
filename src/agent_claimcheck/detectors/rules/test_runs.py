"""Claims that tests pass: only a command that runs tests can prove them, and its own summary outranks its exit code."""

from __future__ import annotations

from msgspec import Struct

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.receipts import TestSummary, command_of
from agent_claimcheck.evidence.shell import read_command
from agent_claimcheck.trace.pairing import CallPair

TEST_CLAIMS = frozenset({"tests_passed", "tests_pass", "test_passed", "tests_run"})


class TestRun(Struct, frozen=True, kw_only=True):
    """``is_test`` is ``None`` when it cannot be told whether the command ran tests."""

    __test__ = False  # not a test class, whatever its name

    is_test: bool | None
    summary: TestSummary | None = None

    @property
    def has_failures(self) -> bool:
        """True when the run's own summary counts failures or errors."""
        return self.summary is not None and self.summary.failed + self.summary.errors > 0

    @property
    def reason(self) -> str:
        """Say what the summary counts."""
        if self.summary is None:
            return "the test run has no summary"
        failing = self.summary.failed + self.summary.errors
        return f"the test summary counts {failing} failing" if failing else f"{self.summary.passed} tests passed"


def is_test_claim(claim_type: str) -> bool:
    """True for claim types that say tests pass."""
    return claim_type in TEST_CLAIMS


def read_test_run(pair: CallPair, evidence: Evidence) -> TestRun | None:
    """Read a shell call as a test run; ``None`` when the call has no command and must be judged by its pack alone."""
    command = command_of(pair.call)
    if command is None:
        return None
    summary = evidence.receipt(pair).tests if pair.result is not None else None
    shell = read_command(command)
    if shell.is_test or summary is not None:
        return TestRun(is_test=True, summary=summary)
    # A script may well run tests; listing files or committing surely does not.
    return TestRun(is_test=None if shell.kind == "unknown" else False)
