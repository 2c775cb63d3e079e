"""``run``: ask several checks of each run, print every report, and sum up over all runs.

A reader must not miss: what needs a model is asked whenever a key is set; without one the reports say that it was not.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from agent_claimcheck.cli.graded import (
    GATED,
    open_grader,
    place_of,
    read_loaded,
    reading_options,
    run_options,
    text_of,
    title,
)
from agent_claimcheck.cli.local_path import LocalPath
from agent_claimcheck.pipeline.catalog import CHECKS, DEFAULT_CHECKS, select_checks

if TYPE_CHECKING:
    from agent_claimcheck.checks.contract import RunReport
    from agent_claimcheck.checks.run_file import LoadedRun
    from agent_claimcheck.pipeline.run_summary import RunSummary
    from agent_claimcheck.results.writers.output import AtomicFile


@click.command(name="run", context_settings={"help_option_names": ["-h", "--help"]})
@run_options
@click.option(
    "--checks",
    metavar="LIST",
    help=f"Checks to ask, by comma: {', '.join(sorted(CHECKS))}.  [default: {','.join(DEFAULT_CHECKS)}]",
)
@reading_options
@click.option("--appropriate", is_flag=True, help="Ask a model of each call whether its tool was a reasonable choice.")
@click.option(
    "--kind", type=click.Choice(["factual", "plan"]), default="factual", show_default=True, help="The answer."
)
@click.option("--html", "html_path", type=LocalPath(path_type=Path), metavar="PATH", help="Also write an HTML report.")
def run(
    checks: str | None, appropriate: bool, kind: Literal["factual", "plan"], html_path: Path | None, **options: Any
) -> None:
    """Grade whole runs: tool use and faithfulness, and on request injection and role.

    RUN is a run file, any trace file, or - for standard input. Exit codes: 0 fine, 1 a check failed, 2 usage or invalid
    input.
    """
    from agent_claimcheck.cli.exits import GATE, OK, USAGE, finish
    from agent_claimcheck.core.text import printable
    from agent_claimcheck.pipeline.grader import evaluate_run
    from agent_claimcheck.pipeline.run_summary import RunSummary

    names = list(DEFAULT_CHECKS) if checks is None else [name.strip() for name in checks.split(",") if name.strip()]
    selected = select_checks(names)
    summary = RunSummary()
    graded: list[tuple[LoadedRun, RunReport]] = []
    has_problem = is_gated = False
    with ExitStack() as stack:
        # Opened first: a place that cannot be written is told before anything is asked and paid for.
        page = _page_file(html_path, options["runs"], stack)
        grader = stack.enter_context(open_grader(options))
        request = grader.full_request(
            appropriate=appropriate,
            kind=kind,
            errors=options["errors"],
            recovery=options["recovery"],
            answer=options["answer"],
        )
        if request.client is None:
            click.echo(f"note: {request.unavailable}; what needs a model was not asked", err=True)
        for loaded in read_loaded(options["runs"]):
            if loaded is None:
                has_problem = True
                continue
            report = evaluate_run(loaded.run, selected, request)
            summary.add(report)
            is_gated = is_gated or report.verdict in GATED[options["fail_on"]]
            if options["as_json"] or page is not None:
                graded.append((loaded, report))
            if not options["as_json"]:
                click.echo("\n".join([title(loaded), *(text_of(one, only_problems=True) for one in report.results)]))
        for line in [_json(graded, summary)] if options["as_json"] else map(printable, summary.lines()):
            click.echo(line)
        if page is not None:
            _write_page(page, graded, summary)
    finish(USAGE if has_problem else GATE if is_gated else OK)


def _page_file(path: Path | None, runs: tuple[str, ...], stack: ExitStack) -> AtomicFile | None:
    """Return the file of the page, thrown away with ``stack`` unless it is committed. Raises ``UsageError`` over a run."""
    if path is None:
        return None
    from agent_claimcheck.cli.output_places import refuse_clashes
    from agent_claimcheck.results.writers.contract import OutputSpec
    from agent_claimcheck.results.writers.output import AtomicFile

    refuse_clashes([OutputSpec(format="html", path=path)], runs)
    file = AtomicFile(path)
    stack.callback(file.discard)
    return file


def _write_page(page: AtomicFile, graded: list[tuple[LoadedRun, RunReport]], summary: RunSummary) -> None:
    from agent_claimcheck.pipeline.run_page import render_page

    page.write(render_page(graded, summary).encode("utf-8", "replace"))
    page.commit()


def _json(graded: list[tuple[LoadedRun, RunReport]], summary: RunSummary) -> str:
    from agent_claimcheck.checks.jsontext import to_json_text

    runs = [{**place_of(loaded), "task": loaded.run.task, "report": report.to_dict()} for loaded, report in graded]
    return to_json_text({"runs": runs, **summary.to_dict()})
