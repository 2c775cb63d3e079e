"""The run grader: one object that knows its model, and the checks it can ask of a run.

A reader must not miss: a check goes to a model only when it was asked to. ``tool_use`` without flags stays offline
even with a key, and a missing key makes a finding ``unchecked``, never a crash.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agent_claimcheck.checks.contract import (
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
from agent_claimcheck.pipeline.run_sources import as_run
from agent_claimcheck.trace.model import Trace

CHECKS: dict[str, str] = {
    "tool_use": "agent_claimcheck.checks.tool_use:check_run",
}
"""Every check by name and where it lives. A new check is one file and one line here."""

RunSource = Run | Trace | dict[str, Any] | str | Path

NO_KEY = f"{KEY_VARIABLE} is not set"


class Grader:
    """Grades runs.

    ``client`` is any object with ``complete(*, system, user, schema) -> str``; it is called as it is. Without one,
    ``key``, ``model`` and ``base_url`` (else ``OPENAI_API_KEY`` and ``OPENAI_BASE_URL``) name an OpenAI-compatible
    server, reached only when a question is asked. With ``max_usd`` its calls are cached, entered in the ledger and kept
    within that budget, and a price must be known: ``price`` in US dollars per million tokens (in, out), else the server's
    listing or the packaged table. Inside ``using(client)`` that client is taken before a key is.
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
    ) -> None:
        if price is not None and max_usd is None:
            raise UsageError("a price needs a budget", hint="give max_usd too")
        if client is not None and not callable(getattr(client, "complete", None)):
            raise UsageError("a client needs a complete(*, system, user, schema) method")
        self._client = client
        self._settings = (key, model, base_url)
        self._budget = (max_usd, price)
        self._built: ModelClient | None = None

    def tool_use(
        self,
        run: RunSource,
        *,
        appropriate: bool = False,
        check_answer: bool = False,
        errors: ErrorReading = "text",
        recovery: RecoveryReading = "documented",
    ) -> CheckReport:
        """Check the tool calls of ``run``: a ``Run``, a ``Trace``, a dict, or the path of a file with one run.

        ``check_answer`` reads the final answer for every unrecovered error, one model call each. ``appropriate`` asks
        of every call whether its tool was a reasonable choice, and reads the answer as well. With neither, no model is
        asked unless a ``using`` block is open. Raises ``InputError`` for a run that cannot be read.
        """
        _expect_readings(errors, recovery)
        client: ModelClient | None
        if appropriate or check_answer:
            client = self.find_client()
            if client is None:
                warnings.warn(f"{NO_KEY}, so no model was asked", stacklevel=2)
        else:
            client = current_client()
        request = CheckRequest(
            client=client,
            check_answer=client is not None,
            appropriate=appropriate,
            errors=errors,
            recovery=recovery,
            unavailable=NO_KEY if client is None and (appropriate or check_answer) else "",
        )
        return check_run(as_run(run), request)

    def evaluate(
        self,
        run: RunSource,
        *,
        checks: Sequence[str] = ("tool_use",),
        appropriate: bool = False,
        errors: ErrorReading = "text",
        recovery: RecoveryReading = "documented",
    ) -> RunReport:
        """Run the named checks on ``run``. The final answer is read whenever a client or a key is there.

        Raises ``UsageError`` for no checks, an unknown or a repeated name, before any work is done.
        """
        _expect_readings(errors, recovery)
        selected = _select(checks)
        client = self.find_client()
        request = CheckRequest(
            client=client,
            check_answer=client is not None,
            appropriate=appropriate,
            errors=errors,
            recovery=recovery,
            unavailable="" if client is not None else NO_KEY,
        )
        loaded = as_run(run)
        return RunReport(results=[check(loaded, request) for check in selected])

    def find_client(self) -> ModelClient | None:
        """Return the client that questions go to: the one given, else that of the open ``using`` block, else one built
        from the key, else ``None``."""
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
) -> CheckReport:
    """Check the tool calls of ``run`` offline, or with ``client`` or the client of the open ``using`` block.

    Never builds a client from the environment. Raises ``InputError`` for a run that cannot be read.
    """
    _expect_readings(errors, recovery)
    chosen = current_client() if client is None else client
    request = CheckRequest(
        client=chosen, check_answer=chosen is not None, appropriate=appropriate, errors=errors, recovery=recovery
    )
    return check_run(as_run(run), request)


def _select(names: Sequence[str]) -> list[Check]:
    if isinstance(names, str) or not names:
        raise UsageError("no checks were selected", hint=f"known: {', '.join(sorted(CHECKS))}")
    unknown = sorted(set(names) - set(CHECKS))
    if unknown:
        raise UsageError(f"unknown checks: {', '.join(unknown)}", hint=f"known: {', '.join(sorted(CHECKS))}")
    if len(set(names)) != len(names):
        raise UsageError("a check was selected twice")
    return [_load(CHECKS[name]) for name in names]


def _load(place: str) -> Check:
    module, _, attribute = place.partition(":")
    check: Check = getattr(importlib.import_module(module), attribute)
    return check


def _expect_readings(errors: str, recovery: str) -> None:
    if errors not in ("text", "structured"):
        raise UsageError(f"errors is {errors!r}", hint="text or structured")
    if recovery not in ("documented", "strict"):
        raise UsageError(f"recovery is {recovery!r}", hint="documented or strict")
