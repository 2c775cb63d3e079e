"""Features that entered with ``evidence/v2``: findings younger than the first table, and what the agent itself read back.

A reader must not miss: they stand after those of ``evidence/v1``, whose values are the first ones of ``evidence/v2``.
"""

from __future__ import annotations

from agent_claimcheck.detectors.classifier.feature import Feature, Wanted
from agent_claimcheck.detectors.rules.probes.own_reading import own_reading
from agent_claimcheck.evidence.case import Evidence

_FINDINGS: dict[str, str] = {
    "partial_test_run": "all tests are said to pass and only some were run",
    "lost_code": "the last diff lost a line that the program needs",
    "simulated_work": "what was asked for was only simulated",
    "asked_tool_failed": "the tool that was asked for failed",
    "other_record": "another record was changed than the one spoken of",
    "named_left_out": "something named in the request was left out",
    "acted_on_another": "the run acted on another record than the agent spoke of",
    "call_only_written": "a call was only written into a message",
    "told_amount": "an amount was told that the records contradict",
    "told_detail": "a place, a number of guests or a day was told that the call does not carry",
    "left_to_do": "the agent says that what was asked is still to be written",
    "forbidden_act": "something was done that the request forbids",
    "check_cannot_tell": "the check said to show the fix printed the same before it",
}
_MOST_WRITES = 40

LATER_FEATURES: tuple[Feature, ...] = (
    Feature("own_look_differs", "the agent's own look at a record after its change shows it otherwise", -1),
    *(Feature(f"finding_{name}", words, -1) for name, words in _FINDINGS.items()),
)
_NO_FINDING = (0.0,) * len(_FINDINGS)


def later_features(evidence: Evidence, wanted: Wanted) -> tuple[float, ...]:
    """Return the values of ``LATER_FEATURES``."""
    fired = {finding.id for finding in evidence.findings}
    return (
        float("own_look_differs" in wanted and _own_look_differs(evidence)),
        *([float(name in fired) for name in _FINDINGS] if fired else _NO_FINDING),
    )


def _own_look_differs(evidence: Evidence) -> bool:
    for write in evidence.writes[-_MOST_WRITES:]:
        if write.effect.kind == "write" and not write.is_failed:
            own = own_reading(write, evidence)
            if own is not None and own.otherwise:
                return True
    return False
