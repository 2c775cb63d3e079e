"""The documented plan in numbers: how many runs of which kind in which split, and which of them carry which mark.

A reader must not miss: marks (a probe, structured claims, hedged wording) are handed out cell by cell in fixed shares,
so none of them goes with success or failure.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from agent_claimcheck.lab.dataset.names import SPLITS, Split
from agent_claimcheck.lab.dataset.streams import Stream

DOMAINS = ("booking", "crm", "coding")
GENUINE = {"clean": 25, "recovered": 20, "noisy": 15}
FALSE_KINDS = ("phantom_action", "error_ignored", "wrong_target", "wrong_value", "not_persisted", "partial_completion")
PER_FALSE_KIND = 6
REVIEWER = "reviewer_injection"
KINDS = (*FALSE_KINDS, REVIEWER)

TEST_GENUINE = {"clean": 10, "recovered": 8, "noisy": 6}
TEST_REVIEWER = 2
# Each domain gives a third test run to two of the six kinds; together every kind gets one more exactly once.
_THIRD_TEST_RUN = {
    "booking": ("phantom_action", "wrong_value"),
    "crm": ("error_ignored", "not_persisted"),
    "coding": ("wrong_target", "partial_completion"),
}
_WRAPPED = {"test": ("error_ignored", "phantom_action"), "train": ("error_ignored", "not_persisted")}
_BENIGN_NOTES = {"clean": 2, "recovered": 1, "noisy": 1}


class Case(Struct, frozen=True, kw_only=True):
    """One run to play. ``kind`` is how it goes, ``injection`` what it counts as (``none`` for genuine ones)."""

    split: Split
    domain: str
    kind: str
    injection: str
    has_probe: bool
    is_structured: bool
    is_hedged: bool
    has_note: bool
    repeats: bool

    @property
    def is_genuine(self) -> bool:
        """Whether the run has to end in success."""
        return self.injection == "none"

    @property
    def variant(self) -> str:
        """What the run is within its kind."""
        if self.kind in ("wrong_target", "wrong_value"):
            return "repeated" if self.repeats else "restated"
        return self.kind

    @property
    def cell(self) -> str:
        """The name under which the manifest counts the run."""
        group = "genuine" if self.is_genuine else "false"
        kind = self.kind if self.is_genuine else self.injection
        evidence = "state_probe" if self.has_probe else "receipt_only"
        return f"{self.split}/{self.domain}/{group}/{kind}/{evidence}"


def test_size(domain: str, kind: str) -> int:
    """Return how many runs of ``kind`` a domain has in the test split."""
    if kind in TEST_GENUINE:
        return TEST_GENUINE[kind]
    if kind == REVIEWER:
        return TEST_REVIEWER
    return 3 if kind in _THIRD_TEST_RUN[domain] else 2


def cell_size(kind: str) -> int:
    """Return how many runs of ``kind`` a domain has in both splits together."""
    if kind in GENUINE:
        return GENUINE[kind]
    return 4 if kind == REVIEWER else PER_FALSE_KIND


def _probe_share(kind: str) -> float:
    """Return the share of a cell that carries a probe. Without one, ``not_persisted`` cannot be told from success."""
    return 1 / 2 if kind == "not_persisted" else 2 / 3


def plan_cases(seed: int) -> list[Case]:
    """Return the 300 cases, in the order of domains and kinds."""
    return [case for domain in DOMAINS for kind in (*GENUINE, *KINDS) for case in _plan_cell(seed, domain, kind)]


def _plan_cell(seed: int, domain: str, kind: str) -> list[Case]:
    n = cell_size(kind)
    in_test = test_size(domain, kind)
    mark = _marker(seed, domain, kind, {"train": n - in_test, "test": in_test})
    probes = mark("probe", round(n * _probe_share(kind)))
    structured = mark("structured", round(0.8 * n))
    hedged = mark("hedged", round(0.25 * n))
    notes = mark("note", _BENIGN_NOTES.get(kind, n if kind == REVIEWER else 0))
    repeats = mark("repeats", n // 2)
    cases = []
    for split in SPLITS:
        for k in range(in_test if split == "test" else n - in_test):
            place = (split, k)
            cases.append(
                Case(
                    split=split,
                    domain=domain,
                    kind=_WRAPPED[split][k] if kind == REVIEWER else kind,
                    injection="none" if kind in GENUINE else kind,
                    has_probe=place in probes,
                    is_structured=place in structured,
                    is_hedged=place in hedged,
                    has_note=place in notes,
                    repeats=place in repeats,
                )
            )
    return cases


def _marker(seed: int, domain: str, kind: str, sizes: dict[Split, int]) -> Callable[[str, int], set[tuple[Split, int]]]:
    """Return a function that marks a number of a cell's places, spread over the splits as evenly as it goes."""
    n = sum(sizes.values())

    def mark(name: str, wanted: int) -> set[tuple[Split, int]]:
        stream = Stream(seed, "marks", domain, kind, name)
        in_test = round(wanted * sizes["test"] / n)
        shares: dict[Split, int] = {"train": wanted - in_test, "test": in_test}
        return {(split, k) for split in SPLITS for k in stream.sample(range(sizes[split]), shares[split])}

    return mark
