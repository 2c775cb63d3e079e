"""Rebuild nested values from flattened attribute names such as ``llm.input_messages.10.message.role``.

A reader must not miss: indexes are sorted as numbers (10 comes after 9), gaps are closed, and the depth is bounded.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.foreign_json import dicts, loose_json, mapping


def nested(attrs: dict[str, Any], prefix: str) -> Any:
    """What lies under ``prefix``: a list when all keys are numbers, else an object; ``None`` when there is nothing.

    >>> nested({"a.0.x": 1, "a.10.x": 3, "a.9.x": 2}, "a")
    [{'x': 1}, {'x': 2}, {'x': 3}]
    """
    if prefix in attrs:
        return loose_json(attrs[prefix])
    start = prefix + "."
    tree: dict[str, Any] = {}
    for key, value in attrs.items():
        if not key.startswith(start):
            continue
        parts = key[len(start) :].split(".", 12)
        node = tree
        for part in parts[:-1]:
            child = node.get(part)
            if not isinstance(child, _Node):
                child = _Node()
                node[part] = child
            node = child
        node[parts[-1]] = value
    return _closed(tree) if tree else None


_WHOLE = frozenset({"value", "arguments", "json_schema", "metadata", "parameters", "result"})
"""Members that are values themselves, however deep, and no further attribute names."""
_ROOTS = frozenset({"llm", "input", "output", "tool", "openinference", "gen_ai", "session", "agent", "ai", "traceloop"})


def flattened(attrs: dict[str, Any]) -> dict[str, Any]:
    """Attributes under dotted names, for back ends that nest them instead."""
    if not any(key in _ROOTS and isinstance(value, dict) for key, value in attrs.items()):
        return attrs
    out: dict[str, Any] = {}
    todo: list[tuple[str, Any, int]] = [(key, value, 0) for key, value in reversed(list(attrs.items()))]
    while todo:
        name, value, depth = todo.pop()
        last = name.rpartition(".")[2]
        if isinstance(value, dict) and last not in _WHOLE and depth < 12 and (depth or name in _ROOTS):
            todo.extend((f"{name}.{key}", item, depth + 1) for key, item in reversed(list(value.items())))
        elif isinstance(value, list) and depth and any(isinstance(item, dict) for item in value) and depth < 12:
            todo.extend((f"{name}.{index}", item, depth + 1) for index, item in reversed(list(enumerate(value))))
        else:
            out[name] = value
    return out


def _undotted(value: Any, depth: int = 8) -> Any:
    """Objects whose keys are dotted names (``message.role``) as nested objects, in lists of any depth."""
    if isinstance(value, list):
        return [_undotted(item, depth - 1) for item in value] if depth > 0 else value
    if not isinstance(value, dict) or depth <= 0:
        return value
    out: dict[str, Any] = {}
    for key, item in value.items():
        parts = key.split(".", 6) if key.startswith(("message.", "tool_call.", "message_content.", "tool.")) else [key]
        node = out
        for part in parts[:-1]:
            child = node.get(part)
            if not isinstance(child, dict):
                child = {}
                node[part] = child
            node = child
        node[parts[-1]] = _undotted(item, depth - 1)
    return out


class _Node(dict[str, Any]):
    """An inner node, told apart from attribute values that are objects themselves."""


def _closed(node: dict[str, Any]) -> Any:
    if node and all(key.isascii() and key.isdigit() and len(key) < 9 for key in node):
        return [_value(node[key]) for key in sorted(node, key=int)]
    return {key: _value(value) for key, value in node.items()}


def _value(value: Any) -> Any:
    return _closed(value) if isinstance(value, _Node) else value


def inference_messages(value: Any) -> list[dict[str, Any]]:
    """OpenInference messages in chat shape: ``message`` wrappers taken off, contents as blocks."""
    messages = []
    for entry in dicts(_undotted(value)):
        message = dict(mapping(entry.get("message")) or entry)
        contents = message.pop("contents", None)
        if contents and not message.get("content"):
            message["content"] = [mapping(block.get("message_content")) or block for block in dicts(contents)]
        messages.append(message)
    return messages
