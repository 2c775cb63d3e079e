"""What an earlier run already showed, so that a gate fails only on what is new.

A reader must not miss: a trace is known by its id, or, where runs get new ids each time, by its task. Known words stay in
the outputs and in the counts; they only no longer fail the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.read import read_results
from agent_claimcheck.results.summary import Summary

_TaskKey = tuple[str, str]


class Baseline:
    """Verdicts and finding ids of an earlier run, and the count of what is new against them."""

    def __init__(self, results: Iterable[CheckResult]) -> None:
        self.fresh = Summary()
        """Counts of what was added: all traces, but only the verdicts and findings that are new."""
        self._by_trace: dict[str, frozenset[str]] = {}
        self._by_task: dict[_TaskKey, frozenset[str]] = {}
        # Few different sets occur; sharing them keeps millions of traces small.
        shared: dict[frozenset[str], frozenset[str]] = {}
        for result in results:
            words = frozenset(_words(result))
            words = shared.setdefault(words, words)
            self._by_trace[result.trace_id] = words
            key = _task_key(result)
            if key is not None:
                joined = self._by_task.get(key, words) | words
                self._by_task[key] = shared.setdefault(joined, joined)

    @classmethod
    def load(cls, paths: Sequence[Path]) -> Baseline:
        """Read result files. Raises ``InputError`` for one that cannot be read."""
        return cls(result for path in paths for result in read_results(path))

    def add(self, result: CheckResult) -> None:
        """Count one result of the present run."""
        known = self._known(result)
        fresh = self.fresh
        fresh.total += 1
        if result.verdict not in known:
            fresh.verdicts[result.verdict] += 1
        fresh.findings.update({finding.id for finding in result.findings} - known)

    def _known(self, result: CheckResult) -> frozenset[str]:
        words = self._by_trace.get(result.trace_id)
        if words is None:
            key = _task_key(result)
            words = self._by_task.get(key) if key is not None else None
        return words or frozenset()


def _words(result: CheckResult) -> set[str]:
    return {result.verdict, *(finding.id for finding in result.findings)}


def _task_key(result: CheckResult) -> _TaskKey | None:
    return (result.domain, result.task_id) if result.task_id else None
