"""AutoGen 0.4 and later: task results, agent state and saved histories.

A reader must not miss: ``source`` names the agent that spoke; only the source "user" is the user.
"""

from __future__ import annotations

from agent_claimcheck.importers.conversations import conversation_drafts, head_dialect
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading


def _recognise(head: Head) -> str | None:
    return (
        "messages with AutoGen types (TextMessage, ToolCallRequestEvent, ...)"
        if head_dialect(head) == "autogen"
        else None
    )


def _drafts(reading: Reading) -> Drafts:
    return conversation_drafts(reading, "autogen")


IMPORTER = FormatImporter(
    name="autogen",
    title="AutoGen messages",
    recognised_by="messages with source and a type such as TextMessage or ToolCallRequestEvent",
    recognise_by=_recognise,
    drafts=_drafts,
)
