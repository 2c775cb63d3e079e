"""Faithfulness with a model: statements are extracted, then verified in batches against the evidence.

A reader must not miss: the verifier sees statements and evidence only, never the agent's thoughts or its task. A batch
that fails, or a number that is not answered, leaves its statements ``unchecked``; nothing passes unread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.checks.contract import AnswerKind
from agent_claimcheck.checks.faithfulness.lexicon import stems
from agent_claimcheck.checks.faithfulness.units import Piece
from agent_claimcheck.checks.questions import ANSWER_LIMIT, ask_model
from agent_claimcheck.llm.client import ModelClient
from agent_claimcheck.llm.frame import frame_data

BATCH = 15
EVIDENCE_LIMIT = 40_000
"""Characters of evidence that one question carries; longer evidence is cut to its most relevant passages."""
_PASSAGE = 1_500
_STATEMENT_LIMIT = 2_000

ModelVerdict = Literal["supported", "unsupported", "unverifiable"]

EXTRACT_SCHEMA: dict[str, Any] = {
    "title": "extract_statements",
    "type": "object",
    "properties": {"statements": {"type": "array", "items": {"type": "string"}}},
    "required": ["statements"],
    "additionalProperties": False,
}

VERIFY_SCHEMA: dict[str, Any] = {
    "title": "verify_statements",
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer"},
                    "verdict": {"type": "string", "enum": ["supported", "unsupported", "unverifiable"]},
                },
                "required": ["number", "verdict"],
            },
        }
    },
    "required": ["verdicts"],
    "additionalProperties": False,
}


class Verified(Struct, frozen=True):
    """What the model said of one statement. ``failure`` is set when it said nothing usable."""

    verdict: ModelVerdict | None
    reason: str = ""
    failure: str | None = None


def extract(client: ModelClient, answer: str, most: int) -> tuple[list[str] | None, bool, str | None]:
    """Return the statements of ``answer``, whether there is more than that, and why there are none at all."""
    parts = [frame_data("limit", str(most), limit=20), frame_data("final_answer", answer, limit=ANSWER_LIMIT)]
    found, failure = ask_model(client, "extract_statements.md", parts, EXTRACT_SCHEMA)
    if found is None:
        return None, False, failure
    # On one line each, so that no statement can pass for two numbered ones.
    statements = [flat for text in found["statements"] if (flat := " ".join(text.split()))]
    return statements[:most], len(statements) > most or any(cut for _, cut in parts), None


def verify(client: ModelClient, statements: Sequence[str], pieces: Sequence[Piece], kind: AnswerKind) -> list[Verified]:
    """Return one verdict a statement, in order. Asks once for every ``BATCH`` statements."""
    verdicts: list[Verified] = []
    for start in range(0, len(statements), BATCH):
        verdicts.extend(_verify_batch(client, statements[start : start + BATCH], pieces, kind))
    return verdicts


def _verify_batch(
    client: ModelClient, statements: Sequence[str], pieces: Sequence[Piece], kind: AnswerKind
) -> list[Verified]:
    listed = "\n".join(f"{number}. {text[:_STATEMENT_LIMIT]}" for number, text in enumerate(statements, start=1))
    parts = [
        frame_data("evidence", evidence_text(pieces, statements), limit=EVIDENCE_LIMIT + 4_000),
        frame_data("statements", listed, limit=BATCH * (_STATEMENT_LIMIT + 10)),
    ]
    prompt = "verify_plan.md" if kind == "plan" else "verify_statements.md"
    found, failure = ask_model(client, prompt, parts, VERIFY_SCHEMA)
    if found is None:
        return [Verified(None, failure=failure)] * len(statements)
    by_number = {entry["number"]: entry for entry in found["verdicts"]}
    return [
        Verified(entry["verdict"], str(entry.get("reason", ""))[:400])
        if (entry := by_number.get(number)) is not None
        else Verified(None, failure="the model gave no verdict on it")
        for number in range(1, len(statements) + 1)
    ]


def evidence_text(pieces: Sequence[Piece], statements: Sequence[str], limit: int = EVIDENCE_LIMIT) -> str:
    """Return the evidence with its places; what is too long is cut to the passages that share words with the statements.

    Every cut is marked with the number of characters that were left out.
    """
    total = sum(len(piece.text) for piece in pieces)
    if total <= limit:
        return "\n\n".join(f"[{piece.location}] {piece.subject}:\n{piece.text}" for piece in pieces)
    wanted = frozenset(word for text in statements for word in stems(text))
    numbers = frozenset(found for text in statements for found in re.findall(r"\d+", text))
    scored: list[tuple[float, int, int]] = []
    for index, piece in enumerate(pieces):
        for start in range(0, len(piece.text), _PASSAGE):
            passage = piece.text[start : start + _PASSAGE]
            shared = len(wanted & stems(passage)) + 2 * len(numbers.intersection(re.findall(r"\d+", passage)))
            scored.append((-shared, index, start))
    kept: dict[int, list[int]] = {}
    left = limit
    for _, index, start in sorted(scored):
        if left < _PASSAGE:
            break
        kept.setdefault(index, []).append(start)
        left -= min(_PASSAGE, len(pieces[index].text) - start)
    return "\n\n".join(_kept_text(piece, sorted(kept.get(index, []))) for index, piece in enumerate(pieces))


def _kept_text(piece: Piece, starts: list[int]) -> str:
    parts: list[str] = [f"[{piece.location}] {piece.subject}:"]
    at = 0
    for start in starts:
        if start > at:
            parts.append(f"[... {start - at} characters left out ...]")
        parts.append(piece.text[start : start + _PASSAGE])
        at = start + _PASSAGE
    if at < len(piece.text):
        parts.append(f"[... {len(piece.text) - at} characters left out ...]")
    return "\n".join(parts)
