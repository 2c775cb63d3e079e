"""Whether a red test suite, read by a state probe, says anything against a fix: the lint errors are fixed, two tests were red before.

A reader must not miss: this keeps a check from accusing, and confirms nothing. A claim that tests pass is not asked here.
"""

from __future__ import annotations

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.passing_tests import is_test_claim
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import FieldResult

_COUNTS = frozenset({"failed", "failures", "failing", "errors", "failed_count", "num_failed"})
_NO_TEST_MATTER = late_pattern(
    r"\b(?:lint\w*|typos?|spelling|formatting|code style|style|docs?|documentation|docstrings?|readme|comments?|wording|changelog"
    r"|warnings?|type (?:hints?|errors?)|imports? order)\b"
)
"""What no test looks at."""
_MATTER = late_pattern(
    r"\b(?:bugs?|crash\w*|regressions?|exceptions?|wrong|broken|fails?|failing|returns?|raises?|implement\w*)\b"
)
"""What tests look at: who asked for the fix of a bug and a word in the docs asked for more than words."""


def may_be_red_for_another_reason(failed: FieldResult, claim: SuccessClaim, evidence: Evidence) -> bool:
    """True when the tests that ``failed`` counts need not be those of the fix that is claimed."""
    if failed.path.rsplit(".", 1)[-1] not in _COUNTS or failed.expected != 0 or is_test_claim(claim.type):
        return False
    if _NO_TEST_MATTER.search(claim.quote.casefold()):
        return True
    if _NO_TEST_MATTER.search(evidence.instruction_low) and not _MATTER.search(evidence.instruction_low):
        return True
    first = next((write.pair.call.i for write in evidence.writes if write.effect.kind == "write"), None)
    for pair in evidence.calls:
        if first is None or pair.call.i > first:
            return False
        tests = evidence.receipt(pair).tests
        if tests is not None and isinstance(failed.actual, int) and tests.failed + tests.errors >= failed.actual > 0:
            return True
    return False
