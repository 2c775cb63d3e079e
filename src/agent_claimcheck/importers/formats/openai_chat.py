"""OpenAI chat messages: request logs, fine-tuning files, message dumps, LiteLLM logs.

A reader must not miss: this dialect has no error flag and no times, so every result's status stays undeclared.
"""

from __future__ import annotations

from agent_claimcheck.importers.conversations import conversation_drafts, head_dialect
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.dialects import last_choice
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading


def _recognise(head: Head) -> str | None:
    dialect = head_dialect(head)
    if dialect in ("openai-chat", "vercel-model", "otel", "inspect", "tau2-bench"):
        return f"messages with roles ({dialect})"
    if any(record.get("object") == "chat.completion" or last_choice(record) for record in head.records[:5]):
        return "chat completions (choices with a message)"
    return None


def _drafts(reading: Reading) -> Drafts:
    return conversation_drafts(reading, "openai-chat")


IMPORTER = FormatImporter(
    name="openai-chat",
    title="OpenAI chat messages",
    recognised_by="a list of messages with roles and tool_calls, bare or under messages; chat completions",
    recognise_by=_recognise,
    drafts=_drafts,
)
