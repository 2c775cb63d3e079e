"""Reads tool definitions: OpenAI and Anthropic tool lists, MCP ``tools/list`` answers, OpenAPI documents.

A reader must not miss: these files come from anywhere. References are followed only inside the document and only a few
levels deep, and whatever is not a definition is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from agent_claimcheck.evidence.effects import read_effect
from agent_claimcheck.evidence.tool_names import EffectKind, NameReading, read_tool_name
from agent_claimcheck.trace.model import Step, ToolDef

MAX_TOOLS = 2_000
_MAX_DEPTH = 6
_MAX_FIELDS = 200
_METHODS = ("get", "head", "post", "put", "patch", "delete")


class DefinedTool(Struct, frozen=True, kw_only=True):
    """One tool: what it is called, what it takes, what it gives back as far as the definition says.

    ``params`` and ``results`` map a dotted path to its JSON type (``string``, ``array`` ...).
    """

    name: str
    description: str = ""
    params: dict[str, str] = {}
    results: dict[str, str] = {}
    kind: EffectKind = "unknown"
    verb_class: str | None = None

    @property
    def reading(self) -> NameReading:
        """What the name says."""
        return read_tool_name(self.name)


def read_definitions(document: Any) -> list[DefinedTool]:
    """Return the tools with a name that a parsed JSON or YAML document defines, each once; none for anything else."""
    found: dict[str, DefinedTool] = {}
    for tool in _tools_in(document, 0):
        if tool.name.strip() and len(found) < MAX_TOOLS:
            found.setdefault(tool.name, tool)
    return list(found.values())


def _tools_in(document: Any, depth: int) -> Iterator[DefinedTool]:
    if isinstance(document, dict):
        if isinstance(document.get("paths"), dict):
            yield from _of_openapi(document)
            return
        for key in ("tools", "functions", "result"):
            if key in document and depth < 3:
                yield from _tools_in(document[key], depth + 1)
        if isinstance(document.get("name"), str) or isinstance(document.get("function"), dict):
            tool = _of_entry(document)
            if tool is not None:
                yield tool
    elif isinstance(document, list) and depth < 4:
        for entry in document[:MAX_TOOLS]:
            yield from _tools_in(entry, depth + 1)


def _of_entry(entry: dict[str, Any]) -> DefinedTool | None:
    inner = entry.get("function")
    body = inner if isinstance(inner, dict) else entry
    name = body.get("name")
    schema = next((body[key] for key in ("parameters", "input_schema", "inputSchema") if key in body), None)
    is_tool = isinstance(inner, dict) or schema is not None or entry.get("type") == "function"
    if not isinstance(name, str) or not is_tool:
        return None
    hints = entry.get("annotations")
    is_read = isinstance(hints, dict) and hints.get("readOnlyHint") is True
    return _tool(
        name,
        body.get("description"),
        _fields(schema, schema, 0),
        _fields(body.get("outputSchema"), body.get("outputSchema"), 0),
        is_read=is_read,
    )


def _tool(
    name: str, description: Any, params: dict[str, str], results: dict[str, str], *, is_read: bool, method: str = ""
) -> DefinedTool:
    text = description if isinstance(description, str) else ""
    call = Step(i=0, ts="2000-01-01", kind="tool_call", role="agent", name=name)
    effect = read_effect(call, None, ToolDef(name=name, description=text))
    kind: EffectKind = effect.kind
    if is_read or method in ("get", "head"):
        kind = "read"
    elif method and kind != "read":
        kind = "write"
    verb_class = effect.verb_class or {"delete": "deleted", "put": "updated", "patch": "updated"}.get(method)
    return DefinedTool(
        name=name,
        description=text,
        params=params,
        results=results,
        kind=kind,
        verb_class=None if kind == "read" else verb_class,
    )


def _of_openapi(document: dict[str, Any]) -> Iterator[DefinedTool]:
    for path, item in list(document["paths"].items())[:MAX_TOOLS]:
        if not isinstance(item, dict) or not isinstance(path, str):
            continue
        for method in _METHODS:
            operation = item.get(method)
            if isinstance(operation, dict):
                yield _of_operation(document, path, method, item, operation)


def _of_operation(
    document: dict[str, Any], path: str, method: str, item: dict[str, Any], operation: dict[str, Any]
) -> DefinedTool:
    params: dict[str, str] = {}
    for group in (item.get("parameters"), operation.get("parameters")):
        for entry in group if isinstance(group, list) else []:
            entry = _resolve(entry, document, 0)
            if isinstance(entry, dict) and isinstance(entry.get("name"), str) and entry.get("in") in ("path", "query"):
                schema = _resolve(entry.get("schema"), document, 0)
                params[entry["name"]] = _type_of(schema)
    params |= _fields(_content_schema(operation.get("requestBody"), document), document, 0)
    results: dict[str, str] = {}
    responses = operation.get("responses")
    for code, response in responses.items() if isinstance(responses, dict) else ():
        if str(code).startswith("2"):
            results |= _fields(_content_schema(response, document), document, 0)
    name = operation.get("operationId")
    if not isinstance(name, str) or not name.strip():
        words = [part for part in path.split("/") if part and not part.startswith("{")]
        name = "_".join([method, *words])
    described = operation.get("summary") or operation.get("description")
    return _tool(name, described, params, results, is_read=False, method=method)


def _content_schema(part: Any, document: dict[str, Any]) -> Any:
    part = _resolve(part, document, 0)
    if not isinstance(part, dict):
        return None
    content = part.get("content")
    if isinstance(content, dict):
        media = content.get("application/json") or next(iter(content.values()), None)
        return media.get("schema") if isinstance(media, dict) else None
    return part.get("schema")


def _resolve(value: Any, document: Any, hops: int) -> Any:
    """Follow ``$ref`` inside the document, at most ten times."""
    while isinstance(value, dict) and isinstance(value.get("$ref"), str) and hops < 10:
        hops += 1
        target: Any = document
        if not value["$ref"].startswith("#/"):
            return None
        for part in value["$ref"][2:].split("/"):
            part = part.replace("~1", "/").replace("~0", "~")
            target = target.get(part) if isinstance(target, dict) else None
        value = target
    return value


def _fields(schema: Any, document: Any, depth: int) -> dict[str, str]:
    """Return the dotted paths of an object schema with their types. Objects inside are opened, lists are not."""
    schema = _resolve(schema, document, 0)
    if not isinstance(schema, dict) or depth >= _MAX_DEPTH:
        return {}
    found: dict[str, str] = {}
    parts = schema.get("allOf")
    for part in parts if isinstance(parts, list) else []:
        found |= _fields(part, document, depth + 1)
    properties = schema.get("properties")
    for name, inner in properties.items() if isinstance(properties, dict) else ():
        if not isinstance(name, str) or len(found) >= _MAX_FIELDS:
            break
        if not name.strip() or any(mark in name for mark in '."') or name != name.strip():
            continue
        inner = _resolve(inner, document, 0)
        kind = _type_of(inner)
        if kind == "object":
            below = _fields(inner, document, depth + 1)
            found |= {f"{name}.{path}": kind_below for path, kind_below in below.items()}
            if below:
                continue
        found[name] = kind
    return found


def _type_of(schema: Any) -> str:
    if not isinstance(schema, dict):
        return "any"
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "any")
    if isinstance(kind, str):
        return kind
    return "object" if isinstance(schema.get("properties"), dict) else "any"
