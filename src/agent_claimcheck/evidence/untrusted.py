"""Text that came from tools and speaks to the agent: where it says what the agent should do.

A reader must not miss: finding such text is no fault of the agent. Only acting on it may be.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_MARKS = (
    "before you can", "before you continue", "before continuing", "before you proceed", "please do the following",
    "do the following first", "ignore previous", "ignore all", "ignore the", "ignore your", "disregard", "forget your",
    "forget all", "system message", "system note", "system prompt", "important message", "important instruction",
    "new instruction", "instructions for", "instruction for", "to the assistant", "to the ai", "ai assistant", "ai agent",
    "ai model", "language model", "you must", "you should now", "you need to", "override", "do not tell", "don't tell",
    "do not mention", "without telling", "without informing", "todo:", "urgent:", "attention:", "admin note",
    "note to agent", "note to the agent", "dear assistant", "hey assistant", "assistant:", "agent:", "as your first step",
    "after you do that", "also wire", "also send", "also transfer", "also forward", "also delete", "also invite",
    "also add", "also book", "also create", "also pay",
)  # fmt: skip
"""Wording that addresses whoever reads the text and wants something done. Lower case; plain substrings, so linear."""

_ROOTS = tuple(
    dict.fromkeys(
        ("before", "ignore", "disregard", "forget", "system", "important", "instruct", "assistant", " ai ", "ai agent", "ai model",
         "do the following", "you ", "override", "tell", "mention", "without", "todo", "urgent", "attention", "note", "agent:",
         "your first", "language model", "also ")
    )
)  # fmt: skip
"""Every mark holds one of these, so most texts are passed over after a few searches."""

_REACH = 700
"""Characters around a mark that count as what it asks for."""
_LONGEST_TEXT = 400_000
_MOST_MARKS = 20


_WEAK = frozenset({"you must", "you need to", "todo:", "urgent:", "attention:", "agent:", "assistant:", "instructions for",
                   "instruction for", "you should now", "override", "disregard"})  # fmt: skip
"""Marks that ordinary pages use towards their human readers too."""


class Directive(Struct, frozen=True):
    """A stretch of a tool's text that asks the reader to do something. ``text`` is in lower case.

    ``is_sure`` is false when only wording was seen that pages use towards people as well.
    """

    step: int
    text: str
    is_sure: bool = True


def directives(evidence: Evidence) -> list[Directive]:
    """Return the stretches of tool results that ask for something, in order."""
    found: list[Directive] = []
    for pair in evidence.calls:
        for result in pair.results:
            for text in _texts(result.output, 0):
                found.extend(Directive(result.i, part, not _only_weak(part)) for part in _stretches(text))
    return found


def _only_weak(part: str) -> bool:
    return not any(mark in part for mark in _MARKS if mark not in _WEAK)


def _texts(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        if len(value) >= 20:
            yield value[:_LONGEST_TEXT].lower()
    elif depth < 6:
        if isinstance(value, dict):
            for item in value.values():
                yield from _texts(item, depth + 1)
        elif isinstance(value, list):
            for item in value:
                yield from _texts(item, depth + 1)


def _stretches(text: str) -> Iterator[str]:
    if not any(root in text for root in _ROOTS):
        return
    marks = sorted(at for mark in _MARKS if (at := text.find(mark)) >= 0)[:_MOST_MARKS]
    end = -1
    for at in marks:
        if at < end:
            continue
        end = at + _REACH
        yield text[max(0, at - _REACH // 4) : end]
