"""``tools``: print how each run used its tools.

A reader must not miss: a check goes to a model only with ``--check-answer`` or ``--appropriate``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agent_claimcheck.cli.graded import closing_line, grade_each, open_grader, reading_options, run_options, with_client

if TYPE_CHECKING:
    from agent_claimcheck.checks.contract import CheckReport


@click.command(name="tools", context_settings={"help_option_names": ["-h", "--help"]})
@run_options
@click.option("--check-answer", is_flag=True, help="Ask a model what the final answer says of each unrecovered error.")
@click.option("--appropriate", is_flag=True, help="Ask a model of each call whether its tool was a reasonable choice.")
@reading_options
def tools(check_answer: bool, appropriate: bool, **options: Any) -> None:
    """Grade how runs used their tools: allowed tools, and errors recovered or owned up to.

    RUN is a run file (one JSON object, or JSON Lines), any trace file that is read elsewhere, or - for standard input.
    Exit codes: 0 fine, 1 a check failed, 2 usage or invalid input.
    """
    from contextlib import ExitStack

    from agent_claimcheck.checks.contract import CheckRequest
    from agent_claimcheck.checks.tool_use import check_run

    asks = check_answer or appropriate
    request = CheckRequest(
        check_answer=asks,
        appropriate=appropriate,
        errors=options["errors"],
        recovery=options["recovery"],
        answer=options["answer"],
    )
    with ExitStack() as stack:
        if asks:
            request = with_client(request, stack.enter_context(open_grader(options)))
        grade_each(options, lambda loaded: check_run(loaded.run, request), _text)


def _text(report: CheckReport) -> str:
    from agent_claimcheck.core.text import printable, shorten

    lines: list[str] = []
    width = min(40, max((len(printable(finding.subject)) for finding in report.findings), default=0))
    for finding in report.findings:
        step = "" if finding.step is None else str(finding.step)
        recovery = finding.metadata.get("recovery") or "-"
        tool = shorten(printable(finding.subject), 40)
        lines.append(
            f"  {finding.severity.upper():<4}  step {step:>3}  {tool:<{width}}  {finding.verdict:<21}  {recovery:<15}  "
            f"{printable(finding.reason)}"
        )
    lines.append(closing_line(report))
    return "\n".join(lines)
