"""Rebuilds the fitted files that come with the package, from the packaged generator alone.

A reader must not miss: the shipped classifier is fitted on runs of the documented benchmark made with other seeds, and
weighs only what can carry over to other agents. Real labelled runs can be added with ``data``; a file made so ships only
if it is better on sources it has not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from agent_claimcheck.detectors.classifier.artifact import (
    CLASSIFIER_FILE,
    LR_FILE,
    encode_artifact,
    kind_in_words,
)
from agent_claimcheck.evidence.case import CaseSettings
from agent_claimcheck.lab.dataset.generate import generate_documented
from agent_claimcheck.lab.train.fit import Trained, fit
from agent_claimcheck.lab.train.labelled import Labelled, read_labelled
from agent_claimcheck.lab.train.plan import LR_KEY, OUR_KEY, TrainPlan
from agent_claimcheck.packs.load import load_builtin_packs
from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
from agent_claimcheck.scoring.artifact import CALIBRATION_FILE, CalibrationFile, encode_calibration
from agent_claimcheck.trace.model import Trace

SEEDS = (1, 2, 3, 4, 5, 6)
"""Seeds of the training runs; the packaged benchmark has another one."""
CARD_FILE = "MODEL_CARD.md"


def build_shipped(data: Sequence[str] = ()) -> tuple[dict[str, bytes], Trained]:
    """Return the files by name, and what was fitted. ``data`` names further labelled traces."""
    case = CaseSettings(packs=tuple(load_builtin_packs()))
    documented = _documented(case)
    made = read_labelled(chain(_generated(), read_sources(list(data), SourceOptions(keeps_repeats=True))), case)
    name = f"generated, seeds {SEEDS[0]} to {SEEDS[-1]}" + (" and further labelled runs" if data else "")
    ours = fit(made, TrainPlan(fitted_on=name, model="directed"))
    calibrators = {
        "rules": documented.calibration.calibrators["rules"],
        LR_KEY: documented.calibration.calibrators[LR_KEY],
        OUR_KEY: ours.calibration.calibrators[OUR_KEY],
    }
    calibration = CalibrationFile(
        fitted_on="bench:train", base_rate=documented.calibration.base_rate, calibrators=calibrators
    )
    files = {
        LR_FILE: encode_artifact(documented.lr),
        CLASSIFIER_FILE: encode_artifact(ours.ours),
        CALIBRATION_FILE: encode_calibration(calibration),
        CARD_FILE: _card(ours, made).encode("utf-8"),
    }
    return files, ours


def _documented(case: CaseSettings) -> Trained:
    runs = read_labelled(read_sources(["bench:train"], SourceOptions()), case)
    # The documented combination calibrates both whatever that does to the held-out scores.
    return fit(runs, TrainPlan(fitted_on="bench:train", calibrate=("rules",), model="line", is_forced=True))


def _generated() -> Iterator[Trace]:
    for seed in SEEDS:
        for traces in generate_documented(seed).traces.values():
            for trace in traces:
                task = replace(trace.task, id=f"{seed}/{trace.task.id}")
                yield replace(trace, trace_id=f"{seed}/{trace.trace_id}", task=task)


def _card(trained: Trained, labelled: Labelled) -> str:
    facts, calibrator = trained.ours.training, trained.calibration.calibrators[OUR_KEY]
    held = calibrator.held_out
    model = trained.ours.model
    weighed = [
        (name, coef) for name, coef in zip(trained.ours.features, getattr(model, "coef", ()), strict=False) if coef
    ]
    rows = [f"| {name} | {coef:+.2f} |" for name, coef in sorted(weighed, key=lambda row: -abs(row[1]))]
    return "\n".join(
        [
            "# Model card: classifier-v1.json",
            "",
            "A logistic regression over feature table `evidence/v2`. Each weight is held to the side its feature can speak",
            "for: a failed check can only speak against success. Features whose direction depends on the agent have no",
            "weight, because what they are worth here says nothing about other agents.",
            "",
            "| | |",
            "|---|---|",
            f"| model | {kind_in_words(model)} |",
            f"| fitted on | {facts.fitted_on} |",
            f"| runs | {facts.n}, of which {facts.n_success} succeeded |",
            f"| left out | {', '.join(f'{n} {why}' for why, n in labelled.skipped.items()) or 'none'} |",
            f"| AUROC on held-out tasks | {facts.held_out['auroc']:.3f} |",
            f"| Brier score, raw and calibrated | {held.brier_raw:.3f}, {held.brier:.3f} |" if held else "| | |",
            f"| calibration error, raw and calibrated | {held.ece_raw:.3f}, {held.ece:.3f} |" if held else "| | |",
            f"| distance from which it abstains | {trained.ours.likeness.limit:.2f} spreads |"
            if trained.ours.likeness
            else "| | |",
            "",
            "It decides only on runs whose tools a rule pack maps and that lie near its training runs. On all others, and",
            "on traces of domain `other`, it abstains and its score only orders the review queue. On real runs of other",
            "agents it is not much better than chance, which is why it decides nothing there: train one on your own labels.",
            "",
            "## Weights, in units of a feature's spread",
            "",
            "| feature | weight |",
            "|---|---|",
            *rows,
            "",
            "Rebuilt, byte for byte on one platform, by `agent-claimcheck train --shipped --out DIR`.",
            "",
        ]
    )
