"""Claims that tests pass: only a command that runs tests can prove them, and its own summary outranks its exit code."""

from __future__ import annotations

from msgspec import Struct

from agent_claimcheck.core.canonical import canonical_json
from agent_claimcheck.evidence.payload import parsed_output
from agent_claimcheck.evidence.receipts import TestSummary, command_of, is_test_command, read_test_summary
from agent_claimcheck.trace.pairing import CallPair

TEST_CLAIMS = frozenset({"tests_passed", "tests_pass", "test_passed", "tests_run"})
_SUMMARY_READ = 200_000


class TestRun(Struct, frozen=True, kw_only=True):
    """``is_test`` is ``None`` when the command cannot be told; ``passed`` and ``failed`` are counts where known."""

    __test__ = False

    is_test: bool | None
    summary: TestSummary | None = None
    reason: str = ""

    @property
    def has_failures(self) -> bool:
        """True when the run's own summary counts failures or errors."""
        return self.summary is not None and bool((self.summary.failed or 0) + (self.summary.errors or 0))


def is_test_claim(claim_type: str) -> bool:
    """True for claim types that say tests pass."""
    return claim_type in TEST_CLAIMS


def read_test_run(pair: CallPair) -> TestRun | None:
    """Read a shell call as a test run; ``None`` when the call has no command and must be judged by its pack alone."""
    command = command_of(pair.call)
    if command is None:
        return None
    summary = read_test_summary(_output_text(pair)) if pair.result is not None else None
    if is_test_command(command):
        return TestRun(is_test=True, summary=summary, reason=_describe(summary))
    if summary is not None:
        return TestRun(is_test=True, summary=summary, reason=_describe(summary))
    return TestRun(is_test=None if _may_run_tests(command) else False)


_PLAIN_COMMANDS = frozenset(
    "ls cat cd pwd echo head tail wc grep rg find git mkdir touch cp mv rm sed awk which env export tree stat diff less "
    "sort uniq true printf date whoami uname df du ps kill sleep pip chmod chown ln curl wget tar".split()
)


def _may_run_tests(command: str) -> bool:
    words = [part.strip().split(None, 1)[0].rsplit("/", 1)[-1] for part in _parts(command) if part.strip()]
    return not words or any(word not in _PLAIN_COMMANDS for word in words)


def _parts(command: str) -> list[str]:
    for mark in ("&&", "||", ";", "|", "\n"):
        command = command.replace(mark, "\0")
    return command.split("\0")


def _describe(summary: TestSummary | None) -> str:
    if summary is None:
        return "the test command failed"
    failing = (summary.failed or 0) + (summary.errors or 0)
    return f"the test summary counts {failing} failing" if failing else f"the test summary counts {summary.passed} passed"


def _output_text(pair: CallPair) -> str:
    result = pair.result
    if result is None:
        return ""
    output = parsed_output(result.output)
    if isinstance(output, dict):
        text = "\n".join(value for value in output.values() if isinstance(value, str))
    elif isinstance(output, str):
        text = output
    elif output is None:
        text = ""
    else:
        text = canonical_json(output).decode("utf-8", "replace")
    if isinstance(result.error, str):
        text += "\n" + result.error
    return text[-_SUMMARY_READ:]
