"""How far learned scores can be believed: the documented benchmark, real runs by source, promises, filler, speed.

    python benchmarks/classifier.py --data DIR [--reference FILE] [--splits 200]

DIR holds ``*.jsonl.gz`` of agent-trace with ``ground_truth`` from the environment; of them only runs whose closing text
claims success (``meta.heur_claims_success``) count. FILE is a labelled train split of the documented benchmark.
Everything is held out by task.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from msgspec.structs import replace

import piped
from agent_claimcheck import Checker, Trace, load_traces
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.detectors.classifier.artifact import Classifier, ClassifierFile, encode_artifact, parse_classifier
from agent_claimcheck.detectors.classifier.detector import ClassifierDetector
from agent_claimcheck.detectors.classifier.likeness import MOST_UNKNOWN, unknown_share
from agent_claimcheck.detectors.classifier.table import EVIDENCE_TABLE, SHAPE_TABLE, table_of
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.lab.dataset.generate import generate_documented
from agent_claimcheck.lab.train.estimate import (
    OUR_GRID,
    ModelKind,
    choose_penalty,
    chosen,
    fit_ours,
    held_out,
    predict_ours,
)
from agent_claimcheck.lab.train.fit import fit
from agent_claimcheck.lab.train.folds import Folds, folds_by_task, stratified_folds
from agent_claimcheck.lab.train.labelled import Labelled, Run, read_labelled
from agent_claimcheck.lab.train.likeness import fit_likeness
from agent_claimcheck.lab.train.logistic import fit_logistic, predict
from agent_claimcheck.lab.train.plan import TrainPlan
from agent_claimcheck.lab.train.quality import _words_only
from agent_claimcheck.scoring.decisions import count_decisions
from agent_claimcheck.scoring.gate import Thresholds, decide
from agent_claimcheck.scoring.intervals import Estimate, bootstrap_auroc, bootstrap_auroc_difference, wilson
from agent_claimcheck.scoring.probability import expected_calibration_error
from agent_claimcheck.scoring.risk_control import promise_threshold
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.view import label_free
from data_argument import add_runs, traces_file

FAMILIES = {
    "agentdojo": "agentdojo", "agentdojo_luna": "agentdojo", "claude_code_tau2": "tau", "tau2_runs": "tau",
    "tau_airline_gpt4o": "tau", "tau_retail_avalj": "tau", "medagentbench": "health", "sweagent_lite": "swe",
    "vorflux_swebench": "swe", "terminalbench_mini": "terminal",
}  # fmt: skip
STRUCTURE = ("n_steps", "n_tool_calls", "n_agent_messages", "n_failed_results", "n_write_calls")
FILLER = ("You're welcome!", "Let me take another look.", "Thanks for your patience.", "Anything else I can help with?")
LEAST_OF_EACH = 15
FRESH_SEEDS = range(101, 107)
"""Neither the seeds of the shipped classifier nor the one of the packaged benchmark."""
CASE = Checker("rules").spec.case


def claiming(path: Path) -> Iterator[Trace]:
    """Yield the runs of one source whose closing text claims success."""
    for trace in load_traces(str(path)):
        if (trace.meta or {}).get("heur_claims_success"):
            yield trace


class Source(Labelled, frozen=True, kw_only=True):
    """Labelled runs of one source, and the evidence of each."""

    evidence: tuple[Evidence, ...] = ()


def read_source(path: Path) -> Source:
    """Read the labelled runs of one file and keep what detectors read."""
    traces = {(trace.trace_id, trace.task.id or trace.trace_id): trace for trace in claiming(path)}
    labelled = read_labelled(traces.values(), CASE)
    kept = tuple(Evidence(label_free(traces[run.trace_id, run.task]), CASE) for run in labelled.runs)
    return Source(runs=labelled.runs, skipped=labelled.skipped, problems=labelled.problems, evidence=kept)


def detected(source: Source, folds: Folds, c: float, kind: ModelKind) -> list[float]:
    """Return what `classifier` says of each run, from an artifact that was fitted on the other folds.

    Where it abstains, the score that orders the queue counts, and the base rate where there is none.
    """
    p = [0.0] * len(source.runs)
    for fitted, held in folds.splits():
        detector = ClassifierDetector(parse_classifier(artifact_of(chosen(source.runs, fitted), c, kind)), is_own=True)
        for index in held.nonzero()[0].tolist():
            output = detector.detect(source.evidence[index])
            p[index] = float(output.details.get("score", output.p_success))
    return p


def artifact_of(runs: Sequence[Run], c: float, kind: ModelKind) -> bytes:
    """Return the classifier file for ``runs``; its likeness measure is from folds by task within them."""
    x, labels = np.asarray([run.evidence for run in runs]), [run.is_success for run in runs]
    return encode_artifact(
        ClassifierFile(
            format="claimcheck-classifier/v1",
            table=EVIDENCE_TABLE,
            features=table_of(EVIDENCE_TABLE).names,
            model=fit_ours(runs, c, kind),
            base_rate=sum(labels) / len(labels),
            likeness=fit_likeness(x, folds_by_task(labels, [run.task for run in runs])),
        )
    )


def fold_scores(source: Source, folds: Folds) -> dict[str, list[float]]:
    """Return held-out p(success) of our detectors and of each baseline on the same folds."""
    y = np.asarray(source.labels)
    c = choose_penalty(np.asarray([run.evidence for run in source.runs]), y, folds, OUR_GRID).c
    at = [table_of(SHAPE_TABLE).names.index(name) for name in STRUCTURE]
    plain = np.log1p(np.asarray([[run.shape[k] for k in at] for run in source.runs]))
    length = np.log1p(np.asarray([[float(run.length)] for run in source.runs]))

    def line(a: np.ndarray, won: np.ndarray, b: np.ndarray) -> np.ndarray:
        return predict(fit_logistic(a, won, 1.0), b)

    return {
        "ours": detected(source, folds, c, "blend"),
        "ours and text": detected(source, folds, c, "evidence_and_text"),
        "structure": held_out(plain, y, folds, line).tolist(),
        "words": _words_only(source.runs, y, folds),
        "length": held_out(length, y, folds, line).tolist(),
    }


def print_sources(sources: dict[str, Source]) -> None:
    """Print AUROC for new tasks and known workflows, per source."""
    names = ("ours", "ours and text", "structure", "words", "length")
    means: dict[str, list[float]] = {name: [] for name in (*names, "known", "known, with text")}
    gaps: dict[tuple[str, str], list[Estimate]] = {}
    print(
        "source                 runs  fail  "
        + "  ".join(f"{name:>21}" for name in names)
        + "  known workflows        known, with text"
    )
    for source, labelled in sources.items():
        failed = [not won for won in labelled.labels]
        if min(sum(failed), len(failed) - sum(failed)) < LEAST_OF_EACH:
            continue
        folds = folds_by_task(labelled.labels, labelled.tasks)
        scores = fold_scores(labelled, folds)
        found = {name: bootstrap_auroc(p, failed) for name, p in scores.items()}
        mixed = Folds(of_run=stratified_folds(labelled.labels), n=5, is_by_task=False)
        at_home = fold_scores(labelled, mixed)
        known, known_text = (bootstrap_auroc(at_home[name], failed) for name in names[:2])
        best = max(names[2:], key=lambda name: found[name].value)
        for first in names[:2]:
            for second in names[2:]:
                gap = bootstrap_auroc_difference(scores[first], scores[second], failed)
                gaps.setdefault((first, second), []).append(gap)
                if second == best:
                    gaps.setdefault((first, "the best in each source, chosen by the same labels"), []).append(gap)
        cells = "  ".join(f"{found[n].value:.3f} [{found[n].ci_low:.3f}, {found[n].ci_high:.3f}]" for n in names)
        cells += "".join(f"  {e.value:.3f} [{e.ci_low:.3f}, {e.ci_high:.3f}]" for e in (known, known_text))
        print(f"{source:22} {len(failed):4} {sum(failed):5}  {cells}")
        for name in names:
            means[name].append(found[name].value)
        means["known"].append(known.value)
        means["known, with text"].append(known_text.value)
    print("mean: " + ", ".join(f"{name} {sum(v) / len(v):.3f}" for name, v in means.items()))
    for (first, second), found_gaps in gaps.items():
        print(f"{first} minus {second}: {mean_gap(found_gaps)}")


def mean_gap(gaps: list[Estimate]) -> str:
    """Return the mean of paired differences over sources with its interval, in words."""
    spread = sum(((gap.ci_high - gap.ci_low) / 3.92) ** 2 for gap in gaps) ** 0.5 / len(gaps)
    centre = sum(gap.value for gap in gaps) / len(gaps)
    return f"{centre:+.3f} [{centre - 1.96 * spread:+.3f}, {centre + 1.96 * spread:+.3f}]"


def is_unlike(model: Classifier, run: Run) -> bool:
    """True where the detector abstains because a run is unlike those that ``model`` was fitted on."""
    assert model.likeness is not None and model.tools is not None
    return (
        model.likeness.distance(run.evidence) > model.likeness.limit
        or unknown_share(run.called, model.tools) > MOST_UNKNOWN
    )


def print_families(sources: dict[str, Source]) -> None:
    """Train on all source families but one, score that one."""
    everything: list[tuple[str, Run]] = [(FAMILIES.get(s, s), run) for s, rows in sources.items() for run in rows.runs]
    values = []
    verified = wrong = accused = honest = 0
    print("\nfamily left out   runs  AUROC                   abstains  verified (failing)  accused (honest)")
    for family in sorted({name for name, _ in everything}):
        seen = [replace(run, task=f"{name}/{run.task}") for name, run in everything if name != family]
        rest = [run for name, run in everything if name == family]
        failed = [not run.is_success for run in rest]
        if min(sum(failed), len(failed) - sum(failed)) < LEAST_OF_EACH:
            continue
        trained = fit(Labelled(runs=tuple(seen), skipped={}, problems=()), TrainPlan(fitted_on="others"))
        model = parse_classifier(encode_artifact(trained.ours))
        p = predict_ours(trained.ours.model, rest).tolist()
        entry = trained.calibration.calibrators["classifier"]
        out = [is_unlike(model, run) for run in rest]
        verdicts = [decide(entry.scaling().apply(v), far, Thresholds()).verdict for v, far in zip(p, out, strict=True)]
        d = count_decisions(verdicts, failed)
        found = bootstrap_auroc(p, failed)
        good = d.confusion["success"]["verified"]
        print(
            f"{family:16} {len(rest):5}  {found.value:.3f} [{found.ci_low:.3f}, {found.ci_high:.3f}]  {sum(out) / len(out):8.1%}  "
            f"{good + d.missed:6} ({d.missed})          {d.caught + d.false_alarms:6} ({d.false_alarms})"
        )
        values.append(found.value)
        verified, wrong = verified + good + d.missed, wrong + d.missed
        accused, honest = accused + d.caught + d.false_alarms, honest + d.false_alarms
    share = wilson(wrong, verified)
    print(
        f"mean AUROC {sum(values) / len(values):.3f}; verified {verified}, failing {wrong}"
        + (f" = {share.value:.3f} [{share.ci_low:.3f}, {share.ci_high:.3f}]" if share else "")
        + f"; accused {accused}, honest {honest}"
    )


def print_reference(path: Path) -> None:
    """Cross-validate on the documented benchmark's train split."""
    labelled = read_labelled(load_traces(str(path)), CASE)
    started = time.process_time()
    trained = fit(labelled, TrainPlan(fitted_on="reference", calibrate=("rules",)))
    spent = time.process_time() - started
    failed = [not won for won in labelled.labels]
    entry = trained.calibration.calibrators["classifier"]
    rows = {
        "cascade-offline": trained.ensemble_scores(),
        "classifier, calibrated": [entry.scaling().apply(p) for p in trained.p_ours],
        "classifier-lr": list(trained.p_lr),
    }
    print(f"documented benchmark, train split, {len(failed)} runs, fit in {spent:.1f} s CPU")
    for name, p in rows.items():
        found = bootstrap_auroc(p, failed)
        d = count_decisions([decide(v, False, Thresholds()).verdict for v in p], failed)
        ece = expected_calibration_error(p, labelled.labels)
        print(
            f"{name:24} AUROC {found.value:.3f} [{found.ci_low:.3f}, {found.ci_high:.3f}]  ECE {ece:.3f}  decided {d.coverage:.1%}  "
            f"caught {d.caught}/{d.n_failure}  missed {d.missed}/{d.n_failure}  false alarms {d.false_alarms}/{d.n_success}"
        )
    for name in ("rules", "cascade-offline", "cascade-documented"):
        checker = Checker(name)
        verdicts = [checker.check_one(trace).verdict for trace in load_traces(str(path))]
        d = count_decisions([v if v != "skipped" else "unverifiable" for v in verdicts], failed)
        print(
            f"as shipped: {name:18} decided {d.coverage:.1%}  caught {d.caught}/{d.n_failure}  missed {d.missed}/{d.n_failure}  "
            f"false alarms {d.false_alarms}/{d.n_success}"
        )


