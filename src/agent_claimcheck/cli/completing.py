"""What the shell may complete where an option takes one of a list of names.

A reader must not miss: this runs at every press of the tab key, so lists are imported only when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable

import click


def detectors(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the detectors that begin so."""
    from agent_claimcheck.pipeline.catalog import DETECTORS

    return _begun(DETECTORS, incomplete)


def input_formats(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the trace formats that begin so."""
    from agent_claimcheck.importers.catalog import IMPORTERS

    return _begun(IMPORTERS, incomplete)


def outputs(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the output formats that begin so, each with the ``=`` before its path."""
    from agent_claimcheck.results.writers.catalog import WRITERS

    return _begun([name if name == "github" else f"{name}=" for name in WRITERS], incomplete)


def _begun(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in sorted(names) if name.startswith(incomplete)]
