"""The text of a message that came as content blocks."""

from __future__ import annotations

from typing import Any


def text_of(blocks: list[Any]) -> str | None:
    """Return the text blocks joined by line feeds, ``None`` when there are none.

    A text block is a string or an object with a string ``text``; other blocks (images, files) carry no text.
    """
    texts: list[str] = []
    for block in blocks:
        text = block.get("text") if isinstance(block, dict) else block
        if isinstance(text, str):
            texts.append(text)
    return "\n".join(texts) if texts else None
