"""Which later call, if any, recovered an error: a retry of the same tool, or a declared fallback that worked.

A reader must not miss: fallbacks are directional and not transitive, a call to any other tool never recovers, and the
earliest call that worked names the state.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from agent_claimcheck.checks.contract import RecoveryReading
from agent_claimcheck.checks.retry_targets import is_another_record, record_names
from agent_claimcheck.checks.run import ToolCall

_STRICT_REACH = 100  # later calls of one tool that the strict reading compares one by one; bounds the work on huge runs


TargetKey = frozenset[tuple[str, str]]


class Recovered(Struct, frozen=True):
    """The recovering call: its position among the calls, how it recovered, and how its arguments compare."""

    position: int
    how: str
    arguments_changed: bool
    target_changed: bool | None


class RecoveryFinder:
    """Finds recoveries in one run.

    ``calls`` are the run's calls in order; ``worked`` says of each whether its result can recover an earlier error.
    """

    def __init__(
        self,
        calls: Sequence[ToolCall],
        worked: Sequence[bool],
        fallbacks: Mapping[str, Sequence[str]],
        reading: RecoveryReading,
    ) -> None:
        self._calls = calls
        self._fallbacks = fallbacks
        self._strict = reading == "strict"
        self._worked_at: defaultdict[str, list[int]] = defaultdict(list)
        self._worked_on: defaultdict[tuple[str, TargetKey], list[int]] = defaultdict(list)
        self._names: dict[int, dict[str, str]] = {}
        for position, call in enumerate(calls):
            if worked[position]:
                self._worked_at[call.name].append(position)
                if self._strict:
                    self._worked_on[call.name, frozenset(self._records(position).items())].append(position)
        self._helpers: dict[str, _Helpers] = {}

    def find(self, position: int) -> Recovered | None:
        """Return the earliest later call that recovered the error at ``position``, or ``None``."""
        tool = self._calls[position].name
        helpers = self._helpers.get(tool)
        if helpers is None:
            names = dict.fromkeys((tool, *self._fallbacks.get(tool, ())))
            helpers = _Helpers([name for name in names if name in self._worked_at], self._worked_at)
            self._helpers[tool] = helpers
        found = self._next_same_target(position, helpers) if self._strict else helpers.first_after(position)
        return None if found is None else self._describe(position, found)

    def _describe(self, position: int, found: int) -> Recovered:
        first, second = self._calls[position], self._calls[found]
        return Recovered(
            position=found,
            how="retried" if second.name == first.name else "fallback",
            arguments_changed=first.arguments != second.arguments,
            target_changed=self._is_another_target(position, found),
        )

    def _is_another_target(self, one: int, two: int) -> bool | None:
        if self._calls[one].arguments == self._calls[two].arguments:
            return False
        return is_another_record(self._records(one), self._records(two))

    def _records(self, position: int) -> dict[str, str]:
        names = self._names.get(position)
        if names is None:
            names = self._names[position] = record_names(self._calls[position].arguments)
        return names

    def _next_same_target(self, position: int, helpers: _Helpers) -> int | None:
        """The strict reading: skip calls that name another record.

        Calls with the very same target are found at any distance; others are compared within a bounded reach.
        """
        after = position
        for _ in range(_STRICT_REACH):
            place = helpers.first_after(after)
            if place is None or not self._is_another_target(position, place):
                return place
            after = place
        key = frozenset(self._records(position).items())
        same = (_first_after(self._worked_on.get((name, key), []), position) for name in helpers.names)
        return min((place for place in same if place is not None), default=None)


class _Helpers:
    """The tools that can recover one tool's errors: itself and its fallbacks, as far as they ever worked.

    Looking into every list is cheapest for a few errors, one merged list for many. The merge is made once the looking
    has cost as much, so the total stays small whatever the run's shape.
    """

    def __init__(self, names: list[str], worked_at: Mapping[str, list[int]]) -> None:
        self.names = names
        self._lists = [worked_at[name] for name in names]
        self._merge_after = sum(len(places) for places in self._lists)
        self._looked = 0

    def first_after(self, position: int) -> int | None:
        """Return the first position after ``position`` at which any of the tools worked."""
        if len(self._lists) > 1 and self._looked > self._merge_after:
            self._lists = [sorted(place for places in self._lists for place in places)]
        self._looked += len(self._lists)
        best: int | None = None
        for places in self._lists:
            place = _first_after(places, position)
            if place is not None and (best is None or place < best):
                best = place
        return best


def _first_after(places: Sequence[int], position: int) -> int | None:
    index = bisect_right(places, position)
    return places[index] if index < len(places) else None
