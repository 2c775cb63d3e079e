"""A model over the evidence and the text model as one: the mean of their log-odds.

A reader must not miss: half of the score is wording. It suits further runs of the agents it was fitted on, and what such an
agent says moves it; the model over the evidence alone cannot be talked to.
"""

from __future__ import annotations

from msgspec import Struct

from agent_claimcheck.detectors.classifier.blend import Blend
from agent_claimcheck.detectors.classifier.linear import Logistic
from agent_claimcheck.detectors.classifier.ngrams import TextModel
from agent_claimcheck.detectors.classifier.scorer import Added, largest_of
from agent_claimcheck.detectors.classifier.trees import Trees


class EvidenceAndText(Struct, frozen=True, kw_only=True, tag="evidence_and_text", tag_field="kind"):
    """One member over a feature table and one over terms, with equal say."""

    evidence: Logistic | Trees | Blend
    text: TextModel

    def check(self, n_features: int, path: str = "$.model") -> None:
        """Raise ``InputError`` for a broken member."""
        self.evidence.check(n_features, f"{path}.evidence")
        self.text.check(n_features, f"{path}.text")


def averaged(evidence: tuple[float, Added], text: tuple[float, Added]) -> tuple[float, Added]:
    """Return the mean of two log-odds, and of what both members were moved by that which moves the mean most."""
    added = [(name, value / 2) for _, member in (evidence, text) for name, value in member]
    return (evidence[0] + text[0]) / 2, largest_of(added)
