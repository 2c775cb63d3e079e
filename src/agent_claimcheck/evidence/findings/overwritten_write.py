"""A later write to the same place replaced an earlier one, and both are spoken of as if they stood.

What it catches: ``post_page(U, "A")`` then ``post_page(U, "B")``, "A and B are both on the page."
Why it matters: many services keep only the last one.
Example: three notes are written to one file with a tool that replaces its content.
Limits: whether a service replaces or appends is not known from the call, so this is for a person to look at.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_call
from agent_claimcheck.evidence.writes import Write

ID = "overwritten_write"
POWER: Power = "review"

_PLACES = ("url", "path", "file", "filename", "file_name", "page", "key")
_PLACE_SET = frozenset(_PLACES)
_APPENDS = frozenset({"append", "add", "comment", "reply", "insert", "push", "send"})


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding per place that was written more than once with different content."""
    if len(evidence.writes) < 2:
        return
    first: dict[tuple[str, str], Write] = {}
    for write in evidence.writes:
        place = _place(write)
        if place is None or not write.is_ok or _APPENDS & set(write.effect.words):
            continue
        earlier = first.setdefault(place, write)
        if earlier is write or earlier.pair.call.args == write.pair.call.args:
            continue
        reason = f"{write.pair.call.name} wrote {place[1][:60]} again; the earlier content may be gone"
        steps = (earlier.step, write.step)
        yield on_call(ID, POWER, write.pair, evidence, reason=reason, steps=steps, subject=place[1][:80])
        return


def _place(write: Write) -> tuple[str, str] | None:
    args = write.pair.call.args or {}
    if _PLACE_SET.isdisjoint(args):
        return None
    for key in _PLACES:
        value = args.get(key)
        if isinstance(value, str) and value and len(args) > 1:
            return (write.pair.call.name or "", value.casefold())
    return None
