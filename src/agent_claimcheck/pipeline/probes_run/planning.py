"""Which readings one trace asks for, every value checked on the way.

A reader must not miss: values that may not belong together are never combined. A reading of record A under the e-mail
address of record B would find nothing and accuse an honest run, so where several claims, calls or list items could be
meant, nothing is read and that is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from agent_claimcheck.core.globs import glob_match
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.values.payload import ABSENT, field_at
from agent_claimcheck.pipeline.probes_run.definition import (
    CommandRead,
    FileRead,
    Param,
    ProbeDefinition,
    ProbeFile,
    ValueSource,
)
from agent_claimcheck.pipeline.probes_run.file_read import file_in_root
from agent_claimcheck.pipeline.probes_run.parameters import TypedValue, ValueRefused, inside_root, typed_value
from agent_claimcheck.trace.pairing import CallPair

_MOST_ITEMS = 50
"""Items of one list, and claims or calls of one trace, that are looked at. More are no ids of records."""
_SHOWN = 60


class PlannedRun(Struct, frozen=True, kw_only=True):
    """One reading to make: the probe and its values by parameter name."""

    probe: ProbeDefinition
    values: dict[str, TypedValue]

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells one reading from another."""
        return (id(self.probe), *self.values.items())


class Refusal(Struct, frozen=True, kw_only=True):
    """A reading that is not made, and why. ``reason`` is safe to print."""

    probe: str
    reason: str


class Plan(Struct, frozen=True, kw_only=True):
    """The readings of one trace, each once, and what was refused."""

    runs: tuple[PlannedRun, ...]
    refusals: tuple[Refusal, ...]


class _Moment(Struct, frozen=True):
    """One claim and one call that a probe may take its values from."""

    claim: SuccessClaim | None
    call: CallPair | None


def plan_readings(evidence: Evidence, file: ProbeFile) -> Plan:
    """Return what ``file`` asks to read for the trace of ``evidence``, in the order of the file."""
    runs: dict[tuple[Any, ...], PlannedRun] = {}
    refusals: dict[tuple[str, str], Refusal] = {}
    for probe in file.probes:
        for item in _of_probe(probe, evidence):
            if isinstance(item, Refusal):
                refusals[item.probe, item.reason] = item
            elif item.key in runs:
                continue
            elif len(runs) < file.limits.max_runs_per_trace:
                runs[item.key] = item
            else:
                reason = f"the trace asks for more than {file.limits.max_runs_per_trace} readings"
                refusals[probe.name, reason] = Refusal(probe=probe.name, reason=reason)
    return Plan(runs=tuple(runs.values()), refusals=tuple(refusals.values()))


def _of_probe(probe: ProbeDefinition, evidence: Evidence) -> Iterator[PlannedRun | Refusal]:
    claims = [claim for _, claim in evidence.success_claims if _fits(probe.for_claims, claim.type)][:_MOST_ITEMS]
    calls = [pair for pair in evidence.calls if _is_meant(probe, pair, evidence)][:_MOST_ITEMS]
    if (probe.for_claims and not claims) or (probe.for_tools and not calls):
        return
    takes_claim, takes_call = probe.takes_from("claim"), probe.takes_from("call")
    moments = [
        _Moment(claim, call)
        for claim in (claims if takes_claim else [None])
        for call in (calls if takes_call else [None])
    ]
    sets: dict[str, dict[str, list[Any]]] = {}
    for moment in moments:
        raw = {param.name: _raw_values(param, moment, evidence) for param in probe.params}
        missing = [name for name, values in raw.items() if not values]
        if missing:
            yield Refusal(probe=probe.name, reason=f"the trace has no value for {', '.join(missing)}")
        elif sum(len(values) > 1 for values in raw.values()) and len(raw) > 1:
            yield Refusal(probe=probe.name, reason="several values for one record: which belong together is not known")
        else:
            sets.setdefault(repr(raw), raw)
    if takes_claim and takes_call and len(sets) > 1:
        yield Refusal(probe=probe.name, reason="several claims or calls: which belong together is not known")
        return
    for raw in sets.values():
        yield from _checked(probe, raw)


def _fits(globs: Sequence[str], name: str) -> bool:
    return any(glob_match(glob, name) for glob in globs)


def _is_meant(probe: ProbeDefinition, pair: CallPair, evidence: Evidence) -> bool:
    """True for a call of the named tools that may have worked: what failed wrote no record to look at."""
    return (
        bool(pair.call.name)
        and _fits(probe.for_tools, pair.call.name or "")
        and (pair.is_ambiguous or evidence.receipt(pair).state != "failed")
    )


def _raw_values(param: Param, moment: _Moment, evidence: Evidence) -> list[Any]:
    for source in param.sources:
        values = _values_at(source, moment, evidence)
        if values:
            return values
    return []


def _values_at(source: ValueSource, moment: _Moment, evidence: Evidence) -> list[Any]:
    claim, pair = moment.claim, moment.call
    value: Any = ABSENT
    match source.place:
        case "claim.type" if claim is not None:
            value = claim.type
        case "claim.subject" if claim is not None:
            value = field_at(claim.subject, source.segments)
        case "call.name" if pair is not None:
            value = pair.call.name
        case "call.args" if pair is not None:
            value = field_at(pair.call.args, source.segments)
        case "call.output" if pair is not None and pair.result is not None and not pair.is_ambiguous:
            value = field_at(pair.result.output, source.segments)
        case "task.id":
            value = evidence.view.task.id
        case "trace.id":
            value = evidence.view.trace_id
    items = value[:_MOST_ITEMS] if isinstance(value, list) else [value]
    return [item for item in items if item is not ABSENT and item is not None]


def _checked(probe: ProbeDefinition, raw: dict[str, list[Any]]) -> Iterator[PlannedRun | Refusal]:
    """Yield a run for each choice of values. At most one parameter has several."""
    for index in range(max((len(values) for values in raw.values()), default=1)):
        chosen: dict[str, TypedValue] = {}
        for param in probe.params:
            values = raw[param.name]
            value = values[index if len(values) > 1 else 0]
            try:
                chosen[param.name] = _usable(probe, param, value)
            except ValueRefused as refused:
                yield Refusal(probe=probe.name, reason=f"{param.name} {refused}: {_shown(value)}")
                break
        else:
            try:
                _check_file(probe, chosen)
            except ValueRefused as refused:
                yield Refusal(probe=probe.name, reason=f"the path {refused}")
            else:
                yield PlannedRun(probe=probe, values=chosen)


def _usable(probe: ProbeDefinition, param: Param, raw: Any) -> TypedValue:
    action = probe.action
    value = typed_value(param, raw, is_argument=isinstance(action, CommandRead))
    if param.type == "path" and isinstance(action, CommandRead):
        inside_root(action.root, str(value))
    return value


def _check_file(probe: ProbeDefinition, values: dict[str, TypedValue]) -> None:
    if isinstance(probe.action, FileRead):
        file_in_root(probe.action, values)


def _shown(value: Any) -> str:
    if isinstance(value, dict | list):
        return "a JSON object" if isinstance(value, dict) else "a JSON list"
    text = value if isinstance(value, str) else str(value)
    return '"' + shorten(printable(text[: _SHOWN + 1]), _SHOWN) + '"'
