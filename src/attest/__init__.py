"""The run grader under its own name: grade a run's tool use in a line of Python.

    from attest import Attest
    report = Attest().tool_use("run.json")

The public names load on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

_PUBLIC: dict[str, tuple[str, str]] = {
    "Artifact": ("agent_claimcheck.checks.run", "RunArtifact"),
    "Attest": ("agent_claimcheck.pipeline.grader", "Grader"),
    "CheckResult": ("agent_claimcheck.checks.contract", "CheckReport"),
    "Finding": ("agent_claimcheck.checks.contract", "CheckFinding"),
    "Grader": ("agent_claimcheck.pipeline.grader", "Grader"),
    "Report": ("agent_claimcheck.checks.contract", "RunReport"),
    "Run": ("agent_claimcheck.checks.run", "Run"),
    "Step": ("agent_claimcheck.checks.run", "RunStep"),
    "ToolCall": ("agent_claimcheck.checks.run", "ToolCall"),
    "ScanPattern": ("agent_claimcheck.checks.injection.patterns", "ScanPattern"),
    "Scanner": ("agent_claimcheck.checks.injection.scan", "Scanner"),
    "check_faithfulness": ("agent_claimcheck.pipeline.grader", "check_faithfulness"),
    "check_injection": ("agent_claimcheck.pipeline.grader", "check_injection"),
    "check_role": ("agent_claimcheck.pipeline.grader", "check_role"),
    "check_tool_use": ("agent_claimcheck.pipeline.grader", "check_tool_use"),
    "from_langgraph_messages": ("agent_claimcheck.checks.langgraph_messages", "from_langgraph_messages"),
    "llm": ("attest.llm", ""),
}

__all__ = [
    "Artifact",
    "Attest",
    "CheckResult",
    "Finding",
    "Grader",
    "Report",
    "Run",
    "ScanPattern",
    "Scanner",
    "Step",
    "ToolCall",
    "check_faithfulness",
    "check_injection",
    "check_role",
    "check_tool_use",
    "from_langgraph_messages",
    "llm",
]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    module, attribute = _PUBLIC[name]
    loaded = importlib.import_module(module)
    return getattr(loaded, attribute) if attribute else loaded


def __dir__() -> list[str]:
    return __all__


if TYPE_CHECKING:
    from agent_claimcheck.checks.contract import CheckFinding as Finding
    from agent_claimcheck.checks.contract import CheckReport as CheckResult
    from agent_claimcheck.checks.contract import RunReport as Report
    from agent_claimcheck.checks.injection.patterns import ScanPattern
    from agent_claimcheck.checks.injection.scan import Scanner
    from agent_claimcheck.checks.langgraph_messages import from_langgraph_messages
    from agent_claimcheck.checks.run import Run, ToolCall
    from agent_claimcheck.checks.run import RunArtifact as Artifact
    from agent_claimcheck.checks.run import RunStep as Step
    from agent_claimcheck.pipeline.grader import Grader, check_faithfulness, check_injection, check_role, check_tool_use
    from agent_claimcheck.pipeline.grader import Grader as Attest
    from attest import llm
