"""``demo``: print what a plain judge and what the checks say of four bundled runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from agent_claimcheck.checks.contract import CheckFinding, CheckReport


@click.command(name="demo", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def demo(as_json: bool) -> None:
    """Set the checks beside a plain "does this look good?" judge, on bundled runs and recorded answers. Needs no key."""
    from agent_claimcheck.checks.jsontext import to_json_text
    from agent_claimcheck.core.text import shorten
    from agent_claimcheck.pipeline.demo import demo_note, demo_rows

    rows = list(demo_rows())
    if as_json:
        plain = [
            {
                "task": row.run.task,
                "naive": {"verdict": row.naive.verdict, "reason": row.naive.reason, "recorded": True},
                "report": row.report.to_dict(),
            }
            for row in rows
        ]
        click.echo(to_json_text({"note": demo_note(), "runs": plain}))
        return
    for row in rows:
        click.echo(f"{shorten(row.run.task, 70)}\n  answer: {shorten(row.run.final_answer, 100)}")
        click.echo(f"  plain judge (recorded)  {row.naive.verdict.upper():<7} {row.naive.reason}")
        click.echo(f"  checks                  {row.report.verdict.upper()}")
        for result in row.report.results:
            for finding in result.failures if row.report.verdict == "fail" else _warnings(result):
                place = "" if finding.step is None else f"step {finding.step}: "
                click.echo(f"    {result.check}: {finding.verdict}: {place}{shorten(finding.reason, 110)}")
        click.echo()
    missed = sum(row.naive.verdict == "pass" and row.report.verdict == "fail" for row in rows)
    click.echo(f"Of {len(rows)} runs the plain judge passed {missed} in which a check found a fault.")
    click.echo(f"Recorded answers: {demo_note()}")


def _warnings(report: CheckReport) -> list[CheckFinding]:
    """Return what puts a run up for review when no check failed it."""
    return [finding for finding in report.findings if finding.severity == "warn"]
