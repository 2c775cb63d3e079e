"""JSON text of run-grader records. Text of a run may hold lone surrogates; those are written as escapes."""

from __future__ import annotations

import json
from typing import Any


def to_json_text(value: Any, *, indent: int | None = None) -> str:
    """Return ``value`` as JSON that any strict reader accepts; non-ASCII text is kept where it can be encoded."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent, allow_nan=False)
    return text
