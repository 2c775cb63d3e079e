"""Reading run files: one JSON object, or JSON Lines with one run a line. The content decides, not the file's name.

A reader must not miss: trouble is data. A bad record becomes ``RunProblem`` items that name file, line and JSON path,
and the records after it are still read. Only a file that cannot be opened raises.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from agent_claimcheck.checks.run import Fault, Run, parse_run
from agent_claimcheck.core.byte_order_marks import UTF8_MARK
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.trace.diagnose import parse_document
from agent_claimcheck.trace.documents import is_line_by_line, iter_documents
from agent_claimcheck.trace.streams import ByteStream, iter_lines, open_bytes, peek

HEAD_BYTES = 64 * 1024
"""How much of a file is looked at to see what it is and how it is laid out."""

_RUN_KEYS = frozenset(Run.__struct_fields__)
_STRUCTURE = re.compile(r'\\.|["\[\]{}]', re.DOTALL)


class RunProblem(Struct, frozen=True, kw_only=True):
    """One fault of one record. ``line`` is 1-based, 0 for the whole file; ``path`` is a JSON path."""

    file: str
    line: int
    path: str
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.path}: {self.message}" if self.path else f"{place}: {self.message}"


class LoadedRun(Struct, frozen=True, kw_only=True):
    """A run and where it was read from. ``trace_id`` is set when it came from a trace."""

    run: Run
    file: str
    line: int
    trace_id: str | None = None


def read_run_file(path: str | Path) -> Iterator[LoadedRun | RunProblem]:
    """Yield the runs of one file, plain or compressed, and the problems of its bad records, in file order.

    Raises ``InputError`` when the file cannot be opened.
    """
    with open_bytes(path) as stream:
        yield from read_run_stream(stream, file=str(path))


def read_run_stream(stream: ByteStream, *, file: str) -> Iterator[LoadedRun | RunProblem]:
    """Yield the runs of a fresh stream: JSON Lines, objects over several lines, or an array of runs.

    Memory holds one record. Data that is damaged on the way becomes a problem, after the runs before it.
    """
    line = 0
    try:
        pieces = iter_lines(stream) if is_line_by_line(peek(stream, HEAD_BYTES)) else iter_documents(stream)
        for line, data in pieces:
            yield from _read_piece(data, file, line)
    except InputError as error:
        yield RunProblem(file=file, line=line, path="", message=f"reading stops here: {error}")
        return
    if line == 0:
        yield RunProblem(file=file, line=0, path="", message="holds no runs")


def load_run(source: Run | dict[str, Any] | str | Path) -> Run:
    """Return the one run that ``source`` is: a ``Run``, a dict, or the path of a file that holds exactly one.

    Raises ``InputError`` with every fault when it is not one valid run.
    """
    if isinstance(source, Run):
        return source
    if isinstance(source, dict):
        parsed = parse_run(source)
        if isinstance(parsed, Run):
            return parsed
        raise InputError("invalid run: " + "; ".join(str(fault) for fault in parsed))
    if not isinstance(source, (str, Path)):
        raise InputError(
            f"a run is a Run, a dict or a path, not a {type(source).__name__}",
            hint="read the file first, or give its path",
        )
    return only_run(read_run_file(source), str(source))


def only_run(items: Iterable[LoadedRun | RunProblem], name: str) -> Run:
    """Return the single run among ``items``. Raises ``InputError`` on any problem, on none, and on several."""
    found: list[Run] = []
    problems: list[str] = []
    for item in items:
        if isinstance(item, LoadedRun):
            found.append(item.run)
            if len(found) > 1:
                break
        else:
            problems.append(str(item))
    if problems:
        raise InputError("\n".join(problems))
    if len(found) != 1:
        many = "holds no runs" if not found else "holds more than one run"
        raise InputError(f"{name}: {many}", hint="give a file with exactly one, or use the tools command")
    return found[0]


def looks_like_run_file(head: bytes) -> bool:
    """True when the start of a file shows a run and no other format. ``head`` may end anywhere, also mid-record.

    Of JSON Lines the first complete object on a line decides; else the keys seen in the first, unfinished object. An
    object over several lines may hold a step on a line of its own, which says nothing of the whole.
    """
    lines = head.removeprefix(UTF8_MARK).splitlines()[:20] if is_line_by_line(head) else []
    for line in lines:
        if not line.lstrip().startswith(b"{"):
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        return isinstance(value, dict) and _are_run_keys(value)
    return _are_run_keys(_top_keys(head.decode("utf-8", "replace")))


def _are_run_keys(keys: Collection[str]) -> bool:
    if "schema" in keys:
        return False
    return "final_answer" in keys or {"task", "steps"} <= set(keys) or (bool(keys) and set(keys) <= _RUN_KEYS)


def _top_keys(text: str) -> list[str]:
    """The keys of the first object in ``text``, or of the first object in its array, as far as they are there."""
    keys: list[str] = []
    depth = 0
    start = -1
    wanted = 0
    for match in _STRUCTURE.finditer(text):
        char = match[0]
        if char == '"' and start < 0:
            start = match.end()
        elif char == '"':
            if depth == wanted and text[match.end() : match.end() + 20].lstrip().startswith(":"):
                keys.append(text[start : match.start()])
            start = -1
        elif start >= 0 or char[0] == "\\":
            continue
        elif char in "[{":
            depth += 1
            if char == "{" and not wanted:
                wanted = depth
        else:
            depth -= 1
            if wanted and depth < wanted:
                break
    return keys


def _read_piece(data: bytes, file: str, line: int) -> Iterator[LoadedRun | RunProblem]:
    document = parse_document(data)
    faults = [Fault(path, message) for path, message in document.faults]
    if not faults:
        parsed = parse_run(document.value)
        if isinstance(parsed, Run):
            yield LoadedRun(run=parsed, file=file, line=line)
            return
        faults = parsed
    for fault in faults:
        yield RunProblem(file=file, line=line, path=fault.path, message=fault.message)
