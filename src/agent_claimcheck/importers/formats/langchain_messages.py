"""LangChain and LangGraph messages in all three encodings, bare or inside a graph state.

A reader must not miss: ``ToolMessage.status`` is "success" by default, so a success is weak evidence and an error strong.
"""

from __future__ import annotations

from agent_claimcheck.importers.conversations import conversation_drafts, head_dialect
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading


def _recognise(head: Head) -> str | None:
    return "LangChain messages (lc, data or type human/ai/tool)" if head_dialect(head) == "langchain" else None


def _drafts(reading: Reading) -> Drafts:
    return conversation_drafts(reading, "langchain-messages")


IMPORTER = FormatImporter(
    name="langchain-messages",
    title="LangChain / LangGraph messages",
    recognised_by="messages with lc: 1, with type and data, or with type human, ai, tool",
    recognise_by=_recognise,
    drafts=_drafts,
)
