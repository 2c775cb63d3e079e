"""``config show``: every setting, its value, and where the value came from."""

from __future__ import annotations

import os
from pathlib import Path

import click

from agent_claimcheck.cli import options
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.settings import describe, load_settings
from agent_claimcheck.core.settings.sections import GateSettings
from agent_claimcheck.core.text import printable


@click.group()
def config() -> None:
    """Show the settings in force and where they come from."""


@config.command()
@options.config
def show(config: Path | None) -> None:
    """Print every setting as `key = value  (source)`. Secrets are never shown."""
    settings = load_settings(config, {}, os.environ, Path.cwd())
    rows = describe(settings)
    width = max(len(key) for key, _, _ in rows)
    for key, value, source in rows:
        click.echo(f"{key:<{width}}  {printable(value)}  ({printable(source)})")
    if settings.classifier.calibration is not None and settings.gate == GateSettings():
        told = _promised(Path(settings.classifier.calibration))
        if told:
            click.echo(printable(f"note: {told}; they take the place of the gate's defaults"))


def _promised(path: Path) -> str:
    """Say which thresholds a calibration file promises; nothing where it cannot be read, which `check` says."""
    from agent_claimcheck.scoring.artifact import load_calibration

    try:
        promise = load_calibration(path).promise
    except InputError:
        return ""
    return "" if promise is None else f"{promise.told()} with {promise.detector}"
