"""Anthropic messages: histories of content blocks, request logs and stored answers.

A reader must not miss: results sit in *user* messages, and a user message that holds nothing else is no user turn.
"""

from __future__ import annotations

from agent_claimcheck.importers.conversations import conversation_drafts, head_dialect
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading


def _recognise(head: Head) -> str | None:
    first = head.object
    if first.get("type") == "message" and first.get("role") == "assistant" and isinstance(first.get("content"), list):
        return "a stored message (type message, role assistant)"
    if head_dialect(head) == "anthropic":
        return "messages of blocks (tool_use, tool_result)"
    is_cursor = [
        r for r in head.records if isinstance(r.get("message"), dict) and r.get("role") in ("user", "assistant")
    ]
    return "lines with role and a message of blocks" if is_cursor else None


def _drafts(reading: Reading) -> Drafts:
    return conversation_drafts(reading, "anthropic-messages")


IMPORTER = FormatImporter(
    name="anthropic-messages",
    title="Anthropic messages",
    recognised_by="messages with tool_use and tool_result blocks; a stored message with stop_reason",
    recognise_by=_recognise,
    drafts=_drafts,
)
