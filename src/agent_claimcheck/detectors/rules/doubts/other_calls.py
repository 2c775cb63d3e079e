"""The doubt that a claim stands for several calls, and the state probes bear out the last one only.

A pattern of a pack makes one claim of "scheduled for zone 3 and zone 4", and two calls prove it, each of a record of its own.

A reader must not miss: this never accuses. Which of the calls a sentence speaks of is known to nobody.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent_claimcheck.detectors.rules.calls import CallReading
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.detectors.rules.plans import RulePlan
from agent_claimcheck.detectors.rules.probes.reading import read_probes
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.targets import same_target

_MOST = 20
"""Calls before the last one that are read."""


def another_not_borne_out(
    claim: SuccessClaim, plan: RulePlan, passing: Sequence[CallReading], evidence: Evidence
) -> Doubt | None:
    """Doubt a confirmed claim when another of the calls ``passing`` wrote a record that no state probe bears out."""
    if len(passing) < 2 or plan.is_test or claim.source != "extracted":
        return None
    last = passing[-1].pair
    for other in passing[-_MOST - 1 : -1]:
        mine = evidence.effect(other.pair).target
        if other.pair.call.args == last.call.args or same_target(mine, evidence.effect(last).target) is not False:
            continue
        probe = read_probes(plan, claim, other, passing, evidence)
        if probe.state != "supports":
            return Doubt(
                "undecided", f"{other.pair.call.name} at step {other.position} is not borne out: {probe.reason}"
            )
    return None
