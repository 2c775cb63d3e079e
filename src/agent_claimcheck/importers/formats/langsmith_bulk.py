"""LangSmith bulk exports: Parquet files of runs.

A reader must not miss: Parquet needs the ``parquet`` extra; without it the file is named and passed over.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.archive import MAX_TOTAL_BYTES
from agent_claimcheck.importers.foreign_json import loose_json, string
from agent_claimcheck.importers.formats.langsmith_run import run_span
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading
from agent_claimcheck.importers.spans.transcript import drafts_of_spans

_NAME = "langsmith-bulk"


def _recognise(head: Head) -> str | None:
    return "Parquet" if head.layout == "parquet" else None


def _drafts(reading: Reading) -> Drafts:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        yield reading.problem(0, "", "Parquet needs the parquet extra: pip install 'agent-claimcheck[parquet]'")
        return
    with tempfile.SpooledTemporaryFile(max_size=64 << 20) as spool:
        size = 0
        while chunk := reading.stream.read():
            size += len(chunk)
            if size > MAX_TOTAL_BYTES:
                yield reading.problem(0, "", "the file is too large")
                return
            spool.write(chunk)
        spool.seek(0)
        try:
            rows = list(_rows(pyarrow.parquet.ParquetFile(spool)))
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            yield reading.problem(0, "", f"not a readable Parquet file: {error}")
            return
    if not any("run_type" in row for row in rows):
        yield reading.problem(
            0, "", "a Parquet file without the columns of a LangSmith export (run_type, inputs, outputs)"
        )
        return
    traces: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        traces.setdefault(string(row.get("trace_id")) or string(row.get("id")) or "trace", []).append(row)
    for trace_id, runs in traces.items():
        for draft in drafts_of_spans("langsmith", trace_id, [run_span(run) for run in runs], reading.options):
            if draft.events:
                yield draft


def _rows(table: Any) -> Iterator[dict[str, Any]]:
    for batch in table.iter_batches(batch_size=1000):
        for row in batch.to_pylist():
            yield {
                key: loose_json(value) if key in ("inputs", "outputs", "extra") else value for key, value in row.items()
            }


IMPORTER = FormatImporter(
    name=_NAME,
    title="LangSmith bulk exports (Parquet)",
    recognised_by="a Parquet file",
    recognise_by=_recognise,
    drafts=_drafts,
)
