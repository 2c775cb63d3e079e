"""Reading run files: one JSON object, or JSON Lines with one run a line. The content decides, not the file's name.

A reader must not miss: trouble is data. A bad record becomes ``RunProblem`` items that name file, line and JSON path,
and the records after it are still read. Only a file that cannot be opened raises.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct

from agent_claimcheck.checks.run import Fault, Run, parse_run
from agent_claimcheck.core.errors import InputError

MAX_DEPTH = 200  # the same limit traces have; no sane run nests deeper, and recursive readers stay safe below it
MAX_RECORD_BYTES = 64 * 1024 * 1024  # one record; a line beyond it is reported and skipped
_RUN_KEYS = frozenset(Run.__struct_fields__)
_BOM = b"\xef\xbb\xbf"
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
    """Yield the runs of one file and the problems of its bad records, in file order.

    Raises ``InputError`` when the file cannot be opened or read.
    """
    try:
        with Path(path).open("rb") as stream:
            yield from read_run_stream(stream, file=str(path))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}", hint="give the path of a run file") from error


def read_run_stream(stream: BinaryIO, *, file: str) -> Iterator[LoadedRun | RunProblem]:
    """Yield the runs of an open binary stream. JSON Lines is read line by line; memory holds one record."""
    lines = _content_lines(stream)
    first = next(lines, None)
    if first is None:
        yield RunProblem(file=file, line=0, path="", message="holds no runs")
        return
    if _is_object_text(first[1]):
        yield from _read_line(first, file)
        for line in lines:
            yield from _read_line(line, file)
        return
    # The first line is no complete object: a pretty-printed document, an array, or a broken first record.
    yield from _read_whole([first, *lines], file)


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
        raise InputError(f"a run is a Run, a dict or a path, not a {type(source).__name__}")
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

    The first complete object on a line decides; else the keys seen in the first, unfinished object.
    """
    for line in head.removeprefix(_BOM).splitlines()[:20]:
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


def _content_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 0
    while True:
        line = stream.readline(MAX_RECORD_BYTES + 1)
        if not line:
            return
        number += 1
        if len(line) > MAX_RECORD_BYTES:
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_RECORD_BYTES)
            yield number, b""
            continue
        if number == 1:
            line = line.removeprefix(_BOM)
        if line.strip():
            yield number, line


def _is_object_text(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _read_line(line: tuple[int, bytes], file: str) -> Iterator[LoadedRun | RunProblem]:
    number, data = line
    if not data:
        yield RunProblem(file=file, line=number, path="", message=f"the line is longer than {MAX_RECORD_BYTES} bytes")
        return
    value = _decode(data.strip(), number)
    if isinstance(value, _BadText):
        yield RunProblem(file=file, line=value.line, path="$", message=value.message)
        return
    yield from _read_value(value, file, number)


def _read_whole(lines: list[tuple[int, bytes]], file: str) -> Iterator[LoadedRun | RunProblem]:
    start = lines[0][0]
    value = _decode(_join(lines), start)
    if not isinstance(value, _BadText):
        runs = value if isinstance(value, list) else [value]
        if not runs:
            yield RunProblem(file=file, line=0, path="", message="holds no runs")
        for index, run in enumerate(runs):
            yield from _read_value(run, file, start, root=f"$[{index}]" if isinstance(value, list) else "$")
        return
    if len(lines) > 1 and any(_is_object_text(data) for _, data in lines[1:]):
        for line in lines:
            yield from _read_line(line, file)
        return
    yield RunProblem(file=file, line=value.line, path="$", message=value.message)


def _join(lines: list[tuple[int, bytes]]) -> bytes:
    """Put the lines back with their blank ones, so that positions in messages stay true."""
    parts: list[bytes] = []
    expected = lines[0][0]
    for number, data in lines:
        parts.append(b"\n" * (number - expected))
        parts.append(data)
        expected = number + 1
    return b"".join(parts)


def _read_value(value: Any, file: str, line: int, root: str = "$") -> Iterator[LoadedRun | RunProblem]:
    parsed = parse_run(value)
    if isinstance(parsed, Run):
        yield LoadedRun(run=parsed, file=file, line=line)
        return
    for fault in parsed:
        yield _as_problem(fault, file, line, root)


def _as_problem(fault: Fault, file: str, line: int, root: str) -> RunProblem:
    return RunProblem(file=file, line=line, path=root + fault.path.removeprefix("$"), message=fault.message)


class _BadText(Struct, frozen=True):
    """Why a text is no JSON that can be used, and the line of the file where that shows."""

    line: int
    message: str


class _Refused(ValueError):
    """Raised inside the JSON reader for values that JSON allows or Python accepts and a run may not hold."""


def _decode(data: bytes, line: int) -> Any:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _BadText(line + data.count(b"\n", 0, error.start), f"not UTF-8 text (byte {error.start})")
    if _nests_too_deep(text):
        return _BadText(line, f"nested deeper than {MAX_DEPTH} levels")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant, parse_int=_read_int)
    except json.JSONDecodeError as error:
        return _BadText(line + error.lineno - 1, f"not valid JSON: {error.msg} (column {error.colno})")
    except _Refused as error:
        return _BadText(line, str(error))
    except RecursionError:
        return _BadText(line, f"nested deeper than {MAX_DEPTH} levels")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Refused(f"the key {key[:60]!a} appears twice in one object")
            seen.add(key)
    return built


def _refuse_constant(name: str) -> Any:
    raise _Refused(f"{name} is not a JSON number")


def _read_int(digits: str) -> int:
    # Python refuses to turn over 4,300 digits into a number, and does so with an error that names no place.
    if len(digits) > 400:
        raise _Refused(f"a number of {len(digits)} digits is too large")
    return int(digits)


def _nests_too_deep(text: str) -> bool:
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    depth = 0
    in_string = False
    for match in _STRUCTURE.finditer(text):
        char = match[0]
        if char == '"':
            in_string = not in_string
        elif in_string or char[0] == "\\":
            continue
        elif char in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        else:
            depth -= 1
    return False
