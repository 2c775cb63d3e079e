"""State probes that come in a file of their own, and joining them to their traces.

A reader must not miss: a probe can make a claim ``verified``, so a probes file with any fault is refused as a whole.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from agent_claimcheck.core.canonical import canonical_json
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.text import printable
from agent_claimcheck.trace.diagnose import parse_document, problems
from agent_claimcheck.trace.model import Step, Trace, TraceProblem, Where
from agent_claimcheck.trace.schema import load_schema
from agent_claimcheck.trace.streams import ByteStream, iter_lines, name_format, open_bytes, peek

# A file of a million bad lines needs no message of a million lines.
_MAX_SHOWN = 50
_HEAD_BYTES = 4096


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """A state probe before it has a place in a trace. The fields mean what they mean in a ``Step``."""

    name: str
    ok: bool | None
    ts: str
    args: dict[str, Any] | None = None
    output: Any = None
    error: str | dict[str, Any] | None = None


Probes = dict[str, list[Probe]]


def load_probes(path: str | os.PathLike[str]) -> Probes:
    """Read a probes file: one object a line, plain, gzip or zstd; ``-`` is standard input.

    Returns the probes of each ``trace_id`` in file order. Raises ``InputError`` naming every fault of every line as
    ``file:line: path: message``.
    """
    file = os.fspath(path)
    schema = load_schema("probe-v1")
    probes: Probes = {}
    found: list[TraceProblem] = []
    count = 0
    with open_bytes(path) as stream:
        for line, data in _lines_of(stream, file):
            document = parse_document(data)
            faults = document.all_faults(schema)
            if faults:
                _refuse_trace(document.value, Where(file=file, line=line))
                new = problems(faults, Where(file=file, line=line))
                count += len(new)
                found += new[: max(0, _MAX_SHOWN - len(found))]
                continue
            trace_id = document.value.pop("trace_id")
            probes.setdefault(trace_id, []).append(msgspec.convert(document.value, Probe))
    if found:
        message = "\n".join(printable(str(problem)) for problem in found)
        if count > len(found):
            message += f"\n... and {count - len(found)} more"
        raise InputError(message, slug="probes")
    return probes


def _refuse_trace(value: Any, where: Where) -> None:
    """Say in one line that the wrong file was given, instead of naming every key that a probe does not have."""
    if isinstance(value, dict) and "steps" in value:
        raise InputError(
            f"{printable(where.file)}:{where.line}: is a trace, not a state probe",
            hint="give traces as INPUT, and with --probes what `probes run` or your own harness wrote",
            slug="probes",
        )


def _lines_of(stream: ByteStream, file: str) -> Iterator[tuple[int, bytes]]:
    head = peek(stream, _HEAD_BYTES)
    if b"[[probe]]" in head and not head.lstrip().startswith(b"{"):
        raise InputError(
            f"{printable(file)}: says how readings are made, and holds none",
            hint="give it with --probes-from, or run it first with `agent-claimcheck probes run`",
            slug="probes",
        )
    other = name_format(head)
    if other is not None:
        raise InputError(f"{printable(file)}: cannot be read: it is {other}", slug="probes")
    try:
        yield from iter_lines(stream)
    except InputError as error:
        raise InputError(f"{printable(file)}: {error}", slug="probes") from error


def probe_line(trace_id: str, probe: Probe) -> bytes:
    """Return ``probe`` as one line of a probes file, its line end included."""
    return canonical_json({"trace_id": trace_id, **msgspec.structs.asdict(probe)}) + b"\n"


def merge_probes(trace: Trace, probes: Mapping[str, list[Probe]]) -> Trace:
    """Return ``trace`` with its probes appended as ``state_probe`` steps of the environment, in file order."""
    own = probes.get(trace.trace_id)
    if not own:
        return trace
    start = trace.steps[-1].i + 1 if trace.steps else 0
    added = [
        Step(
            i=start + offset,
            ts=probe.ts,
            kind="state_probe",
            role="environment",
            name=probe.name,
            args=probe.args,
            ok=probe.ok,
            output=probe.output,
            error=probe.error,
        )
        for offset, probe in enumerate(own)
    ]
    return msgspec.structs.replace(trace, steps=[*trace.steps, *added])
