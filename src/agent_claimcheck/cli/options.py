"""Options that several commands share, each defined once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from agent_claimcheck.cli import completing
from agent_claimcheck.cli.local_path import LocalPath

F = TypeVar("F", bound=Callable[..., Any])

_FILE = LocalPath(path_type=Path)


def inputs(command: F) -> F:
    """One or more files, directories, globs, aliases, or ``-`` for standard input."""
    return click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")(command)


def config(command: F) -> F:
    """``--config``: another settings file than ``claimcheck.toml``."""
    return click.option("--config", type=_FILE, metavar="PATH", help="Settings file (default: ./claimcheck.toml).")(
        command
    )


def probes(command: F) -> F:
    """``--probes``: state probes from a side file."""
    return click.option("--probes", type=_FILE, metavar="PATH", help="State probes to merge (JSON Lines).")(command)


def probes_from(command: F) -> F:
    """``--probes-from``: state probes that are read now."""
    return click.option(
        "--probes-from",
        type=_FILE,
        metavar="PROBES.toml",
        help="Make the readings this file asks for and merge them as state probes.",
    )(command)


def rules(command: F) -> F:
    """``--rules``: rule packs of the user's own."""
    return click.option(
        "--rules",
        type=_FILE,
        multiple=True,
        metavar="PATH",
        help="Rule pack that wins over the built-in ones (repeatable).",
    )(command)


def strict(command: F) -> F:
    """``--strict``: stop at the first problem."""
    return click.option("--strict", is_flag=True, help="Stop at the first invalid line.")(command)


def detector(command: F) -> F:
    """``--detector``: which detector scores the traces."""
    return click.option(
        "--detector",
        metavar="NAME",
        shell_complete=completing.detectors,
        help="Detector to use (default: cascade-offline).",
    )(command)


def calibration(command: F) -> F:
    """``--calibration``: calibrators, and promised thresholds, made by ``train``."""
    return click.option(
        "--calibration", metavar="PATH", help="Calibration file made by train (default: the built-in calibrators)."
    )(command)


def reading(command: F) -> F:
    """``--from``, ``--report``, ``--infer-status``, ``--subagents``: how foreign formats are read."""
    for decorate in (
        click.option(
            "--subagents",
            type=click.Choice(["separate", "inline"]),
            default="separate",
            help="Sub-agents in foreign formats: linked traces of their own (default), or steps of the parent's.",
        ),
        click.option(
            "--infer-status",
            type=click.Choice(["strict", "exit-code", "text"]),
            default="strict",
            help="Where ok may come from in foreign formats: flags only (default), also exit codes or error words in text.",
        ),
        click.option("--report", is_flag=True, help="Say all that was read and lost in foreign formats."),
        click.option(
            "--from",
            "from_",
            metavar="FORMAT",
            shell_complete=completing.input_formats,
            help="Read the input as this format (see `formats`).",
        ),
    ):
        command = decorate(command)
    return command


_DIRECTORY = LocalPath(path_type=Path, file_okay=False)

_JUDGE = (
    click.option(
        "--prompt", metavar="NAME|PATH", help="Judge prompt: claim-audit (default), claim-by-claim or a file."
    ),
    click.option("--max-usd", type=float, metavar="USD", help="Most this run may spend on the judge (default: 1)."),
    click.option("--price-in", type=float, metavar="USD", help="Judge price per million input tokens; 0 is a price."),
    click.option("--price-out", type=float, metavar="USD", help="Judge price per million output tokens."),
    click.option("--no-cache", is_flag=True, help="Neither read nor keep answers of the judge."),
    click.option("--concurrency", type=int, metavar="N", help="Judge calls in flight at once (default: 8)."),
    click.option(
        "--samples",
        type=click.IntRange(1, 100),
        default=1,
        metavar="K",
        help="Ask the judge K times a trace (default: 1).",
    ),
    click.option("--dry-run", is_flag=True, help="Say what the judge would cost at most; send nothing."),
    click.option("--record", type=_DIRECTORY, metavar="DIR", help="Write every judge answer to DIR."),
    click.option("--replay", type=_DIRECTORY, metavar="DIR", help="Take judge answers from DIR; send nothing."),
)

JUDGE_KEYS = {
    "prompt": "judge.prompt",
    "max_usd": "budget.max_usd",
    "price_in": "judge.price_in_per_m",
    "price_out": "judge.price_out_per_m",
    "concurrency": "judge.concurrency",
}
"""Flags of the judge that override a setting."""


def judge(command: F) -> F:
    """The flags of detectors that ask a model."""
    for option in reversed(_JUDGE):
        command = option(command)
    return command


class _Share(click.ParamType[float]):
    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the share as a number from 0 to 1."""
        try:
            share = float(value)
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1:
            self.fail(f"{value!r} is no number from 0 to 1, such as 0.8", param, ctx)
        return share


SHARE = _Share()


class _Jobs(click.ParamType[int]):
    name = "jobs"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of workers; 0 stands for ``auto``."""
        if value == "auto":
            return 0
        try:
            count = int(value)
        except ValueError:
            count = 0
        if not 1 <= count <= 1024:
            self.fail(f"{value!r} is neither auto nor a number from 1 to 1024", param, ctx)
        return count


def parts(command: F) -> F:
    """``--jobs``, ``--job``, ``--engine``, ``--address``: several workers, and runs that can be resumed."""
    for decorate in (
        click.option(
            "--address", metavar="ADDRESS", help="With --engine ray: the cluster to use (default: this machine)."
        ),
        click.option(
            "--engine",
            type=click.Choice(["processes", "ray"]),
            default="processes",
            help="Who runs the workers (default: processes).",
        ),
        click.option(
            "--job", type=_DIRECTORY, metavar="DIR", help="Keep finished parts in DIR; the same command resumes."
        ),
        click.option(
            "--jobs",
            type=_Jobs(),
            default=None,
            metavar="N|auto",
            help="Workers to check with (default: this process).",
        ),
    ):
        command = decorate(command)
    return command
