"""Read the list of tools an agent was offered, as the frameworks write it.

A reader must not miss: an empty or unreadable list gives ``None`` ("not known"), never "no tools".
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.foreign_json import bounded, items, loose_json, mapping, string
from agent_claimcheck.trace.model import ToolDef


def tool_defs(value: Any) -> list[ToolDef] | None:
    """Read tool definitions of any framework: OpenAI, Anthropic, MCP, Gemini, plain names."""
    found: list[ToolDef] = []
    for raw in items(loose_json(value)):
        item = loose_json(raw)
        if isinstance(item, str):
            found.append(ToolDef(name=item))
            continue
        table = mapping(item)
        table = mapping(table.get("function")) or table
        declarations = items(table.get("function_declarations") or table.get("functionDeclarations")) or [table]
        for declared in declarations:
            entry = mapping(declared)
            name = string(entry.get("name"))
            if name is None:
                continue
            schema = loose_json(
                entry.get("parameters") or entry.get("input_schema") or entry.get("inputSchema") or entry.get("params")
            )
            found.append(
                ToolDef(
                    name=name,
                    description=string(entry.get("description")),
                    parameters=bounded(schema) if isinstance(schema, dict) else None,
                )
            )
    return found or None
