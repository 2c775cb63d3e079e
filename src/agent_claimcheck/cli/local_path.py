"""The type of options and arguments that name a file or directory on this machine."""

from __future__ import annotations

from typing import Any

import click

from agent_claimcheck.trace.remote import is_remote


class LocalPath(click.Path):
    """A path on this machine. The URL of an object store is refused: as a path it would make a directory ``s3:`` here."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path. Fails for a URL."""
        if isinstance(value, str) and is_remote(value):
            self.fail(f"{value!r} is a place in an object store; this must be a path on this machine", param, ctx)
        return super().convert(value, param, ctx)
