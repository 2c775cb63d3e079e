"""Small changes of a trace: steps left out, put in or rewritten, with every reference to a step kept right.

A reader must not miss: traces are frozen; each function returns a new one. Numbers of steps may have gaps, so steps that
stay keep theirs unless something is put in between.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from agent_claimcheck.trace.model import Step, Trace

_DEEPEST = 100


def without_steps(trace: Trace, dropped: Collection[int]) -> Trace:
    """Return ``trace`` without the steps numbered in ``dropped``."""
    return replace(trace, steps=[step for step in trace.steps if step.i not in dropped])


def with_steps_after(trace: Trace, i: int, added: Sequence[Step]) -> Trace:
    """Return ``trace`` with ``added`` put in after step ``i``; -1 puts them first. Later steps get higher numbers."""
    steps: list[Step] = []
    moved: dict[int, int] = {}
    if i < 0:
        steps += added
    for step in trace.steps:
        moved[step.i] = len(steps)
        steps.append(step)
        if step.i == i:
            steps += added
    return _renumbered(trace, steps, moved)


def moved_before(trace: Trace, i: int, before: int) -> Trace:
    """Return ``trace`` with step ``i`` moved to just before step ``before``, at the time of that step."""
    found = {step.i: step for step in trace.steps}
    mover = replace(found[i], ts=found[before].ts, ts_end=None)
    steps: list[Step] = []
    moved: dict[int, int] = {}
    for step in trace.steps:
        if step.i == before:
            moved[i] = len(steps)
            steps.append(mover)
        if step.i != i:
            moved[step.i] = len(steps)
            steps.append(step)
    return _renumbered(trace, steps, moved)


def map_steps(trace: Trace, change: Callable[[Step], Step]) -> Trace:
    """Return ``trace`` with every step changed; numbers must stay."""
    return replace(trace, steps=[change(step) for step in trace.steps])


def map_values(value: Any, change: Callable[[Any], Any], depth: int = 0) -> Any:
    """Return a JSON value with every leaf changed. What lies deeper than a hundred levels stays as it is."""
    if depth > _DEEPEST:
        return value
    if isinstance(value, dict):
        return {key: map_values(item, change, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [map_values(item, change, depth + 1) for item in value]
    return change(value)


def leaves_of(value: Any, field: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield every leaf of a JSON value with the key it lies under, items of lists under that of the list."""
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves_of(item, key, depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from leaves_of(item, field, depth + 1)
    else:
        yield field, value


def with_values(step: Step, change: Callable[[Any], Any]) -> Step:
    """Return a call, result or probe with every leaf of its arguments, output and error changed; messages stay."""
    if step.kind not in ("tool_call", "tool_result", "state_probe"):
        return step
    return replace(
        step,
        args=map_values(step.args, change),
        output=map_values(step.output, change),
        error=map_values(step.error, change),
        raw_args=change(step.raw_args),
        blocks=map_values(step.blocks, change),
    )


def swap_text(old: str, new: str) -> Callable[[Any], Any]:
    """Return a change of leaves that puts ``new`` for every ``old`` inside text."""
    return lambda leaf: leaf.replace(old, new) if isinstance(leaf, str) else leaf


def _renumbered(trace: Trace, steps: list[Step], moved: dict[int, int]) -> Trace:
    final = trace.final_claim
    task = trace.task
    return replace(
        trace,
        steps=[replace(step, i=place) for place, step in enumerate(steps)],
        task=replace(task, turns=[moved.get(turn, turn) for turn in task.turns]) if task.turns else task,
        final_claim=replace(
            final,
            step=_moved(final.step, moved),
            claims=[replace(claim, step=_moved(claim.step, moved)) for claim in final.claims],
        ),
        subtraces=[replace(link, parent_step=_moved(link.parent_step, moved)) for link in trace.subtraces]
        if trace.subtraces
        else trace.subtraces,
    )


def _moved(step: int | None, moved: dict[int, int]) -> int | None:
    return None if step is None else moved.get(step, step)
