"""``faithfulness``: print which statements of each run's final answer the evidence bears out."""

from __future__ import annotations

from typing import Any, Literal

import click

from agent_claimcheck.cli.graded import grade_each, open_grader, run_options


@click.command(name="faithfulness", context_settings={"help_option_names": ["-h", "--help"]})
@run_options
@click.option(
    "--kind",
    type=click.Choice(["factual", "plan"]),
    default="factual",
    show_default=True,
    help="What the final answer is: statements of fact, or a plan.",
)
@click.option(
    "--max-claims", type=click.IntRange(min=1), default=40, show_default=True, help="Statements a model reads."
)
def faithfulness(kind: Literal["factual", "plan"], max_claims: int, **options: Any) -> None:
    """Check that what runs told the user is what their tools returned.

    With a key a model reads the statements; without one, or with --offline, values and wording decide. RUN is a run file, any
    trace file, or - for standard input. Exit codes: 0 fine, 1 a check failed, 2 usage or invalid input.
    """
    from agent_claimcheck.checks.contract import CheckRequest
    from agent_claimcheck.checks.faithfulness.check import check_faithfulness

    with open_grader(options) as grader:
        request = CheckRequest(
            client=grader.find_client(), kind=kind, max_claims=max_claims, unavailable=grader.why_not()
        )
        grade_each(options, lambda loaded: check_faithfulness(loaded.run, request))
