"""Whether a state that a rule does not list says anything against the claim: "organised" is no "cancelled".

A reader must not miss: this keeps a check from accusing, and confirms nothing. A rule lists the states that stand, and services
have words of their own for them; a word that tells of an end, a failure or a wait is held against the claim.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.detectors.rules.same_value import may_be_one
from agent_claimcheck.evidence.contract import FieldResult
from agent_claimcheck.evidence.word_lists import WordLists

_STATES = frozenset({"status", "state", "phase", "stage", "condition"})
_LONGEST = 60


def is_state_of_its_own(failed: FieldResult) -> bool:
    """True when a failed check found a state that is not in its list, and that tells of no end, no failure and no wait."""
    if failed.op != "in" or failed.path.rsplit(".", 1)[-1].casefold() not in _STATES:
        return False
    if not isinstance(failed.actual, str) or not 0 < len(failed.actual) <= _LONGEST:
        return False
    wanted = failed.expected if isinstance(failed.expected, list) else [failed.expected]
    if any(may_be_one(state, failed.actual) for state in wanted if isinstance(state, str)):
        return True
    return _not_standing().search(re.sub(r"[\s-]+", "_", failed.actual.strip().casefold())) is None


@lru_cache(maxsize=1)
def _not_standing() -> re.Pattern[str]:
    return re.compile(WordLists("record_doubts").pattern("not_standing"), re.IGNORECASE)
