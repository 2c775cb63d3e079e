"""Several answers to one question become one figure; where they disagree it moves towards "cannot say".

A reader must not miss: an abstaining sample counts as disagreement, and when most samples abstain so does the judge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from agent_claimcheck.detectors.judge.calls import JudgeCall

_EVEN = 0.5


class SampleSummary(Struct, frozen=True, kw_only=True):
    """All samples of one trace together.

    ``agreement`` is the share of samples on the side of the mean. ``p_success`` is the mean, drawn towards 0.5 by the
    share that does not agree. ``chosen`` is the answering sample nearest to the mean, whose reasons are shown.
    """

    p_success: float
    abstain_reason: str | None
    agreement: float
    chosen: JudgeCall
    figures: list[float]

    def details(self) -> dict[str, Any]:
        """Return what a result says about the samples."""
        spread = max(self.figures) - min(self.figures) if self.figures else None
        return {"n": len(self.figures), "p_success": self.figures, "agreement": self.agreement, "spread": spread}


def summarise(calls: Sequence[JudgeCall]) -> SampleSummary:
    """Return what ``calls`` (at least one) say together."""
    answered = [call for call in calls if call.abstain_reason is None]
    figures = [call.p_success for call in answered]
    if 2 * len(answered) <= len(calls):
        silent = [call for call in calls if call.abstain_reason is not None]
        reason, _ = Counter(call.abstain_reason for call in silent).most_common(1)[0]
        chosen = next(call for call in silent if call.abstain_reason == reason)
        return SampleSummary(
            p_success=chosen.p_success,
            abstain_reason=reason,
            agreement=len(answered) / len(calls),
            chosen=chosen,
            figures=figures,
        )
    mean = sum(figures) / len(figures)
    chosen = min(answered, key=lambda call: abs(call.p_success - mean))
    if len(calls) == 1:
        return SampleSummary(p_success=mean, abstain_reason=None, agreement=1.0, chosen=chosen, figures=figures)
    alike = sum((figure > _EVEN) == (mean > _EVEN) for figure in figures)
    agreement = alike / len(calls)
    return SampleSummary(
        p_success=_EVEN + (mean - _EVEN) * agreement,
        abstain_reason=None,
        agreement=agreement,
        chosen=chosen,
        figures=figures,
    )
