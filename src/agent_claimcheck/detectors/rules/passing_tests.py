"""Claims that tests pass: only a command that runs tests can prove them, and its own summary outranks its exit code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coding.commands import command_of
from agent_claimcheck.evidence.coding.shell import ShellReading, read_command
from agent_claimcheck.evidence.coding.suite_summaries import SuiteSummary
from agent_claimcheck.trace.pairing import CallPair

_SOURCE_FILE = late_pattern(r"^[\w./-]+\.(?:py|go|js|ts|tsx|jsx|rb|rs|java|kt|cs|php|c|cpp|swift)$")
_TEST_FILE = late_pattern(r"test|spec|check|repro", re.IGNORECASE)
_PYTEST = frozenset({"pytest", "py.test"})
_HOLDS_TESTS = late_pattern(r"test|spec|assert|>>>", re.IGNORECASE)
"""What stands in a file from which pytest can collect anything: a test, a check, an example of a docstring."""
_WHOLE_FILE = ("content", "file_text", "contents", "text", "code")
"""Arguments that carry a file whole."""
_SHARD_OPTIONS = frozenset({"--shard", "--partition"})
_SHARD = late_pattern(r"(?:count:|hash:)?(\d{1,3})/(\d{1,3})\Z")

TEST_CLAIMS = frozenset({"tests_passed", "tests_pass", "test_passed", "tests_run"})


class SuiteRun(Struct, frozen=True, kw_only=True):
    """``is_test`` is ``None`` when it cannot be told whether the command ran tests.

    ``only`` names the one source file the command was narrowed to, ``shards`` are those it ran, as number and how many
    there are; such a run proves little of the whole. ``is_empty`` is true when pytest was given ``only``, and the run had
    written that file with no test in it.
    """

    is_test: bool | None
    summary: SuiteSummary | None = None
    only: str | None = None
    shards: tuple[tuple[int, int], ...] = ()
    is_empty: bool = False

    @property
    def has_failures(self) -> bool:
        """True when the run's own summary counts failures or errors."""
        return self.summary is not None and self.summary.failed + self.summary.errors > 0

    @property
    def reason(self) -> str:
        """Say what the run tested, or what its summary counts."""
        if self.is_empty:
            return f"the tests were not run: pytest was given {self.only} alone, which holds none as the run wrote it"
        if self.summary is None:
            return "the test run has no summary"
        failing = self.summary.failed + self.summary.errors
        return f"the test summary counts {failing} failing" if failing else f"{self.summary.passed} tests passed"


def is_test_claim(claim_type: str) -> bool:
    """True for claim types that say tests pass."""
    return claim_type in TEST_CLAIMS


def _narrowed_to(shell: ShellReading) -> str | None:
    """Return the source file a test command was given instead of tests, as in ``pytest scheduler.py``."""
    named = [word for part in shell.parts for word in part.words[1:] if _SOURCE_FILE.search(word)]
    return named[0] if named and not any(_TEST_FILE.search(word) for word in named) else None


def _is_plain_pytest(shell: ShellReading) -> bool:
    """True for ``pytest scheduler.py``: one command, one file, no option that could bring other tests in."""
    return len(shell.parts) == 1 and len(words := shell.parts[0].words) == 2 and words[0] in _PYTEST


def _was_written_without_tests(path: str, pair: CallPair, evidence: Evidence) -> bool:
    """True when the last change of ``path`` before the call ``pair`` wrote the whole file, and no test stands in it."""
    earlier = (write for write in reversed(evidence.writes) if write.pair.call.i < pair.call.i and not write.is_failed)
    for write in earlier:
        if any(kind == "path" and f"/{named}".endswith(f"/{path}") for kind, named in write.effect.target):
            texts = [text for key in _WHOLE_FILE if isinstance(text := (write.pair.call.args or {}).get(key), str)]
            return len(texts) == 1 and not _HOLDS_TESTS.search(texts[0])
    return False


def _shards_of(shell: ShellReading) -> tuple[tuple[int, int], ...]:
    """Return the shards a test command runs, as in ``--shard 1/4`` or nextest's ``--partition count:1/4``."""
    found = []
    for part in shell.parts:
        words = part.words
        for place, word in enumerate(words):
            option, joined, value = word.partition("=")
            if option in _SHARD_OPTIONS:
                match = _SHARD.match(value if joined else words[place + 1] if place + 1 < len(words) else "")
                if match is not None:
                    found.append((int(match[1]), int(match[2])))
    return tuple(found)


def part_tested(runs: Sequence[SuiteRun]) -> str | None:
    """Return to what the last of ``runs`` was narrowed, ``None`` when it ran everything or all together did."""
    if not runs or not runs[-1].shards:
        return runs[-1].only if runs else None
    number, count = runs[-1].shards[-1]
    ran = {shard for run in runs for shard, of in run.shards if of == count}
    return None if ran >= set(range(1, count + 1)) else f"shard {number} of {count}"


def read_test_run(pair: CallPair, evidence: Evidence) -> SuiteRun | None:
    """Read a shell call as a test run; ``None`` when the call has no command and must be judged by its pack alone."""
    command = command_of(pair.call)
    if command is None:
        return None
    summary = evidence.receipt(pair).tests if pair.result is not None else None
    shell = read_command(command)
    if shell.is_test or summary is not None:
        only = _narrowed_to(shell)
        is_empty = only is not None and _is_plain_pytest(shell) and _was_written_without_tests(only, pair, evidence)
        return SuiteRun(is_test=True, summary=summary, only=only, shards=_shards_of(shell), is_empty=is_empty)
    # A script may well run tests; listing files or committing surely does not.
    return SuiteRun(is_test=None if shell.kind == "unknown" else False)
