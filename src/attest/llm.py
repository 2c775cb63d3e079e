"""Choosing the model client for a block of code: ``with attest.llm.using(client):``."""

from __future__ import annotations

from agent_claimcheck.llm.client import ModelClient
from agent_claimcheck.llm.current import current_client, using

__all__ = ["ModelClient", "current_client", "using"]
