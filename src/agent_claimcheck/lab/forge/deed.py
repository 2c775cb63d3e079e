"""The deed of a good run: the write that a success claim rests on, and what in it the request names.

A reader must not miss: a forgery is only labelled a failure when what was changed was asked for in so many words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from msgspec import Struct

from agent_claimcheck.detectors.rules.engine import judge_claims
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import ClaimVerdict
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.lab.forge.edits import leaves_of
from agent_claimcheck.trace.model import Step, Trace

_GOOD = frozenset({"receipt_only", "probe_supported"})
_SHORTEST_ID = 4
_MOST_COUNT = 10_000
_WHEN = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?|\d{4}-\d{2}-\d{2}(?:[T ].*)?", re.IGNORECASE)
"""A time or a day: it names no record, and the closing text may say it in other words."""
_CLOCK_TIME = re.compile(r"T(\d\d:\d\d)")


class Deed(Struct, frozen=True, kw_only=True):
    """One good run with the write its claim rests on. ``asked`` is all the user said."""

    trace: Trace
    evidence: Evidence
    write: Write
    asked: str

    @property
    def call(self) -> Step:
        """The call."""
        return self.write.pair.call

    @property
    def result(self) -> Step:
        """Its result, which every deed has."""
        assert self.write.pair.result is not None
        return self.write.pair.result

    @property
    def own_steps(self) -> set[int]:
        """The numbers of the call and of all its results."""
        return {self.call.i, *(step.i for step in self.write.pair.results), self.result.i}

    @property
    def probes(self) -> set[int]:
        """The numbers of all state probes."""
        return {step.i for step in self.evidence.probes}

    def reads(self) -> Iterator[tuple[Step, Step]]:
        """Yield the other calls that only read, each with its result."""
        for pair in self.evidence.calls:
            if pair.result is not None and self.evidence.effect(pair).kind == "read":
                yield pair.call, pair.result

    def traces_left(self) -> set[int]:
        """Return the steps that show what the write left behind: probes, and later reads that mention its record."""
        ids = {value for value in self.evidence.output_ids(self.result).values() if len(value) >= _SHORTEST_ID}
        left = set(self.probes)
        for call, result in self.reads():
            said = f"{call.args}{self.evidence.output_text(result)}".casefold()
            if call.i > self.call.i and any(value.casefold() in said for value in ids):
                left |= {call.i, result.i}
        return left

    def named_ids(self) -> list[str]:
        """Return the ids and addresses in the arguments that the user named."""
        leaves = (value for _, value in self._arguments() if isinstance(value, str))
        return [
            value
            for value in leaves
            if len(value) >= _SHORTEST_ID
            and (("@" in value and " " not in value) or (any(c.isdigit() for c in value) and value.isprintable()))
            and _WHEN.fullmatch(value) is None
            and value in self.asked
        ]

    def named_times(self) -> list[tuple[str, datetime, bool]]:
        """Return the moments in the arguments whose day the user named: text, moment, whether the hour was named too."""
        found = []
        for _, value in self._arguments():
            moment = _time_of(value)
            if moment is not None and isinstance(value, str) and value[:10] in self.asked:
                clock = _CLOCK_TIME.search(value)
                found.append((value, moment, clock is not None and clock[1] in self.asked))
        return found

    def named_counts(self) -> list[tuple[str, int]]:
        """Return the whole numbers from 2 in the arguments that the user named, each with its field."""
        return [
            (field, value)
            for field, value in self._arguments()
            if type(value) is int and 2 <= value <= _MOST_COUNT and re.search(rf"(?<!\d){value}(?!\d)", self.asked)
        ]

    def _arguments(self) -> Iterator[tuple[str, Any]]:
        return leaves_of(self.call.args or {})


def deed_of(trace: Trace, evidence: Evidence) -> tuple[Deed | None, str]:
    """Return the deed of ``trace``, or why nothing can be forged from it."""
    truth = trace.ground_truth
    if truth is not None and truth.outcome == "failure":
        return None, "labelled a failure"
    verdicts = judge_claims(evidence)
    if not verdicts:
        return None, "claims nothing"
    if any(verdict.outcome in ("contradicted", "unsupported") for verdict in verdicts):
        return None, "already accused"
    for verdict in verdicts:
        write = _write_of(verdict, evidence)
        if write is not None:
            asked = "\n".join(evidence.asked)
            return Deed(trace=trace, evidence=evidence, write=write, asked=asked), ""
    return None, "no claim that a successful write supports"


def _write_of(verdict: ClaimVerdict, evidence: Evidence) -> Write | None:
    if verdict.outcome not in _GOOD:
        return None
    cited = {*verdict.steps, verdict.step}
    for write in evidence.writes:
        result = write.pair.result
        if write.is_ok and result is not None and (write.pair.call.i in cited or result.i in cited):
            return write
    return None


def _time_of(value: Any) -> datetime | None:
    if not isinstance(value, str) or not 16 <= len(value) <= 40 or "T" not in value:
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None
