"""Writes a draft as YAML: each part with the remark it rests on, so that a person can strike out what is wrong.

A reader must not miss: names and values come from traces. Whatever is not a plain word is quoted, and remarks are one
printable line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.pipeline.draft.model import Draft, DraftCheck, DraftRule

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,80}\Z")
_LOOKS_TYPED = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_WIDTH = 110


def render_pack(draft: Draft) -> str:
    """Return the YAML text of ``draft``."""
    lines = [
        "# A drafted rule pack. Read it line by line before you use it: it is a proposal, made from",
        *(f"# - {_remark(source)}" for source in draft.sources),
        "# Try it with: agent-claimcheck packs lint PACK, then agent-claimcheck packs test PACK TRACES",
        f"pack: {_text(draft.name)}",
        "version: 1",
        "# The traces this pack is for: those that call one of these tools.",
        f"tools: [{', '.join(_text(tool) for tool in draft.tools)}]",
    ]
    if draft.reads:
        lines += [
            "# Tools that only look things up, as far as the runs show. Strike out what changes anything.",
            "reads:",
        ]
        for tool, remark in draft.reads:
            lines += [f"  # {_remark(remark)}", f"  - {_text(tool)}"]
    patterned = [rule for rule in draft.rules if rule.patterns]
    if patterned:
        lines += ["", "# Words of the final message that claim it. Add how your agent says it.", "claim_patterns:"]
        for rule in patterned:
            lines.append(f"  {_text(rule.claim_type)}:")
            lines += [f"    - {_quoted(pattern)}" for pattern in rule.patterns]
    lines += ["", "claims:" if draft.rules else "claims: {}"]
    for position, rule in enumerate(draft.rules):
        if position:
            lines.append("")
        lines += _rule(rule)
    if draft.skipped:
        lines += ["", "# No rule was proposed for:", *(f"# - {_remark(text)}" for text in draft.skipped)]
    return "\n".join(lines) + "\n"


def _rule(rule: DraftRule) -> Iterator[str]:
    yield f"  {_text(rule.claim_type)}:"
    for remark in rule.remarks:
        yield f"    # {_remark(remark)}"
    yield f"    action: {_text(rule.action)}"
    yield from _checks("receipt", rule.receipt)
    if rule.probe is not None:
        yield f"    probe: {_text(rule.probe)}"
        yield from _checks("probe_checks", rule.probe_checks)


def _checks(name: str, checks: Sequence[DraftCheck]) -> Iterator[str]:
    if not checks:
        yield f"    {name}: {{}}"
        return
    yield f"    {name}:"
    for check in checks:
        if check.remark:
            yield f"      # {_remark(check.remark)}"
        suffix = f", as: {check.normaliser}" if check.normaliser else ""
        yield f"      {_text(check.path)}: {{ {check.op}: {_value(check.expected)}{suffix} }}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value) if "{" in value or not value.isascii() else _text(value)
    if isinstance(value, list):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return json.dumps(value)


def _text(text: str) -> str:
    return text if _PLAIN.match(text) and text.lower() not in _LOOKS_TYPED else _quoted(text)


def _quoted(text: str) -> str:
    """Single quotes where nothing needs an escape, else double quotes with escapes."""
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char.isprintable():
        return char
    # YAML knows no lone surrogates, and neither does a file.
    code = 0xFFFD if 0xD800 <= ord(char) <= 0xDFFF else ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _remark(text: str) -> str:
    return shorten(printable(text), _WIDTH)
