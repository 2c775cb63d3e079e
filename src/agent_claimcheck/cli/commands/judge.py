"""``judge``: hold judged results against people's labels, and make training examples for a judge of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent_claimcheck.cli import options
from agent_claimcheck.cli.local_path import LocalPath

if TYPE_CHECKING:
    from agent_claimcheck.core.errors import InputError
    from agent_claimcheck.lab.judge.agreement import AgreementReport
    from agent_claimcheck.pipeline.build import CheckerSpec
    from agent_claimcheck.trace.model import Trace

_MOST_DISPUTES = 20


@click.group()
def judge() -> None:
    """Compare the judge with people; export examples for training one."""


@judge.command(short_help="Say how far results agree with labels.")
@click.argument("labelled", metavar="LABELLED")
@click.argument("results", nargs=-1, required=True, metavar="RESULTS...")
@click.option(
    "--format", "format_", type=click.Choice(["table", "json"]), default="table", help="What to print (default: table)."
)
@options.config
@options.rules
def agreement(
    labelled: str, results: tuple[str, ...], format_: str, config: Path | None, rules: tuple[Path, ...]
) -> None:
    """Say how far results agree with the labels of traces, by claim type.

    LABELLED is a trace file with ground truth, such as one written by a review. RESULTS are files that check wrote;
    several results of one trace show how much the judge varies from run to run.
    """
    from agent_claimcheck.cli.exits import OK, USAGE, finish
    from agent_claimcheck.lab.judge.agreement import compare, read_labels
    from agent_claimcheck.results.encoding import encode
    from agent_claimcheck.results.read import read_results

    spec = _spec(config, rules)
    traces = _Traces((labelled,))
    labels = read_labels(traces, spec.case)
    report = compare(labels, (item for path in results for item in read_results(path)))
    if not labels or report.unscored == len(labels):
        raise _nothing_to_compare(labelled, len(labels), report.unlabelled)
    if format_ == "json":
        click.echo(encode(report))
    else:
        for line in _agreement_lines(report):
            click.echo(line)
    finish(USAGE if traces.problems else OK)


@judge.command(short_help="Write chat examples for training a judge.")
@click.argument("labelled", nargs=-1, required=True, metavar="LABELLED...")
@click.option("--out", type=LocalPath(path_type=Path, file_okay=False), required=True, metavar="DIR", help="Where to.")
@click.option(
    "--prompt", default="claim-audit", show_default=True, metavar="NAME|PATH", help="The prompt to train for."
)
@click.option(
    "--valid-share",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.1,
    show_default=True,
    help="Share of the tasks kept for validation.",
)
@options.config
@options.rules
def export(
    labelled: tuple[str, ...],
    out: Path,
    prompt: str,
    valid_share: float,
    config: Path | None,
    rules: tuple[Path, ...],
) -> None:
    """Write train.jsonl and valid.jsonl: chat examples with the prompt as sent and the ideal answer.

    Secrets and personal data are masked. Runs of one task stay in one file.
    """
    from collections import Counter

    from agent_claimcheck.cli.console import note
    from agent_claimcheck.cli.exits import OK, USAGE, finish
    from agent_claimcheck.detectors.judge.prompt import load_prompt
    from agent_claimcheck.lab.judge.export import ExportPlan, export_examples
    from agent_claimcheck.results.writers.output import AtomicFile

    plan = ExportPlan(prompt=load_prompt(prompt), case=_spec(config, rules).case, valid_share=valid_share)
    left_out: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    traces = _Traces(labelled)
    out.mkdir(parents=True, exist_ok=True)
    files = {part: AtomicFile(out / f"{part}.jsonl") for part in ("train", "valid")}
    try:
        for part, line in export_examples(traces, plan, left_out):
            files[part].write(line)
            counts[part] += 1
        for file in files.values():
            file.commit()
    finally:
        for file in files.values():
            file.discard()
    missing = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in sorted(left_out.items()))
    note(
        f"{counts['train']} examples to train, {counts['valid']} to validate"
        + (f"; left out: {missing}" if missing else "")
    )
    finish(OK if counts and not traces.problems else USAGE)


def _spec(config: Path | None, rules: tuple[Path, ...]) -> CheckerSpec:
    from agent_claimcheck.pipeline.build import spec_from_settings

    return spec_from_settings(config=config, rules=list(rules))


class _Traces:
    """The traces of some inputs; each invalid line is told as it is met, and counted in ``problems``."""

    def __init__(self, inputs: tuple[str, ...]) -> None:
        self.inputs = inputs
        self.problems = 0

    def __iter__(self) -> Iterator[Trace]:
        from agent_claimcheck.cli.console import note
        from agent_claimcheck.lab.labels import one_label_each
        from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
        from agent_claimcheck.trace.model import Trace, TraceProblem

        for item in one_label_each(read_sources(self.inputs, SourceOptions(keeps_repeats=True))):
            if isinstance(item, Trace):
                yield item
            elif isinstance(item, TraceProblem):
                self.problems += item.severity == "error"
                note(str(item))


def _nothing_to_compare(labelled: str, labels: int, unlabelled: int) -> InputError:
    from agent_claimcheck.core.errors import InputError
    from agent_claimcheck.core.text import printable

    name = printable(labelled)
    if not labels:
        return InputError(
            f"{name}: no trace has both a label and a success claim",
            hint="give traces with ground_truth.outcome success or failure, such as the reviews that `serve` saves",
        )
    return InputError(
        f"{name}: none of its {labels} labelled traces is among the results ({unlabelled} results of other traces)",
        hint="give what `check` wrote of the same traces: label and result are paired by trace_id",
    )


def _agreement_lines(report: AgreementReport) -> Iterator[str]:
    from agent_claimcheck.core.text import printable, shorten

    yield f"{'claim type':<20} {'traces':>6} {'decided':>7}  {'kappa':<20} {'precision':<20} recall"
    for row in report.rows:
        found = row.agreement
        cells = " ".join(f"{_shown(part):<20}" for part in (found.kappa, found.precision, found.recall))
        yield f"{shorten(printable(row.claim_type), 20):<20} {row.traces:>6} {row.decided:>7}  {cells}".rstrip()
    yield "precision and recall are of calling a run a false success; intervals at 95 %"
    repeats = report.repeats
    if repeats.mean_sd is not None:
        yield (
            f"run to run: {repeats.traces} traces repeated, p_success varies by {repeats.mean_sd:.3f} on average "
            f"(at most {repeats.largest_sd:.3f}), {repeats.flipped} changed their verdict"
        )
    if report.unlabelled or report.unscored:
        yield f"{report.unlabelled} results without a label, {report.unscored} labels without a result"
    if report.disputes:
        yield f"both sure and not of one mind: {len(report.disputes)}"
    for item in report.disputes[:_MOST_DISPUTES]:
        p = "-" if item.p_success is None else f"{item.p_success:.2f}"
        said = f"{item.said_by_judge} | people: {item.said_by_people}" if item.said_by_people else item.said_by_judge
        yield f"  {printable(item.trace_id)}: {item.verdict} ({p}), label {item.label}: {printable(said)}"


def _shown(estimate: object) -> str:
    from agent_claimcheck.scoring.intervals import Estimate

    if not isinstance(estimate, Estimate):
        return "-"
    return f"{estimate.value:.2f} [{estimate.ci_low:.2f}, {estimate.ci_high:.2f}]"
