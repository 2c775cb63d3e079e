"""pydantic-ai message histories (``ModelMessagesTypeAdapter``).

A reader must not miss: ``outcome`` of a tool return is a real flag; older files show a failure only as a retry prompt.
"""

from __future__ import annotations

from agent_claimcheck.importers.conversations import conversation_drafts, head_dialect
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading


def _recognise(head: Head) -> str | None:
    return "messages of kind request and response with parts" if head_dialect(head) == "pydantic-ai" else None


def _drafts(reading: Reading) -> Drafts:
    return conversation_drafts(reading, "pydantic-ai")


IMPORTER = FormatImporter(
    name="pydantic-ai",
    title="pydantic-ai messages",
    recognised_by="messages of kind request and response that hold parts with part_kind",
    recognise_by=_recognise,
    drafts=_drafts,
)
