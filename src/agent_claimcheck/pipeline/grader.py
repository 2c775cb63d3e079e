"""The run grader: one object that knows its model, and the checks it can ask of a run.

A reader must not miss: a check goes to a model only when it was asked to. ``tool_use`` without flags stays offline
even with a key, and a missing key makes a finding ``unchecked``, never a crash.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_claimcheck.checks.contract import (
    AnswerKind,
    AnswerSource,
    Check,
    CheckReport,
    CheckRequest,
    ErrorReading,
    RecoveryReading,
    RunReport,
)
from agent_claimcheck.checks.run import Run
from agent_claimcheck.checks.tool_use import check_run
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.settings.openai import KEY_VARIABLE, read_openai_settings
from agent_claimcheck.llm.client import ModelClient
from agent_claimcheck.llm.current import current_client
from agent_claimcheck.pipeline.catalog import DEFAULT_CHECKS, load_check, select_checks
from agent_claimcheck.pipeline.model_list import PROVIDERS, list_models
from agent_claimcheck.pipeline.run_sources import as_run
from agent_claimcheck.scoring.proportions import rate_with_interval
from agent_claimcheck.trace.model import Trace

if TYPE_CHECKING:
    from agent_claimcheck.checks.injection.check import TextScanner
    from agent_claimcheck.checks.naive import NaiveVerdict
    from agent_claimcheck.scoring.intervals import Estimate

RunSource = Run | Trace | dict[str, Any] | str | Path

NO_KEY = f"{KEY_VARIABLE} is not set"
OFFLINE = "offline was asked for"


class Grader:
    """Grades runs.

    ``client`` is any object with ``complete(*, system, user, schema) -> str``; it is called as it is. Without one,
    ``key``, ``model`` and ``base_url`` (else ``OPENAI_API_KEY`` and ``OPENAI_BASE_URL``) name an OpenAI-compatible
    server, reached only when a question is asked. With ``max_usd`` its calls are cached, entered in the ledger and kept
    within that budget, and a price must be known: ``price`` in US dollars per million tokens (in, out), else the server's
    listing or the packaged table. Inside ``using(client)`` that client is taken before a key is. With ``offline`` no model is
    ever asked, whatever key, client or ``using`` block there is.
    """

    def __init__(
        self,
        key: str | None = None,
        *,
        client: ModelClient | None = None,
        model: str | None = None,
        base_url: str | None = None,
        max_usd: float | None = None,
        price: tuple[float, float] | None = None,
        offline: bool = False,
    ) -> None:
        if price is not None and max_usd is None:
            raise UsageError("a price needs a budget", hint="give max_usd too")
        if client is not None and not callable(getattr(client, "complete", None)):
            raise UsageError(
                "a client needs a complete(*, system, user, schema) method", hint="see attest.llm.ModelClient"
            )
        self._client = client
        self._settings = (key, model, base_url)
        self._budget = (max_usd, price)
        self._built: ModelClient | None = None
        self._is_offline = offline

    def tool_use(
        self,
        run: RunSource,
        *,
        appropriate: bool = False,
        check_answer: bool = False,
        errors: ErrorReading = "text",
        recovery: RecoveryReading = "documented",
        answer: AnswerSource = "model",
    ) -> CheckReport:
        """Check the tool calls of ``run``: a ``Run``, a ``Trace``, a dict, or the path of a file with one run.

        ``check_answer`` reads the final answer for every unrecovered error, one model call each. ``appropriate`` asks
        of every call whether its tool was a reasonable choice, and reads the answer as well. With neither, no model is
        asked unless a ``using`` block is open; with ``answer="words"`` plain words of the answer count then. Raises
        ``InputError`` for a run that cannot be read.
        """
        _expect_readings(errors, recovery, answer)
        client: ModelClient | None
        if appropriate or check_answer:
            client = self.find_client()
            if client is None:
                warnings.warn(f"{self.why_not()}, so no model was asked", stacklevel=2)
        else:
            client = None if self._is_offline else current_client()
        request = CheckRequest(
            client=client,
            check_answer=client is not None,
            appropriate=appropriate,
            errors=errors,
            recovery=recovery,
            answer=answer,
            unavailable=self.why_not() if appropriate or check_answer else "",
        )
        return check_run(as_run(run), request)

    def evaluate(
        self,
        run: RunSource,
        *,
        checks: Sequence[str] = DEFAULT_CHECKS,
        appropriate: bool = False,
        errors: ErrorReading = "text",
        recovery: RecoveryReading = "documented",
        answer: AnswerSource = "model",
        kind: AnswerKind = "factual",
    ) -> RunReport:
        """Run the named checks on ``run``. What needs a model is asked whenever a client or a key is there.

        Raises ``UsageError`` for no checks, an unknown or a repeated name, before any work is done.
        """
        _expect_readings(errors, recovery, answer)
        _expect_kind(kind)
        selected = select_checks(checks)
        request = self.full_request(appropriate=appropriate, errors=errors, recovery=recovery, answer=answer, kind=kind)
        return evaluate_run(as_run(run), selected, request)

    def faithfulness(self, run: RunSource, *, kind: AnswerKind = "factual", max_claims: int = 40) -> CheckReport:
        """Compare the statements of the final answer with what the tools returned.

        With a client or a key a model reads at most ``max_claims`` statements; without one values and wording decide.
        ``kind="plan"`` asks of a plan whether it keeps to the evidence. Raises ``InputError`` for a run that cannot be
        read.
        """
        _expect_kind(kind)
        request = CheckRequest(client=self.find_client(), kind=kind, max_claims=max_claims, unavailable=self.why_not())
        return load_check("faithfulness")(as_run(run), request)

    def injection(
        self,
        run: RunSource,
        *,
        deep: bool = False,
        detectors: Sequence[TextScanner] | None = None,
        patterns: str | Path | None = None,
        patterns_only: bool = False,
        samples: int = 3,
    ) -> CheckReport:
        """Scan what the tools returned for orders to the agent, and see whether it followed them.

        ``deep`` asks a model ``samples`` times whether the agent was steered. ``patterns`` is a JSON file of your own
        patterns, on top of the built-in ones or, with ``patterns_only``, in their place. ``detectors`` are objects with
        a ``name`` and ``scan(segment)``; they replace the built-in scanner. Raises ``InputError`` for a run or a pattern
        file that cannot be read.
        """
        chosen = tuple(detectors) if detectors is not None else scanners(patterns, patterns_only=patterns_only)
        client = self.find_client() if deep else None
        request = CheckRequest(
            client=client, deep=deep, detectors=chosen, samples=samples, unavailable=self.why_not() if deep else ""
        )
        return load_check("injection")(as_run(run), request)

    def role_adherence(self, run: RunSource, *, samples: int = 3) -> CheckReport:
        """Check that the agent kept to its system prompt: a model is asked ``samples`` times, the majority counts.

        Without a client or a key only foreign tools, leaks of the system prompt and refusals are seen.
        """
        request = CheckRequest(client=self.find_client(), samples=samples, unavailable=self.why_not())
        return load_check("role")(as_run(run), request)

    def judge(self, run: RunSource) -> NaiveVerdict:
        """Ask a model the plain question "does this run look good?". No check does this; ``attest demo`` compares it.

        Raises ``UsageError`` without a client or a key.
        """
        from agent_claimcheck.checks.naive import judge_naively

        client = self.find_client()
        if client is None:
            raise UsageError(
                f"{self.why_not()}, and this question needs a model",
                hint=f"set {KEY_VARIABLE}, or pass client=",
                slug="no_api_key",
            )
        return judge_naively(client, as_run(run))

    def stats(self, successes: int, n: int) -> Estimate:
        """Return the success rate with its 95 % Wilson interval. Raises ``InputError`` for impossible counts."""
        return rate_with_interval(successes, n)

    def providers(self) -> list[str]:
        """Return the providers whose models can be listed."""
        return sorted(PROVIDERS)

    def models(self, provider: str = "openai") -> list[str]:
        """Return a provider's models: live when its key is set, else a shortlist. Raises ``UsageError`` for no provider."""
        return list_models(provider).names

    def full_request(
        self,
        *,
        appropriate: bool = False,
        errors: ErrorReading = "text",
        recovery: RecoveryReading = "documented",
        answer: AnswerSource = "model",
        kind: AnswerKind = "factual",
    ) -> CheckRequest:
        """Return the request that asks every question the client allows."""
        client = self.find_client()
        return CheckRequest(
            client=client,
            check_answer=client is not None,
            appropriate=appropriate,
            errors=errors,
            recovery=recovery,
            answer=answer,
            kind=kind,
            deep=True,
            unavailable=self.why_not(),
        )

    def why_not(self) -> str:
        """Return why no model is asked, ``""`` when one may be."""
        if self._is_offline:
            return OFFLINE
        return "" if self.find_client() is not None else NO_KEY

    def find_client(self) -> ModelClient | None:
        """Return the client that questions go to: the one given, else that of the open ``using`` block, else one built
        from the key, else ``None``. Offline it is always ``None``."""
        if self._is_offline:
            return None
        if self._client is not None:
            return self._client
        active = current_client()
        if active is not None:
            return active
        if self._built is None:
            self._built = self._build()
        return self._built

    def close(self) -> None:
        """Close the connections of a client that was built here. One that was handed in is left alone."""
        close = getattr(self._built, "close", None)
        self._built = None
        if close is not None:
            close()

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _build(self) -> ModelClient | None:
        from agent_claimcheck.llm.openai_compatible import OpenAICompatibleClient, needs_key

        key, model, base_url = self._settings
        settings = read_openai_settings(key=key, model=model, base_url=base_url)
        if settings.key is None and needs_key(settings.base_url):
            return None
        max_usd, price = self._budget
        if max_usd is not None:
            from agent_claimcheck.pipeline.metering import metered_client

            return metered_client(settings, max_usd=max_usd, price=price)
        return OpenAICompatibleClient(model=settings.model, base_url=settings.base_url, key=settings.key)


