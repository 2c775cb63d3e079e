"""Check what AI agents claim against what their tools and their environment returned.

The public names load on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_PUBLIC = {
    "CheckResult": "agent_claimcheck.results.model",
    "Checker": "agent_claimcheck.pipeline.checker",
    "ClaimcheckError": "agent_claimcheck.core.errors",
    "Detector": "agent_claimcheck.detectors.contract",
    "DetectorOutput": "agent_claimcheck.detectors.contract",
    "Evidence": "agent_claimcheck.evidence.case",
    "Reason": "agent_claimcheck.detectors.contract",
    "RulePack": "agent_claimcheck.packs.language",
    "Trace": "agent_claimcheck.trace.model",
    "TraceProblem": "agent_claimcheck.trace.model",
    "check_records": "agent_claimcheck.pipeline.records",
    "load_rule_pack": "agent_claimcheck.packs.load",
    "load_traces": "agent_claimcheck.pipeline.loading",
    "register_detector": "agent_claimcheck.pipeline.catalog",
    "result_row": "agent_claimcheck.results.rows",
}

__all__ = [
    "CheckResult",
    "Checker",
    "ClaimcheckError",
    "Detector",
    "DetectorOutput",
    "Evidence",
    "Reason",
    "RulePack",
    "Trace",
    "TraceProblem",
    "__version__",
    "check_records",
    "load_rule_pack",
    "load_traces",
    "register_detector",
    "result_row",
]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return __all__


if TYPE_CHECKING:
    from agent_claimcheck.core.errors import ClaimcheckError
    from agent_claimcheck.detectors.contract import Detector, DetectorOutput, Reason
    from agent_claimcheck.evidence.case import Evidence
    from agent_claimcheck.packs.language import RulePack
    from agent_claimcheck.packs.load import load_rule_pack
    from agent_claimcheck.pipeline.catalog import register_detector
    from agent_claimcheck.pipeline.checker import Checker
    from agent_claimcheck.pipeline.loading import load_traces
    from agent_claimcheck.pipeline.records import check_records
    from agent_claimcheck.results.model import CheckResult
    from agent_claimcheck.results.rows import result_row
    from agent_claimcheck.trace.model import Trace, TraceProblem
