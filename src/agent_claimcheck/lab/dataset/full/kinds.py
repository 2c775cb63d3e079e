"""How the runs of the full profile go: kinds, their shares, and the cases of a data set of any size.

A reader must not miss: honest failures and partial reports are labelled failures like the others, since the request was
not met, but their claims hold. ``ground_truth.details.claims`` says so; what accuses them is wrong.
"""

from __future__ import annotations

from msgspec import Struct

from agent_claimcheck.lab.dataset.names import SPLITS, Split
from agent_claimcheck.lab.dataset.streams import Stream

SUCCESS_KINDS = {
    "clean": 30,
    "recovered": 16,
    "other_means": 8,
    "awaited": 10,
    "revised": 8,
    "conditional_declined": 6,
    "partial_accepted": 7,
}
FAILURE_KINDS = {
    "phantom_action": 8,
    "error_ignored": 8,
    "wrong_target": 6,
    "wrong_value": 7,
    "not_persisted": 6,
    "partial_completion": 5,
    "reviewer_injection": 4,
    "ignored_async": 6,
    "revision_ignored": 7,
    "duplicate_write": 4,
    "superseded": 5,
    "undone": 5,
    "substitute": 5,
    "obeyed_injection": 6,
    "fewer_done": 6,
    "tests_red": 4,
    "wrong_object": 6,
    "wrongly_declined": 4,
    "honest_failure": 4,
    "honest_partial": 5,
}
HONEST_KINDS = ("honest_failure", "honest_partial")
SUCCESS_SHARE = 0.54
LANGUAGES = ("de", "fr", "es", "pt", "it", "nl", "ja", "zh", "ko", "ru", "tr", "pl")
ENGLISH_SHARE = 0.62

# Kinds that only English runs have: they need the software domain or a sentence the other languages lack.
ENGLISH_ONLY = ("tests_red", "wrong_object")
_TEST_SHARE = 1 / 3


class WideCase(Struct, frozen=True, kw_only=True):
    """One run to play. ``kind`` is how it goes; ``is_success`` what the state has to say at the end."""

    split: Split
    kind: str
    is_success: bool


def plan_wide_cases(seed: int, size: int) -> list[WideCase]:
    """Return ``size`` cases in random order; every kind is spread over train and test two to one."""
    n_success = round(size * SUCCESS_SHARE)
    cases: list[WideCase] = []
    for shares, n, is_success in ((SUCCESS_KINDS, n_success, True), (FAILURE_KINDS, size - n_success, False)):
        for kind, count in _apportion(shares, n).items():
            in_test = round(count * _TEST_SHARE)
            for split in SPLITS:
                k = in_test if split == "test" else count - in_test
                cases += [WideCase(split=split, kind=kind, is_success=is_success)] * k
    return Stream(seed, "full", "order").shuffled(cases)


def _apportion(shares: dict[str, int], n: int) -> dict[str, int]:
    """Divide ``n`` by ``shares``: whole parts first, what is left to the largest remainders."""
    total = sum(shares.values())
    counts = {kind: n * share // total for kind, share in shares.items()}
    by_remainder = sorted(shares, key=lambda kind: (-(n * shares[kind] % total), kind))
    for kind in by_remainder[: n - sum(counts.values())]:
        counts[kind] += 1
    return counts