def check_tool_use(
    run: RunSource,
    *,
    client: ModelClient | None = None,
    appropriate: bool = False,
    errors: ErrorReading = "text",
    recovery: RecoveryReading = "documented",
    answer: AnswerSource = "model",
) -> CheckReport:
    """Check the tool calls of ``run`` offline, or with ``client`` or the client of the open ``using`` block.

    Never builds a client from the environment. Raises ``InputError`` for a run that cannot be read.
    """
    _expect_readings(errors, recovery, answer)
    chosen = current_client() if client is None else client
    request = CheckRequest(
        client=chosen,
        check_answer=chosen is not None,
        appropriate=appropriate,
        errors=errors,
        recovery=recovery,
        answer=answer,
    )
    return check_run(as_run(run), request)


def check_faithfulness(
    run: RunSource, *, client: ModelClient | None = None, kind: AnswerKind = "factual", max_claims: int = 40
) -> CheckReport:
    """Compare the final answer with the evidence: offline, or with ``client`` or that of the open ``using`` block."""
    _expect_kind(kind)
    request = CheckRequest(client=client or current_client(), kind=kind, max_claims=max_claims)
    return load_check("faithfulness")(as_run(run), request)


def check_injection(
    run: RunSource,
    *,
    client: ModelClient | None = None,
    deep: bool = False,
    detectors: Sequence[TextScanner] | None = None,
    samples: int = 3,
) -> CheckReport:
    """Scan the untrusted texts of ``run``; ``deep`` also asks ``client`` or that of the open ``using`` block."""
    chosen = tuple(detectors) if detectors is not None else None
    request = CheckRequest(client=client or current_client(), deep=deep, detectors=chosen, samples=samples)
    return load_check("injection")(as_run(run), request)


