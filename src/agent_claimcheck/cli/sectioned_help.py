"""A command whose ``--help`` shows its options under headings.

A reader must not miss: the headings are a table of flags, so an option that no heading names stands under "Options".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click


class SectionedCommand(click.Command):
    """A command with ``sections``: a heading to the long names of its options, in the order they are shown."""

    def __init__(self, *args: Any, sections: Mapping[str, Sequence[str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sections = sections

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one list of options a heading; what no heading names comes last."""
        rows = {
            parameter.opts[-1]: row
            for parameter in self.get_params(ctx)
            if isinstance(parameter, click.Option) and (row := parameter.get_help_record(ctx)) is not None
        }
        for heading, flags in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl([rows.pop(flag) for flag in flags])
        with formatter.section("Options"):
            formatter.write_dl(list(rows.values()))
