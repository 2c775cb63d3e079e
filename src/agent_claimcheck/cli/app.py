"""One click application under two names, ``agent-claimcheck`` and ``attest``.

A reader must not miss: the table below holds names and one-line helps only. A command's module is imported when that
command runs, so ``--help`` and every other command start without it.
"""

from __future__ import annotations

import errno
import importlib
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import click

from agent_claimcheck import __version__
from agent_claimcheck.cli.exits import READER_GONE, USAGE, finish, open_closed_streams
from agent_claimcheck.core.errors import ClaimcheckError
from agent_claimcheck.core.text import printable

COMMANDS: dict[str, tuple[str, str]] = {
    "check": ("agent_claimcheck.cli.commands.check:check", "Check the claims of agent runs against their evidence."),
    "validate": ("agent_claimcheck.cli.commands.validate:validate", "Say what is wrong with trace files."),
    "explain": ("agent_claimcheck.cli.commands.explain:explain", "Show what was claimed and what the record shows."),
    "train": ("agent_claimcheck.cli.commands.train:train", "Fit a classifier and calibrators to labelled runs."),
    "run": ("agent_claimcheck.cli.commands.run:run", "Grade whole runs with several checks."),
    "tools": ("agent_claimcheck.cli.commands.tools:tools", "Grade how a run used its tools."),
    "faithfulness": (
        "agent_claimcheck.cli.commands.faithfulness:faithfulness",
        "Check final answers against what the tools returned.",
    ),
    "injection": (
        "agent_claimcheck.cli.commands.injection:injection",
        "Find orders to the agent in untrusted text, and their effect.",
    ),
    "role": ("agent_claimcheck.cli.commands.role:role", "Check that runs kept to their system prompt."),
    "demo": ("agent_claimcheck.cli.commands.demo:demo", "The checks beside a plain judge, on bundled runs."),
    "models": ("agent_claimcheck.cli.commands.models:models", "List the models a provider offers."),
    "stats": ("agent_claimcheck.cli.commands.stats:stats", "A success rate with its interval."),
    "import": ("agent_claimcheck.cli.commands.import_:import_", "Convert any supported file to agent-trace."),
    "formats": ("agent_claimcheck.cli.commands.formats:formats", "List the formats that are recognised."),
    "serve": ("agent_claimcheck.cli.commands.serve:serve", "Review undecided traces in a browser."),
    "bench": ("agent_claimcheck.cli.commands.bench:bench", "Compare detectors; rebuild a report from a recorded run."),
    "forge": ("agent_claimcheck.cli.commands.forge:forge", "Break copies of good runs; see what the gate notices."),
    "dataset": ("agent_claimcheck.cli.commands.dataset:dataset", "Generate, validate and show the benchmark."),
    "packs": ("agent_claimcheck.cli.commands.packs:packs", "List, lint, test and draft rule packs."),
    "probes": ("agent_claimcheck.cli.commands.probes:probes", "Run your own read-only checks as state probes."),
    "judge": ("agent_claimcheck.cli.commands.judge:judge", "Compare the judge with people; export training examples."),
    "doctor": ("agent_claimcheck.cli.commands.doctor:doctor", "Check the installation and what trace files captured."),
    "job": ("agent_claimcheck.cli.commands.job:job", "How far a resumable check is; merge its results."),
    "report": ("agent_claimcheck.cli.commands.report:report", "Aggregate result files by source, tool, claim, week."),
    "compare": ("agent_claimcheck.cli.commands.compare:compare", "Say what changed between two result files."),
    "config": ("agent_claimcheck.cli.commands.config:config", "Show the settings in force and where they come from."),
    "completion": ("agent_claimcheck.cli.commands.completion:completion", "Print the shell completion script."),
}


SECTIONS: dict[str, tuple[str, ...]] = {
    "Check runs": ("check", "explain", "serve", "doctor", "formats", "validate", "import"),
    "Teach it your tools and their state": ("packs", "probes"),
    "Follow many results": ("report", "compare", "job"),
    "Grade how a run was conducted (attest)": (
        "run",
        "tools",
        "faithfulness",
        "injection",
        "role",
        "demo",
        "models",
        "stats",
    ),
    "Learn from labels and measure": ("train", "judge", "bench", "forge", "dataset"),
    "Set up": ("config", "completion"),
}
"""Headings of ``--help``, in the order in which a newcomer needs them; a command stands under exactly one."""


_UNNAMED = {errno.ENOSPC: "cannot write standard output or a temporary file: "}
"""What failed where the system names no file: outputs with a name of their own say it themselves."""


class _ReaderGone(Exception):
    """Whoever read standard output went away before everything was written."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            # click would leave with 1, which says here that a gate was hit.
            raise _ReaderGone from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for heading, names in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), COMMANDS[name][1]) for name in names])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from agent_claimcheck.core.suggest import did_you_mean

            ctx.fail(f"no such command {args[0]!r}{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True)
@click.version_option(__version__, prog_name="agent-claimcheck")
def app() -> None:
    """Check what AI agents claim against what their tools and their environment returned.

    Exit codes: 0 fine, 1 a gate was hit, 2 usage or invalid input.
    """


def program_name() -> str:
    """Return the name this process was started under."""
    name = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else ""
    return "attest" if name == "attest" else "agent-claimcheck"


def main(args: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    open_closed_streams()
    _escape_output()
    ended_by = _stop_on_signals()
    try:
        result: Any = app.main(args=args, prog_name=program_name(), standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        finish(USAGE)
    except click.ClickException as error:
        error.show()
        finish(USAGE)
    except click.exceptions.Abort:
        click.echo("stopped", err=True)
        finish(128 + (ended_by[-1] if ended_by else signal.SIGINT))
    except ClaimcheckError as error:
        for line in str(error).splitlines():
            click.echo(f"error: {printable(line)}", err=True)
        finish(USAGE)
    except _ReaderGone:
        finish(READER_GONE)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else _UNNAMED.get(error.errno or 0, "")
        click.echo(f"error: {printable(place)}{error.strerror or error}", err=True)
        finish(USAGE)
    finish(result if isinstance(result, int) else 0)


def _stop_on_signals() -> list[int]:
    """Let the signals by which others end a program stop it as Ctrl-C does, so that no half-written file is left.

    Returns the list that such a signal is added to. One that is ignored (``nohup``) stays so.
    """
    ended_by: list[int] = []

    def stop(number: int, _: object) -> None:
        ended_by.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, stop)
    return ended_by


def _escape_output() -> None:
    """Let output in any terminal encoding: a character it cannot show is escaped instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
