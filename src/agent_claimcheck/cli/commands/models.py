"""``models``: print the models a provider offers."""

from __future__ import annotations

import click


@click.command(name="models", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("provider", metavar="PROVIDER")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def models(provider: str, as_json: bool) -> None:
    """List the models of PROVIDER (anthropic, gemini, openai): live when its key is set, else a shortlist."""
    from agent_claimcheck.checks.jsontext import to_json_text
    from agent_claimcheck.core.text import printable
    from agent_claimcheck.pipeline.model_list import list_models

    found = list_models(provider)
    if as_json:
        click.echo(
            to_json_text({"provider": provider, "live": found.is_live, "models": found.names, "note": found.note})
        )
        return
    if found.note:
        click.echo(f"note: {printable(found.note)}; this is a shortlist", err=True)
    for name in found.names:
        click.echo(printable(name))
