"""Which claims a trace makes: the declared ones first, otherwise what the final message says.

A reader must not miss: declared claims are evidence of what was claimed, never of what was done.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.claims.patterns import match_packs
from agent_claimcheck.packs.language import RulePack
from agent_claimcheck.trace.view import TraceView

GENERIC_PACK = "generic"


def read_claims(view: TraceView, packs: Sequence[RulePack], non_success: frozenset[str]) -> tuple[SuccessClaim, ...]:
    """Return every claim of the trace, in the order they were made. ``packs`` are the applicable ones."""
    declared = view.final_claim.claims
    if declared:
        return tuple(
            SuccessClaim(
                type=claim.type,
                subject=claim.subject,
                source="structured",
                step=claim.step,
                quote=claim.quote or "",
                is_success=claim.type not in non_success,
            )
            for claim in declared
        )
    text = view.final_claim.text
    if not text:
        return ()
    specific = [pack for pack in packs if pack.name != GENERIC_PACK]
    claims = match_packs(text, specific, non_success)
    if not claims:
        claims = match_packs(text, [pack for pack in packs if pack.name == GENERIC_PACK], non_success)
    return tuple(claims)
