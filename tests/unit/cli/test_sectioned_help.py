"""Help under headings: every option stands there once."""

from __future__ import annotations

import re

import click
from click.testing import CliRunner

from agent_claimcheck.cli.app import COMMANDS, SECTIONS, app
from agent_claimcheck.cli.commands.check import check
from agent_claimcheck.cli.sectioned_help import SectionedCommand


def test_every_option_of_check_stands_under_one_heading() -> None:
    assert isinstance(check, SectionedCommand)
    named = [flag for flags in check.sections.values() for flag in flags]
    assert len(named) == len(set(named))
    told = CliRunner().invoke(app, ["check", "--help"]).output
    shown = re.findall(r"^  (?:-\w, )?(-[\w-]+)", told, re.MULTILINE)
    flags = [parameter.opts[-1] for parameter in check.params if isinstance(parameter, click.Option)]
    assert sorted(shown) == sorted([*flags, "--help"])
    for heading in check.sections:
        assert f"\n{heading}:\n" in told
    assert shown.index("--from") < shown.index("--fail-on") < shown.index("--config")


def test_every_command_stands_under_one_heading() -> None:
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(COMMANDS)
    told = CliRunner().invoke(app, ["--help"]).output
    shown = re.findall(r"^  ([a-z]+) {2,}[A-Z]", told, re.MULTILINE)
    assert sorted(shown) == sorted(COMMANDS)
