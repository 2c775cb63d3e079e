"""What the label of a test trace can be told from without reading any evidence: its wording, its length, its shape.

A reader must not miss: the figures stand beside the results so that nobody takes a detector for good that only reads the
habits of a data set. An AUROC far from 0.5 on either side gives labels away.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent_claimcheck.lab.bench.datasets import TEXT_ONLY
from agent_claimcheck.lab.dataset.leakage import audit_features, audit_final_text, count_smaller_label, has_text_audit
from agent_claimcheck.trace.model import Trace

_LENGTHS = ("n_steps", "final_text_length", "trace_size")
_FOLDS = 5


def measure_leakage(traces: Sequence[Trace]) -> dict[str, float]:
    """Return AUROC by baseline on ``traces``: text only, lengths only, and the single feature that tells most.

    The text baseline needs scikit-learn and five traces of either label; without them it is left out.
    """
    found: dict[str, float] = {}
    if has_text_audit() and count_smaller_label(traces) >= _FOLDS:
        found = {TEXT_ONLY: audit_final_text(traces).auroc}
    features = audit_features(traces)
    found.update({f"length: {leak.feature}": leak.auroc for leak in features if leak.feature in _LENGTHS})
    most = max(features, key=lambda leak: (abs(leak.auroc - 0.5), leak.feature))
    found[f"most telling single feature: {most.feature}"] = most.auroc
    return {name: round(area, 12) for name, area in found.items()}
