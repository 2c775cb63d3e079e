"""What a whole run came to, and the exit code that follows from it.

A reader must not miss: the last line and the exit code are made from one ``ExitDecision``, so they cannot disagree.
The process itself exits elsewhere; this room only decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from msgspec import Struct

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.suggest import closest
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.results.model import VERDICTS, CheckResult
from agent_claimcheck.results.reasons import in_words, why_undecided
from agent_claimcheck.results.suppress import still_accusing

_NAMED_REASONS = 2
"""Reasons the last line names: in the log of a pipeline its end, with the exit code and why, must be seen."""
_NAMED_ACCUSERS = 8

_REASON_LIMIT = 80


class Summary:
    """Counts that grow while results stream by. All are numbers of traces, except ``problems``: faults of the input."""

    def __init__(self) -> None:
        self.total = 0
        self.problems = 0
        self.verdicts: Counter[str] = Counter()
        self.records: Counter[str] = Counter()
        self.undecided: Counter[str] = Counter()
        """Reason code -> traces that are ``unverifiable`` for it."""
        self.findings: Counter[str] = Counter()
        """Finding id -> traces that have it at least once, suppressed ones left out."""
        self.refusals: Counter[str] = Counter()
        """What a judge's server answered instead -> traces it was asked about."""
        self.still_accusing: Counter[str] = Counter()
        """What still accuses traces with suppressed findings, in one text -> such traces."""

    @property
    def accused(self) -> int:
        """Traces with verdict ``false_success``."""
        return self.verdicts["false_success"]

    @property
    def decided(self) -> int:
        """Traces with verdict ``verified`` or ``false_success``."""
        return self.verdicts["verified"] + self.verdicts["false_success"]

    @property
    def not_claimed(self) -> int:
        """Traces in which nothing was claimed (verdict ``skipped``)."""
        return self.verdicts["skipped"]

    @property
    def claimed(self) -> int:
        """Traces in which something was claimed."""
        return self.total - self.not_claimed

    @property
    def checked_share(self) -> float:
        """Decided traces over traces that claimed something, in [0, 1]; 0 when nothing was claimed."""
        return self.decided / self.claimed if self.claimed else 0.0

    def add(self, result: CheckResult) -> None:
        """Count one result."""
        self.total += 1
        self.verdicts[result.verdict] += 1
        self.records[result.record] += 1
        if result.verdict == "unverifiable":
            self.undecided[why_undecided(result)] += 1
        for refusal in {seen.details["refusal"] for seen in result.detectors if "refusal" in seen.details}:
            self.refusals[str(refusal)] += 1
        for name in {finding.id for finding in result.findings}:
            self.findings[name] += 1
        if still := still_accusing(result):
            self.still_accusing[", ".join(still)] += 1

    def add_problems(self, count: int = 1) -> None:
        """Count ``count`` problems of the input: one line can have several."""
        self.problems += count

    def merge(self, other: Summary) -> None:
        """Add the counts of another part of the same run."""
        self.total += other.total
        self.problems += other.problems
        self.verdicts.update(other.verdicts)
        self.records.update(other.records)
        self.undecided.update(other.undecided)
        self.findings.update(other.findings)
        self.refusals.update(other.refusals)
        self.still_accusing.update(other.still_accusing)


class FailPolicy(Struct, frozen=True, kw_only=True):
    """What makes a run fail.

    ``fail_on`` holds verdict words and finding ids. ``require_claims``: a run in which no trace claimed anything fails.
    ``min_checked``, in [0, 1]: a run in which a smaller share of the claiming traces was decided fails; where nothing
    was claimed the share counts as 0.
    """

    fail_on: tuple[str, ...] = ("false_success",)
    require_claims: bool = False
    min_checked: float | None = None

    def __post_init__(self) -> None:
        if self.min_checked is not None and not 0 <= self.min_checked <= 1:
            raise UsageError(f"the smallest checked share must lie between 0 and 1, got {self.min_checked!r}")


class ExitDecision(Struct, frozen=True, kw_only=True):
    """The exit code of a run (0 passed, 1 failed, 2 input that cannot be read) and why; 0 has no reasons.

    ``known`` counts the accused traces that a baseline already had. Without ``is_gated`` nothing was asked of the run, so
    0 is no verdict on it; without ``gates_accused`` no accusation fails it, whatever else may.
    """

    code: int
    reasons: tuple[str, ...] = ()
    known: int = 0
    is_gated: bool = True
    gates_accused: bool = True


NEVER = "never"
"""The word of ``--fail-on`` for no verdict at all."""


def fail_on_words(text: str) -> list[str]:
    """Return the words of ``--fail-on``, none for ``never``.

    Raises ``UsageError`` where there are none: an unset variable of a pipeline must not open the gate.
    """
    words = [word for word in text.split(",") if word.strip()]
    if not words:
        raise UsageError("--fail-on names nothing", hint=f"write `{NEVER}` to fail on no verdict", slug="fail_on")
    return [] if [word.strip() for word in words] == [NEVER] else words


