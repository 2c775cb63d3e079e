"""``serve``: the review page on this machine, for what the evidence does not decide."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent_claimcheck.cli import options
from agent_claimcheck.cli.console import note
from agent_claimcheck.cli.exits import OK, finish
from agent_claimcheck.cli.live_probes import open_session
from agent_claimcheck.cli.local_path import LocalPath
from agent_claimcheck.cli.standard_input import refuse_shared
from agent_claimcheck.core.scratch import remove_left_behind, scratch_directory
from agent_claimcheck.core.settings import Settings, load_settings
from agent_claimcheck.core.text import printable
from agent_claimcheck.importers.contract import ImportOptions
from agent_claimcheck.pipeline.build import spec_from_settings
from agent_claimcheck.pipeline.sources import SourceOptions

if TYPE_CHECKING:
    from agent_claimcheck.review.scoring import ScoringPlan
    from agent_claimcheck.review.service import Service

_KEPT_S = 14 * 86_400.0
"""Seconds after which a store that nobody used is deleted."""

_FILE = LocalPath(path_type=Path, dir_okay=False)


@click.command()
@options.inputs
@click.option("--results", type=_FILE, metavar="PATH", help="Use the results in this file instead of checking anew.")
@click.option(
    "--reviews",
    type=_FILE,
    default=Path("claimcheck-reviews.jsonl"),
    show_default=True,
    metavar="PATH",
    help="Where decisions are kept.",
)
@click.option(
    "--reports", type=LocalPath(path_type=Path), multiple=True, metavar="DIR", help="Folder of bench or train."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; others need a token.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="Port; 0 takes a free one."
)
@click.option("--max-usd", type=float, metavar="USD", help="Most the judge may spend while this server runs.")
@click.option("--open", "is_opened", is_flag=True, help="Open the page in a browser.")
@options.config
@options.probes
@options.probes_from
@options.detector
@options.rules
@options.reading
def serve(**flags: Any) -> None:
    """Review traces in a browser: a queue of what the evidence does not decide, each with its evidence.

    Traces are checked while the page is in use; with --probes-from their readings are made anew at every start. Every
    decision is one line of the reviews file, a labelled trace that `train` reads. Stop with Ctrl+C.
    """
    from agent_claimcheck.review.serving import serve as serve_page

    refuse_shared(flags["inputs"], flags["probes"])
    settings = _settings(flags)
    with ExitStack() as stack:
        plan = _plan(flags, settings, stack)
        serve_page(
            plan,
            host=flags["host"],
            port=flags["port"],
            store_file=_store_file(plan, settings, stack),
            reviews_file=flags["reviews"],
            reports=tuple(flags["reports"]),
            on_ready=lambda address, service: _say(address, service, is_opened=flags["is_opened"]),
        )
    finish(OK)


def _settings(flags: dict[str, Any]) -> Settings:
    keys = {"detector": "check.detector", "max_usd": "budget.max_usd"}
    overrides = {key: flags[flag] for flag, key in keys.items() if flags[flag] is not None}
    return load_settings(flags["config"], overrides, os.environ, Path.cwd())


def _plan(flags: dict[str, Any], settings: Settings, stack: ExitStack) -> ScoringPlan:
    from agent_claimcheck.review.scoring import ScoringPlan

    spec = spec_from_settings(settings, rules=list(flags["rules"]))
    importing = ImportOptions(infer_status=flags["infer_status"], subagents=flags["subagents"])
    return ScoringPlan(
        inputs=tuple(flags["inputs"]),
        spec=spec,
        reading=SourceOptions(format_name=flags["from_"], importing=importing),
        probes=flags["probes"],
        live=open_session(flags["probes_from"], spec.case, stack),
        results=flags["results"],
        rules=tuple(flags["rules"]),
        on_problem=note,
    )


def _store_file(plan: ScoringPlan, settings: Settings, stack: ExitStack) -> Path:
    """Return where the store lies: under the cache, or in a folder of its own for what must be read anew next time."""
    from agent_claimcheck.review.scoring import store_key
    from agent_claimcheck.review.store.store import forget_old_stores

    key = store_key(plan)
    if key is None:
        remove_left_behind()
        return stack.enter_context(scratch_directory()) / "store.sqlite"
    folder = settings.cache_dir / "review"
    forget_old_stores(folder, _KEPT_S, time.time())
    return folder / f"{key}.sqlite"


def _say(address: str, service: Service, *, is_opened: bool) -> None:
    click.echo(f"Review page: {address}")
    note(f"decisions go to {printable(str(service.desk.reviews.path))}; stop with Ctrl+C")
    if is_opened:
        import webbrowser

        webbrowser.open(address)
