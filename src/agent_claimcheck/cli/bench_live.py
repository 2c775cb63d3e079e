"""``bench --live``: what the judges would cost at most, then every answer recorded, then the report.

A reader must not miss: ``--dry-run`` sends nothing and writes nothing. An interrupted run keeps what it has, and the
same command takes it up again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent_claimcheck.cli.console import note
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.settings import load_settings
from agent_claimcheck.core.text import printable
from agent_claimcheck.evidence.case import CaseSettings

if TYPE_CHECKING:
    from agent_claimcheck.detectors.judge.detector import Estimate
    from agent_claimcheck.lab.bench.inputs import BenchData
    from agent_claimcheck.lab.bench.live import AnswerFiles, JudgePass, LivePlan
    from agent_claimcheck.lab.bench.offline import OfflineRun
    from agent_claimcheck.lab.bench.recording import RunFacts


def ask_live(flags: dict[str, Any], data: BenchData, case: CaseSettings, facts: RunFacts) -> dict[str, bytes] | None:
    """Ask the judges and return the files of the run to write; ``None`` after a dry run.

    Raises ``UsageError`` before anything is sent when a judge has no price or the run may cost more than ``--max-usd``.
    """
    from agent_claimcheck.lab.bench.live import AnswerFiles, check_limit, plan_passes, spread

    overrides = {
        "budget.max_usd": flags["max_usd"],
        "judge.concurrency": flags["concurrency"],
        "judge.price_in_per_m": flags["price_in"],
        "judge.price_out_per_m": flags["price_out"],
    }
    settings = load_settings(flags["config"], overrides, os.environ, Path.cwd())
    plan = _plan(flags, facts)
    files = AnswerFiles(flags["out"])
    passes = plan_passes(plan, settings, spread(data.subjects.kept, flags["limit"]), files)
    with ExitStack() as judges:
        for one in passes:
            judges.callback(one.judge.close)
        estimates = _say_estimates(passes, case)
        if flags["dry_run"]:
            return None
        check_limit(estimates, settings.budget.max_usd, is_partial_allowed=flags["allow_partial"])
        return _record(passes, plan, files, data, case, facts)


def _plan(flags: dict[str, Any], facts: RunFacts) -> LivePlan:
    from agent_claimcheck.lab.bench.live import LivePlan

    names = [name.strip() for name in (flags["judges"] or "").split(",")]
    return LivePlan(
        judges=tuple(name for name in names if name),
        ablation_judge=flags["ablation_judge"],
        ablation_prompt=flags["ablation_prompt"],
        run_name=facts.run_name,
        price_date=flags["price_date"] or date.today().isoformat(),
        repeats=flags["repeats"],
        is_dry=flags["dry_run"],
        use_cache=not flags["no_cache"],
    )


def _say_estimates(passes: Sequence[JudgePass], case: CaseSettings) -> list[Estimate]:
    """Print one line a judge and prompt, and the total; lines are never wrapped."""
    estimates = []
    for one in passes:
        found = one.estimate(case)
        estimates.append(found)
        kept = f", {found.cached} answered from the cache" if found.cached else ""
        click.echo(
            f"{printable(one.label)} ({one.judge.style.prompt.name}): {found.calls} calls, "
            f"worst-case reservation ${found.usd:.6f}{kept}",
            err=not one.options.is_dry,
        )
    click.echo(f"grand total: ${sum(found.usd for found in estimates):.6f}", err=not passes[0].options.is_dry)
    return estimates


def _record(
    passes: Sequence[JudgePass],
    plan: LivePlan,
    files: AnswerFiles,
    data: BenchData,
    case: CaseSettings,
    facts: RunFacts,
) -> dict[str, bytes]:
    from agent_claimcheck.lab.bench.fitting import fit_calibrators
    from agent_claimcheck.lab.bench.live import ask_judges, judge_scores, live_fields, run_fields_so_far
    from agent_claimcheck.lab.bench.offline import score_offline
    from agent_claimcheck.lab.bench.recording import offline_files, write_files

    out = files.directory
    before = run_fields_so_far(out)
    seconds = dict(before.get("judge_wall_clock_s") or {})
    # Offline scores come first, so that an interrupted run can be reported on, too.
    run: OfflineRun = score_offline(
        data.subjects, case, clock=time.thread_time, fitted_on="bench:train", is_packaged=data.is_packaged
    )
    write_files(out, offline_files(run, facts, before))
    try:
        for one, count in ask_judges(passes, case, files, clock=time.monotonic, seconds=seconds):
            note(f"{one.label} ({one.judge.style.prompt.name}): {count} answers")
    except KeyboardInterrupt:
        note(f"stopped; the same command takes the run in {out} up again")
        raise
    finally:
        train = data.subjects.of_split("train")
        labels = [subject.is_success for subject in train]
        run.calibrators.update(fit_calibrators(judge_scores(files, train), labels))
        made = offline_files(run, facts, live_fields(passes, plan, files, before, seconds))
        write_files(out, made)
    return made


def needed(flags: dict[str, Any]) -> None:
    """Raise ``UsageError`` naming what a live run lacks."""
    missing = [f"--{name.replace('_', '-')}" for name in ("judges", "max_usd") if flags[name] is None]
    if flags["out"] is None and not flags["dry_run"]:
        missing.append("--out")
    if missing:
        raise UsageError(f"--live needs {', '.join(missing)}", slug="live")