def validate_fail_on(words: Iterable[str], known_finding_ids: Collection[str]) -> tuple[str, ...]:
    """Return ``words`` trimmed, without blanks and repeats. No words means: never fail on a verdict.

    Raises ``UsageError`` naming the first word that is neither a verdict nor a finding id, and the nearest known one,
    and for words that are all blank.
    """
    kept: dict[str, None] = {}
    given = list(words)
    if given and not any(word.strip() for word in given):
        raise UsageError(
            "fail_on holds blank texts only", hint="an empty list, [], fails on no verdict", slug="fail_on"
        )
    for raw in given:
        word = raw.strip()
        if not word:
            continue
        if word == NEVER:
            raise UsageError(
                f"`{NEVER}` names no verdict or finding",
                hint=f"--fail-on {NEVER} stands alone; in the settings write fail_on = []",
                slug="fail_on",
            )
        if word not in VERDICTS and word not in known_finding_ids:
            raise UsageError(f"unknown fail-on word {printable(word)!r}", hint=_known_words(word, known_finding_ids))
        kept[word] = None
    return tuple(kept)


def exit_decision(summary: Summary, policy: FailPolicy, fresh: Summary | None = None) -> ExitDecision:
    """Return the exit code for a run and every reason for it. Unreadable input (2) wins over a failed run (1).

    With ``fresh`` only the verdicts and findings counted there fail the run: those that a baseline lacks.
    """
    unreadable: list[str] = []
    if summary.problems:
        unreadable.append(f"{_count(summary.problems, 'problem')} in the input")
    if not summary.total:
        unreadable.append("no valid traces")
    failed = _failures(summary, policy, fresh) if summary.total else []
    known = 0 if fresh is None else summary.accused - fresh.accused
    if unreadable:
        return ExitDecision(code=2, reasons=(*unreadable, *failed), known=known)
    return ExitDecision(
        code=1 if failed else 0,
        reasons=tuple(failed),
        known=known,
        is_gated=bool(policy.fail_on or policy.require_claims or policy.min_checked is not None),
        gates_accused="false_success" in policy.fail_on,
    )


def headline(summary: Summary) -> str:
    """Return ``N traces: a verified, b false_success, ...``: verdicts that occur, in a fixed order."""
    parts = [f"{summary.verdicts[word]} {word}" for word in VERDICTS if summary.verdicts[word]]
    noun = "trace" if summary.total == 1 else "traces"
    return f"{summary.total} {noun}: {', '.join(parts)}" if parts else f"{summary.total} {noun}"


def last_line(summary: Summary, decision: ExitDecision) -> str:
    """Return the line that ends a run: who was accused, what was decided, what was not and why, and the exit code."""
    open_count = summary.verdicts["unverifiable"]
    known = f" ({decision.known} of them in the baseline)" if decision.known else ""
    if summary.accused and decision.is_gated and not decision.gates_accused:
        known = " (not gated)"
    parts = [f"{summary.accused} accused{known}", f"{summary.decided} decided"]
    undecided = f"{open_count} not decided"
    if summary.undecided:
        undecided += f" ({_groups(summary.undecided)})"
    parts += [undecided, f"{summary.not_claimed} not claimed"]
    word = ("PASS" if decision.is_gated else "NO GATE", "FAIL", "ERROR")[decision.code]
    why = f": {'; '.join(decision.reasons)}" if decision.reasons else ""
    return printable(f"{word} - {', '.join(parts)} - exit {decision.code}{why}")


def still_accused_lines(summary: Summary) -> tuple[str, ...]:
    """Return a line for each thing that keeps traces accused of which findings are suppressed."""
    return tuple(
        f"{_count(count, 'trace')} with suppressed findings, still accused by {name}"
        for name, count in grouped(summary.still_accusing)[:_NAMED_ACCUSERS]
    )


def grouped(counts: Counter[str]) -> list[tuple[str, int]]:
    """Return counts as pairs, the largest first and equal ones by name, so that the order never depends on the run."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _groups(counts: Counter[str]) -> str:
    groups = grouped(counts)
    named = [f"{shorten(in_words(code), _REASON_LIMIT)}: {n}" for code, n in groups[:_NAMED_REASONS]]
    rest = sum(n for _, n in groups[_NAMED_REASONS:])
    return "; ".join([*named, f"other reasons: {rest}"] if rest else named)


def _failures(summary: Summary, policy: FailPolicy, fresh: Summary | None) -> list[str]:
    failed = []
    counted, mark = (summary, "") if fresh is None else (fresh, "new ")
    for word in policy.fail_on:
        count = counted.verdicts[word] if word in VERDICTS else counted.findings[word]
        if count:
            failed.append(f"{count} {mark}{word}")
    if policy.require_claims and not summary.claimed:
        failed.append("nothing was claimed")
    if policy.min_checked is not None and summary.checked_share < policy.min_checked:
        failed.append(
            f"{summary.decided} of {_count(summary.claimed, 'claiming trace')} decided, "
            f"at least {policy.min_checked:.0%} wanted"
        )
    return failed


def _known_words(word: str, known_finding_ids: Collection[str]) -> str:
    known = [*VERDICTS, *sorted(known_finding_ids)]
    near = closest(word, known)
    return f"did you mean {near}?" if near else f"known words: {', '.join(known)}"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
