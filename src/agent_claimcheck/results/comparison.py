"""What changed between two result files, and whether the second one is really better.

A reader must not miss: "better" is a claim about the false-success share, and it is made only when the whole 95 %
interval of the difference lies on one side of zero. Runs of the same tasks are compared task by task, because what makes a
task hard weighs on both versions alike; everything else is compared as two separate samples.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from statistics import NormalDist, fmean, stdev
from typing import Literal

from msgspec import Struct

from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.scoring.gate import Verdict
from agent_claimcheck.scoring.intervals import (
    Estimate,
    independent_difference,
    paired_difference,
    percentile,
    wilson,
)

Judgement = Literal["better", "worse", "no difference shown", "nothing to compare"]
Method = Literal["paired by trace", "paired by task", "task means", "separate samples"]

FEWEST_PAIRS = 10
"""Pairs below which the two files are taken as separate samples."""

_RESAMPLES = 2_000
_MOST_RESAMPLED = 2_000
"""Tasks above which the mean of the gaps is as good as normal, and drawing them again and again takes minutes."""

_SEED = 0
_NORMAL_95 = NormalDist().inv_cdf(0.975)
_MOST_EXAMPLES = 1_000

_TaskKey = tuple[str, str]


class Change(Struct, frozen=True, kw_only=True):
    """One trace whose verdict changed."""

    trace_id: str
    before: Verdict
    after: Verdict


class Side(Struct, frozen=True, kw_only=True):
    """One of the two files. The share is ``false_success`` among the traces that claimed a success."""

    traces: int
    claimed: int
    false: int
    share: Estimate | None


class Comparison(Struct, frozen=True, kw_only=True):
    """What ``compare_results`` found.

    ``difference`` is the false-success share of the second minus that of the first: below zero is better. ``pairs`` is the
    number of traces or tasks compared with each other; 0 for separate samples. ``changes`` holds the first thousand;
    ``transitions`` counts all of them, ``new_findings`` and ``gone_findings`` the findings on traces of both files.
    """

    first: Side
    second: Side
    shared_traces: int
    transitions: dict[tuple[Verdict, Verdict], int]
    changes: tuple[Change, ...]
    new_findings: dict[str, int]
    gone_findings: dict[str, int]
    method: Method
    pairs: int
    difference: Estimate | None
    judgement: Judgement


class _Seen:
    """What is kept of one trace of the first file."""

    __slots__ = ("findings", "verdict")

    def __init__(self, result: CheckResult, findings: frozenset[str]) -> None:
        self.verdict = result.verdict
        self.findings = findings


def compare_results(first: Iterable[CheckResult], second: Iterable[CheckResult]) -> Comparison:
    """Compare two streams of results. Keeps a small entry for each trace of the first and each task of both."""
    before: dict[str, _Seen] = {}
    shared_sets: dict[frozenset[str], frozenset[str]] = {}
    tasks_before: dict[_TaskKey, list[int]] = {}
    tasks_after: dict[_TaskKey, list[int]] = {}
    counts = (Counter[str](), Counter[str]())
    for result in first:
        names = frozenset(finding.id for finding in result.findings)
        before[result.trace_id] = _Seen(result, shared_sets.setdefault(names, names))
        counts[0][result.verdict] += 1
        _note_task(tasks_before, result)
    changed = _Changes()
    paired: list[tuple[bool, bool]] = []
    for result in second:
        counts[1][result.verdict] += 1
        _note_task(tasks_after, result)
        old = before.pop(result.trace_id, None)
        if old is not None:
            changed.add(old, result)
            if old.verdict != "skipped" and result.verdict != "skipped":
                paired.append((old.verdict == "false_success", result.verdict == "false_success"))
    sides = (_side(counts[0]), _side(counts[1]))
    method, pairs, difference = _difference(sides, paired, tasks_before, tasks_after)
    return Comparison(
        first=sides[0],
        second=sides[1],
        shared_traces=changed.shared,
        transitions=dict(changed.transitions),
        changes=tuple(changed.examples),
        new_findings=dict(changed.new),
        gone_findings=dict(changed.gone),
        method=method,
        pairs=pairs,
        difference=difference,
        judgement=_judge(difference),
    )


class _Changes:
    def __init__(self) -> None:
        self.shared = 0
        self.transitions: Counter[tuple[Verdict, Verdict]] = Counter()
        self.examples: list[Change] = []
        self.new: Counter[str] = Counter()
        self.gone: Counter[str] = Counter()

    def add(self, old: _Seen, result: CheckResult) -> None:
        self.shared += 1
        names = {finding.id for finding in result.findings}
        self.new.update(names - old.findings)
        self.gone.update(old.findings - names)
        if old.verdict == result.verdict:
            return
        self.transitions[old.verdict, result.verdict] += 1
        if len(self.examples) < _MOST_EXAMPLES:
            self.examples.append(Change(trace_id=result.trace_id, before=old.verdict, after=result.verdict))


def _note_task(tasks: dict[_TaskKey, list[int]], result: CheckResult) -> None:
    """Count a claiming run of a task: how many there are, and how many of them are false."""
    if not result.task_id or result.verdict == "skipped":
        return
    counted = tasks.setdefault((result.domain, result.task_id), [0, 0])
    counted[0] += 1
    counted[1] += result.verdict == "false_success"


def _side(counts: Counter[str]) -> Side:
    total, false = counts.total(), counts["false_success"]
    claimed = total - counts["skipped"]
    return Side(traces=total, claimed=claimed, false=false, share=wilson(false, claimed))


def _difference(
    sides: tuple[Side, Side],
    paired: list[tuple[bool, bool]],
    before: dict[_TaskKey, list[int]],
    after: dict[_TaskKey, list[int]],
) -> tuple[Method, int, Estimate | None]:
    smaller = min(sides[0].claimed, sides[1].claimed)
    if len(paired) >= FEWEST_PAIRS and 2 * len(paired) >= smaller:
        gap = paired_difference([new for _, new in paired], [old for old, _ in paired])
        return "paired by trace", len(paired), gap
    tasks = sorted(before.keys() & after.keys())
    covered = min(sum(before[task][0] for task in tasks), sum(after[task][0] for task in tasks))
    if len(tasks) >= FEWEST_PAIRS and 2 * covered >= smaller:
        if all(before[task][0] == 1 == after[task][0] for task in tasks):
            new = [bool(after[task][1]) for task in tasks]
            return "paired by task", len(tasks), paired_difference(new, [bool(before[task][1]) for task in tasks])
        return "task means", len(tasks), _mean_gap([_gap(before[task], after[task]) for task in tasks])
    first, second = sides
    return "separate samples", 0, independent_difference(second.false, second.claimed, first.false, first.claimed)


def _gap(before: list[int], after: list[int]) -> float:
    return after[1] / after[0] - before[1] / before[0]


def _mean_gap(gaps: list[float]) -> Estimate:
    """Return the mean of one gap a task, with the percentile interval of a bootstrap over the tasks.

    Runs of one task are alike, so tasks are drawn, not runs (Efron and Tibshirani 1993, chapter 13). Of very many tasks
    the interval is the normal one, to which the bootstrap comes close.
    """
    if len(gaps) > _MOST_RESAMPLED:
        mean = fmean(gaps)
        half = _NORMAL_95 * stdev(gaps, mean) / len(gaps) ** 0.5
        return Estimate(value=mean, ci_low=mean - half, ci_high=mean + half)
    rng = random.Random(_SEED)  # noqa: S311 - statistics, not secrets
    n = len(gaps)
    means = [sum(rng.choices(gaps, k=n)) / n for _ in range(_RESAMPLES)]
    return Estimate(value=sum(gaps) / n, ci_low=percentile(means, 2.5), ci_high=percentile(means, 97.5))


def _judge(difference: Estimate | None) -> Judgement:
    if difference is None:
        return "nothing to compare"
    if difference.ci_high < 0:
        return "better"
    return "worse" if difference.ci_low > 0 else "no difference shown"
