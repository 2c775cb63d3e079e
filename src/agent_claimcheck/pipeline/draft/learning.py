"""Learns checks from runs: which field of a result or of a reading agrees with what was claimed or written.

A reader must not miss: a check is proposed only if it held in every run that went well. Whatever the rules detector would
make of it is asked of the rules detector's own operators, so the draft and the check cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from agent_claimcheck.detectors.rules.operators import Fields, run_check
from agent_claimcheck.detectors.rules.probes.records import match_record
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.values.moments import read_moments
from agent_claimcheck.packs.language import Normaliser, Operator
from agent_claimcheck.pipeline.doctor.model import counted
from agent_claimcheck.pipeline.draft.episodes import Episode
from agent_claimcheck.pipeline.draft.fields import MAX_FIELDS, fields_of, is_fault_count, is_id, is_status, words_of
from agent_claimcheck.pipeline.draft.model import DraftCheck
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import CallPair

_MANY = 3
"""Different values that must have agreed before two fields of different names are taken for the same thing."""
_LOOKED_AT = 300
_SAMPLE = 20
_MOST_STATES = 3
_TOLERATED = 0.1
"""Share of disagreeing runs a check survives where no run is labelled: some of them will be false claims."""
_MOST_CHECKS = 6


class Observation(Struct, frozen=True):
    """One run in which a claim was made and its tool worked. ``claim`` is ``None`` when no claim was declared."""

    episode: Episode
    claim: SuccessClaim | None
    pair: CallPair

    @property
    def subject(self) -> dict[str, Any]:
        """What was claimed."""
        return self.claim.subject if self.claim is not None else {}


class _Tally(Struct):
    """How a candidate did: runs in which it held and failed, and the different values it held for."""

    held: int
    failed: int
    values: set[str]


def observe(episodes: Iterable[Episode], claim_type: str, tool: str) -> list[Observation]:
    """Return the runs in which ``claim_type`` was declared, or no claim was, and ``tool`` worked."""
    seen = []
    for episode in episodes:
        pairs = episode.worked(tool)
        if not pairs:
            continue
        claim = next((claim for claim in episode.declared if claim.type == claim_type), None)
        if claim is not None or not episode.declared:
            seen.append(Observation(episode, claim, pairs[-1]))
    return seen[:_LOOKED_AT]


def learn_receipt(observations: Sequence[Observation]) -> tuple[list[DraftCheck], str]:
    """Return the checks of the tool's result, and the output field that names the record (``""`` when there is none)."""
    good = _good(observations)
    if not good:
        return [], ""
    is_labelled = good[0].episode.outcome == "success"
    outputs = [fields_of(_output(one)) for one in good]
    id_path = _id_path(good, outputs)
    checks = []
    if id_path:
        remark = f"the result named the record in {len(good)} of {len(good)} runs"
        checks.append(DraftCheck(path=id_path, op="exists", expected=True, remark=remark))
    checks += _zero_counts(outputs, only=("exit_code",))
    taken: set[str] = set()
    for is_args, reader in ((False, _output), (True, _args)):
        candidates = _subject_candidates(good, reader, "args." if is_args else "")
        for check in _kept(candidates, good, reader, is_labelled):
            field = str(check.expected)
            # What came back says more than what was asked for.
            if field not in taken or not is_args:
                checks.append(check)
                taken.add(field)
    return _unique(checks)[:_MOST_CHECKS], id_path


def learn_probe(observations: Sequence[Observation], name: str) -> tuple[list[DraftCheck], int]:
    """Return the checks of the state probe ``name``, and in how many runs it surely read the written record."""
    seen: list[tuple[Observation, Step]] = []
    linked = 0
    for one in _good(observations):
        for probe in one.episode.probes(name)[-1:]:
            match = match_record(one.pair, probe, one.episode.evidence)
            if match != "other":
                seen.append((one, probe))
                linked += match == "same"
    return _probe_checks(seen), linked


def learn_read_back(observations: Sequence[Observation], tool: str) -> tuple[list[DraftCheck], int]:
    """The same for a read the agent made itself after its write: it shows what a probe of that tool would."""
    seen: list[tuple[Observation, Step]] = []
    for one in _good(observations):
        written = one.pair.last_step
        for pair in one.episode.worked(tool):
            if pair.call.i < written or pair.result is None:
                continue
            reading = Step(
                i=pair.result.i, ts=pair.result.ts, kind="state_probe", role="environment", name=tool,
                args=pair.call.args, ok=True, output=pair.result.output,
            )  # fmt: skip
            if match_record(one.pair, reading, one.episode.evidence) == "same":
                seen.append((one, reading))
                break
    return _probe_checks(seen), len(seen)


