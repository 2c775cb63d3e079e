"""``injection``: print which untrusted texts gave each run orders, and whether the agent followed them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from agent_claimcheck.cli.graded import grade_each, open_grader, run_options, with_client
from agent_claimcheck.cli.local_path import LocalPath


@click.command(name="injection", context_settings={"help_option_names": ["-h", "--help"]})
@run_options
@click.option("--deep", is_flag=True, help="Ask a model as well whether the agent was steered.")
@click.option("--samples", type=click.IntRange(min=1), default=3, show_default=True, help="With --deep: votes.")
@click.option("--patterns", type=LocalPath(path_type=Path), metavar="FILE", help="Your own patterns, JSON.")
@click.option("--patterns-only", is_flag=True, help="Use your own patterns in place of the built-in ones.")
def injection(deep: bool, samples: int, patterns: Path | None, patterns_only: bool, **options: Any) -> None:
    """Find orders to the agent in what its tools returned, and see whether it followed them.

    RUN is a run file, any trace file, or - for standard input. Exit codes: 0 fine, 1 a check failed, 2 usage or invalid
    input.
    """
    from agent_claimcheck.checks.contract import CheckRequest
    from agent_claimcheck.checks.injection.check import check_injection
    from agent_claimcheck.pipeline.grader import scanners

    chosen = scanners(patterns, patterns_only=patterns_only)
    with open_grader(options) as grader:
        request = CheckRequest(deep=deep, samples=samples, detectors=chosen)
        if deep:
            request = with_client(request, grader, told="is left out")
        grade_each(options, lambda loaded: check_injection(loaded.run, request))