def print_fresh() -> None:
    """Cross-validate on ten times as many runs of the packaged generator, and print what fails by kind."""
    traces = {}
    for seed in FRESH_SEEDS:
        for trace in chain.from_iterable(generate_documented(seed).traces.values()):
            name = f"{seed}/{trace.trace_id}"
            traces[name] = replace(trace, trace_id=name, task=replace(trace.task, id=f"{seed}/{trace.task.id}"))
    labelled = read_labelled(traces.values(), CASE)
    trained = fit(labelled, TrainPlan(fitted_on="generated", calibrate=("rules",)))
    failed = [not won for won in labelled.labels]
    verdicts = [decide(p, False, Thresholds()).verdict for p in trained.ensemble_scores()]
    d = count_decisions(verdicts, failed)
    print(
        f"\ngenerated, {len(failed)} runs: cascade-offline decided {d.coverage:.1%}  caught {d.caught}/{d.n_failure}  "
        f"missed {d.missed}/{d.n_failure}  false alarms {d.false_alarms}/{d.n_success}"
    )
    found: dict[tuple[str, str], Counter[str]] = {}
    for run, verdict in zip(labelled.runs, verdicts, strict=True):
        truth = traces[run.trace_id].ground_truth
        details = (truth.details or {}) if truth else {}
        kind = "probe" if details.get("evidence") == "state_probe" else "receipts"
        found.setdefault((str(details.get("injection")), kind), Counter())[verdict] += 1
    for (injection, kind), counts in sorted(found.items()):
        print(f"  {injection:20} {kind:9} " + ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())))


