"""The reports of ``bench`` and ``train`` as the page shows them: tables and texts, read from their folders.

A reader must not miss: the files are read anew each time and shown as they are. Nothing is measured here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.results.page.shown import clean

_LARGEST = 4 << 20
"""Bytes of a file that is still shown."""
_TEXT = 60_000
_CELL = 60
_MOST_FILES = 40
_MOST_ROWS = 60
_ORDER = ("bench", "calibration", "classifier", "text", "json")
"""Tables first, raw files last."""
_KINDS = (".json", ".md")


def read_reports(places: Sequence[Path]) -> list[dict[str, Any]]:
    """Return one entry a file: ``name``, ``kind`` (bench, calibration, classifier, text or json) and what it holds.

    ``places`` are folders that ``bench --out`` or ``train`` wrote, or single files. What cannot be read says so.
    """
    read = [_read(path) for path in _files(places)]
    return sorted(read, key=lambda entry: _ORDER.index(entry["kind"]))


def _files(places: Sequence[Path]) -> Iterator[Path]:
    found = (
        path
        for place in places
        for path in (sorted(place.iterdir()) if place.is_dir() else [place])
        if path.suffix in _KINDS and path.is_file()
    )
    for index, path in enumerate(found):
        if index >= _MOST_FILES:
            return
        yield path


def _read(path: Path) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": printable(path.name), "folder": printable(str(path.parent))}
    try:
        if path.stat().st_size > _LARGEST:
            return entry | {"kind": "text", "text": "too large to show"}
        data = path.read_bytes()
        if path.suffix == ".md":
            return entry | {"kind": "text", "text": clean(shorten(data.decode("utf-8", "replace"), _TEXT))}
        return entry | _of_json(msgspec.json.decode(data))
    except OSError as error:
        return entry | {"kind": "text", "text": f"cannot be read: {error.strerror}"}
    except (msgspec.MsgspecError, RecursionError):
        return entry | {"kind": "text", "text": "is not JSON"}


def _of_json(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        if isinstance(value.get("detectors"), dict):
            return {"kind": "bench", "tables": list(_bench_tables(value))}
        if isinstance(value.get("calibrators"), dict):
            rows = {str(key): _flat(item) for key, item in value["calibrators"].items() if isinstance(item, dict)}
            return {"kind": "calibration", "tables": [_table("Calibrators", rows)]}
        if isinstance(value.get("features"), list) and isinstance(value.get("coef"), list):
            pairs = zip(value["features"], value["coef"], strict=False)
            ranked = sorted(pairs, key=lambda pair: -abs(pair[1]) if isinstance(pair[1], int | float) else 0)
            weights = {str(name): {"weight": weight} for name, weight in ranked}
            return {"kind": "classifier", "tables": [_table("Weights, the largest first", weights)]}
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode("utf-8")
    return {"kind": "json", "text": clean(shorten(text, _TEXT))}


def _bench_tables(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    detectors = {str(name): _flat(row) for name, row in report["detectors"].items() if isinstance(row, dict)}
    yield _table("Detectors", detectors)
    for key in ("recall_by_kind", "evidence_breakdown", "parse_error_rates", "hypotheses"):
        part = report.get(key)
        if isinstance(part, dict):
            rows = {str(name): _flat(row) if isinstance(row, dict) else {"value": row} for name, row in part.items()}
            yield _table(key.replace("_", " ").capitalize(), rows)


def _flat(row: dict[str, Any], before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in row.items():
        name = f"{before} {key}".strip().replace("_", " ")
        if isinstance(value, dict):
            flat |= _flat(value, name)
        else:
            flat[name] = value
    return flat


def _table(title: str, rows: dict[str, dict[str, Any]]) -> dict[str, Any]:
    kept = dict(list(rows.items())[:_MOST_ROWS])
    columns = list(dict.fromkeys(name for row in kept.values() for name in row))[:_MOST_ROWS]
    return {
        "title": printable(title),
        "columns": [printable(name.replace("_", " ")) for name in columns],
        "rows": [[printable(name), *(_cell(row.get(column)) for column in columns)] for name, row in kept.items()],
    }


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list | dict):
        return shorten(printable(msgspec.json.encode(value).decode("utf-8")), _CELL)
    return shorten(printable(str(value)), _CELL)
