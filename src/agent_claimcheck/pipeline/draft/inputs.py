"""Tells files of tool definitions from files of traces, so that a draft takes both on one command line.

A reader must not miss: a file with messages or steps is a record of runs, even when it lists tools as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from agent_claimcheck.core.byte_order_marks import UTF8_MARK
from agent_claimcheck.packs.document import MAX_CHARACTERS, plain, read_document
from agent_claimcheck.pipeline.draft.definitions import DefinedTool, read_definitions

MAX_BYTES = 20_000_000
_SUFFIXES = frozenset({".json", ".yaml", ".yml"})
_RUN_KEYS = frozenset(
    {"messages", "steps", "trajectory", "spans", "resourceSpans", "events", "runs", "trace_id", "input"}
)


def split_inputs(inputs: Sequence[str]) -> tuple[list[DefinedTool], list[str], list[str]]:
    """Return the defined tools, the inputs they came from, and the inputs that are to be read as traces."""
    tools: dict[str, DefinedTool] = {}
    sources: list[str] = []
    traces: list[str] = []
    for item in inputs:
        found = _definitions_in(item)
        if found:
            sources.append(item)
            for tool in found:
                tools.setdefault(tool.name, tool)
        else:
            traces.append(item)
    return list(tools.values()), sources, traces


def _definitions_in(item: str) -> list[DefinedTool]:
    path = Path(item)
    if path.suffix.lower() not in _SUFFIXES or not path.is_file() or path.stat().st_size > MAX_BYTES:
        return []
    document = _parse(path)
    if isinstance(document, dict) and _RUN_KEYS & document.keys():
        return []
    if isinstance(document, list) and any(isinstance(one, dict) and _RUN_KEYS & one.keys() for one in document[:20]):
        return []
    return read_definitions(document)


def _parse(path: Path) -> Any:
    """Return the document of a JSON or YAML file, ``None`` for anything else."""
    data = path.read_bytes()
    try:
        return msgspec.json.decode(data.removeprefix(UTF8_MARK))
    except (msgspec.DecodeError, ValueError, RecursionError):
        pass
    text = data.decode("utf-8", "replace")
    if path.suffix.lower() == ".json" or len(text) > MAX_CHARACTERS:
        return None
    root, _ = read_document(text)
    return plain(root) if root is not None else None
