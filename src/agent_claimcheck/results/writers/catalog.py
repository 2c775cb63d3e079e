"""The visible list of output formats. A new format is one file here and one line in ``WRITERS``."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import cast

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.suggest import closest
from agent_claimcheck.core.text import printable
from agent_claimcheck.results.writers.contract import OutputSpec, WriterFactory
from agent_claimcheck.trace.remote import is_remote

_ROOM = "agent_claimcheck.results.writers"

WRITERS: dict[str, str] = {
    "github": f"{_ROOM}.github:GithubWriter",
    "html": f"{_ROOM}.html:HtmlWriter",
    "json": f"{_ROOM}.json_array:JsonArrayWriter",
    "jsonl": f"{_ROOM}.jsonl:v2_lines",
    "jsonl-v1": f"{_ROOM}.jsonl:v1_lines",
    "junit": f"{_ROOM}.junit:JunitWriter",
    "markdown": f"{_ROOM}.markdown:MarkdownWriter",
    "parquet": f"{_ROOM}.parquet:ParquetWriter",
    "sarif": f"{_ROOM}.sarif:SarifWriter",
    "table": f"{_ROOM}.table:TableWriter",
}
"""Name -> "module:factory"; the module is imported when the format is asked for."""


def writer_factory(name: str) -> WriterFactory:
    """Return the factory of a format. Raises ``UsageError`` for a name that is not in ``WRITERS``."""
    target = WRITERS.get(name)
    if target is None:
        raise UsageError(f"unknown output format {printable(name)!r}", hint=_known_formats(name))
    module, _, attribute = target.partition(":")
    return cast(WriterFactory, getattr(import_module(module), attribute))


def parse_output(spec: str) -> OutputSpec:
    """Read ``FORMAT=PATH``; ``-`` is standard output, ``s3://`` and the like a remote file, a bare ``github`` ``github=-``.

    Raises ``UsageError`` for an unknown format or a missing path.
    """
    name, equals, path = spec.partition("=")
    if name not in WRITERS:
        raise UsageError(f"unknown output format {printable(name)!r}", hint=_known_formats(name))
    if name == "github" and not equals:
        path = "-"
    if not path:
        raise UsageError(f"output {printable(spec)!r} has no path", hint=f"write {name}=PATH, or {name}=- for stdout")
    return output_at(name, path)


def output_at(name: str, path: str) -> OutputSpec:
    """Return the output of the format ``name`` to ``path``: a file here, ``-`` or the URL of one in an object store."""
    if is_remote(path):
        return OutputSpec(format=name, path=None, url=path)
    return OutputSpec(format=name, path=None if path == "-" else Path(path))


def _known_formats(name: str) -> str:
    near = closest(name, WRITERS)
    return f"did you mean {near}?" if near else f"known formats: {', '.join(sorted(WRITERS))}"
