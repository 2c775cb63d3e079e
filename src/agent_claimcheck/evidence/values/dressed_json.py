"""JSON as programs print it beside other marks: in a code fence, after a word such as "Result:", or as a Python literal.

A reader must not miss: a word that tells of a failure ("Error: {...}") stays where it is, for the text tells more than the
JSON behind it; and nothing is evaluated, quotes are only written anew.
"""

from __future__ import annotations

import json
import re
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.values.held_json import decode_text, parse_output

_FENCED = late_pattern(r"\s*```(?:json|JSON)?[ \t]*\n(?P<held>.*)\n[ \t]*```\s*\Z", re.DOTALL)
_LED = late_pattern(
    r"\s*(?:ok|okay|success|done|(?:tool |function |api )?(?:result|response|output)|returned|data|json)"
    r"(?:\s*\((?:200|201|ok|json)\))?\s*[:=\n-]\s*(?P<held>[\[{].*)\Z",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_LEAD = 40
_LONGEST_LITERAL = 200_000
_LITERAL = re.compile(r"[\[{(]\s*(?:[\[{(]\s*)*'|[\[{].{0,2000}?(?:: ?|, ?|\[)(?:None|True|False|')", re.DOTALL)
_TOKEN = late_pattern(
    r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|\b(None|True|False)\b|([()])|,(?=\s*[\]})])", re.DOTALL
)
_NAMES = {"None": "null", "True": "true", "False": "false"}
_ESCAPE = late_pattern(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "'": "'", '"': '"', "\\": "\\", "\n": ""}


def bared(text: str) -> Any:
    """Return the object or list that ``text`` shows, or ``text`` itself (the same object)."""
    held = text
    if "```" in text[:_LONGEST_LEAD] and (fence := _FENCED.match(text)):
        held = fence["held"]
    elif (
        text[:1].isalpha()
        and ("{" in text[:_LONGEST_LEAD] or "[" in text[:_LONGEST_LEAD])
        and (lead := _LED.match(text))
    ):
        held = lead["held"]
    value = parse_output(held) if held is not text else text
    if isinstance(value, str) and len(value) <= _LONGEST_LITERAL and value.lstrip()[:1] in ("{", "["):
        value = _read_literal(value)
    return value if isinstance(value, dict | list) else text


def _read_literal(text: str) -> Any:
    """Return what a Python literal of texts, numbers, ``None``, lists, tuples and mappings says, else ``text``."""
    return decode_text(_TOKEN.sub(_as_json, text)) if _LITERAL.match(text.lstrip()) else text


def _as_json(token: re.Match[str]) -> str:
    single, double, name, bracket = token.groups()
    told = single if single is not None else double
    if told is not None:
        return json.dumps(_ESCAPE.sub(_plain, told) if "\\" in told else told)
    if name is not None:
        return _NAMES[name]
    return {"(": "[", ")": "]"}.get(bracket or "", "")


def _plain(escape: re.Match[str]) -> str:
    code = escape[0][1:]
    if code[0] in "xuU" and len(code) > 1:
        return chr(int(code[1:], 16))
    return _ESCAPES.get(code, escape[0])
