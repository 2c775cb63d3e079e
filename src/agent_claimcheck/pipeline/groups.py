"""Runs of one task compared with each other: which made the same changes, and where one differs from the others.

A reader must not miss: agreement is not proof. Runs of one model share their mistakes, so only agreement between different
models changes a record, to ``corroborated``, and a run that stands alone is shown, never accused.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.detectors.contract import Reason
from agent_claimcheck.evidence.signature import RunSignature, WrittenValue
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.trace.model import Trace

MIN_OTHERS = 3
"""Other runs, byte-identical ones counted once, below which nothing is compared."""
MIN_MODELS = 3
"""Different models among the agreeing runs. Agreeing runs of two models of one maker failed in one of five."""
AGREEMENT = 2 / 3
_KEY_BYTES = 16
_MOST_COMPARED = 200
"""Different signatures of one task each run is compared with, the most frequent ones; the others count as disagreeing."""
_SHOWN_DIFFERENCES = 3
_SHOWN_VALUES = 3


class GroupMember(Struct, frozen=True, array_like=True):
    """One run as the comparison sees it. ``index`` is its place in the input, ``key`` the hash of its task."""

    index: int
    key: bytes
    model: str | None
    signature: RunSignature


class Difference(Struct, frozen=True, kw_only=True):
    """One argument in which a run differs from most others. ``others`` of ``of`` runs wrote ``theirs``."""

    tool: str
    path: str
    here: tuple[str, ...]
    theirs: tuple[str, ...]
    others: int
    of: int

    def describe(self) -> str:
        """Return one line for people."""
        if not self.here or not self.theirs:
            name, did = (self.tool, "was called") if not self.path else (f"{self.tool}.{self.path}", "was given")
            where = "only here" if self.here else f"in {self.others} of {self.of} other runs and not here"
            return f"{name} {did} {where}"
        return (
            f"{self.tool}.{self.path} is {_listed(self.here)} here and {_listed(self.theirs)} in {self.others} of "
            f"{self.of} other runs"
        )


class SiblingReading(Struct, frozen=True, kw_only=True):
    """What the other runs of a task say about one run.

    ``others`` are the runs compared with, ``agreeing`` those that made the same changes, ``agreement`` their mean
    overlap in [0, 1], ``models`` the different known models among the agreeing ones and this run.
    """

    others: int
    agreeing: int
    agreement: float
    models: int
    is_agreed: bool
    reason: str
    differences: tuple[Difference, ...] = ()


def group_key(trace: Trace) -> bytes | None:
    """Return the hash of task id and instruction, runs of space as one; ``None`` for a task without an id."""
    if not trace.task.id.strip():
        return None
    text = f"{trace.task.id}\0{' '.join(trace.task.instruction.split())}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest()


def model_of(trace: Trace) -> str | None:
    """Return the name of the model that made a run: ``model``, or ``meta.model`` of a v1 trace; ``None`` when unknown."""
    named = trace.model or (trace.meta or {}).get("model")
    return named if isinstance(named, str) and named.strip() else None


def compare_runs(members: Sequence[GroupMember]) -> dict[int, SiblingReading]:
    """Compare the runs of one task; the result maps ``index`` to a reading and does not depend on the order.

    A run that cannot be compared, or that has fewer than three others, is left out.
    """
    unique: dict[bytes, GroupMember] = {}
    for member in sorted(members, key=lambda one: one.index):
        if member.signature.is_comparable:
            unique.setdefault(member.signature.digest, member)
    if len(unique) <= MIN_OTHERS:
        return {}
    crowd = _Crowd(list(unique.values()))
    return {member.index: crowd.read(member) for member in members if member.signature.is_comparable}


class _Crowd:
    """The different runs of one task, by what they changed."""

    def __init__(self, runs: Sequence[GroupMember]) -> None:
        self._size = len(runs)
        self._counts = Counter(run.signature.values for run in runs)
        self._models: dict[tuple[WrittenValue, ...], set[str]] = defaultdict(set)
        for run in runs:
            if run.model is not None:
                self._models[run.signature.values].add(run.model)
        ranked = sorted(self._counts, key=lambda values: (-self._counts[values], values))
        self._common = ranked[:_MOST_COMPARED]
        self._tables = {values: _by_argument(values) for values in self._common}

    def read(self, run: GroupMember) -> SiblingReading:
        mine = run.signature.values
        table = self._tables.get(mine) or _by_argument(mine)
        others = self._size - 1
        same = self._counts[mine] - 1
        total, agreeing = float(same), same
        models = set(self._models[mine]) if same else set()
        for values in self._common:
            if values == mine:
                continue
            overlap = _overlap(mine, table, values, self._tables[values])
            total += overlap * self._counts[values]
            if overlap >= AGREEMENT:
                agreeing += self._counts[values]
                models |= self._models[values]
        if run.model is not None:
            models.add(run.model)
        agreement = total / others
        # A hair of tolerance: two thirds are often reached exactly.
        is_enough = bool(mine) and agreement >= AGREEMENT - 1e-9
        return SiblingReading(
            others=others,
            agreeing=agreeing,
            agreement=agreement,
            models=len(models),
            is_agreed=is_enough and len(models) >= MIN_MODELS and not run.signature.has_prose,
            reason=_reason(run, others, agreeing, is_enough, len(models)),
            differences=() if is_enough else tuple(self._differences(mine, table, others)),
        )

    def _differences(self, mine: tuple[WrittenValue, ...], table: _Table, others: int) -> Iterator[Difference]:
        rival = next((values for values in self._common if values != mine), None)
        # Where no two others agree with each other there is nothing to hold this run against.
        if rival is None or self._counts[rival] < 2:
            return
        theirs, count = self._tables[rival], self._counts[rival]
        my_tools, their_tools = {tool for tool, _ in table}, {tool for tool, _ in theirs}
        for tool in sorted(my_tools ^ their_tools):
            here, there = (("called",), ()) if tool in my_tools else ((), ("called",))
            yield Difference(tool=tool, path="", here=here, theirs=there, others=count, of=others)
        for tool, path in sorted(table.keys() | theirs.keys()):
            one, two = table.get((tool, path), frozenset()), theirs.get((tool, path), frozenset())
            if tool in my_tools and tool in their_tools and one != two:
                only_here, only_there = tuple(sorted(one - two or one)), tuple(sorted(two - one or two))
                yield Difference(
                    tool=tool, path=path, here=only_here, theirs=only_there, others=count, of=others
                )  # fmt: skip


_Table = dict[tuple[str, str], frozenset[str]]


def _by_argument(values: tuple[WrittenValue, ...]) -> _Table:
    table: dict[tuple[str, str], set[str]] = defaultdict(set)
    for value in values:
        table[value.tool, value.path].add(value.value)
    return {key: frozenset(found) for key, found in table.items()}


def _overlap(a: tuple[WrittenValue, ...], a_table: _Table, b: tuple[WrittenValue, ...], b_table: _Table) -> float:
    """Return shared values over all values, 0 as soon as one argument that both runs gave has another value."""
    if any(b_table.get(key, values) != values for key, values in a_table.items()):
        return 0.0
    shared = len(set(a) & set(b))
    return shared / (len(a) + len(b) - shared) if a and b else 0.0


def _reason(run: GroupMember, others: int, agreeing: int, is_enough: bool, models: int) -> str:
    said = f"{agreeing} of {others} other runs of this task made the same changes"
    if not run.signature.values:
        return "this run changed nothing that can be compared"
    if not is_enough:
        return said
    if models < MIN_MODELS:
        known = "no model is named" if not models else f"{models} known model{'s' if models > 1 else ''}"
        return f"{said}, but they are not known to come from {MIN_MODELS} different models ({known})"
    if run.signature.has_prose:
        return f"{said}, but they also wrote longer texts, which are not compared"
    return f"{said}, by {models} different models"


def apply_reading(result: CheckResult, reading: SiblingReading, accept: frozenset[str] = frozenset()) -> CheckResult:
    """Return ``result`` with what the other runs say: a note, and the record ``corroborated`` where it is earned.

    Only a ``supported`` record without a finding that accuses or asks for review can become ``corroborated``. The
    verdict stays as it is, unless ``accept`` holds ``corroborated``: then an unverifiable one becomes ``verified``.
    """
    if not result.claims:
        return result
    is_clean = not result.suppressed and all(finding.power == "explain" for finding in result.findings)
    is_earned = reading.is_agreed and result.record == "supported" and is_clean
    shown = [difference.describe() for difference in reading.differences[:_SHOWN_DIFFERENCES]]
    lead = "corroborated: " if is_earned else "other runs: "
    notes = (*result.notes, shorten(printable(lead + "; ".join([reading.reason, *shown])), 600))
    extra = {
        **result.extra,
        "group": {
            "others": reading.others,
            "agreeing": reading.agreeing,
            "agreement": round(reading.agreement, 4),
            "models": reading.models,
            "differences": list(reading.differences[:_SHOWN_DIFFERENCES]),
        },
    }
    if not is_earned:
        return replace(result, notes=notes, extra=extra)
    result = replace(result, record="corroborated", notes=notes, extra=extra)
    if "corroborated" not in accept or result.verdict != "unverifiable":
        return result
    reason = Reason(claim=None, outcome="corroborated", step=None, detail=reading.reason)
    return replace(result, verdict="verified", confidence=result.p_success, reasons=(reason, *result.reasons))


def readings_of(members: Iterator[GroupMember]) -> Mapping[int, SiblingReading]:
    """Compare all runs of a stream that fits into memory, task by task."""
    groups: dict[bytes, list[GroupMember]] = defaultdict(list)
    for member in members:
        groups[member.key].append(member)
    found: dict[int, SiblingReading] = {}
    for group in groups.values():
        if len(group) > MIN_OTHERS:
            found.update(compare_runs(group))
    return found


def _listed(values: tuple[str, ...]) -> str:
    shown = ", ".join(repr(value) for value in values[:_SHOWN_VALUES])
    return shown + (f" and {len(values) - _SHOWN_VALUES} more" if len(values) > _SHOWN_VALUES else "")
