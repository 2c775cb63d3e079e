"""Parquet: one flat row a result, see ``results.rows``. Readable by DuckDB, Polars, pandas and Spark."""

from __future__ import annotations

from typing import Any

from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.rows import COLUMNS, result_row
from agent_claimcheck.results.summary import ExitDecision, Summary
from agent_claimcheck.results.writers.contract import Destination, Sink
from agent_claimcheck.trace.parquet import import_parquet

_ROWS_AT_ONCE = 4096


class ParquetWriter:
    """Collects rows and writes them in groups, so memory holds one group."""

    def __init__(self, to: Destination) -> None:
        """Raises ``MissingExtraError`` without pyarrow."""
        self._parquet = import_parquet()
        import pyarrow

        self._pyarrow: Any = pyarrow
        self._sink = _Stream(to.sink)
        types = {
            "string": pyarrow.string(),
            "double": pyarrow.float64(),
            "bool": pyarrow.bool_(),
            "int64": pyarrow.int64(),
        }
        types["list<string>"] = pyarrow.list_(pyarrow.string())
        self._schema = pyarrow.schema([(name, types[kind]) for name, kind in COLUMNS.items()])
        self._columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
        self._waiting = 0
        self._file: Any = None

    def begin(self) -> None:
        """Open the file."""
        self._file = self._parquet.ParquetWriter(
            self._pyarrow.PythonFile(self._sink, mode="w"), self._schema, compression="zstd"
        )

    def write(self, result: CheckResult) -> None:
        """Take one result."""
        for name, value in result_row(result).items():
            self._columns[name].append(value)
        self._waiting += 1
        if self._waiting >= _ROWS_AT_ONCE:
            self._flush()

    def end(self, summary: Summary, decision: ExitDecision) -> None:
        """Write the last rows and the table of contents."""
        self._flush()
        self._file.close()

    def _flush(self) -> None:
        if not self._waiting:
            return
        self._file.write_table(self._pyarrow.table(self._columns, schema=self._schema))
        self._columns = {name: [] for name in COLUMNS}
        self._waiting = 0


class _Stream:
    """What pyarrow asks of a file, over a sink that only takes bytes."""

    closed = False

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._position = 0

    def write(self, data: Any) -> int:
        chunk = bytes(data)
        self._sink.write(chunk)
        self._position += len(chunk)
        return len(chunk)

    def tell(self) -> int:
        return self._position

    def flush(self) -> None:
        """Whoever owns the sink flushes it."""

    def close(self) -> None:
        """Whoever owns the sink closes it."""
