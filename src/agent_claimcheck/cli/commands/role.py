"""``role``: print whether each run kept to the role its system prompt gives it."""

from __future__ import annotations

from typing import Any

import click

from agent_claimcheck.cli.graded import grade_each, open_grader, run_options, with_client


@click.command(name="role", context_settings={"help_option_names": ["-h", "--help"]})
@run_options
@click.option("--samples", type=click.IntRange(min=1), default=3, show_default=True, help="Votes of the model.")
def role(samples: int, **options: Any) -> None:
    """Check that runs kept to the role of their system prompt.

    Without a key only foreign tools, leaks of the system prompt and refusals are seen. RUN is a run file, any trace file,
    or - for standard input. Exit codes: 0 fine, 1 a check failed, 2 usage or invalid input.
    """
    from agent_claimcheck.checks.contract import CheckRequest
    from agent_claimcheck.checks.role import check_role

    with open_grader(options) as grader:
        request = with_client(CheckRequest(samples=samples), grader)
        grade_each(options, lambda loaded: check_role(loaded.run, request))
