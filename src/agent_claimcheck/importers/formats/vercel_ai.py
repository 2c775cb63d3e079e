"""Vercel AI SDK: UI messages whose parts hold calls and results together.

A reader must not miss: the state of a part is the flag; a part that never reached an output state is a call alone.
"""

from __future__ import annotations

from agent_claimcheck.importers.conversations import conversation_drafts, head_dialect
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading


def _recognise(head: Head) -> str | None:
    return "messages with parts of type tool-..., step-start or text" if head_dialect(head) == "vercel-ai" else None


def _drafts(reading: Reading) -> Drafts:
    return conversation_drafts(reading, "vercel-ai")


IMPORTER = FormatImporter(
    name="vercel-ai",
    title="Vercel AI SDK messages",
    recognised_by="UI messages with parts of type text, tool-<name>, dynamic-tool or step-start",
    recognise_by=_recognise,
    drafts=_drafts,
)
