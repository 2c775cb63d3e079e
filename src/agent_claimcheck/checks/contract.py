"""What a check is and what it gives back: findings, one report a check, one report a run.

A check asks a question about conduct. It takes one ``Run`` and a ``CheckRequest`` and returns one ``CheckReport``.
``passed`` says that nothing failed; ``verdict`` adds the third state, ``review``, for what could not be judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

from msgspec import Struct, to_builtins

from agent_claimcheck.checks.jsontext import to_json_text
from agent_claimcheck.checks.run import Run
from agent_claimcheck.evidence.contract import Severity
from agent_claimcheck.llm.client import ModelClient

if TYPE_CHECKING:
    from agent_claimcheck.checks.injection.check import TextScanner
    from agent_claimcheck.evidence.case import Evidence

CheckVerdict = Literal["pass", "review", "fail"]
ErrorReading = Literal["text", "structured"]
RecoveryReading = Literal["documented", "strict"]
AnswerSource = Literal["model", "words"]
AnswerKind = Literal["factual", "plan"]


class _Reported(Struct, frozen=True, kw_only=True):
    """The two ways out that findings and reports have."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values, keys in the documented order."""
        plain: dict[str, Any] = to_builtins(self)
        return plain

    def to_json(self, *, indent: int | None = None) -> str:
        """Return it as JSON text."""
        return to_json_text(self.to_dict(), indent=indent)


class CheckFinding(_Reported, frozen=True, kw_only=True):
    """One cited reason.

    ``step`` indexes the run's ``steps``, or is a trace's own ``i``; ``None`` means the whole run.
    """

    severity: Severity
    verdict: str
    subject: str = ""
    reason: str = ""
    evidence: str | None = None
    step: int | None = None
    metadata: dict[str, Any] = {}


class CheckReport(_Reported, frozen=True, kw_only=True):
    """What one check says of one run.

    ``score`` is in [0, 1], or ``None`` for a check that gives none. ``verdict`` is ``fail`` when any finding fails,
    ``review`` when none fails and any is a warning, else ``pass``. ``metadata`` is the check's own and may grow.
    """

    check: str
    passed: bool
    verdict: CheckVerdict
    score: float | None
    summary: str
    findings: list[CheckFinding] = []
    metadata: dict[str, Any] = {}
    prompt_version: str | None = None

    @property
    def failures(self) -> list[CheckFinding]:
        """The findings of severity ``fail``, in order."""
        return [finding for finding in self.findings if finding.severity == "fail"]


class RunReport(_Reported, frozen=True, kw_only=True):
    """The reports of all checks that were asked of one run."""

    results: list[CheckReport] = []

    @property
    def overall_score(self) -> float:
        """The unweighted mean of the scores that are not null, in [0, 1]; 1.0 when there are none."""
        scores = [result.score for result in self.results if result.score is not None]
        return sum(scores) / len(scores) if scores else 1.0

    @property
    def passed(self) -> bool:
        """True when every check passed; true for no checks at all."""
        return all(result.passed for result in self.results)

    @property
    def verdict(self) -> CheckVerdict:
        """The worst verdict of the checks."""
        return _worst_verdict([result.verdict for result in self.results])

    def by(self, name: str) -> CheckReport | None:
        """Return the report of the check called ``name``, or ``None`` when it did not run."""
        return next((result for result in self.results if result.check == name), None)

    def to_dict(self) -> dict[str, Any]:
        """Return the report, with the computed fields, as plain JSON values."""
        return {
            "results": [result.to_dict() for result in self.results],
            "overall_score": self.overall_score,
            "passed": self.passed,
            "verdict": self.verdict,
        }


class CheckRequest(Struct, frozen=True, kw_only=True):
    """What the caller asked for, and the model client if there is one.

    ``check_answer`` and ``appropriate`` say which questions to put to a model; they cost nothing without one.
    ``answer`` says whether plain words of the answer count where no model reads it. ``unavailable`` says, for the
    reasons, why there is no client. ``kind`` and ``max_claims`` belong to faithfulness, ``deep`` and ``detectors``
    (``None``: the built-in scanner) to injection, ``samples`` to the voted questions.
    ``evidence`` is the case file when the run came from a trace.
    """

    client: ModelClient | None = None
    check_answer: bool = False
    appropriate: bool = False
    errors: ErrorReading = "text"
    recovery: RecoveryReading = "documented"
    answer: AnswerSource = "model"
    unavailable: str = ""
    kind: AnswerKind = "factual"
    max_claims: int = 40
    samples: int = 3
    deep: bool = False
    detectors: tuple[TextScanner, ...] | None = None
    evidence: Evidence | None = None


class Check(Protocol):
    """A conduct question: a function from a run and a request to a report. It never raises on a well-formed run."""

    def __call__(self, run: Run, request: CheckRequest) -> CheckReport:
        """Answer for one run."""
        ...


def verdict_of(findings: list[CheckFinding]) -> CheckVerdict:
    """Return ``fail`` if any finding fails, ``review`` if any warns, else ``pass``."""
    severities = {finding.severity for finding in findings}
    if "fail" in severities:
        return "fail"
    return "review" if "warn" in severities else "pass"


def _worst_verdict(verdicts: list[CheckVerdict]) -> CheckVerdict:
    """Return the worst of ``verdicts``: fail, then review, then pass (also for none)."""
    if "fail" in verdicts:
        return "fail"
    return "review" if "review" in verdicts else "pass"
