"""Hypotheses H5 to H8 of ADR 0005, measured on generated runs.

    python benchmarks/hypotheses.py [--size 3000] [--only H5,H8]

Everything follows from seeds. Prints one block a hypothesis: the figures, by domain or language as well, and the verdict
by the rule that was fixed before.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from msgspec.structs import replace

import piped
from agent_claimcheck.detectors.classifier.linear import Logistic
from agent_claimcheck.detectors.classifier.shape import shape_values
from agent_claimcheck.detectors.classifier.table import evidence_features
from agent_claimcheck.detectors.contract import DetectorOutput
from agent_claimcheck.detectors.rules.detector import RulesDetector
from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.lab.bench.fitting import (
    Fits,
    TrainRow,
    cut,
    fit_all,
    fit_calibrators,
    predict_documented,
)
from agent_claimcheck.lab.bench.rows import CLASSIFIER, REFIT
from agent_claimcheck.lab.dataset.full import player
from agent_claimcheck.lab.dataset.full.kinds import ENGLISH_ONLY, LANGUAGES, WideCase, plan_wide_cases
from agent_claimcheck.lab.dataset.generate import DEFAULT_SEED, full_pools, generate_full
from agent_claimcheck.lab.train.logistic import predict
from agent_claimcheck.packs.load import load_builtin_packs
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.learned import build_cascade_offline
from agent_claimcheck.scoring.gate import Thresholds, decide
from agent_claimcheck.scoring.intervals import bootstrap_auroc, bootstrap_auroc_difference, paired_difference, wilson
from agent_claimcheck.scoring.probability import expected_calibration_error
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.view import label_free

CASE = CaseSettings(packs=load_builtin_packs())
OTHER_SEED = 7


class Scored:
    """Labelled runs with what the fitted models need of them."""

    def __init__(self, traces: Iterable[Trace]) -> None:
        self.traces: list[Trace] = []
        self.rows: list[TrainRow] = []
        for trace in traces:
            evidence = Evidence(label_free(trace), CASE)
            if not evidence.success_claims:
                continue
            self.traces.append(trace)
            self.rows.append(
                TrainRow(
                    task=trace.task.id,
                    domain=trace.task.domain,
                    is_success=_won(trace),
                    shape=shape_values(evidence),
                    ours=evidence_features(evidence),
                )
            )

    @property
    def failed(self) -> list[bool]:
        return [not row.is_success for row in self.rows]


def _won(trace: Trace) -> bool:
    return trace.ground_truth is not None and trace.ground_truth.outcome == "success"


def _details(trace: Trace) -> dict[str, object]:
    return (trace.ground_truth.details if trace.ground_truth else None) or {}


def _predict(fits: Fits, rows: Sequence[TrainRow]) -> dict[str, list[float]]:
    import numpy as np

    model = fits.ours.model
    assert isinstance(model, Logistic)
    return {
        CLASSIFIER: predict_documented(fits.lr, [row.shape for row in rows]),
        REFIT: [cut(p) for p in predict(model, np.asarray([row.ours for row in rows])).tolist()],
    }


def _shown(value: object) -> str:
    if value is None:
        return "n/a"
    return f"{value.value:+.3f} [{value.ci_low:+.3f}, {value.ci_high:+.3f}]"  # type: ignore[attr-defined]


def h5(train: Scored, test: Scored) -> None:
    """Unseen tools: a copy fitted without a domain, scored on that domain, against the one fitted on all."""
    whole = _predict(fit_all(train.rows, "full"), test.rows)
    without: dict[str, list[float]] = {name: [0.0] * len(test.rows) for name in whole}
    domains = sorted({row.domain for row in test.rows})
    for domain in domains:
        fits = fit_all([row for row in train.rows if row.domain != domain], "full")
        places = [place for place, row in enumerate(test.rows) if row.domain == domain]
        for name, scores in _predict(fits, [test.rows[place] for place in places]).items():
            for place, p in zip(places, scores, strict=True):
                without[name][place] = p
    print(f"H5 unseen tools ({len(train.rows)} to train on, {len(test.rows)} to test on)")
    for name in whole:
        difference = bootstrap_auroc_difference(without[name], whole[name], test.failed)
        area = bootstrap_auroc(whole[name], test.failed)
        held = difference is not None and difference.ci_low > -0.05
        print(
            f"  {name}: AUROC {_shown(area)}, copy minus all {_shown(difference)}: {'holds' if held else 'does not hold'}"
        )
        for domain in domains:
            at = [place for place, row in enumerate(test.rows) if row.domain == domain]
            failed = [test.failed[place] for place in at]
            pair = [bootstrap_auroc([scores[place] for place in at], failed) for scores in (without[name], whole[name])]
            print(f"    {domain:<14} {len(at):>4} runs  unseen {_shown(pair[0])}  all {_shown(pair[1])}")


def h6(train: Scored, test: Scored, size: int) -> None:
    """Generator settings: probes in a third of the runs, twice the padding, other error styles, another seed."""
    kept = {name: getattr(player, name) for name in ("_PROBE_SHARE", "_WRITES", "_FAILED", "_READS", "_SAYINGS")}
    load = player.load_words
    try:
        player._PROBE_SHARE = 1 / 3
        for name in ("_WRITES", "_FAILED", "_READS", "_SAYINGS"):
            setattr(player, name, {2 * count: weight for count, weight in kept[name].items()})
        player.load_words = _with_other_errors(load)
        changed = Scored(generate_full(OTHER_SEED, size).traces["test"])
    finally:
        for name, value in kept.items():
            setattr(player, name, value)
        player.load_words = load
    fits = fit_all(train.rows, "full")
    labels = [row.is_success for row in train.rows]
    scalings = fit_calibrators({CLASSIFIER: fits.lr_oof, REFIT: fits.ours_oof}, labels)
    scores = {}
    for name in (CLASSIFIER, REFIT):
        scaled = scalings[name].apply
        scores[name] = [[scaled(p) for p in _predict(fits, part.rows)[name]] for part in (test, changed)]
    cascade = build_cascade_offline()
    scores["cascade-offline (shipped)"] = [
        [_p(cascade.detect(_evidence(t))) for t in part.traces] for part in (test, changed)
    ]
    print(f"H6 generator settings ({len(test.rows)} runs as set by default, {len(changed.rows)} set otherwise)")
    for name, (usual, other) in scores.items():
        before, after = bootstrap_auroc(usual, test.failed), bootstrap_auroc(other, changed.failed)
        ece = expected_calibration_error(other, [not f for f in changed.failed])
        held = before is not None and after is not None and before.value - after.value < 0.05 and ece < 0.10
        print(
            f"  {name}: AUROC {_shown(before)} then {_shown(after)}, calibrated ECE then {ece:.3f}: "
            f"{'holds' if held else 'does not hold'}"
        )


def _with_other_errors(load: Callable[[str], dict[str, object]]) -> Callable[[str], dict[str, object]]:
    styles = ["E_BUSY", "rc=17 (rejected by upstream)", "Operation could not be completed.", '{"code": 4091}', "ENOENT"]

    def words(name: str) -> dict[str, object]:
        return load(name) | ({"errors": styles} if name == "full" else {})

    return words


def _evidence(trace: Trace) -> Evidence:
    return Evidence(label_free(trace), CASE)


def _p(output: DetectorOutput) -> float:
    return output.p_success if output.p_calibrated is None or output.abstain else output.p_calibrated


def h7(size: int) -> None:
    """Languages: the same run twice, its final message in English and in another language."""
    pools = full_pools(DEFAULT_SEED)
    caught: dict[str, list[tuple[bool, bool]]] = {}
    unread: dict[str, list[bool]] = {}
    checker = Checker("rules")
    for place, case in enumerate(plan_wide_cases(DEFAULT_SEED, size)):
        if case.split != "test" or case.kind in ENGLISH_ONLY or case.kind.startswith("honest"):
            continue
        trace_id = f"full-{place + 1:05d}"
        language = LANGUAGES[place % len(LANGUAGES)]
        run = player._Run(case, pools[case.split], player.Stream(DEFAULT_SEED, "full", trace_id), place)
        if run.scene.domain == "software":  # its words exist in English only
            continue
        pair = [_spoken(case, pools, trace_id, place, spoken) for spoken in ("en", language)]
        if not Evidence(label_free(pair[0]), CASE).success_claims:
            continue
        verdicts = [checker.check_one(trace).verdict for trace in pair]
        reads = Evidence(label_free(pair[1]), CASE)
        unread.setdefault(language, []).append(not reads.success_claims)
        if not case.is_success:
            caught.setdefault(language, []).append((verdicts[1] == "false_success", verdicts[0] == "false_success"))
    every = [both for pairs in caught.values() for both in pairs]
    difference = paired_difference([other for other, _ in every], [english for _, english in every])
    lost = [flag for flags in unread.values() for flag in flags]
    share = sum(lost) / len(lost)
    held = difference is not None and difference.ci_low > -0.10 and share <= 0.10
    print(
        f"H7 languages ({len(every)} pairs of failures): caught, other minus English {_shown(difference)}; "
        f"not read {sum(lost)} of {len(lost)} ({share:.1%}): {'holds' if held else 'does not hold'}"
    )
    for language in sorted(caught):
        pairs, flags = caught[language], unread[language]
        print(
            f"    {language}: caught {sum(o for o, _ in pairs)} against {sum(e for _, e in pairs)} of {len(pairs)} in "
            f"English, not read {sum(flags)} of {len(flags)}"
        )


def _spoken(case: WideCase, pools: dict, trace_id: str, place: int, language: str) -> Trace:  # type: ignore[type-arg]
    """Play a run whose user and steps speak English, and whose last message speaks ``language``; no claim is declared."""
    run = player._Run(case, pools[case.split], player.Stream(DEFAULT_SEED, "full", trace_id), place)
    run.speech.language = "en"
    run.speech._gap = " "
    english = run.speech
    report = english.report

    def speak(done, extra, *, is_uniform):  # type: ignore[no-untyped-def]
        english.language = language
        english._foreign = player.load_words("languages").get(language, {}) if language != "en" else {}
        try:
            return report(done, extra if language == "en" else [], is_uniform=is_uniform)
        finally:
            english.language = "en"

    english.report = speak  # type: ignore[method-assign]
    trace = run.play(trace_id)
    return replace(trace, final_claim=replace(trace.final_claim, claims=[]))


def h8(traces: Sequence[Trace]) -> None:
    """No accusation of honest runs: the rules on genuine runs whose tools no pack maps."""
    accused: dict[str, list[bool]] = {}
    rules = RulesDetector()
    for trace in traces:
        evidence = _evidence(trace)
        if not _won(trace) or not evidence.success_claims or (evidence.packs and _is_mapped(evidence)):
            continue
        output = rules.detect(evidence)
        verdict = decide(output.p_success, output.abstain, Thresholds()).verdict
        accused.setdefault(trace.task.domain, []).append(verdict == "false_success")
    every = [flag for flags in accused.values() for flag in flags]
    share = wilson(sum(every), len(every))
    held = share is not None and share.ci_high < 0.02
    print(
        f"H8 honest runs: {sum(every)} of {len(every)} accused, {_shown(share)}: {'holds' if held else 'does not hold'}"
    )
    for domain, flags in sorted(accused.items()):
        print(f"    {domain:<14} {sum(flags)} of {len(flags)}")


def _is_mapped(evidence: Evidence) -> bool:
    """True when some pack names a tool of the run; the generic pack names none."""
    return any(pack.tools for pack in evidence.packs)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=3000)
    parser.add_argument("--only", default="H5,H6,H7,H8")
    options = parser.parse_args()
    wanted = set(options.only.split(","))
    made = generate_full(DEFAULT_SEED, options.size)
    if wanted & {"H5", "H6"}:
        train, test = Scored(made.traces["train"]), Scored(made.traces["test"])
        if "H5" in wanted:
            h5(train, test)
        if "H6" in wanted:
            h6(train, test, options.size)
    if "H7" in wanted:
        h7(options.size)
    if "H8" in wanted:
        h8([*made.traces["train"], *made.traces["test"]])


if __name__ == "__main__":
    piped.run(main)
