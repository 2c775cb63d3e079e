"""What an earlier run already showed, so that a gate fails only on what is new.

A reader must not miss: a trace is known by its id, or, where runs get new ids each time, by its task. An id that now stands
for a run of another task is another run. Known words stay in the outputs and in the counts; they only no longer fail the run.
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
        self.size = 0
        """Results of the earlier run."""
        self.met = 0
        """Traces of the present run that the earlier one had, by their id or their task."""
        self._by_trace: dict[str, frozenset[str]] = {}
        self._task_of: dict[str, str] = {}
        self._by_task: dict[_TaskKey, frozenset[str]] = {}
        # Few different sets occur; sharing them keeps millions of traces small.
        shared: dict[frozenset[str], frozenset[str]] = {}
        for result in results:
            self.size += 1
            words = frozenset(_words(result))
            words = shared.setdefault(words, words)
            both = self._by_trace.get(result.trace_id, words) | words
            self._by_trace[result.trace_id] = shared.setdefault(both, both)
            key = _task_key(result)
            if result.task_id:
                self._task_of[result.trace_id] = result.task_id
            if key is not None:
                joined = self._by_task.get(key, words) | words
                self._by_task[key] = shared.setdefault(joined, joined)

    @classmethod
    def load(cls, paths: Sequence[Path]) -> Baseline:
        """Read result files. Raises ``InputError`` for one that cannot be read."""
        return cls(result for path in paths for result in read_results(path))

    def add(self, result: CheckResult) -> None:
        """Count one result of the present run."""
        words = self._known(result)
        self.met += words is not None
        known = words or frozenset()
        fresh = self.fresh
        fresh.total += 1
        if result.verdict not in known:
            fresh.verdicts[result.verdict] += 1
        fresh.findings.update({finding.id for finding in result.findings} - known)

    def is_known(self, result: CheckResult) -> bool:
        """True when the earlier run gave this trace, or its task, the same verdict."""
        return result.verdict in (self._known(result) or ())

    def warning(self) -> str | None:
        """Say so when no trace of the present run was in the earlier one: then all of it counts as new."""
        if self.met or not self.size or not self.fresh.total:
            return None
        return (
            f"warning: none of these {self.fresh.total} traces is in the baseline ({self.size} results), neither by its id "
            "nor by its task, so everything counts as new; give a run an id that stays, or a task_id"
        )

    def _known(self, result: CheckResult) -> frozenset[str] | None:
        words = self._by_trace.get(result.trace_id)
        task = self._task_of.get(result.trace_id) if result.task_id else None
        if words is None or (task is not None and task != result.task_id):
            key = _task_key(result)
            return self._by_task.get(key) if key is not None else None
        return words


def _words(result: CheckResult) -> set[str]:
    return {result.verdict, *(finding.id for finding in result.findings)}


def _task_key(result: CheckResult) -> _TaskKey | None:
    return (result.domain, result.task_id) if result.task_id else None
