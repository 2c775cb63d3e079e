"""``bench``: the detectors measured against labels, as a report that is built from records."""

from __future__ import annotations

from pathlib import Path

import click

from agent_claimcheck.cli.console import note
from agent_claimcheck.cli.exits import GATE, OK, finish
from agent_claimcheck.core.errors import OutputError, UsageError
from agent_claimcheck.core.resources import resolve_alias
from agent_claimcheck.core.text import printable


@click.command()
@click.option(
    "--from-recorded", "recorded", metavar="DIR", help="Replay a recorded run: a directory, or recorded:v0.1.0."
)
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Also write the report's files there.")
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
def bench(recorded: str | None, out: Path | None, readme: Path | None, answers: str) -> None:
    """Print the report of a recorded run as Markdown. Nothing is scored, fitted, timed or sent.

    Exits 1 when --check-readme finds a difference, 2 when the records cannot be used.
    """
    from agent_claimcheck.lab.bench.readme import readme_difference
    from agent_claimcheck.lab.bench.replay import replay_run

    if recorded is None:
        raise UsageError("nothing to report on", hint="give --from-recorded DIR or --from-recorded recorded:v0.1.0")
    made = replay_run(resolve_alias(recorded) or Path(recorded), answers=answers)
    if out is not None:
        _write(made.files, out)
        note(f"wrote {', '.join(sorted(made.files))} to {out}")
    click.echo(made.markdown, nl=False)
    difference = readme_difference(readme, made.markdown, made.report.images.values()) if readme else ""
    if difference:
        click.echo(printable(difference, keep_newlines=True), nl=False)
    finish(GATE if difference else OK)


def _write(files: dict[str, bytes], out: Path) -> None:
    from agent_claimcheck.results.writers.output import AtomicFile

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make the directory {printable(str(out))}: {error.strerror}") from error
    for name, data in files.items():
        file = AtomicFile(out / name)
        file.write(data)
        file.commit()
