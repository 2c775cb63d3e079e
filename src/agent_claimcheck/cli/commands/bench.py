"""``bench``: the detectors measured against labels, as a report that is built from records."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent_claimcheck.cli import options
from agent_claimcheck.cli.console import note
from agent_claimcheck.cli.exits import GATE, OK, USAGE, finish
from agent_claimcheck.cli.local_path import LocalPath
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.resources import resolve_alias
from agent_claimcheck.core.text import printable

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import CaseSettings
    from agent_claimcheck.lab.bench.inputs import BenchData
    from agent_claimcheck.lab.bench.recording import RunFacts
    from agent_claimcheck.lab.bench.replay import Replay

_DIRECTORY = LocalPath(path_type=Path, file_okay=False)


@click.command()
@click.option(
    "--from-recorded", "recorded", metavar="DIR", help="Replay a recorded run: a directory, or recorded:v0.1.0."
)
@click.option("--offline", is_flag=True, help="Score the benchmark with every detector that costs nothing.")
@click.option(
    "--dataset",
    multiple=True,
    metavar="FILE",
    help="Labelled traces to score instead of the benchmark (repeatable; alone it means --offline).",
)
@click.option(
    "--live", is_flag=True, help="Ask judges too, within --max-usd; a run that was cut off is taken up again."
)
@click.option("--judges", metavar="ID,ID", help="Live: models to ask, under the prompt claim-audit.")
@click.option("--ablation-judge", metavar="ID", help="Live: the judge that is also asked with a second prompt.")
@click.option(
    "--ablation-prompt", default="claim-by-claim", show_default=True, metavar="NAME|PATH", help="Live: that prompt."
)
@click.option("--max-usd", type=float, metavar="USD", help="Live: most that may be spent under this --run-name.")
@click.option("--price-in", type=float, metavar="USD", help="Live: price per million input tokens; 0 is a price.")
@click.option("--price-out", type=float, metavar="USD", help="Live: price per million output tokens.")
@click.option("--price-date", metavar="DATE", help="Live: the day the prices are of (default: today).")
@click.option("--concurrency", type=int, default=8, show_default=True, metavar="N", help="Live: calls in flight.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Live: ask about N traces only, spread evenly.")
@click.option("--repeats", type=click.IntRange(1, 100), default=1, metavar="K", help="Live: ask K times a trace.")
@click.option("--dry-run", is_flag=True, help="Live: print what it would cost at worst; send and write nothing.")
@click.option("--allow-partial", is_flag=True, help="Live: start although --max-usd may end the run early.")
@click.option("--no-cache", is_flag=True, help="Live: neither read nor keep answers.")
@click.option("--out", type=_DIRECTORY, metavar="DIR", help="Where records and report are written.")
@click.option("--run-name", metavar="NAME", help="Name of the run (default: the name of --out).")
@options.config
@options.rules
@click.option("--hardware", metavar="TEXT", help="The machine, for the report (default: what Python knows of it).")
@click.option(
    "--check-readme",
    "readme",
    type=LocalPath(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Compare the block between the bench markers of FILE; exit 1 and show the difference when it is another.",
)
@click.option(
    "--answers",
    type=click.Choice(["recorded", "documented"]),
    default="recorded",
    show_default=True,
    help="Take judge answers as recorded, or parse their texts again with the documented parser.",
)
def bench(**flags: Any) -> None:
    """Measure detectors on labelled traces, and print the report as Markdown.

    One of --offline, --dataset, --live (asks models) and --from-recorded (scores, fits, times and sends nothing).
    Exits 1 when --check-readme finds a difference, 2 when the records or traces cannot be used.
    """
    modes = [name for name in ("recorded", "offline", "live") if flags[name]] or ["offline"] * bool(flags["dataset"])
    if len(modes) != 1:
        raise UsageError(
            "nothing to report on" if not modes else "more than one kind of run asked for",
            hint="give one of --offline --out DIR, --dataset FILE --out DIR, --live, --from-recorded recorded:v0.1.0",
        )
    code = OK
    if modes == ["recorded"]:
        made = _replay(flags)
    else:
        scored = _measure(flags, is_live=modes == ["live"])
        if scored is None:
            finish(OK)
        made, code = scored
    click.echo(made.markdown, nl=False)
    finish(max(code, _check_readme(flags["readme"], made)))


def _replay(flags: dict[str, Any]) -> Replay:
    from agent_claimcheck.lab.bench.recording import write_files
    from agent_claimcheck.lab.bench.replay import replay_run

    directory = resolve_alias(flags["recorded"]) or Path(flags["recorded"])
    made = replay_run(directory, answers=flags["answers"])
    if flags["out"] is not None:
        write_files(flags["out"], made.files)
        note(f"wrote {', '.join(sorted(made.files))} to {flags['out']}")
    return made


def _measure(flags: dict[str, Any], *, is_live: bool) -> tuple[Replay, int] | None:
    """Record a run and return its report with the exit code; ``None`` after a dry run."""
    # A few thousand rows are too few to share: more threads wait for each other, and add up in another order.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from agent_claimcheck.cli.bench_live import ask_live, needed
    from agent_claimcheck.lab.bench.inputs import read_data_set
    from agent_claimcheck.lab.bench.recording import write_files
    from agent_claimcheck.lab.bench.replay import replay_run

    if is_live:
        needed(flags)
    is_dry = is_live and flags["dry_run"]
    out = flags["out"] if is_dry else _needed_out(flags)
    case = _case(flags)
    data = read_data_set(flags["dataset"], case, with_leakage=not is_dry)
    for problem in data.subjects.problems:
        note(str(problem))
    facts = _run_facts(flags, out, is_live=is_live).with_data(data.facts, data.sha256)
    if not is_live:
        write_files(out, _score_offline(data, case, facts, out))
    elif ask_live(flags, data, case, facts) is None:
        return None
    made = replay_run(out, answers=flags["answers"])
    write_files(out, made.files)
    note(f"wrote records and report to {out}")
    has_errors = any(problem.severity == "error" for problem in data.subjects.problems)
    return made, USAGE if has_errors else OK


def _score_offline(data: BenchData, case: CaseSettings, facts: RunFacts, out: Path) -> dict[str, bytes]:
    """Score offline; answers of judges that lie in ``out`` already stay part of the run."""
    import time

    from agent_claimcheck.lab.bench.fitting import fit_calibrators
    from agent_claimcheck.lab.bench.live import AnswerFiles, fields_of_judges, judge_scores, run_fields_so_far
    from agent_claimcheck.lab.bench.offline import score_offline
    from agent_claimcheck.lab.bench.recording import offline_files

    run = score_offline(
        data.subjects,
        case,
        clock=time.thread_time,
        fitted_on="bench:train" if data.is_packaged else facts.run_name,
        is_packaged=data.is_packaged,
    )
    for line in run.notes:
        note(f"note: {line}")
    answers = AnswerFiles(out)
    if not answers.kept:
        return offline_files(run, facts)
    train = data.subjects.of_split("train")
    run.calibrators.update(fit_calibrators(judge_scores(answers, train), [subject.is_success for subject in train]))
    return offline_files(run, facts, fields_of_judges(run_fields_so_far(out)))


def _case(flags: dict[str, Any]) -> CaseSettings:
    """The packaged benchmark is always read with the built-in packs, whatever the settings say."""
    from agent_claimcheck.evidence.case import CaseSettings
    from agent_claimcheck.packs.load import load_builtin_packs
    from agent_claimcheck.pipeline.build import spec_from_settings

    if flags["dataset"] or flags["rules"]:
        return spec_from_settings(config=flags["config"], rules=flags["rules"]).case
    return CaseSettings(packs=load_builtin_packs())


def _needed_out(flags: dict[str, Any]) -> Path:
    out: Path | None = flags["out"]
    if out is None:
        raise UsageError("--out is needed: a run is recorded before it is reported", hint="add --out results/my-run")
    return out


def _run_facts(flags: dict[str, Any], out: Path | None, *, is_live: bool) -> RunFacts:
    from agent_claimcheck.lab.bench.recording import RunFacts

    machine = f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return RunFacts(
        command=_command(),
        date=date.today().isoformat(),
        hardware=flags["hardware"] or machine,
        run_name=flags["run_name"] or (out.resolve().name if out is not None else "bench"),
        concurrency=flags["concurrency"] if is_live else None,
    )


def _command() -> str:
    """Return the command line as it is recorded: absolute paths shortened to their last part."""
    words = [Path(word).name if Path(word).is_absolute() else word for word in sys.argv[1:]]
    return shlex.join(["agent-claimcheck", *words])


def _check_readme(readme: Path | None, made: Replay) -> int:
    if readme is None:
        return OK
    from agent_claimcheck.lab.bench.readme import readme_difference

    difference = readme_difference(readme, made.markdown, made.report.images.values())
    if difference:
        click.echo(printable(difference, keep_newlines=True), nl=False)
    return GATE if difference else OK
