"""``completion``: the script that makes a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL. For example: eval "$(agent-claimcheck completion bash)"."""
    from agent_claimcheck.cli.app import app, program_name

    name = program_name()
    made = get_completion_class(shell)
    if made is None:
        raise click.ClickException(f"no completion for {shell}")
    variable = f"_{name.replace('-', '_').upper()}_COMPLETE"
    click.echo(made(app, {}, name, variable).source())
