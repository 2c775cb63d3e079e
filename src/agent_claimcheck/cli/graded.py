"""What the run grader's commands share: their options, reading runs, printing reports, and the exit code.

A reader must not miss: unreadable input wins over a failed check (exit 2 over 1), and every readable run is still graded
and printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

if TYPE_CHECKING:
    from agent_claimcheck.checks.contract import CheckReport, CheckRequest
    from agent_claimcheck.checks.run_file import LoadedRun
    from agent_claimcheck.pipeline.grader import Grader

F = TypeVar("F", bound=Callable[..., Any])

GATED: dict[str, tuple[str, ...]] = {"never": (), "fail": ("fail",), "review": ("fail", "review")}
_WIDEST = 40
_REASON = 160


def run_options(command: F) -> F:
    """``RUN...``, ``--json``, ``--fail-on``, ``--offline``, the model and the budget: the same for every check."""
    for decorate in (
        click.option("--price-out", type=float, metavar="USD", help="With --max-usd: price per million output tokens."),
        click.option("--price-in", type=float, metavar="USD", help="With --max-usd: price per million input tokens."),
        click.option("--max-usd", type=float, metavar="USD", help="Most the model may cost; needs a known price."),
        click.option("--base-url", help="An OpenAI-compatible address, up to /v1 [env: OPENAI_BASE_URL]."),
        click.option("-m", "--model", help="The model to ask."),
        click.option("--offline", is_flag=True, help="Ask no model, even with a key: nothing leaves this machine."),
        click.option(
            "--fail-on",
            type=click.Choice(["never", "fail", "review"]),
            default="fail",
            show_default=True,
            help="The verdict at which the exit code is 1.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print JSON: one result a run."),
        click.argument("runs", nargs=-1, required=True, metavar="RUN..."),
    ):
        command = decorate(command)
    return command


def reading_options(command: F) -> F:
    """``--errors``, ``--recovery`` and ``--answer``: how the tool-use check reads what the run leaves open."""
    for decorate in (
        click.option(
            "--answer",
            type=click.Choice(["model", "words"]),
            default="model",
            show_default=True,
            help="Who says that the answer owns up to an error: a model, or where none is asked also plain words.",
        ),
        click.option(
            "--recovery",
            type=click.Choice(["documented", "strict"]),
            default="documented",
            show_default=True,
            help="Whether a later call that names another record recovers an error (strict: no).",
        ),
        click.option(
            "--errors",
            type=click.Choice(["text", "structured"]),
            default="text",
            show_default=True,
            help="How an output is read as an error when the call does not declare it.",
        ),
    ):
        command = decorate(command)
    return command


def open_grader(options: dict[str, Any]) -> Grader:
    """Build the grader that the common options describe. Close it when done. Raises ``UsageError`` for half a price."""
    from agent_claimcheck.core.errors import UsageError
    from agent_claimcheck.pipeline.grader import Grader

    price_in, price_out, max_usd = options["price_in"], options["price_out"], options["max_usd"]
    price: tuple[float, float] | None = None
    if price_in is not None or price_out is not None:
        if max_usd is None or price_in is None or price_out is None:
            raise UsageError("--price-in and --price-out go together, and with --max-usd", slug="price")
        price = price_in, price_out
    return Grader(
        model=options["model"], base_url=options["base_url"], max_usd=max_usd, price=price, offline=options["offline"]
    )


def with_client(request: CheckRequest, grader: Grader, *, told: str = "is reported as unchecked") -> CheckRequest:
    """Return ``request`` with the grader's client. Without one, say so on standard error."""
    import msgspec

    from agent_claimcheck.pipeline.grader import OFFLINE

    client, why = grader.find_client(), grader.why_not()
    if client is None:
        click.echo(
            f"{'note' if why == OFFLINE else 'warning'}: {why}; no model was asked, and what needs one {told}", err=True
        )
    return msgspec.structs.replace(request, client=client, unavailable=why)


def read_loaded(runs: tuple[str, ...]) -> Iterator[LoadedRun | None]:
    """Yield the runs of all inputs; ``None`` for a problem, which is printed to standard error."""
    from agent_claimcheck.checks.run_file import LoadedRun
    from agent_claimcheck.core.errors import InputError
    from agent_claimcheck.core.text import printable
    from agent_claimcheck.pipeline.run_sources import read_runs

    for name in runs:
        try:
            for item in read_runs([name]):
                if isinstance(item, LoadedRun):
                    yield item
                else:
                    click.echo(f"error: {printable(str(item))}", err=True)
                    yield None
        except InputError as error:
            for line in str(error).splitlines():
                click.echo(f"error: {printable(line)}", err=True)
            yield None


def grade_each(
    options: dict[str, Any],
    grade: Callable[[LoadedRun], CheckReport],
    show: Callable[[CheckReport], str] | None = None,
) -> NoReturn:
    """Grade every run with one check, print each result as it is ready, and leave with the exit code.

    ``show`` writes a report as text; without it, that is ``text_of``.
    """
    from agent_claimcheck.cli.exits import GATE, OK, USAGE, finish

    shown = show or text_of
    has_problem = is_gated = False
    for loaded in read_loaded(options["runs"]):
        if loaded is None:
            has_problem = True
            continue
        report = grade(loaded)
        is_gated = is_gated or report.verdict in GATED[options["fail_on"]]
        click.echo(_json_line(loaded, report) if options["as_json"] else f"{title(loaded)}\n{shown(report)}")
    finish(USAGE if has_problem else GATE if is_gated else OK)


def _json_line(loaded: LoadedRun, report: CheckReport) -> str:
    """Return one report as one line of JSON, with the run it belongs to in its metadata."""
    from agent_claimcheck.checks.jsontext import to_json_text

    plain = report.to_dict()
    plain["metadata"]["run"] = place_of(loaded)
    return to_json_text(plain)


def place_of(loaded: LoadedRun) -> dict[str, Any]:
    """Return where a run was read."""
    return {"file": loaded.file, "line": loaded.line, "trace_id": loaded.trace_id}


def title(loaded: LoadedRun) -> str:
    """Return the line that names a run: its file, line, and trace id or task."""
    from agent_claimcheck.core.resources import short_name
    from agent_claimcheck.core.text import printable, shorten

    file = short_name(loaded.file)
    place = f"{file}:{loaded.line}" if loaded.line else file
    return printable(f"{place} - {loaded.trace_id or shorten(loaded.run.task, 70)}")


def text_of(report: CheckReport, *, only_problems: bool = False) -> str:
    """Return a report as text: a line a finding, then the summary."""
    from agent_claimcheck.core.text import printable, shorten

    findings = [finding for finding in report.findings if not only_problems or finding.severity != "pass"]
    width = min(_WIDEST, max((len(printable(finding.subject)) for finding in findings), default=0))
    lines: list[str] = []
    for finding in findings:
        step = f"step {finding.step:>3}" if finding.step is not None else " " * 8
        subject = shorten(printable(finding.subject), _WIDEST)
        reason = shorten(printable(finding.reason), _REASON)
        lines.append(f"  {finding.severity.upper():<4}  {step}  {subject:<{width}}  {finding.verdict:<21}  {reason}")
    lines.append(closing_line(report))
    return "\n".join(lines)


def closing_line(report: CheckReport) -> str:
    """Return the last line of a report: the check, its score, its verdict and its summary."""
    from agent_claimcheck.checks.for_people import score_text, summary_text
    from agent_claimcheck.core.text import printable

    summary = printable(summary_text(report.summary))
    return f"  {report.check}  {score_text(report.score)}  {report.verdict.upper()}  {summary}"
