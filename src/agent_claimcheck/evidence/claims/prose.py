"""What an answer says in prose, each word in its place: an answer in markup or in JSON says the same as a plain one.

A reader must not miss: of JSON only what may be said to a reader is kept, which is prose, a status and a deed; other values
are data. Blanks stand for the rest.
"""

from __future__ import annotations

from agent_claimcheck.evidence.claims import json_reply
from agent_claimcheck.evidence.claims.clauses import is_json_like, without_markup
from agent_claimcheck.evidence.claims.undressing import undressed, unescaped_in_place


def prose_of(answer: str) -> str:
    """Return ``answer`` without its dress and markup; of an answer in JSON what is said in it, each value on a line."""
    plain = without_markup(undressed(answer))
    if not plain or not is_json_like(plain):
        return plain
    parts: list[str] = []
    end = 0
    for leaf in json_reply.read(plain):
        # "completed" says no more than that the answer is there.
        if leaf.start < end or not (leaf.is_prose or leaf.verb_class not in ("", "completed")):
            continue
        parts.append("\n" + " " * (leaf.start - end - 1) if leaf.start > end else "")
        parts.append(unescaped_in_place(leaf.token))
        end = leaf.start + len(leaf.token)
    return "".join(parts) + "\n" + " " * (len(plain) - end - 1) if parts else plain
