"""``formats``: list what can be read and by what it is recognised."""

from __future__ import annotations

import click

from agent_claimcheck.cli.exits import OK, finish


@click.command()
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Text (default), or json: one object a line.",
)
def formats(format_: str) -> None:
    """List the formats that are recognised, in the order in which they are asked.

    A file's content decides, never its name. Use ``--from NAME`` of a command to override.
    """
    from agent_claimcheck.importers.catalog import IMPORTERS, load

    width = max(len(name) for name in IMPORTERS)
    for name in IMPORTERS:
        importer = load(name)
        if format_ == "json":
            import msgspec

            row = {"name": name, "title": importer.title, "recognised_by": importer.recognised_by}
            click.echo(msgspec.json.encode(row).decode())
        else:
            click.echo(f"{name:<{width}}  {importer.title}")
            click.echo(f"{'':<{width}}    {importer.recognised_by}")
    finish(OK)
