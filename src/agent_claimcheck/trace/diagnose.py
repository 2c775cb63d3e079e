"""The careful path: reads one document again, repairs what may be repaired and names everything that is wrong.

A reader must not miss: this path decides. A line the fast path would not take is either read here (``i`` written as
``0.0``, lone surrogates, odd spellings) or comes back as the full list of its faults, each with its JSON path.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Any

import msgspec

from agent_claimcheck.core.byte_order_marks import UTF16_MARKS
from agent_claimcheck.core.json_faults import explain_syntax
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.trace.limits import MAX_DEPTH, MAX_INTEGER, MAX_LINE_BYTES, MIN_INTEGER
from agent_claimcheck.trace.model import Trace, TraceProblem, Where
from agent_claimcheck.trace.schema import TRACE_SCHEMAS, Fault, Schema, child_path, load_schema, show
from agent_claimcheck.trace.versions import up
from agent_claimcheck.trace.wire import Mismatch, TraceV1, TraceV2, build_v1, build_v2

NOTE_SURROGATES = "lone surrogates were replaced"

# Nobody reads on after this many, and a hostile line could hold millions.
MAX_FAULTS = 100

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{]|[\]}]', re.DOTALL)


class _Number:
    """A number that JSON or 64 bits cannot hold, kept until its path is known."""

    def __init__(self, text: str) -> None:
        self.text = text


class _Repeating(dict[str, Any]):
    """An object in which keys came more than once."""

    repeated: tuple[str, ...] = ()


class Document:
    """A parsed JSON document: its ``value``, what was repaired, and the ``faults`` found while parsing.

    ``number_paths`` are the places where a number nobody can hold was replaced by zero.
    """

    def __init__(
        self,
        value: Any,
        faults: list[Fault],
        notes: tuple[str, ...] = (),
        number_paths: frozenset[str] = frozenset(),
    ) -> None:
        self.value = value
        self.faults = faults
        self.notes = notes
        self.number_paths = number_paths

    def all_faults(self, schema: Schema) -> list[Fault]:
        """Return the faults of parsing and those against ``schema``, each value named for one reason only."""
        if self.value is None and self.faults:
            return self.faults
        found = (fault for fault in schema.faults(self.value) if fault[0] not in self.number_paths)
        # One more than are shown, to know that there are more.
        return [*self.faults, *islice(found, MAX_FAULTS + 1)]


def diagnose(data: bytes, where: Where, *, lift: bool = True) -> Trace | list[TraceProblem]:
    """Return the trace in ``data``, or all its faults, sorted by path and message. Never raises for any bytes."""
    document = parse_document(data)
    if document.faults and not isinstance(document.value, dict):
        return problems(document.faults, where)
    schema, schema_faults = _choose_schema(document.value)
    faults = document.faults + schema_faults if schema is None else document.all_faults(schema)
    if not faults:
        faults = _sense_faults(document.value)
    if faults:
        return problems(faults, where)
    try:
        if document.value["schema"] == TRACE_SCHEMAS[0]:
            trace = build_v1(msgspec.convert(document.value, TraceV1), where, document.notes)
            return up(trace) if lift else trace
        return build_v2(msgspec.convert(document.value, TraceV2), where, document.notes)
    except (msgspec.ValidationError, Mismatch, RecursionError) as error:
        return problems([("$", f"does not fit the format: {printable(str(error))}")], where)


def parse_document(data: bytes) -> Document:
    """Parse one JSON document with care; shared by traces and probes.

    Refused: text that is not UTF-8, over 64 MiB, deeper than 200 levels or not JSON. Found with their paths: repeated
    keys, NaN and infinities, integers beyond 64 bits. Lone surrogates become U+FFFD, with a note.
    """
    text, fault = _decode_text(data)
    if fault is None and _is_too_deep(text):
        fault = f"is nested more than {MAX_DEPTH} levels deep"
    if fault is not None:
        return Document(None, [("$", fault)])
    try:
        cleaner = _Cleaner()
        value = cleaner.clean(_careful.decode(text), "$")
    except json.JSONDecodeError as error:
        return Document(None, [("$", explain_syntax(error, text))])
    except RecursionError:
        # Within the limit, yet too deep for what the caller left of the stack.
        return Document(None, [("$", "is nested too deep to be read here")])
    notes = (NOTE_SURROGATES,) if cleaner.has_replaced else ()
    return Document(value, cleaner.faults, notes, frozenset(cleaner.number_paths))


def problems(faults: Iterable[Fault], where: Where) -> list[TraceProblem]:
    """Return ``faults`` as sorted ``TraceProblem`` records, the surplus over ``MAX_FAULTS`` named in one."""
    ordered = sorted(set(faults))
    shown = [TraceProblem(file=where.file, line=where.line, path=p, message=m) for p, m in ordered[:MAX_FAULTS]]
    if len(ordered) > MAX_FAULTS:
        message = f"has more faults; only the first {MAX_FAULTS} are listed"
        shown.append(TraceProblem(file=where.file, line=where.line, path="$", message=message))
    return shown


def _decode_text(data: bytes) -> tuple[str, str | None]:
    if len(data) > MAX_LINE_BYTES:
        return "", f"is longer than {MAX_LINE_BYTES // (1024 * 1024)} MiB"
    if data.startswith(UTF16_MARKS) or b"\x00" in data[:64]:
        return "", "is not UTF-8 text, it looks like UTF-16; save the file as UTF-8"
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError as error:
        byte = data[error.start]
        return "", f"is not UTF-8 text: byte 0x{byte:02x} at position {error.start + 1}; save the file as UTF-8"


def _is_too_deep(text: str) -> bool:
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return False
    depth = 0
    for match in _TOKEN.finditer(text):
        first = match[0][0]
        if first in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif first != '"':
            depth -= 1
    return False


def _read_integer(text: str) -> Any:
    if len(text) > 20:
        return _Number(text)
    value = int(text)
    return value if MIN_INTEGER <= value <= MAX_INTEGER else _Number(text)


def _read_float(text: str) -> Any:
    value = float(text)
    return _Number(text) if value in (float("inf"), float("-inf")) else value


def _read_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    result = _Repeating(found)
    result.repeated = tuple(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    return result


_careful = json.JSONDecoder(
    object_pairs_hook=_read_pairs, parse_int=_read_integer, parse_float=_read_float, parse_constant=_Number
)


class _Cleaner:
    """Walks a parsed value once: collects what the parse hooks marked and replaces lone surrogates."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.number_paths: set[str] = set()
        self.has_replaced = False

    def clean(self, value: Any, path: str) -> Any:
        if isinstance(value, str):
            return self._clean_text(value)
        if isinstance(value, list):
            return [item if item is None else self.clean(item, f"{path}[{i}]") for i, item in enumerate(value)]
        if isinstance(value, dict):
            return self._clean_object(value, path)
        if isinstance(value, _Number):
            self._add(path, _explain_number(value.text))
            self.number_paths.add(path)
            return 0
        return value

    def _clean_object(self, value: dict[str, Any], path: str) -> dict[str, Any]:
        if isinstance(value, _Repeating):
            for key in value.repeated:
                self._add(path, f"key {show(key)} comes more than once")
        result: dict[str, Any] = {}
        for key, item in value.items():
            clean_key = self._clean_text(key)
            if clean_key in result:
                self._add(path, f"key {show(clean_key)} comes more than once after lone surrogates were replaced")
            result[clean_key] = self.clean(item, child_path(path, clean_key))
        return result

    def _clean_text(self, text: str) -> str:
        if text.isascii():
            return text
        clean = _LONE_SURROGATE.sub("\ufffd", text)
        if clean != text:
            self.has_replaced = True
        return clean

    def _add(self, path: str, message: str) -> None:
        if len(self.faults) <= MAX_FAULTS:
            self.faults.append((path, message))