def print_promises(sources: dict[str, Source], splits: int) -> None:
    """Make promises on half of the tasks, count how often the other half keeps them."""
    print("\npromises on half of the tasks, held against the other half")
    rng = np.random.RandomState(0)
    for bound in (0.05, 0.1, 0.2, 0.3):
        made = kept = 0
        shares = []
        for _ in range(splits):
            p, won, tasks = simulated(rng) if not sources else pooled(sources, rng)
            names = sorted(set(tasks))
            first = set(rng.permutation(names)[: len(names) // 2].tolist())
            here = [k for k, t in enumerate(tasks) if t in first]
            there = [k for k, t in enumerate(tasks) if t not in first]
            try:
                cut = promise_threshold(
                    [p[k] for k in here], [won[k] for k in here], bound=bound, tasks=[tasks[k] for k in here]
                )
            except InputError:
                shares.append(0.0)
                continue
            beyond = [k for k in there if p[k] >= cut.threshold]
            made += 1
            kept += sum(not won[k] for k in beyond) <= bound * len(beyond)
            shares.append(len(beyond) / len(there))
        rate = f"kept in {kept / made:.1%}" if made else "never made"
        print(
            f"bound {bound:.2f}: made in {made} of {splits} splits, {rate}, mean coverage {sum(shares) / len(shares):.1%}"
        )


_POOLED: list[tuple[float, bool, str]] = []


def pooled(sources: dict[str, Source], _: np.random.RandomState) -> tuple[list[float], list[bool], list[str]]:
    """Return held-out scores of all sources together, computed once."""
    if not _POOLED:
        for name, labelled in sources.items():
            failed = len(labelled.labels) - sum(labelled.labels)
            if min(failed, sum(labelled.labels)) < LEAST_OF_EACH:
                continue
            p = fold_scores(labelled, folds_by_task(labelled.labels, labelled.tasks))["ours"]
            _POOLED.extend((v, w, f"{name}/{t}") for v, w, t in zip(p, labelled.labels, labelled.tasks, strict=True))
    return [row[0] for row in _POOLED], [row[1] for row in _POOLED], [row[2] for row in _POOLED]


def simulated(rng: np.random.RandomState) -> tuple[list[float], list[bool], list[str]]:
    """Return 600 calibrated scores with outcomes drawn from them."""
    p = rng.beta(4, 1, 600)
    won = rng.random_sample(600) < p
    return p.tolist(), won.tolist(), [str(k) for k in range(600)]


def print_filler(traces: Sequence[Trace]) -> None:
    """Add 0 to 8 filler messages to each run; count changed verdicts of the default detector and moved scores.

    The classifier with the text is fitted on these very runs.
    """
    checker, changed, moved, n = Checker(), 0, 0, 0
    runs = read_labelled(traces, CASE).runs
    scored = ClassifierDetector(parse_classifier(shipped()), is_own=True)
    with_text = ClassifierDetector(parse_classifier(artifact_of(runs, 0.1, "evidence_and_text")), is_own=True)
    shifts: list[float] = []
    for trace in traces:
        before = checker.check_one(trace)
        p, p_text = (one.detect(Evidence(label_free(trace), CASE)).p_success for one in (scored, with_text))
        for count in (1, 3, 8):
            at = len(trace.steps) // 2
            talk = [
                Step(i=0, ts=trace.steps[0].ts, kind="message", role="agent", content=FILLER[k % 4])
                for k in range(count)
            ]
            mixed = [*trace.steps[:at], *talk, *trace.steps[at:]]
            padded = replace(trace, steps=[replace(step, i=k) for k, step in enumerate(mixed)])
            n += 1
            changed += checker.check_one(padded).verdict != before.verdict
            moved += abs(scored.detect(Evidence(label_free(padded), CASE)).p_success - p) > 1e-9
            shifts.append(abs(with_text.detect(Evidence(label_free(padded), CASE)).p_success - p_text))
    print(f"\nfiller: {changed} of {n} verdicts changed, {moved} of {n} scores moved")
    print(f"with text: moved by {sum(shifts) / n:.3f} in the mean, {max(shifts):.3f} at most")


def shipped() -> bytes:
    """Return the shipped classifier file."""
    from agent_claimcheck.detectors.classifier.artifact import shipped_classifier

    return shipped_classifier().read_bytes()


def print_speed(path: Path) -> None:
    """Print the time of features and score, evidence already read, and of the whole default check."""
    traces = list(load_traces(str(path)))
    scored = ClassifierDetector(parse_classifier(shipped()))
    best = np.inf
    for _ in range(5):
        cases = [Evidence(label_free(trace), CASE) for trace in traces]
        rules = Checker("rules").detector
        for case in cases:
            rules.detect(case)
            case.findings  # noqa: B018 - every check reads them
        started = time.process_time()
        for case in cases:
            scored.detect(case)
        best = min(best, (time.process_time() - started) / len(cases))
    print(
        f"\nfeatures and score: {best * 1e6:.0f} microseconds a run of {sum(len(t.steps) for t in traces) / len(traces):.0f} steps"
    )
    for name in ("rules", "cascade-offline"):
        checker, fastest = Checker(name), np.inf
        for _ in range(5):
            started = time.process_time()
            for trace in traces:
                checker.check_one(trace)
            fastest = min(fastest, (time.process_time() - started) / len(traces))
        print(f"check_one with {name}: {fastest * 1e6:.0f} microseconds a run")


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_runs(parser)
    parser.add_argument("--reference", type=traces_file)
    parser.add_argument("--splits", type=int, default=200)
    options = parser.parse_args()
    sources = {
        path.name.split(".")[0]: read_source(path)
        for path in sorted(options.data.glob("*.jsonl*"))
        if "injection" not in path.name
    }
    if options.reference:
        print_reference(options.reference)
        print_speed(options.reference)
        print_fresh()
        print_filler(list(load_traces(str(options.reference))))
    print()
    print_sources(sources)
    print_families(sources)
    print_promises({}, options.splits)
    print_promises(sources, options.splits)


if __name__ == "__main__":
    piped.run(main)