def _probe_checks(seen: Sequence[tuple[Observation, Step]]) -> list[DraftCheck]:
    if not seen:
        return []
    is_labelled = seen[0][0].episode.outcome == "success"
    by_run = {one.pair.call.i + (id(one) << 20): probe for one, probe in seen}
    good = [one for one, _ in seen]

    def reader(one: Observation) -> Any:
        return by_run[one.pair.call.i + (id(one) << 20)].output

    outputs = [fields_of(reader(one)) for one in good]
    checks = _states(outputs) + _zero_counts(outputs, only=())
    taken = {check.path for check in checks}
    for candidates in (_subject_candidates(good, reader, ""), _argument_candidates(good, reader)):
        for check in _kept(candidates, good, reader, is_labelled):
            if check.path not in taken:
                checks.append(check)
        taken = {check.path for check in checks}
    return _unique(checks)[:_MOST_CHECKS]


def _good(observations: Sequence[Observation]) -> list[Observation]:
    labelled = [one for one in observations if one.episode.outcome == "success"]
    return labelled or [one for one in observations if one.episode.outcome != "failure"]


def _output(one: Observation) -> Any:
    return one.pair.result.output if one.pair.result is not None else None


def _args(one: Observation) -> Any:
    return one.pair.call.args


def _id_path(good: Sequence[Observation], outputs: Sequence[dict[str, Any]]) -> str:
    """Return the id that every result holds and the call did not know."""
    best, most = "", -1
    for path in sorted(outputs[0], key=lambda path: (path.count("."), path)):
        if not is_id(path):
            continue
        values = [fields.get(path) for fields in outputs]
        if any(value is None or isinstance(value, bool | dict | list) or value == "" for value in values):
            continue
        known = sum(_stands_in(value, fields_of(_args(one))) for value, one in zip(values, good, strict=True))
        if known <= len(good) // 2 and len(set(map(str, values))) > most:
            best, most = path, len(set(map(str, values)))
    return best


def _stands_in(value: Any, fields: dict[str, Any]) -> bool:
    return any(str(value) == str(other) for other in fields.values())


def _zero_counts(outputs: Sequence[dict[str, Any]], only: tuple[str, ...]) -> list[DraftCheck]:
    checks = []
    for path in outputs[0]:
        last = path.rsplit(".", 1)[-1]
        if (last not in only) if only else not is_fault_count(path) or last == "exit_code":
            continue
        values = [fields[path] for fields in outputs if path in fields]
        if values and all(value == 0 and not isinstance(value, bool) for value in values):
            remark = f"0 in {len(values)} of {len(outputs)} runs"
            checks.append(DraftCheck(path=path, op="equals", expected=0, normaliser="number", remark=remark))
    return checks


def _states(outputs: Sequence[dict[str, Any]]) -> list[DraftCheck]:
    checks = []
    for path in outputs[0]:
        values = [fields.get(path) for fields in outputs]
        texts = [value for value in values if isinstance(value, str) and 0 < len(value) <= 40]
        states = sorted(set(texts))
        if not is_status(path) or not texts or len(texts) < len(outputs) or len(states) > _MOST_STATES:
            continue
        remark = f"the states seen in {counted(len(texts), 'run')}; add others that are fine"
        checks.append(DraftCheck(path=path, op="in", expected=states, remark=remark))
    return checks


def _subject_candidates(
    good: Sequence[Observation], reader: Callable[[Observation], Any], prefix: str
) -> Iterator[DraftCheck]:
    sample = [one for one in good if one.subject][:_SAMPLE]
    keys = [{key: value for key, value in one.subject.items() if key.replace("_", "").isalnum()} for one in sample]
    for key, path, op, normaliser in _pairs(keys, [fields_of(reader(one)) for one in sample]):
        yield _candidate(prefix + path, f"{{subject.{key}}}", op, normaliser)


def _argument_candidates(good: Sequence[Observation], reader: Callable[[Observation], Any]) -> Iterator[DraftCheck]:
    sample = list(good)[:_SAMPLE]
    fields = [fields_of(reader(one)) for one in sample]
    for name, path, op, normaliser in _pairs([fields_of(_args(one)) for one in sample], fields):
        if path.rsplit(".", 1)[-1] == name.rsplit(".", 1)[-1] or op == "contains":
            yield _candidate(path, f"{{args.{name}}}", op, normaliser)


