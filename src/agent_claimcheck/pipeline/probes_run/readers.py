"""From a probe's definition to the reader that makes its readings, and to the line that says what it would do."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Protocol
from urllib.parse import urlencode

from agent_claimcheck.core.text import printable
from agent_claimcheck.pipeline.probes_run.command import CommandReader, argument_vector
from agent_claimcheck.pipeline.probes_run.definition import (
    CommandRead,
    FileRead,
    HeaderValue,
    HttpRead,
    Limits,
    SqlRead,
)
from agent_claimcheck.pipeline.probes_run.file_read import FileReader
from agent_claimcheck.pipeline.probes_run.http_get import HttpReader, request_query, request_url
from agent_claimcheck.pipeline.probes_run.parameters import TypedValue
from agent_claimcheck.pipeline.probes_run.planning import PlannedRun
from agent_claimcheck.pipeline.probes_run.reading import Reading, Unavailable
from agent_claimcheck.pipeline.probes_run.redaction import HIDDEN
from agent_claimcheck.pipeline.probes_run.sql_read import SqlReader


class Reader(Protocol):
    """Makes the readings of one probe; called from several threads at once."""

    def read(self, values: Mapping[str, TypedValue]) -> Reading:
        """Return what was found. Raises ``NotFound`` or ``Unavailable``."""
        ...


def make_reader(
    action: CommandRead | HttpRead | SqlRead | FileRead, environ: Mapping[str, str], limits: Limits
) -> Reader:
    """Return the reader of ``action``. Secrets are looked up in ``environ`` here and nowhere else."""
    match action:
        case CommandRead():
            return CommandReader(action, environ, limits)
        case HttpRead():
            headers = {name: _header(value, environ) for name, value in action.headers}
            return HttpReader(action, headers, limits)
        case SqlRead():
            return SqlReader(action, _sql_url(action, environ), limits)
        case FileRead():
            return FileReader(action, limits)


def _header(value: HeaderValue, environ: Mapping[str, str]) -> str:
    return value.text if value.env is None else value.prefix + environ.get(value.env, "").strip()


def _sql_url(action: SqlRead, environ: Mapping[str, str]) -> str:
    """Return the URL of the database."""
    return action.url if action.url is not None else environ.get(action.url_env or "", "").strip()


def describe_run(run: PlannedRun) -> str:
    """Return in one printable line what a reading would do, with secrets hidden."""
    return printable(_described(run))


def _described(run: PlannedRun) -> str:
    action = run.probe.action
    match action:
        case CommandRead():
            return f"run {shlex.join(argument_vector(action, run.values))} in {action.root}"
        case HttpRead():
            try:
                url = request_url(action, run.values)
            except Unavailable as refused:
                return f"nothing: {refused.reason}"
            query = urlencode(request_query(action, run.values))
            headers = "".join(f" -H {shlex.quote(f'{name}: {_shown_header(value)}')}" for name, value in action.headers)
            return f"GET {url}{'?' + query if query else ''}{headers}"
        case SqlRead():
            bound = ", ".join(f"{name} = {value!r}" for name, value in run.values.items())
            place = action.url or f"the database in ${action.url_env}"
            return f"query {place}: {' '.join(action.query.split())}{f' with {bound}' if bound else ''}"
        case FileRead():
            path = action.path.fill({name: str(value) for name, value in run.values.items()})
            return f"look at {path} in {action.root} ({action.read})"


def _shown_header(value: HeaderValue) -> str:
    return value.text if value.env is None else f"{value.prefix}{HIDDEN}"