def check_role(run: RunSource, *, client: ModelClient | None = None, samples: int = 3) -> CheckReport:
    """Check how ``run`` kept to its role: the floor offline, or with ``client`` or that of the open ``using`` block."""
    return load_check("role")(as_run(run), CheckRequest(client=client or current_client(), samples=samples))


def scanners(patterns: str | Path | None, *, patterns_only: bool = False) -> tuple[TextScanner, ...] | None:
    """Return the scanner for a user's pattern file, ``None`` for the built-in one. Raises ``InputError``, ``UsageError``."""
    if patterns is None:
        if patterns_only:
            raise UsageError("patterns_only needs a file of patterns", hint="give --patterns FILE", slug="patterns")
        return None
    from agent_claimcheck.checks.injection.check import PatternScanner
    from agent_claimcheck.checks.injection.patterns import load_patterns
    from agent_claimcheck.checks.injection.scan import Scanner

    return (PatternScanner(Scanner(load_patterns(patterns), builtin=not patterns_only)),)


def evaluate_run(run: Run, checks: Sequence[Check], request: CheckRequest) -> RunReport:
    """Return the reports of ``checks`` on a run that is already read."""
    return RunReport(results=[check(run, request) for check in checks])


def _expect_kind(kind: str) -> None:
    """Raise ``UsageError`` for a kind of answer that is none."""
    if kind not in ("factual", "plan"):
        raise UsageError(f"kind is {kind!r}", hint="factual or plan")


def _expect_readings(errors: str, recovery: str, answer: str) -> None:
    if errors not in ("text", "structured"):
        raise UsageError(f"errors is {errors!r}", hint="text or structured")
    if recovery not in ("documented", "strict"):
        raise UsageError(f"recovery is {recovery!r}", hint="documented or strict")
    if answer not in ("model", "words"):
        raise UsageError(f"answer is {answer!r}", hint="model or words")
