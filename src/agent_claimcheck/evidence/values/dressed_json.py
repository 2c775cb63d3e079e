"""JSON as programs print it beside other marks: coloured, in a code fence, after a word such as "Result:", with HTML entities,
or as Python prints its values and objects.

A reader must not miss: a word that tells of a failure ("Error: {...}") stays where it is, for the text tells more than the
JSON behind it; and nothing is evaluated, quotes are only written anew.
"""

from __future__ import annotations

import html
import json
import re
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.text import COLOURS
from agent_claimcheck.evidence.values.held_json import decode_text, parse_output

_FENCED = late_pattern(r"\s*```(?:json|JSON)?[ \t]*\n(?P<held>.*)\n[ \t]*```\s*\Z", re.DOTALL)
_LED = late_pattern(
    r"\s*(?:ok|okay|success|done|(?:tool |function |api )?(?:result|response|output)|returned|data|json)"
    r"(?:\s*\((?:200|201|ok|json)\))?\s*[:=\n-]\s*(?P<held>[\[{].*)\Z",
    re.IGNORECASE | re.DOTALL,
)
_OBJECT = late_pattern(r"\s*[A-Z]\w{0,60}\((?P<fields>[a-z_]\w{0,60}=.*)\)\s*", re.DOTALL)
"""How Python prints an object of fields: ``Result(success=False, error='shipped')``."""
_FIELD = late_pattern(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\b([a-z_]\w{0,60})=(?!=)", re.DOTALL)
_LONGEST_LEAD = 40
_LONGEST_LITERAL = 200_000
_LITERAL = re.compile(r"[\[{(]\s*(?:[\[{(]\s*)*'|[\[{].{0,2000}?(?:: ?|, ?|\[)(?:None|True|False|')", re.DOTALL)
_TOKEN = late_pattern(
    r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|\b(None|True|False)\b|([()])|,(?=\s*[\]})])", re.DOTALL
)
_ENDS = {"{": "}", "[": "]", "(": ")"}
_NAMES = {"None": "null", "True": "true", "False": "false"}
_ESCAPE = late_pattern(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "'": "'", '"': '"', "\\": "\\", "\n": ""}


def bared(text: str) -> Any:
    """Return the object or list that ``text`` shows, or ``text`` itself (the same object), without colours if it has some."""
    plain = COLOURS.sub("", text) if "\x1b" in text else text
    held = _inside(plain)
    if "&quot;" in held and len(held) <= _LONGEST_LITERAL:
        held = html.unescape(held)
    value = text if held is text else parse_output(held)
    if isinstance(value, str) and len(value) <= _LONGEST_LITERAL and value.lstrip()[:1] in ("{", "["):
        value = _read_literal(value)
    return value if isinstance(value, dict | list) else plain


def _inside(text: str) -> str:
    """Return what stands in the fence, behind the word or in the Python value that ``text`` is, else ``text`` (the same object)."""
    head = text[:_LONGEST_LEAD]
    if "```" in head and (fence := _FENCED.match(text)):
        return str(fence["held"])
    if head[:1].isalpha() and ("{" in head or "[" in head) and (lead := _LED.match(text)):
        return str(lead["held"])
    if text[:2] in ("b'", 'b"') and text[-1:] == text[1]:
        return _ESCAPE.sub(_plain, text[2:-1])
    if (record := _OBJECT.fullmatch(text)) is not None:
        fields = _FIELD.sub(lambda field: f"'{field[1]}': " if field[1] else field[0], record["fields"])
        return f"{{{fields}}}"
    return text


def _read_literal(text: str) -> Any:
    """Return what a Python literal of texts, numbers, ``None``, lists, tuples and mappings says, else ``text``."""
    bare = text.strip()
    if bare[-1:] != _ENDS.get(bare[:1]) or not _LITERAL.match(bare):
        return text
    return decode_text(_TOKEN.sub(_as_json, bare))


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
