"""``bench``: the detectors measured against labels, as a report that is built from records."""

from __future__ import annotations

import os
import platform
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent_claimcheck.cli.console import note
from agent_claimcheck.cli.exits import GATE, OK, USAGE, finish
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.resources import resolve_alias
from agent_claimcheck.core.text import printable

if TYPE_CHECKING:
    from agent_claimcheck.lab.bench.recording import RunFacts
    from agent_claimcheck.lab.bench.replay import Replay

_DIRECTORY = click.Path(path_type=Path, file_okay=False)


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
@click.option("--out", type=_DIRECTORY, metavar="DIR", help="Where records and report are written.")
@click.option("--run-name", metavar="NAME", help="Name of the run (default: the name of --out).")
@click.option("--hardware", metavar="TEXT", help="The machine, for the report (default: what Python knows of it).")
@click.option(
    "--check-readme",
    "readme",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
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
    modes = [name for name in ("recorded", "offline") if flags[name]] or (["offline"] if flags["dataset"] else [])
    if len(modes) != 1:
        raise UsageError(
            "nothing to report on" if not modes else "more than one kind of run asked for",
            hint="give one of --offline --out DIR, --dataset FILE --out DIR, --live, --from-recorded recorded:v0.1.0",
        )
    code = OK
    if modes == ["recorded"]:
        made = _replay(flags)
    else:
        made, code = _score_offline(flags)
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


def _score_offline(flags: dict[str, Any]) -> tuple[Replay, int]:
    import time

    # A few thousand rows are too few to share: more threads wait for each other, and add up in another order.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from agent_claimcheck.lab.bench.inputs import read_data_set
    from agent_claimcheck.lab.bench.offline import score_offline
    from agent_claimcheck.lab.bench.recording import offline_files, write_files
    from agent_claimcheck.lab.bench.replay import replay_run
    from agent_claimcheck.pipeline.build import spec_from_settings

    out = _needed_out(flags)
    case = spec_from_settings().case
    data = read_data_set(flags["dataset"], case)
    for problem in data.subjects.problems:
        note(str(problem))
    facts = _run_facts(flags, out)
    run = score_offline(
        data.subjects,
        case,
        clock=time.perf_counter,
        fitted_on="bench:train" if data.is_packaged else facts.run_name,
        is_packaged=data.is_packaged,
    )
    for line in run.notes:
        note(f"note: {line}")
    write_files(out, offline_files(run, facts.with_data(data.facts, data.sha256)))
    made = replay_run(out, answers=flags["answers"])
    write_files(out, made.files)
    note(f"wrote records and report to {out}")
    return made, USAGE if data.subjects.problems else OK


def _needed_out(flags: dict[str, Any]) -> Path:
    out: Path | None = flags["out"]
    if out is None:
        raise UsageError("--out is needed: a run is recorded before it is reported", hint="add --out results/my-run")
    return out


def _run_facts(flags: dict[str, Any], out: Path) -> RunFacts:
    from agent_claimcheck.lab.bench.recording import RunFacts

    machine = f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return RunFacts(
        command=_command(),
        date=date.today().isoformat(),
        hardware=flags["hardware"] or machine,
        run_name=flags["run_name"] or out.resolve().name,
    )


def _command() -> str:
    """Return the command line as it is recorded: absolute paths shortened to their last part."""
    words = [Path(word).name if Path(word).is_absolute() else word for word in sys.argv[1:]]
    return " ".join(["agent-claimcheck", *words])


def _check_readme(readme: Path | None, made: Replay) -> int:
    if readme is None:
        return OK
    from agent_claimcheck.lab.bench.readme import readme_difference

    difference = readme_difference(readme, made.markdown, made.report.images.values())
    if difference:
        click.echo(printable(difference, keep_newlines=True), nl=False)
    return GATE if difference else OK
