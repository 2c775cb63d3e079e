"""The run made something, the closing text says that something more was done with it, and that was done with another thing.

What it catches: ``create_file("list.docx")`` returns id 26, ``share_file(7)`` answers with ``plans.docx``; "I created list.docx
and shared it".
Why it matters: the second call succeeded, so every step looks done, and the wrong thing went out.
Example: both calls were sent at once, so the id of the new file was guessed.
Limits: for review, it accuses nobody. The result of the later call must name its record, under the same kind of name and with
mostly the same fields as the result of the making, and the closing text must name only the new thing and say the deed of
"it" or of "the file". A call that carries the new thing's id or name silences it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.findings.cited import on_call
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.evidence.writes import Write

ID = "acted_on_another"
POWER: Power = "review"

_NAMES = ("filename", "file_name", "title", "name", "subject")
_FIELD = late_pattern(r"^(?P<key>[A-Za-z]\w{0,40}):[ \t]*(?P<value>[^\n]{0,300})$", re.MULTILINE)
_IS_ID = late_pattern(r"^id_?$|_id$")
_LONGEST = 20_000
_ALIKE = 0.6
"""Share of the fields that two results of one kind of record have in common, at least."""
_THING = r"(?:it|this|them|the (?:new(?:ly created)? )?(?:file|document|doc|list|note|page|event|item|sheet|ticket|task|folder|report))"
_STEM = 4
_MOST_MADE = 10


class _Shown(Struct, frozen=True):
    """What the result of a call shows of its record."""

    write: Write
    key: str
    name: str
    fields: frozenset[str]
    ids: frozenset[str]


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding."""
    made: list[Write] = []
    said: dict[str, bool] = {}
    for write in evidence.sorted_writes.done:
        if family_of(write.effect.verb_class) == "create":
            made.append(write)
        elif made:
            stem = (write.effect.verb_class or "")[:_STEM]
            if stem not in said:
                said[stem] = _is_said_of_it(stem, evidence.closing_low)
            other = _made_instead(write, made[-_MOST_MADE:], evidence.closing_low) if said[stem] else None
            if other is not None:
                new, name = other
                reason = f"the closing text speaks of {new.name}; the result of this call names {name}"
                steps = (new.write.step, write.pair.call.i, write.step)
                yield on_call(ID, POWER, write.pair, evidence, reason=reason, steps=steps)
                return


def _made_instead(write: Write, made: Sequence[Write], closing: str) -> tuple[_Shown, str] | None:
    """Return the new thing that the closing text names, and the name of the other one that ``write`` worked on."""
    shown = _shown_by(write)
    if shown is None or shown.name in closing:
        return None
    for new in map(_shown_by, made):
        if new is not None and new.name in closing and _is_another(shown, new):
            return new, shown.name
    return None


def _shown_by(write: Write) -> _Shown | None:
    fields = _fields(write.pair.result.output if write.pair.result is not None else None)
    for key in _NAMES:
        name = fields.get(key, "").strip(" '\"").casefold()
        if name:
            ids = frozenset(value.strip(" '\"") for field, value in fields.items() if _IS_ID.search(field.lower()))
            return _Shown(write, key, name, frozenset(fields), ids - {""})
    return None


def _fields(output: Any) -> dict[str, str]:
    """Return the fields of an object, or of a text with one ``key: value`` a line; of a key that stands twice the first."""
    parsed = parse_output(output)
    if isinstance(parsed, dict):
        return {key: str(value)[:300] if isinstance(value, str | int) else "" for key, value in parsed.items()}
    fields: dict[str, str] = {}
    if isinstance(parsed, str):
        for found in _FIELD.finditer(parsed[:_LONGEST]):
            fields.setdefault(found["key"], found["value"])
    return fields


def _is_another(shown: _Shown, new: _Shown) -> bool:
    """True when the call that ``shown`` is from worked on the same kind of record as ``new``, and on another one."""
    if shown.name == new.name or shown.key != new.key or not new.ids or new.ids & shown.ids:
        return False
    if len(shown.fields & new.fields) < _ALIKE * max(len(shown.fields), len(new.fields)):
        return False
    carried = {str(value).casefold() for _, value in walk_values(shown.write.pair.call.args or {})}
    return new.name not in carried and carried.isdisjoint(new.ids)


def _is_said_of_it(stem: str, closing: str) -> bool:
    """True when the deed whose verb begins with ``stem`` is told of "it" or "the file"."""
    if len(stem) < _STEM or stem not in closing:
        return False
    return _said_of_it(stem).search(closing) is not None


@lru_cache(maxsize=256)
def _said_of_it(stem: str) -> re.Pattern[str]:
    verb = re.escape(stem)
    return re.compile(
        rf"\b{verb}\w* (?:\w+ )?{_THING}\b|\b{_THING} (?:has|have|is|was) (?:also |now )?(?:been )?(?:\w+ly )?{verb}"
    )