def _pairs(
    expected: Sequence[dict[str, Any]], actual: Sequence[dict[str, Any]]
) -> Iterator[tuple[str, str, Operator, Normaliser | None]]:
    """Yield the names and paths whose values could be the same thing in some run, with how to compare them."""
    paths = list(dict.fromkeys(path for fields in actual for path in fields))[:MAX_FIELDS]
    for name in list(dict.fromkeys(name for fields in expected for name in fields))[:MAX_FIELDS]:
        for path in paths:
            for left, right in zip(expected, actual, strict=True):
                found = _comparison(left.get(name), right.get(path))
                if found is not None:
                    yield name, path, *found
                    break


def _candidate(path: str, expected: str, op: Operator, normaliser: Normaliser | None) -> DraftCheck:
    return DraftCheck(path=path, op=op, expected=expected, normaliser=normaliser)


def _comparison(expected: Any, actual: Any) -> tuple[Operator, Normaliser | None] | None:
    """Return how two values would be compared; ``None`` when they cannot be the same thing."""
    if expected in (None, "", [], {}) or actual in (None, ""):
        return None
    if isinstance(actual, dict) or isinstance(expected, dict):
        return ("contains", None) if isinstance(actual, dict) and isinstance(expected, dict) else None
    if isinstance(actual, list):
        inner = actual[0] if actual else None
        if inner is None or isinstance(inner, dict | list):
            return None
        one = expected[0] if isinstance(expected, list) else expected
        return ("contains", _kind(one, inner)) if not isinstance(one, dict | list) else None
    if isinstance(expected, list):
        return None
    return "equals", _kind(expected, actual)


def _kind(expected: Any, actual: Any) -> Normaliser | None:
    if isinstance(expected, bool) or isinstance(actual, bool):
        return None
    if isinstance(expected, int | float) and isinstance(actual, int | float):
        return "number"
    if isinstance(expected, str) and isinstance(actual, str):
        if "@" in expected and "@" in actual:
            return "email"
        if len(expected) >= 16 and len(actual) >= 16 and read_moments(expected) and read_moments(actual):
            return "datetime"
    return "string"


def _kept(
    candidates: Iterable[DraftCheck],
    good: Sequence[Observation],
    reader: Callable[[Observation], Any],
    is_labelled: bool,
) -> list[DraftCheck]:
    """Return the candidates that held, each expectation with its best field first."""
    kept: list[tuple[int, DraftCheck]] = []
    for candidate in candidates:
        tally = _try(candidate, good, reader)
        allowed = 0 if is_labelled else int(_TOLERATED * tally.held)
        if not tally.held or tally.failed > allowed:
            continue
        if not _is_same_name(candidate) and (len(tally.values) < _MANY or tally.held < _MANY):
            continue
        remark = f"held in {tally.held} of {tally.held + tally.failed} runs"
        rank = tally.held + (10_000 if _is_same_name(candidate) else 0)
        kept.append(
            (
                rank,
                DraftCheck(
                    path=candidate.path,
                    op=candidate.op,
                    expected=candidate.expected,
                    normaliser=candidate.normaliser,
                    remark=remark,
                ),
            )
        )
    kept.sort(key=lambda row: (-row[0], row[1].path.count("."), row[1].path))
    per_field: dict[str, int] = {}
    chosen = []
    for _, check in kept:
        field = str(check.expected)
        per_field[field] = per_field.get(field, 0) + 1
        if per_field[field] <= 2:
            chosen.append(check)
    return chosen


def _try(candidate: DraftCheck, good: Sequence[Observation], reader: Callable[[Observation], Any]) -> _Tally:
    check = candidate.as_field_check()
    tally = _Tally(0, 0, set())
    for one in good:
        output = None if check.from_args else reader(one)
        fields = Fields(args=one.pair.call.args, output=output, subject=one.subject, zones=one.episode.evidence.zones)
        result = run_check(check, fields)
        if result.result == "pass":
            tally.held += 1
            tally.values.add(str(result.expected)[:100])
        elif result.result == "fail":
            tally.failed += 1
    return tally


def _is_same_name(check: DraftCheck) -> bool:
    """True when the template's field and the path share a word that is not just "id" or "name"."""
    field = str(check.expected).strip("{}").split(".", 1)[-1]
    shared = set(_stems(words_of(field))) & set(_stems(words_of(check.path)))
    return bool(shared - {"id", "name", "value", "type"}) or words_of(field) == words_of(check.path)


def _stems(words: Sequence[str]) -> list[str]:
    return [word.rstrip("s") for word in words]


def _unique(checks: Iterable[DraftCheck]) -> list[DraftCheck]:
    """A pack names each path once; the first check of a path stays."""
    by_path: dict[str, DraftCheck] = {}
    for check in checks:
        by_path.setdefault(check.path, check)
    return list(by_path.values())
