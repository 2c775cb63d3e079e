"""Folds for cross-validation: by task, so that no run of a held-out task is trained on.

A reader must not miss: where every run has a task of its own, the folds are those of scikit-learn's stratified k-fold
with shuffling, number for number, because documented figures depend on them. Where there are fewer tasks than folds,
runs of one task stand on both sides, and ``Folds.is_by_task`` is false.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from agent_claimcheck.core.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDS = 5


class Folds(Struct, frozen=True, kw_only=True):
    """Which fold each run is held out in, ``n`` folds counted from 0."""

    of_run: tuple[int, ...]
    n: int
    is_by_task: bool

    def splits(self) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
        """Yield masks ``(fit, held out)`` over the runs."""
        import numpy as np

        place = np.asarray(self.of_run)
        for fold in range(self.n):
            yield place != fold, place == fold


def stratified_folds(is_success: Sequence[bool], n: int = FOLDS, seed: int = 0) -> tuple[int, ...]:
    """Return the fold of each run such that both outcomes are spread evenly, as ``StratifiedKFold(shuffle=True)`` does.

    Raises ``InputError`` when an outcome has fewer runs than there are folds.
    """
    import numpy as np

    won = np.asarray([bool(value) for value in is_success])
    if min(int(won.sum()), int((~won).sum())) < n:
        raise InputError(f"{n} folds need {n} runs of each outcome", slug="train")
    # Classes are numbered in order of appearance.
    codes = (won != won[0]).astype(np.int64)
    order = np.sort(codes)
    shares = np.asarray([np.bincount(order[fold::n], minlength=2) for fold in range(n)])
    rng = np.random.RandomState(seed)
    folds = np.empty(len(won), dtype=np.int64)
    for code in (0, 1):
        places = np.arange(n).repeat(shares[:, code])
        rng.shuffle(places)
        folds[codes == code] = places
    return tuple(int(fold) for fold in folds)


def folds_by_task(is_success: Sequence[bool], tasks: Sequence[Hashable], n: int = FOLDS, seed: int = 0) -> Folds:
    """Return folds that keep the runs of a task together and spread both outcomes as evenly as that allows."""
    groups: dict[Hashable, list[int]] = {}
    for index, task in enumerate(tasks):
        groups.setdefault(task, []).append(index)
    if len(groups) == len(tasks) or not _can_split(groups, is_success, n):
        return Folds(of_run=stratified_folds(is_success, n, seed), n=n, is_by_task=len(groups) == len(tasks))
    return Folds(of_run=_spread(groups, is_success, n, seed), n=n, is_by_task=True)


def _can_split(groups: dict[Hashable, list[int]], is_success: Sequence[bool], n: int) -> bool:
    """True when both outcomes occur in enough tasks that each fold can hold out and fit on both."""
    with_success = sum(any(is_success[i] for i in runs) for runs in groups.values())
    with_failure = sum(any(not is_success[i] for i in runs) for runs in groups.values())
    return len(groups) >= n and min(with_success, with_failure) >= n


def _spread(groups: dict[Hashable, list[int]], is_success: Sequence[bool], n: int, seed: int) -> tuple[int, ...]:
    """Give each task, the most uneven first, to the fold that it leaves most even."""
    import numpy as np

    names = list(groups)
    names = [names[place] for place in np.random.RandomState(seed).permutation(len(names))]
    counts = {name: _count(groups[name], is_success) for name in names}
    names.sort(key=lambda name: -max(counts[name]))
    total = np.asarray([sum(count[k] for count in counts.values()) for k in (0, 1)], dtype=np.float64)
    held = np.zeros((n, 2))
    folds = [0] * len(is_success)
    for name in names:
        added = np.asarray(counts[name], dtype=np.float64)
        spreads = []
        for fold in range(n):
            held[fold] += added
            spreads.append((float((held / np.maximum(total, 1)).std(axis=0).sum()), float(held[fold].sum()), fold))
            held[fold] -= added
        chosen = min(spreads)[2]
        held[chosen] += added
        for index in groups[name]:
            folds[index] = chosen
    return tuple(folds)


def _count(runs: Sequence[int], is_success: Sequence[bool]) -> tuple[int, int]:
    won = sum(bool(is_success[index]) for index in runs)
    return len(runs) - won, won
