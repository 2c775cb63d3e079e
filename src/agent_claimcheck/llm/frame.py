"""Framing: text of a run goes to a model as data, inside a marked frame that the text itself cannot close."""

from __future__ import annotations

from agent_claimcheck.core.text import storable

_CUT = "\n[... {count} characters left out ...]\n"


def frame_data(name: str, text: str, *, limit: int) -> tuple[str, bool]:
    """Return ``text`` inside ``<name>`` tags, and whether it was cut.

    ``&``, ``<`` and ``>`` are escaped, so nothing inside reads as a tag. A text over ``limit`` characters keeps its
    head and its tail; lone surrogates are replaced, because no transport carries them.
    """
    cut = len(text) > limit
    if cut:
        head = limit * 2 // 3
        tail = limit - head
        text = text[:head] + _CUT.format(count=len(text) - limit) + text[len(text) - tail :]
    safe = storable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<{name}>\n{safe}\n</{name}>", cut
