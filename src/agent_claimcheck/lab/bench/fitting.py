"""What a bench run fits: the documented classifier, our own, copies without a domain, and the calibrators.

A reader must not miss: fits see the train split only, and use nothing but numpy. Their numbers are cut to twelve
decimals, below what platforms differ in, so that equal traces give equal files everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.detectors.classifier.artifact import (
    LR_FILE,
    ClassifierFile,
    DocumentedLr,
    TrainingFacts,
    shipped_classifier,
)
from agent_claimcheck.detectors.classifier.linear import Logistic
from agent_claimcheck.detectors.classifier.table import EVIDENCE_TABLE, SHAPE_TABLE, table_of
from agent_claimcheck.lab.train.estimate import OUR_GRID, Choice, choose_penalty, held_out
from agent_claimcheck.lab.train.folds import FOLDS, Folds, folds_by_task
from agent_claimcheck.lab.train.labelled import LEAST_OF_EACH
from agent_claimcheck.lab.train.likeness import fit_likeness
from agent_claimcheck.lab.train.logistic import fit_logistic, predict
from agent_claimcheck.scoring.platt import PlattScaling, fit_platt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DECIMALS = 12
SAME = 1e-6
"""Documented: how far a number of the refitted classifier may lie from the shipped one."""


class TrainRow(Struct, frozen=True, kw_only=True):
    """What is known of one trace of the train split; ``shape`` and ``ours`` are the values of the two feature tables."""

    task: str
    domain: str
    is_success: bool
    shape: tuple[float, ...]
    ours: tuple[float, ...]


class Fits(Struct, frozen=True, kw_only=True):
    """Everything fitted. ``lr_oof`` and ``ours_oof`` are held-out p(success), one a train row; ``lodo`` is by domain."""

    lr: DocumentedLr
    lr_oof: list[float]
    ours: ClassifierFile
    ours_oof: list[float]
    lodo: dict[str, DocumentedLr]


def has_enough(rows: Sequence[TrainRow]) -> bool:
    """Say whether there are enough rows of either outcome to fit anything."""
    won = sum(row.is_success for row in rows)
    return min(won, len(rows) - won) >= LEAST_OF_EACH


def fit_all(rows: Sequence[TrainRow], fitted_on: str) -> Fits:
    """Fit the classifiers to the train split; ``has_enough(rows)`` must hold."""
    import numpy as np

    y = np.asarray([row.is_success for row in rows])
    folds = folds_by_task(y.tolist(), [row.task for row in rows], FOLDS)
    shape, ours = np.asarray([row.shape for row in rows]), np.asarray([row.ours for row in rows])
    lr_choice, our_choice = choose_penalty(shape, y, folds), choose_penalty(ours, y, folds, OUR_GRID)
    domains = sorted({row.domain for row in rows})
    return Fits(
        lr=_documented(shape, y, lr_choice, domains),
        lr_oof=_out_of_fold(shape, y, folds, lr_choice.c),
        ours=_ours(ours, y, our_choice, folds, rows, fitted_on),
        ours_oof=_out_of_fold(ours, y, folds, our_choice.c),
        lodo=_without_each(rows, shape, y, lr_choice, domains),
    )


def _without_each(
    rows: Sequence[TrainRow], shape: NDArray[np.float64], y: NDArray[np.bool_], choice: Choice, domains: list[str]
) -> dict[str, DocumentedLr]:
    """Fit a copy without each domain, with the penalty that was chosen for all of them."""
    import numpy as np

    copies: dict[str, DocumentedLr] = {}
    for domain in domains if len(domains) > 1 else ():
        is_kept = np.asarray([row.domain != domain for row in rows])
        if has_enough([row for row in rows if row.domain != domain]):
            others = [name for name in domains if name != domain]
            copies[domain] = _documented(shape[is_kept], y[is_kept], choice, others)
    return copies


def _documented(x: NDArray[np.float64], y: NDArray[np.bool_], choice: Choice, domains: list[str]) -> DocumentedLr:
    model = _cut(fit_logistic(x, y, choice.c))
    return DocumentedLr(
        format="claimcheck-lr/v1",
        features=table_of(SHAPE_TABLE).names,
        means=model.means,
        scales=model.scales,
        coef=model.coef,
        intercept=model.intercept,
        training_domains=tuple(domains),
        base_rate=cut(float(y.mean())),
        C=choice.c,
        cv={"grid": list(choice.grid), "logloss": [cut(loss) for loss in choice.losses]},
        n_train=len(y),
    )


def _ours(
    x: NDArray[np.float64],
    y: NDArray[np.bool_],
    choice: Choice,
    folds: Folds,
    rows: Sequence[TrainRow],
    fitted_on: str,
) -> ClassifierFile:
    names = table_of(EVIDENCE_TABLE).names
    return ClassifierFile(
        format="claimcheck-classifier/v1",
        table=EVIDENCE_TABLE,
        features=names,
        model=_cut(fit_logistic(x, y, choice.c)),
        base_rate=cut(float(y.mean())),
        training=TrainingFacts(
            n=len(y),
            n_success=int(y.sum()),
            n_confirmed=int((x[:, names.index("claims_on_probe")] == 1).sum()),
            tasks=len({row.task for row in rows}),
            fitted_on=fitted_on,
        ),
        likeness=fit_likeness(x, folds),
    )


def _out_of_fold(x: NDArray[np.float64], y: NDArray[np.bool_], folds: Folds, c: float) -> list[float]:
    p = held_out(x, y, folds, lambda fit, won, held: predict(fit_logistic(fit, won, c), held))
    return [cut(value) for value in p.tolist()]


def predict_documented(file: DocumentedLr, rows: Sequence[tuple[float, ...]]) -> list[float]:
    """Return p(success) of rows of the documented table, whatever domain they are of."""
    import numpy as np

    if not rows:
        return []
    model = Logistic(means=file.means, scales=file.scales, coef=file.coef, intercept=file.intercept)
    return [cut(value) for value in predict(model, np.asarray(rows)).tolist()]


def fit_calibrators(
    scores: Mapping[str, Sequence[float | None]], is_success: Sequence[bool]
) -> dict[str, PlattScaling]:
    """Fit a Platt scaling to the raw scores of each detector, ``None`` where it abstains.

    A detector whose scores are all the same, or which has scores of one outcome only, gets none.
    """
    found: dict[str, PlattScaling] = {}
    for name, raw in scores.items():
        kept = [(p, won) for p, won in zip(raw, is_success, strict=True) if p is not None]
        try:
            scaling = fit_platt([p for p, _ in kept], [won for _, won in kept])
        except InputError:
            continue
        found[name] = replace(scaling, a=cut(scaling.a), b=cut(scaling.b))
    return found


def compare_with_shipped(fitted: DocumentedLr) -> str:
    """Compare a refit with the classifier that ships, number by number, and say how it came out.

    Raises ``InputError`` naming the number that differs by more than ``SAME``.
    """
    path = shipped_classifier(LR_FILE)
    if not path.is_file():
        return "no fitted classifier ships with this copy, so there is nothing to compare the fit with"
    shipped = _read_documented(path)
    if (shipped.n_train, shipped.training_domains) != (fitted.n_train, fitted.training_domains):
        return "the classifier that ships was fitted on other traces, so it is not compared"
    numbers = [("C", fitted.C, shipped.C), ("intercept", fitted.intercept, shipped.intercept)]
    for part, ours, theirs in (
        ("mean", fitted.means, shipped.means),
        ("scale", fitted.scales, shipped.scales),
        ("coef", fitted.coef, shipped.coef),
    ):
        numbers += [(f"{part} of {name}", a, b) for name, a, b in zip(fitted.features, ours, theirs, strict=True)]
    for name, ours_, theirs_ in numbers:
        if abs(ours_ - theirs_) > SAME:
            raise InputError(
                f"the refitted classifier is not the shipped one: {name} is {ours_!r}, shipped {theirs_!r}",
                slug="artifact",
            )
    return f"the refitted classifier equals the shipped one within {SAME:g}"


def _read_documented(path: Path) -> DocumentedLr:
    import msgspec

    return msgspec.json.decode(path.read_bytes(), type=DocumentedLr)


def cut(value: float) -> float:
    """Return ``value`` to ``DECIMALS`` decimals."""
    return round(value, DECIMALS)


def _cut(model: Logistic) -> Logistic:
    return Logistic(
        means=tuple(map(cut, model.means)),
        scales=tuple(map(cut, model.scales)),
        coef=tuple(map(cut, model.coef)),
        intercept=cut(model.intercept),
    )
