"""The one visible list of importers, in the order in which they are asked.

A reader must not miss: the order matters. Narrow formats come before wide ones, plain OpenAI chat comes last.
"""

from __future__ import annotations

from importlib import import_module
from typing import cast

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.suggest import did_you_mean
from agent_claimcheck.importers.contract import Importer

_ROOM = "agent_claimcheck.importers.formats"

IMPORTERS: dict[str, str] = {
    "agent-trace": f"{_ROOM}.agent_trace:IMPORTER",
    "attest-run": f"{_ROOM}.attest_run:IMPORTER",
    "inspect": f"{_ROOM}.inspect_log:IMPORTER",
    "langsmith-bulk": f"{_ROOM}.langsmith_bulk:IMPORTER",
    "mcp-log": f"{_ROOM}.mcp_log:IMPORTER",
    "openinference": f"{_ROOM}.openinference:IMPORTER",
    "otel-genai": f"{_ROOM}.otel_genai:IMPORTER",
    "langfuse": f"{_ROOM}.langfuse:IMPORTER",
    "mlflow": f"{_ROOM}.mlflow:IMPORTER",
    "langsmith": f"{_ROOM}.langsmith:IMPORTER",
    "tau2-bench": f"{_ROOM}.tau2_bench:IMPORTER",
    "tau-bench": f"{_ROOM}.tau_bench:IMPORTER",
    "agentdojo": f"{_ROOM}.agentdojo:IMPORTER",
    "atif": f"{_ROOM}.atif:IMPORTER",
    "mini-swe-agent": f"{_ROOM}.mini_swe_agent:IMPORTER",
    "swe-agent": f"{_ROOM}.swe_agent:IMPORTER",
    "openhands": f"{_ROOM}.openhands:IMPORTER",
    "openai-agents": f"{_ROOM}.openai_agents:IMPORTER",
    "codex": f"{_ROOM}.codex:IMPORTER",
    "claude-code": f"{_ROOM}.claude_code:IMPORTER",
    "gemini-cli": f"{_ROOM}.gemini_cli:IMPORTER",
    "copilot-cli": f"{_ROOM}.copilot_cli:IMPORTER",
    "openclaw": f"{_ROOM}.openclaw:IMPORTER",
    "crewai": f"{_ROOM}.crewai:IMPORTER",
    "smolagents": f"{_ROOM}.smolagents:IMPORTER",
    "langchain-messages": f"{_ROOM}.langchain_messages:IMPORTER",
    "pydantic-ai": f"{_ROOM}.pydantic_ai:IMPORTER",
    "autogen": f"{_ROOM}.autogen:IMPORTER",
    "openai-responses": f"{_ROOM}.openai_responses:IMPORTER",
    "vercel-ai": f"{_ROOM}.vercel_ai:IMPORTER",
    "anthropic-stream": f"{_ROOM}.anthropic_stream:IMPORTER",
    "anthropic-managed": f"{_ROOM}.anthropic_managed:IMPORTER",
    "gemini": f"{_ROOM}.gemini:IMPORTER",
    "anthropic-messages": f"{_ROOM}.anthropic_messages:IMPORTER",
    "openai-chat": f"{_ROOM}.openai_chat:IMPORTER",
}


def load(name: str) -> Importer:
    """Return the importer of that name. Raises ``UsageError`` naming the known ones."""
    place = IMPORTERS.get(name)
    if place is None:
        meant = did_you_mean(name, IMPORTERS)
        raise UsageError(f"there is no format {name!r}{meant}", hint=f"known formats: {', '.join(IMPORTERS)}")
    module, _, attribute = place.partition(":")
    return cast(Importer, getattr(import_module(module), attribute))
