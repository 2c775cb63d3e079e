"""Suppressions: findings that a person looked at and silenced, each with a reason and an end date.

A reader must not miss: suppressing never turns an accusation into a pass. A ``false_success`` that rests on nothing but
suppressed findings becomes ``unverifiable``, and what was silenced stays on the result.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from datetime import date, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.errors import ConfigError
from agent_claimcheck.core.suggest import closest
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.detectors.contract import Reason
from agent_claimcheck.evidence.contract import OUTCOME_ORDER, RECORD_OF, ClaimVerdict, Finding, Record
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.reasons import ACCUSING

_KEYS = ("finding", "trace", "reason", "until")
_REQUIRED = ("finding", "reason", "until")


class Suppression(Struct, frozen=True, kw_only=True):
    """One entry: the finding id (or the claim outcome ``contradicted`` or ``unsupported``) it silences.

    ``trace`` is a case-sensitive glob over trace ids. ``until`` is the last day on which the entry applies.
    """

    finding: str
    reason: str
    until: date
    trace: str = "*"

    def applies(self, finding: str, trace_id: str, today: date) -> bool:
        """Return whether this entry silences ``finding`` of that trace today."""
        return self.finding == finding and self.until >= today and fnmatchcase(trace_id, self.trace)


def load_suppressions(path: str | Path, known_finding_ids: Collection[str] | None = None) -> tuple[Suppression, ...]:
    """Read a TOML file of ``[[suppress]]`` entries with ``finding``, ``reason``, ``until`` and, optional, ``trace``.

    ``known_finding_ids``, when given, makes an unknown id a fault. Raises ``ConfigError`` naming the file and every
    faulty key at once, one a line.
    """
    name = printable(str(path))
    try:
        text = Path(path).read_bytes().decode("utf-8")
        document = tomllib.loads(text)
    except OSError as error:
        raise ConfigError(f"{name}: cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{name}: is no TOML: {printable(str(error))}") from None
    faults = [
        f"{printable(key)}: unknown key, known is suppress, written [[suppress]]"
        for key in document
        if key != "suppress"
    ]
    entries = document.get("suppress", [])
    if not isinstance(entries, list):
        faults.append("suppress: expected entries written [[suppress]]")
        entries = []
    kept = [_entry(entry, f"suppress[{index}]", known_finding_ids, faults) for index, entry in enumerate(entries)]
    if faults:
        raise ConfigError("\n".join(f"{name}: {fault}" for fault in faults))
    return tuple(entry for entry in kept if entry is not None)


def expired(suppressions: Sequence[Suppression], today: date) -> tuple[str, ...]:
    """Return a line for each entry whose last day has passed. Such entries no longer apply."""
    return tuple(
        f"suppression of {printable(entry.finding)} for {printable(entry.trace)} ended on {entry.until.isoformat()} "
        f"and no longer applies: {printable(entry.reason)}"
        for entry in suppressions
        if entry.until < today
    )


def apply(result: CheckResult, suppressions: Sequence[Suppression], today: date) -> CheckResult:
    """Return ``result`` with the findings that an entry silences moved to ``suppressed``.

    A claim whose accusation rests on silenced findings alone counts as ``undecided``. When nothing else accuses, a
    ``false_success`` becomes ``unverifiable`` and abstains with the reason ``suppressed``.
    """
    if not suppressions:
        return result
    silenced: dict[str, None] = {}
    kept: list[Finding] = []
    gone: list[Finding] = []
    for finding in result.findings:
        note = _note(finding.id, result.trace_id, suppressions, today)
        if note is None:
            kept.append(finding)
        else:
            silenced[note] = None
            gone.append(finding)
    verdicts = []
    for verdict in result.claim_verdicts:
        note = _silenced_verdict(verdict, kept, gone, result.trace_id, suppressions, today)
        verdicts.append(verdict if note is None else _undecided(verdict))
        if note:
            silenced[note] = None
    if not silenced:
        return result
    moved = replace(
        result,
        findings=tuple(kept),
        claim_verdicts=tuple(verdicts),
        suppressed=(*result.suppressed, *silenced),
    )
    if result.verdict != "false_success":
        return moved
    left = _without_accusation(moved, result, gone)
    still = still_accusing(left)
    return replace(left, notes=(*left.notes, f"suppressed, still accused by {', '.join(still)}")) if still else left


def still_accusing(result: CheckResult) -> tuple[str, ...]:
    """Return what accuses a trace although findings of it are suppressed: finding ids, else outcomes, else its score."""
    if not result.suppressed or result.verdict != "false_success":
        return ()
    findings = {finding.id for finding in result.findings if _accuses(finding)}
    outcomes = {verdict.outcome for verdict in result.claim_verdicts if verdict.outcome in ACCUSING}
    return tuple(sorted(findings or outcomes)) or ("its score",)


def _entry(entry: Any, where: str, known: Collection[str] | None, faults: list[str]) -> Suppression | None:
    if not isinstance(entry, dict):
        faults.append(f"{where}: expected a table")
        return None
    before = len(faults)
    known_keys = ", ".join(_KEYS)
    faults += [f"{where}.{printable(key)}: unknown key, known are {known_keys}" for key in entry if key not in _KEYS]
    faults += [f"{where}.{key}: is missing" for key in _REQUIRED if key not in entry]
    for key in ("finding", "reason", "trace"):
        value = entry.get(key, "*")
        if not isinstance(value, str) or not value.strip():
            faults.append(f"{where}.{key}: expected text, got {shorten(printable(repr(value)), 80)}")
    until = _day(entry.get("until"))
    if until is None and "until" in entry:
        got = shorten(printable(str(entry["until"])), 80)
        faults.append(f"{where}.until: expected a date such as 2030-01-31, got {got}")
    finding = entry.get("finding")
    if known is not None and isinstance(finding, str) and finding not in known and finding not in ACCUSING:
        faults.append(f"{where}.finding: unknown finding {printable(finding)!r}{_nearest(finding, known)}")
    if len(faults) > before or until is None:
        return None
    return Suppression(finding=entry["finding"], reason=entry["reason"], until=until, trace=entry.get("trace", "*"))


def _day(value: Any) -> date | None:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if isinstance(value, str):
        try:
            return date.fromisoformat(value.strip())
        except ValueError:
            return None
    return None


def _nearest(finding: str, known: Collection[str]) -> str:
    near = closest(finding, [*known, *ACCUSING])
    return f", did you mean {near}?" if near else ""


def _note(finding: str, trace_id: str, suppressions: Sequence[Suppression], today: date) -> str | None:
    for entry in suppressions:
        if entry.applies(finding, trace_id, today):
            return f"{entry.finding}: {entry.reason} (until {entry.until.isoformat()})"
    return None


def _silenced_verdict(
    verdict: ClaimVerdict,
    kept: list[Finding],
    gone: list[Finding],
    trace_id: str,
    suppressions: Sequence[Suppression],
    today: date,
) -> str | None:
    """Return why an accusing claim verdict no longer counts, ``""`` when a silenced finding says so already."""
    if verdict.outcome not in ACCUSING:
        return None
    note = _note(verdict.outcome, trace_id, suppressions, today)
    if note is not None:
        return note
    # A failed field check is proof of its own, whatever findings say.
    if any(check.result == "fail" for check in verdict.checks):
        return None
    if any(_accuses(finding) and _is_about(finding, verdict) for finding in kept):
        return None
    return "" if any(_accuses(finding) and _is_about(finding, verdict) for finding in gone) else None


def _accuses(finding: Finding) -> bool:
    return finding.power == "accuse"


def _is_about(finding: Finding, verdict: ClaimVerdict) -> bool:
    if finding.claim is not None:
        return finding.claim == verdict.claim
    return verdict.step is not None and verdict.step in finding.steps


def _undecided(verdict: ClaimVerdict) -> ClaimVerdict:
    return replace(verdict, outcome="undecided", detail=shorten(f"suppressed: {verdict.detail}", 200))


def _without_accusation(moved: CheckResult, before: CheckResult, gone: list[Finding]) -> CheckResult:
    silenced_claims = [
        old for old, new in zip(before.claim_verdicts, moved.claim_verdicts, strict=True) if old.outcome != new.outcome
    ]
    rests_on_silenced = bool(silenced_claims) or any(_accuses(finding) for finding in gone)
    still_accused = any(verdict.outcome in ACCUSING for verdict in moved.claim_verdicts) or any(
        _accuses(finding) for finding in moved.findings
    )
    if not rests_on_silenced or still_accused or _was_scored(before):
        return moved
    return replace(
        moved,
        verdict="unverifiable",
        abstain=True,
        abstain_reason="suppressed",
        p_success=None,
        confidence=None,
        record=_record(moved),
        reasons=tuple(_silence(reason) for reason in moved.reasons),
    )


def _was_scored(result: CheckResult) -> bool:
    """Return whether a score, not the evidence, accused: then no finding is what the verdict rests on."""
    if not result.detectors:
        return False
    decider = result.detectors[0].details.get("decided_by")
    return decider is not None and decider != "rules"


def _record(result: CheckResult) -> Record:
    outcomes = {verdict.outcome for verdict in result.claim_verdicts}
    return next((RECORD_OF[outcome] for outcome in OUTCOME_ORDER if outcome in outcomes), "undecided")


def _silence(reason: Reason) -> Reason:
    if reason.outcome not in ACCUSING:
        return reason
    return replace(reason, outcome="undecided", detail=shorten(f"suppressed: {reason.detail}", 200))
