"""Inspect AI logs: ``.json`` and ``.eval`` (a zip), finished or not.

A reader must not miss: one sample of one epoch is one run; scores are labels; texts may be ``attachment://`` references
that have to be looked up in the sample.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.archive import SafeZip
from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import iter_members
from agent_claimcheck.importers.foreign_json import BadJson, decode_json, mapping
from agent_claimcheck.importers.formats.inspect_sample import sample_draft
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading
from agent_claimcheck.trace.model import TraceProblem

_NAME = "inspect"


def _recognise(head: Head) -> str | None:
    if head.layout == "zip" and (b"header.json" in head.raw or b"_journal/start.json" in head.raw):
        return "zip with header.json or _journal/start.json"
    if head.layout == "zip" and b"samples/" in head.raw and b"_epoch_" in head.raw:
        return "zip with samples/<id>_epoch_<n>.json"
    if head.has("eval", "status") and ("plan" in head.object or "version" in head.object or "samples" in head.object):
        return "version, status, eval and plan"
    return None


def _drafts(reading: Reading) -> Drafts:
    if reading.stream.peek(4)[:4] == b"PK\x03\x04":
        yield from _from_archive(reading)
        return
    header: dict[str, Any] = {}
    for item in iter_members(reading.stream, reading.file, ["samples"]):
        if isinstance(item, TraceProblem):
            yield item
            continue
        key, row = item
        if key == "samples":
            yield sample_draft(mapping(row.value), header, row.line, reading)
        else:
            header = mapping(row.value)


def _from_archive(reading: Reading) -> Iterator[Draft | TraceProblem]:
    with SafeZip(reading.stream) as archive:
        if archive.fault:
            yield reading.problem(0, "", archive.fault)
            return
        header: dict[str, Any] = {}
        for name in ("_journal/start.json", "header.json"):
            header = {**header, **mapping(_member(archive, name))}
        found = False
        for name in archive.names():
            if not name.startswith("samples/") or not name.endswith(".json"):
                continue
            found = True
            data = archive.read(name)
            if isinstance(data, str):
                yield reading.problem(0, name, data)
                continue
            try:
                sample = decode_json(data)
            except BadJson as error:
                yield reading.problem(0, name, str(error))
                continue
            draft = sample_draft(mapping(sample), header, 1, reading)
            draft.locator = name
            yield draft
        if not found:
            yield reading.problem(0, "samples/", "the log holds no samples; the evaluation has not finished one yet")


def _member(archive: SafeZip, name: str) -> Any:
    data = archive.read(name)
    if isinstance(data, str):
        return None
    try:
        return decode_json(data)
    except BadJson:
        return None


IMPORTER = FormatImporter(
    name=_NAME,
    title="Inspect AI logs",
    recognised_by="an object with version, status, eval and plan; a zip with header.json or _journal/",
    recognise_by=_recognise,
    drafts=_drafts,
)
