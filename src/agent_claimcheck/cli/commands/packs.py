"""``packs``: list the rule packs in force, lint and draft packs, and see what a pack decides on given traces."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent_claimcheck.cli import options
from agent_claimcheck.cli.console import note
from agent_claimcheck.cli.exits import GATE, OK, USAGE, finish
from agent_claimcheck.cli.local_path import LocalPath
from agent_claimcheck.core.errors import InputError, PackError, UsageError
from agent_claimcheck.core.settings import load_settings
from agent_claimcheck.core.text import printable
from agent_claimcheck.packs.language import RulePack
from agent_claimcheck.packs.lint import lint_pack
from agent_claimcheck.packs.load import load_rule_pack
from agent_claimcheck.pipeline.build import spec_from_settings
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
from agent_claimcheck.results.model import VERDICTS
from agent_claimcheck.trace.model import Trace, TraceProblem

if TYPE_CHECKING:
    from agent_claimcheck.pipeline.draft.model import Draft

_CHANGES_SHOWN = 50
_REASONS_SHOWN = 10


@click.group()
def packs() -> None:
    """List, lint, test and draft rule packs."""


@packs.command("list", short_help="List the rule packs in force.")
@options.config
@options.rules
def list_(config: Path | None, rules: tuple[Path, ...]) -> None:
    """List the rule packs in force: name, version, where it comes from, its claim types and tools."""
    settings = load_settings(config, {}, os.environ, Path.cwd())
    spec = spec_from_settings(settings, rules=rules)
    for pack in spec.packs:
        click.echo(printable(_line(pack)))
    for line in spec.shadowed:
        click.echo(printable(f"note: {line}"))


def _line(pack: RulePack) -> str:
    types = sorted({*pack.claims, *(pattern.claim_type for pattern in pack.claim_patterns)})
    return (
        f"{pack.name} v{pack.version} ({pack.origin}): claims {', '.join(types)}; tools {', '.join(pack.tools) or '-'}"
    )


@packs.command()
@click.argument("files", nargs=-1, required=True, type=LocalPath(path_type=Path), metavar="PACK...")
def lint(files: tuple[Path, ...]) -> None:
    """Say what is wrong or weak in rule packs. Exit 2 when a pack cannot be loaded, 1 when there are warnings."""
    code = OK
    for path in files:
        try:
            notes = lint_pack(path)
        except PackError as error:
            for line in str(error).splitlines():
                click.echo(printable(line))
            code = USAGE
            continue
        for item in notes:
            click.echo(printable(item.describe(str(path))))
        if code == OK and any(item.severity == "warn" for item in notes):
            code = GATE
    finish(code)


@packs.command(short_help="Propose a rule pack for you to edit.")
@options.inputs
@click.option("--out", type=LocalPath(path_type=Path), metavar="DIR", help="Write pack.yaml and probes.toml here.")
@click.option("--name", default="drafted", show_default=True, help="The pack's name.")
def draft(inputs: tuple[str, ...], out: Path | None, name: str) -> None:
    """Propose a rule pack from tool definitions and traces, for you to edit.

    INPUT is a file of tool definitions (OpenAI tools, MCP tools/list, OpenAPI; JSON or YAML) or traces. Without --out the
    pack is printed. Exit 2 when some of the input cannot be read (the pack is made from the rest), or when no rule can be
    drafted; then nothing is written.
    """
    from agent_claimcheck.pipeline.draft.drafting import draft_pack
    from agent_claimcheck.pipeline.draft.inputs import split_inputs

    if out is not None and out.suffix in (".yaml", ".yml", ".toml") and not out.is_dir():
        raise UsageError(f"--out {out} is to be a directory", hint="pack.yaml and probes.toml are written into it")
    tools, sources, traces = split_inputs(inputs)
    good: list[Trace] = []
    problems = 0
    if traces:
        for item in read_sources(traces, SourceOptions()):
            if isinstance(item, Trace):
                good.append(item)
            elif isinstance(item, TraceProblem):
                note(str(item))
                problems += item.severity == "error"
        sources.append(f"{len(good)} traces of {', '.join(traces)}")
    made = draft_pack(tools, good, name=name, sources=sources)
    if not made.draft.rules:
        _refuse_empty(made.draft, made.remarks)
    files = {} if out is None else {out / "pack.yaml": made.pack, out / "probes.toml": made.probes}
    for path in files:
        if path.exists():
            raise UsageError(f"{path} is already there", hint="name another directory, or move it away", slug="exists")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        note(f"wrote {path}")
    if out is None:
        click.echo(made.pack, nl=False)
    count = len(made.draft.rules)
    note(f"drafted {count} rule{'s' if count != 1 else ''}")
    for remark in made.remarks:
        note(f"note: {remark}")
    finish(USAGE if problems else OK)


def _refuse_empty(draft: Draft, remarks: tuple[str, ...]) -> None:
    """Say why a draft holds no rule, and raise."""
    for text in (*remarks, *draft.skipped)[:_REASONS_SHOWN]:
        note(f"note: {text}")
    raise InputError(
        "no rule can be drafted from this: no tool says by its name that it writes a record",
        hint="shells and file editors need no pack, `check` reads their commands; for tools of your own give their definitions "
        "with descriptions, or write the rule by hand (docs/rules.md)",
        slug="draft",
    )


@packs.command(short_help="Show what a pack changes on given traces.")
@click.argument("pack", type=LocalPath(path_type=Path))
@options.inputs
@options.config
def test(pack: Path, inputs: tuple[str, ...], config: Path | None) -> None:
    """Show what PACK changes on given traces: verdicts without it and with it, and which of its claims were made."""
    settings = load_settings(config, {}, os.environ, Path.cwd())
    before = Checker(spec=spec_from_settings(settings))
    after = Checker(spec=spec_from_settings(settings, rules=[pack]))
    counts: Counter[tuple[str, str]] = Counter()
    claimed: Counter[str] = Counter()
    changed = traces = problems = 0
    for item in read_sources(inputs, SourceOptions()):
        if isinstance(item, TraceProblem):
            note(str(item))
            problems += item.severity == "error"
        elif isinstance(item, Trace):
            traces += 1
            old, new = before.check_one(item), after.check_one(item)
            counts[old.verdict, new.verdict] += 1
            claimed.update({claim.type for claim in new.claims if claim.is_success})
            if (old.verdict, old.record) != (new.verdict, new.record):
                changed += 1
                if changed <= _CHANGES_SHOWN:
                    reason = new.reasons[0].detail if new.reasons else ""
                    click.echo(printable(f"{item.trace_id}: {old.verdict} -> {new.verdict}: {reason}"))
    if changed > _CHANGES_SHOWN:
        click.echo(f"... and {changed - _CHANGES_SHOWN} more")
    for word in VERDICTS:
        was = sum(n for (old_word, _), n in counts.items() if old_word == word)
        now = sum(n for (_, new_word), n in counts.items() if new_word == word)
        click.echo(f"{word}: {was} without the pack, {now} with it")
    if traces:
        _say_what_was_claimed(sorted(load_rule_pack(pack).claims), claimed)
    finish(USAGE if problems or not traces else OK)


def _say_what_was_claimed(types: list[str], claimed: Counter[str]) -> None:
    """Say in how many runs each claim of the pack was made; a rule whose claim nobody makes changes nothing."""
    made = [f"{name} in {claimed[name]}" for name in types if claimed[name]]
    never = [name for name in types if not claimed[name]]
    if made:
        click.echo(printable(f"runs that claim it: {', '.join(made)}"))
    if never:
        click.echo(printable(f"claimed in no run: {', '.join(never)} (claim_patterns says which words claim them)"))
