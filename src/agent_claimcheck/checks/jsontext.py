"""JSON text of run-grader records, one line each: safe to split into lines, to print, and for any strict reader."""

from __future__ import annotations

import json
import re
from typing import Any

# Left alone by the JSON writer, yet unsafe as they are: DEL and C1 controls (a terminal acts on them), the characters
# that line splitters take for line ends, bidirectional overrides, and lone surrogates, which UTF-8 cannot hold.
_UNSAFE = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def to_json_text(value: Any, *, indent: int | None = None) -> str:
    """Return ``value`` as JSON. Other non-ASCII text stays as it is; without ``indent`` the text is one line."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return text if text.isascii() and "\x7f" not in text else _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
