"""``--dry-run``: what the judge would be asked, and the most it may cost, on one line that is never wrapped."""

from __future__ import annotations

from collections.abc import Iterable

import click

from agent_claimcheck.cli.console import note
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.text import printable
from agent_claimcheck.detectors.ensembles import Cascade
from agent_claimcheck.detectors.judge.detector import JudgeDetector
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.judging import estimate_run
from agent_claimcheck.trace.model import Trace


def say_estimate(checker: Checker, traces: Iterable[Trace]) -> None:
    """Print the number of calls and the worst-case reservation. Nothing is sent, no file is written.

    Raises ``UsageError`` for a detector that asks no model.
    """
    detector = checker.detector
    judge = detector.judge if isinstance(detector, Cascade) else detector
    if not isinstance(judge, JudgeDetector) or not isinstance(detector, Cascade | JudgeDetector):
        raise UsageError(
            f"--dry-run: the detector {detector.name} asks no model",
            hint="add --detector judge or cascade",
            slug="dry_run",
        )
    with checker:
        estimate = estimate_run(detector, traces, checker.spec.case)
    price = judge.session.route.price
    kept = f", {estimate.cached} answered from the cache" if estimate.cached else ""
    click.echo(
        f"{printable(judge.label)} ({judge.style.prompt.name}): {estimate.calls} calls, "
        f"worst-case reservation ${estimate.usd:.6f}{kept}"
    )
    if price is not None:
        dated = f" of {price.date}" if price.date else ""
        note(
            f"price: ${price.in_per_m:g} in, ${price.out_per_m:g} out per million tokens ({price.source}{dated}); "
            "nothing was sent"
        )
    limit = checker.spec.judge.settings.budget.max_usd if checker.spec.judge is not None else None
    if limit is not None and estimate.usd > limit:
        note(f"the budget of ${limit:g} may end before all calls are made")
