"""Decodes JSON held in strings, bounded: what cannot be decoded, or nests deeper than a trace may, stays the text it was."""

from __future__ import annotations

from typing import Any

import msgspec

from agent_claimcheck.core.text import shorten
from agent_claimcheck.trace.limits import MAX_DEPTH, is_deeper

MAX_JSON_CHARS = 4_000_000
"""Longer strings are not tried as JSON: a receipt is short, and a dump is content."""
_EDGES = {"{": "}", "[": "]", '"': '"'}


def decode_text(text: str) -> Any:
    """Return the JSON value that ``text`` holds, or ``text`` itself (the same object) when it holds none."""
    head = text[:1]
    if head in _EDGES:
        stripped = text.rstrip()
    elif head.isspace():
        stripped = text.strip()
        head = stripped[:1]
        if head not in _EDGES:
            return text
    else:
        return text
    if len(stripped) > MAX_JSON_CHARS or len(stripped) < 2 or stripped[-1] != _EDGES[head]:
        return text
    try:
        value = msgspec.json.decode(stripped)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return text
    # How deep the decoder itself goes depends on the Python it runs in.
    may_be_deep = stripped.count("[") + stripped.count("{") > MAX_DEPTH
    return text if may_be_deep and is_deeper(value) else value


def parse_output(output: Any) -> Any:
    """Return ``output`` with JSON held in strings decoded and lists of text blocks joined. Never raises.

    Encoded twice is decoded twice; deeper nesting of encodings is left as it is.
    """
    if type(output) is dict and "content" not in output:  # as most outputs are
        return output
    for _ in range(3):
        if isinstance(output, str):
            decoded = decode_text(output)
            if decoded is output:
                return output
            output = decoded
            continue
        text = _text_of_blocks(output)
        if text is None:
            return output
        output = text
    return output


def unwrapped(output: Any) -> Any:
    """Return what JSON in a text, or a protocol's list of text blocks, holds; any other output as it is (the same object)."""
    if isinstance(output, str):
        held = parse_output(output)
        return held if isinstance(held, dict | list) else output
    return output if _text_of_blocks(output) is None else parse_output(output)


_BLOCK_KEYS = frozenset({"content", "isError", "is_error", "_meta", "structuredContent", "role", "type"})


def _text_of_blocks(value: Any) -> str | None:
    """Return the text of a list of text blocks, or of ``{"content": [...]}`` around one; ``None`` for anything else."""
    if isinstance(value, dict):
        content = value.get("content")
        if not isinstance(content, list) or value.keys() - _BLOCK_KEYS or value.get("isError") or value.get("is_error"):
            return None
        value = content
    if not isinstance(value, list) or not value or len(value) > 200:
        return None
    texts: list[str] = []
    for block in value:
        if not isinstance(block, dict) or block.get("type") != "text" or not isinstance(block.get("text"), str):
            return None
        texts.append(block["text"])
    return "\n".join(texts)


def brief(value: Any, limit: int = 80) -> str:
    """Return at most ``limit`` characters that show ``value``. Huge numbers and nested values are only named."""
    if isinstance(value, str):
        return shorten(value, limit)
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, int):
        return str(value) if abs(value) < 10**40 else "a huge number"
    if isinstance(value, float):
        return repr(value)
    return f"{len(value)} entries" if isinstance(value, list | dict) else "a value"
