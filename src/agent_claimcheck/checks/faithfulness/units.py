"""Evidence cut into units: one record, one table row or one sentence each, with the values that stand in it.

A reader must not miss: only what tools returned and what lies in artifacts is evidence. The agent's own arguments,
thoughts and messages are not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from agent_claimcheck.checks.faithfulness.lexicon import lexicon, stems
from agent_claimcheck.checks.faithfulness.readings import Reading, read_scalar, read_values
from agent_claimcheck.checks.run import Run

MAX_UNITS = 3_000
MAX_PIECE = 400_000  # characters of one output that are read; a cut is marked in the check's metadata
_MAX_DEPTH = 30
_LONG_TEXT = 200
_KEY_LINE = re.compile(r"^\s{0,40}(?:- )?[\"']?([A-Za-z][\w .-]{0,40})[\"']?\s{0,2}[:=]\s+(\S.{0,400})$")
_FILE = re.compile(r"(?<![\w/])[\w-]{1,60}(?:/[\w.-]{1,60}){0,8}\.[A-Za-z]{1,5}(?!\w)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'(])|\n+")


class Piece(Struct, frozen=True, kw_only=True):
    """One text of evidence and where it stands in the run."""

    text: str
    step: int | None
    subject: str
    location: str
    is_cut: bool = False


class Cell(Struct, frozen=True, kw_only=True):
    """One value of a unit. ``key`` holds the stems of its name or of the words around it, ``raw`` the value as text.

    ``readings`` are the values read in it; ``flag`` is set for true and false.
    """

    key: frozenset[str]
    raw: str
    readings: tuple[Reading, ...] = ()
    flag: bool | None = None
    name: str = ""

    @property
    def shown(self) -> str:
        """Name and value for a reason, the value cut to its first 60 characters."""
        return f"{self.name}: {self.raw[:60]}" if self.name else self.raw[:60]


class Unit(Struct, frozen=True, kw_only=True):
    """One record, row or sentence. ``group`` is the same for the members of one list.

    ``is_record`` is true where keys name the values, ``is_parsed`` where JSON or a table says so and not just a colon.
    """

    piece: int
    cells: tuple[Cell, ...]
    words: frozenset[str]
    group: int = -1
    names: frozenset[str] = frozenset()
    is_record: bool = False
    is_parsed: bool = False


class Listing(Struct, frozen=True, kw_only=True):
    """One list of the evidence: what it is called, how long it is, and which units are its members (none for scalars)."""

    name: frozenset[str]
    size: int
    piece: int
    group: int


def pieces_of(run: Run) -> list[Piece]:
    """Return the texts of evidence of a run: outputs, and artifacts with text."""
    pieces: list[Piece] = []

    def add(text: str, step: int | None, subject: str, location: str) -> None:
        if text.strip():
            cut = len(text) > MAX_PIECE
            pieces.append(Piece(text=text[:MAX_PIECE], step=step, subject=subject, location=location, is_cut=cut))

    for position, number, call, _ in run.placed_calls():
        add(call.output, number, call.name, f"steps[{position}].tool_call.output")
        for index, artifact in enumerate(call.artifacts):
            add(artifact.text or "", number, call.name, f"steps[{position}].tool_call.artifacts[{index}]")
    for index, artifact in enumerate(run.artifacts):
        add(artifact.text or "", None, artifact.name or artifact.id or "artifact", f"artifacts[{index}]")
    return pieces


class UnitReader:
    """Reads pieces into units and listings."""

    def __init__(self) -> None:
        self.units: list[Unit] = []
        self.listings: list[Listing] = []
        self._groups = 0
        self._piece = 0

    def read(self, piece: int, text: str) -> None:
        """Read one piece. Never raises."""
        self._piece = piece
        value = _as_json(text)
        if isinstance(value, dict | list):
            self._read_json(value, frozenset(), "", -1, 0)
        else:
            self._read_text(text)

    def _add(self, cells: list[Cell], extra: frozenset[str], group: int, *, kind: str, names: set[str]) -> None:
        if len(self.units) >= MAX_UNITS or not cells:
            return
        words = set(extra)
        for cell in cells:
            words |= cell.key
            if len(cell.raw) <= _LONG_TEXT * 4:
                words |= stems(cell.raw)
        self.units.append(
            Unit(
                piece=self._piece,
                cells=tuple(cells),
                words=frozenset(words),
                group=group,
                is_record=kind != "sentence",
                is_parsed=kind == "parsed",
                names=frozenset(names),
            )
        )

    def _read_json(self, value: Any, inherited: frozenset[str], name: str, group: int, depth: int) -> None:
        if depth > _MAX_DEPTH or len(self.units) >= MAX_UNITS:
            return
        if isinstance(value, list):
            self._groups += 1
            own = self._groups
            self.listings.append(Listing(name=stems(name), size=len(value), piece=self._piece, group=own))
            for item in value[:MAX_UNITS]:
                if isinstance(item, dict | list):
                    self._read_json(item, inherited, name, own, depth + 1)
            return
        cells: list[Cell] = []
        names: set[str] = set()
        nested: list[tuple[str, Any]] = []
        for key, item in list(value.items())[:500]:
            cell = _cell(str(key), item)
            if cell is not None:
                cells.append(cell)
            elif isinstance(item, list) and item and all(not isinstance(part, dict | list) for part in item):
                self.listings.append(Listing(name=stems(str(key)), size=len(item), piece=self._piece, group=-1))
                cells.extend(_list_cells(str(key), item))
            elif isinstance(item, dict | list):
                nested.append((str(key), item))
        for cell in cells:
            names |= _names_of(cell)
        if group == -1 and name and not depth <= 0:
            names.add(" ".join(name.casefold().replace("_", " ").split()))
        self._add(cells, inherited | stems(name), group, kind="parsed", names=names)
        handed = (
            inherited
            | stems(name)
            | frozenset(word for cell in cells if cell.readings for word in stems(cell.raw[:60]))
        )
        for key, item in nested:
            self._read_json(item, handed, key, -1, depth + 1)

    def _read_text(self, text: str) -> None:
        table = _table(text)
        if table is not None:
            header, rows = table
            self._groups += 1
            own = self._groups
            self.listings.append(Listing(name=frozenset(), size=len(rows), piece=self._piece, group=own))
            for row in rows:
                cells = [_text_cell(stems(key), part, key) for key, part in zip(header, row, strict=False) if part]
                names = {name for cell in cells for name in _names_of(cell)}
                self._add(cells, frozenset(), own, kind="parsed", names=names)
            return
        block: list[Cell] = []
        for line in _SENTENCE.split(text):
            if not line or not line.strip():
                continue
            found = _KEY_LINE.match(line) if ":" in line or "=" in line else None
            if found and len(stems(found[1])) <= 4 and sum(r.kind == "number" for r in read_values(found[2])) <= 1:
                if line.lstrip().startswith("- ") and block:
                    self._flush(block)
                    block = []
                block.append(_text_cell(stems(found[1]), found[2].strip().strip("\"',"), found[1]))
                continue
            if block:
                self._flush(block)
                block = []
            self._sentence(line)
        if block:
            self._flush(block)

    def _flush(self, block: list[Cell]) -> None:
        names = {name for cell in block for name in _names_of(cell)}
        self._add(block, frozenset(), -1, kind="lines", names=names)

    def _sentence(self, line: str) -> None:
        """One cell a value, each with the words around it, so that a value is compared in its own surroundings."""
        line = line[:4_000]
        readings = read_values(line)
        cells = [
            Cell(key=_around(line, place, readings), raw=reading.raw, readings=(reading,))
            for place, reading in enumerate(readings)
        ]
        if not cells:
            cells = [Cell(key=frozenset(), raw=line)]
        names = {reading.norm for reading in readings if reading.kind in ("name", "code")}
        names |= {found[0].lower() for found in _FILE.finditer(line)}
        self._add(cells, stems(line), -1, kind="sentence", names=names)


def _around(line: str, place: int, readings: list[Reading]) -> frozenset[str]:
    """Return the words that belong to a value: from the value before it on, and up to the next break after it."""
    reading = readings[place]
    begin = max(
        [reading.start - 40, *(other.end for other in readings[max(0, place - 3) : place] if other.kind != "name")]
    )
    after = line[reading.end : reading.end + 30]
    for mark in (",", ";", ".", " and ", "("):
        after = after.split(mark, 1)[0]
    return stems(line[max(0, begin) : reading.start]) | stems(after) | ({reading.noun} if reading.noun else set())


def _cell(key: str, item: Any) -> Cell | None:
    if item is None:
        return Cell(key=stems(key), raw="null", name=key)
    if isinstance(item, bool):
        return Cell(key=stems(key), raw="true" if item else "false", flag=item, name=key)
    if isinstance(item, int | float):
        reading = read_scalar(item, key)
        return Cell(key=stems(key), raw=repr(item)[:60], readings=(reading,) if reading else (), name=key)
    return _text_cell(stems(key), item, key) if isinstance(item, str) else None


def _list_cells(key: str, items: list[Any]) -> Iterator[Cell]:
    for item in items[:100]:
        cell = _cell(key, item)
        if cell is not None:
            yield cell


def _text_cell(key: frozenset[str], text: str, name: str) -> Cell:
    flag = {"true": True, "false": False}.get(text.strip().lower())
    readings = read_values(text[:4_000], is_cell=len(text) <= 60)
    if (
        len(readings) == 1
        and readings[0].kind == "number"
        and not readings[0].unit
        and readings[0].end == len(text.strip())
    ):
        scalar = _scalar_of(text, name)
        readings = [scalar] if scalar is not None else readings
    return Cell(key=key, raw=text[:4_000], readings=tuple(readings), flag=flag, name=name)


def _scalar_of(text: str, name: str) -> Reading | None:
    plain = text.strip().replace(",", "")
    try:
        return read_scalar(float(plain) if "." in plain else int(plain), name)
    except ValueError:
        return None


def _names_of(cell: Cell) -> set[str]:
    """Return what in a cell can name its record: short texts that are no state and no number."""
    text = " ".join(cell.raw.casefold().split())
    if (
        cell.flag is not None
        or not 2 <= len(text) <= 60
        or text in lexicon().units
        or text.replace(".", "").replace(",", "").isdigit()
    ):
        return set()
    if cell.readings and all(reading.kind in ("number", "date", "time") for reading in cell.readings):
        return set()
    return {text}


def _as_json(text: str) -> Any:
    stripped = text.strip()
    if stripped[:1] not in ("{", "["):
        return None
    try:
        return json.loads(stripped)
    except (ValueError, RecursionError):
        return _as_literal(stripped)


def _as_literal(text: str) -> Any:
    """Read a Python literal, which is how some tools print their records."""
    if len(text) > 100_000 or text.count("{") + text.count("[") > 5_000:
        return None
    import ast

    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _table(text: str) -> tuple[list[str], list[list[str]]] | None:
    """Read a table with a header: columns parted by | or by commas, three lines or more of the same width."""
    lines = [line.strip() for line in text.strip().split("\n", 2_000)[:2_000] if line.strip()]
    if len(lines) < 3:
        return None
    for mark in ("|", ",", "\t"):
        rows = [[part.strip() for part in line.strip(mark).split(mark)] for line in lines]
        width = len(rows[0])
        if (
            width >= 2
            and all(len(row) == width for row in rows)
            and all(rows[0])
            and not any(part[:1].isdigit() for part in rows[0])
        ):
            return rows[0], [row for row in rows[1:] if not all(set(part) <= set("-: ") for part in row)]
    return None
