"""``tools``: print how each run used its tools.

A reader must not miss: unreadable input wins over a failed check (exit 2 over 1), and every readable run is still
graded and printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Literal

import click

if TYPE_CHECKING:
    from agent_claimcheck.checks.contract import CheckReport, CheckRequest
    from agent_claimcheck.checks.run_file import LoadedRun
    from agent_claimcheck.pipeline.grader import Grader

FailOn = Literal["never", "fail", "review"]

_GATED: dict[str, tuple[str, ...]] = {"never": (), "fail": ("fail",), "review": ("fail", "review")}


@click.command(name="tools", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option("--check-answer", is_flag=True, help="Ask a model what the final answer says of each unrecovered error.")
@click.option("--appropriate", is_flag=True, help="Ask a model of each call whether its tool was a reasonable choice.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON result a run.")
@click.option(
    "--errors",
    type=click.Choice(["text", "structured"]),
    default="text",
    show_default=True,
    help="How an output is read as an error when the call does not declare it.",
)
@click.option(
    "--recovery",
    type=click.Choice(["documented", "strict"]),
    default="documented",
    show_default=True,
    help="Whether a later call that names another record recovers an error (strict: no).",
)
@click.option(
    "--fail-on",
    type=click.Choice(["never", "fail", "review"]),
    default="fail",
    show_default=True,
    help="The verdict at which the exit code is 1.",
)
@click.option("-m", "--model", help="The model to ask.")
@click.option("--base-url", help="An OpenAI-compatible address, up to /v1 [env: OPENAI_BASE_URL].")
@click.option("--max-usd", type=float, metavar="USD", help="Most the model may cost; needs a known price.")
@click.option("--price-in", type=float, metavar="USD", help="With --max-usd: price per million input tokens.")
@click.option("--price-out", type=float, metavar="USD", help="With --max-usd: price per million output tokens.")
def tools(
    runs: tuple[str, ...],
    check_answer: bool,
    appropriate: bool,
    as_json: bool,
    errors: Literal["text", "structured"],
    recovery: Literal["documented", "strict"],
    fail_on: FailOn,
    model: str | None,
    base_url: str | None,
    max_usd: float | None,
    price_in: float | None,
    price_out: float | None,
) -> None:
    """Grade how runs used their tools: allowed tools, and errors recovered or owned up to.

    RUN is a run file (one JSON object, or JSON Lines), any trace file that is read elsewhere, or - for standard input.
    Exit codes: 0 fine, 1 a check failed, 2 usage or invalid input.
    """
    from agent_claimcheck.checks.contract import CheckRequest
    from agent_claimcheck.cli.exits import GATE, OK, USAGE, finish

    asks = check_answer or appropriate
    request = CheckRequest(check_answer=asks, appropriate=appropriate, errors=errors, recovery=recovery)
    has_problem = is_gated = False
    with ExitStack() as stack:
        if asks:
            from agent_claimcheck.pipeline.grader import Grader

            price = _price(max_usd, price_in, price_out)
            grader = stack.enter_context(Grader(model=model, base_url=base_url, max_usd=max_usd, price=price))
            request = _with_client(request, grader)
        for loaded, report in _grade(runs, request):
            if loaded is None or report is None:
                has_problem = True
                continue
            is_gated = is_gated or report.verdict in _GATED[fail_on]
            click.echo(_json_line(loaded, report) if as_json else _text(loaded, report))
    finish(USAGE if has_problem else GATE if is_gated else OK)


def _price(max_usd: float | None, price_in: float | None, price_out: float | None) -> tuple[float, float] | None:
    from agent_claimcheck.core.errors import UsageError

    if price_in is None and price_out is None:
        return None
    if max_usd is None or price_in is None or price_out is None:
        raise UsageError("--price-in and --price-out go together, and with --max-usd", slug="price")
    return price_in, price_out


def _with_client(request: CheckRequest, grader: Grader) -> CheckRequest:
    import msgspec

    from agent_claimcheck.pipeline.grader import NO_KEY

    client = grader.find_client()
    if client is None:
        click.echo(f"warning: {NO_KEY}; no model was asked, and what needs one is reported as unchecked", err=True)
    return msgspec.structs.replace(request, client=client, unavailable="" if client is not None else NO_KEY)


def _grade(runs: tuple[str, ...], request: CheckRequest) -> Iterator[tuple[LoadedRun | None, CheckReport | None]]:
    """Yield each run with its report; ``(None, None)`` for a problem, which is printed to stderr."""
    from agent_claimcheck.checks.run_file import LoadedRun
    from agent_claimcheck.checks.tool_use import check_run
    from agent_claimcheck.core.errors import InputError
    from agent_claimcheck.core.text import printable
    from agent_claimcheck.pipeline.run_sources import read_runs

    for name in runs:
        try:
            for item in read_runs([name]):
                if isinstance(item, LoadedRun):
                    yield item, check_run(item.run, request)
                else:
                    click.echo(f"error: {printable(str(item))}", err=True)
                    yield None, None
        except InputError as error:
            for line in str(error).splitlines():
                click.echo(f"error: {printable(line)}", err=True)
            yield None, None


def _json_line(loaded: LoadedRun, report: CheckReport) -> str:
    from agent_claimcheck.checks.jsontext import to_json_text

    plain = report.to_dict()
    plain["metadata"]["run"] = {"file": loaded.file, "line": loaded.line, "trace_id": loaded.trace_id}
    return to_json_text(plain)


def _text(loaded: LoadedRun, report: CheckReport) -> str:
    from agent_claimcheck.core.text import printable, shorten

    place = f"{loaded.file}:{loaded.line}" if loaded.line else loaded.file
    name = loaded.trace_id or shorten(loaded.run.task, 70)
    lines = [printable(f"{place} - {name}")]
    width = min(40, max((len(printable(finding.subject)) for finding in report.findings), default=0))
    for finding in report.findings:
        step = "" if finding.step is None else str(finding.step)
        recovery = finding.metadata.get("recovery") or "-"
        tool = shorten(printable(finding.subject), 40)
        lines.append(
            f"  {finding.severity.upper():<4}  step {step:>3}  {tool:<{width}}  {finding.verdict:<21}  {recovery:<15}  "
            f"{printable(finding.reason)}"
        )
    score = "-" if report.score is None else f"{report.score:.0%}"
    lines.append(f"  {report.check}  {score}  {report.verdict.upper()}  {printable(report.summary)}")
    return "\n".join(lines)