def _explain_number(text: str) -> str:
    if text in ("NaN", "Infinity", "-Infinity"):
        return f"{text} is not a JSON number"
    if text.removeprefix("-").isdecimal():
        return f"integer {shorten(text, 30)} does not fit 64 bits"
    return f"number {shorten(text, 30)} is out of range"


def _choose_schema(value: Any) -> tuple[Schema | None, list[Fault]]:
    supported = " and ".join(TRACE_SCHEMAS)
    if not isinstance(value, dict):
        return None, [("$", f"expected a trace object, got {show(value)}")]
    if "schema" not in value:
        return None, [("$", f'required field "schema" is missing; supported are {supported}')]
    name = value["schema"]
    if name not in TRACE_SCHEMAS:
        return None, [("$.schema", f"unknown schema {show(name)}; supported are {supported}")]
    return load_schema(name.replace("/", "-")), []


def _sense_faults(value: dict[str, Any]) -> list[Fault]:
    """Return what a schema cannot say: steps out of order, and content blocks given twice."""
    faults: list[Fault] = []
    last = -1
    for index, step in enumerate(value["steps"]):
        if step["i"] <= last:
            faults.append((f"$.steps[{index}].i", f"is {step['i']}, must be greater than {last}, the one before"))
        last = max(last, step["i"])
        if isinstance(step.get("content"), list) and step.get("blocks") is not None:
            faults.append((f"$.steps[{index}].blocks", "content blocks are given twice, in content and in blocks"))
    return faults
