"""Training: the numbers equal scikit-learn's, labels are resolved, folds keep tasks together, files are what check reads."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from agent_claimcheck import Checker, Trace, load_traces
from agent_claimcheck.cli.commands.train import train
from agent_claimcheck.core.errors import InputError, UsageError
from agent_claimcheck.detectors.classifier.artifact import encode_artifact, load_classifier, parse_classifier
from agent_claimcheck.detectors.classifier.detector import ClassifierDetector
from agent_claimcheck.detectors.classifier.evidence_and_text import EvidenceAndText
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.lab.train.boosting import fit_trees
from agent_claimcheck.lab.train.calibrators import fit_calibrator, raw_scores
from agent_claimcheck.lab.train.estimate import predict_ours
from agent_claimcheck.lab.train.fit import fit
from agent_claimcheck.lab.train.folds import folds_by_task, stratified_folds
from agent_claimcheck.lab.train.labelled import Labelled, read_labelled
from agent_claimcheck.lab.train.logistic import fit_directed, fit_logistic, predict
from agent_claimcheck.lab.train.plan import TrainPlan
from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
from agent_claimcheck.scoring.artifact import load_calibration
from agent_claimcheck.trace.model import GroundTruth
from agent_claimcheck.trace.view import label_free
from agent_claimcheck.trace.write import to_json

CASE = Checker("rules").spec.case


def rows(seed: int, n: int = 120, k: int = 5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.RandomState(seed)
    x = rng.normal(size=(n, k)) * np.arange(1, k + 1)
    return x, x[:, 0] + 0.4 * x[:, 1] + rng.normal(size=n) > 0


def packaged(n: int) -> list[Trace]:
    return [trace for _, trace in zip(range(n), load_traces("bench:train"), strict=False)]


@pytest.mark.parametrize("c", [0.01, 1.0, 30.0])
def test_the_fit_equals_scikit_learn(c: float) -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    x, won = rows(3)
    ours = fit_logistic(x, won, c)
    z = (x - np.asarray(ours.means)) / np.asarray(ours.scales)
    theirs = linear.LogisticRegression(C=c, solver="newton-cholesky", tol=1e-12).fit(z, won)
    assert np.abs(theirs.coef_[0] - np.asarray(ours.coef)).max() < 1e-6
    assert abs(theirs.intercept_[0] - ours.intercept) < 1e-6


def test_separable_runs_and_constant_columns_are_fitted_too() -> None:
    x = np.asarray([[0.0, 7.0], [0.0, 7.0], [1.0, 7.0], [1.0, 7.0]])
    model = fit_logistic(x, np.asarray([False, False, True, True]), 100.0)
    assert model.coef[1] == 0.0
    assert predict(model, x)[3] > 0.9


def test_stratified_folds_equal_scikit_learn() -> None:
    selection = pytest.importorskip("sklearn.model_selection")
    for seed in range(5):
        won = np.random.RandomState(seed).random_sample(57) < 0.6
        theirs = np.zeros(57, dtype=int)
        splits = selection.StratifiedKFold(5, shuffle=True, random_state=seed).split(won, won)
        for fold, (_, held) in enumerate(splits):
            theirs[held] = fold
        assert stratified_folds(won.tolist(), 5, seed) == tuple(theirs.tolist())


def test_runs_of_one_task_stay_in_one_fold() -> None:
    rng = random.Random(1)
    tasks = [f"t{rng.randrange(25)}" for _ in range(200)]
    won = [rng.random() < 0.6 for _ in tasks]
    folds = folds_by_task(won, tasks)
    assert folds.is_by_task
    assert all(len({folds.of_run[i] for i, t in enumerate(tasks) if t == task}) == 1 for task in set(tasks))
    assert all(
        0.3 < won_share < 0.9
        for won_share in [
            sum(w for w, f in zip(won, folds.of_run, strict=True) if f == k) / max(1, folds.of_run.count(k))
            for k in range(5)
        ]
    )


def test_fewer_tasks_than_folds_is_said() -> None:
    assert not folds_by_task([True, False] * 20, ["a", "b"] * 20).is_by_task


def test_directed_weights_lie_on_their_known_side() -> None:
    x, won = rows(5)
    model = fit_directed(x, won, 1.0, (-1, 1, 0, 1, -1))
    assert model.coef[0] == 0.0
    assert model.coef[1] > 0
    assert model.coef[2] == 0.0


def test_exported_trees_give_the_numbers_of_scikit_learn() -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    x, won = rows(7, 200)
    ours = fit_trees(x, won)
    theirs = ensemble.HistGradientBoostingClassifier(
        max_iter=60, learning_rate=0.08, max_leaf_nodes=6, min_samples_leaf=10, l2_regularization=5.0,
        early_stopping=False, random_state=0,
    ).fit(x, won)  # fmt: skip
    found = np.asarray([ours.log_odds(row) for row in x.tolist()])
    assert np.abs(found - theirs.decision_function(x)).max() < 1e-9


def labelled_as(trace: Trace, outcome: str, when: str = "", by: str = "human", decision: str = "") -> Trace:
    details = {"reviewed_at": when, "decision": decision} if decision else None
    return replace(trace, ground_truth=GroundTruth(outcome=outcome, checked_by=by, details=details))  # type: ignore[arg-type]


def test_the_newest_review_wins_whatever_the_order() -> None:
    trace = packaged(1)[0]
    old = labelled_as(trace, "success", "2026-01-01T00:00:00Z", decision="verified")
    new = labelled_as(trace, "failure", "2026-02-01T00:00:00Z", decision="false_success")
    machine = labelled_as(trace, "success", by="state_probe")
    for order in ([machine, old, new], [new, old, machine], [old, machine, new]):
        assert read_labelled(order, CASE).labels == [False]


def test_an_undone_review_gives_the_first_label_back() -> None:
    trace = packaged(1)[0]
    review = labelled_as(trace, "failure", "2026-01-01T00:00:00Z", decision="false_success")
    undone = labelled_as(trace, "unknown", "2026-01-02T00:00:00Z", by="none", decision="undone")
    assert read_labelled([labelled_as(trace, "success", by="state_probe"), review, undone], CASE).labels == [True]
    assert read_labelled([review, undone], CASE).skipped == {"unlabelled": 1}


def test_runs_of_one_id_that_say_different_things_are_different_runs() -> None:
    first, second = packaged(2)
    again = replace(second, trace_id=first.trace_id, task=first.task)
    runs = [labelled_as(first, "success"), labelled_as(again, "failure")]
    assert sorted(read_labelled(runs, CASE).labels) == [False, True]


def test_too_few_labels_are_refused_with_the_number_missing() -> None:
    runs = read_labelled(packaged(60), CASE).runs
    few = [run for run in runs if run.is_success][:9] + [run for run in runs if not run.is_success][:3]
    with pytest.raises(UsageError, match="2 more labelled failure"):
        fit(Labelled(runs=tuple(few), skipped={}, problems=()), TrainPlan(fitted_on="x"))


def test_a_calibrator_that_worsens_held_out_scores_keeps_raw() -> None:
    rng = random.Random(4)
    won = [rng.random() < 0.5 for _ in range(60)]
    sharp = [0.999 if w else 0.001 for w in won]
    folds = folds_by_task(won, list(range(60)))
    assert "held-out" in fit_calibrator("k", raw_scores(sharp, won, folds), fitted_on="x").keep_raw
    assert fit_calibrator("k", raw_scores(sharp, won, folds), fitted_on="x", is_forced=True).keep_raw == ""
    with pytest.raises(InputError, match="the same"):
        fit_calibrator("k", raw_scores([0.7] * 60, won, folds), fitted_on="x")


def test_a_calibrator_that_cannot_be_measured_on_held_out_runs_keeps_raw() -> None:
    # Every score but one fold's is the same, so the other folds cannot be fitted.
    won = [True, False] * 5
    scores = raw_scores([0.5] * 9 + [0.7], won, folds_by_task(won, list(range(10))))
    made = fit_calibrator("k", scores, fitted_on="x")
    assert made.held_out is None
    assert "measure" in made.keep_raw
    assert fit_calibrator("k", scores, fitted_on="x", is_forced=True).keep_raw == ""


def test_train_writes_files_that_check_reads(tmp_path: Path) -> None:
    source = tmp_path / "runs.jsonl"
    source.write_bytes(b"\n".join(to_json(trace, "v1") for trace in packaged(90)) + b"\nbroken\n")
    out = tmp_path / "model"
    done = CliRunner().invoke(train, [str(source), "--out", str(out), "--calibrate", "rules"])
    assert done.exit_code == 2, "the files are made from what can be read"
    assert {"lr-v1.json", "classifier-v1.json", "calibration.json", "report.md", "report.html"} <= {
        path.name for path in out.iterdir()
    }
    page = (out / "report.html").read_text("utf-8")
    assert "<script" not in page
    assert '<td class="words">platt</td>' in page
    assert (out / "report.md").read_text("utf-8").startswith("# Training report\n\n")
    assert ">0.5</text>" in (out / "reliability.svg").read_text("utf-8"), "both axes are numbered"
    assert f'write model = "{out}/classifier-v1.json" and calibration = "{out}/calibration.json"' in done.stderr
    assert "replacing" not in done.stderr
    assert "calibrated" not in (out / "reliability.svg").read_text("utf-8"), "the picture shows the scores as they are"
    config = tmp_path / "claimcheck.toml"
    config.write_text(f'[classifier]\nmodel = "{out}/classifier-v1.json"\ncalibration = "{out}/calibration.json"\n')
    checker = Checker("cascade-offline", config=config)
    assert {checker.check_one(trace).verdict for trace in packaged(30)} >= {"verified", "false_success"}
    again = CliRunner().invoke(train, [str(source), "--out", str(tmp_path / "b"), "--calibrate", "rules"])
    assert again.exit_code == 2
    assert (out / "classifier-v1.json").read_bytes() == (tmp_path / "b" / "classifier-v1.json").read_bytes()


def test_train_fits_evidence_and_text_as_one_classifier(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    source = tmp_path / "runs.jsonl"
    traces = packaged(90)
    source.write_bytes(b"\n".join(to_json(trace, "v1") for trace in traces))
    for out in ("a", "b"):
        done = CliRunner().invoke(train, [str(source), "--out", str(tmp_path / out), "--kind", "evidence-and-text"])
        assert done.exit_code == 0, done.output
    made = tmp_path / "a" / "classifier-v1.json"
    assert made.read_bytes() == (tmp_path / "b" / "classifier-v1.json").read_bytes()
    model = load_classifier(made).model
    assert isinstance(model, EvidenceAndText)
    assert model.text.weights
    report = (tmp_path / "a" / "report.md").read_text("utf-8")
    assert "logistic regression and trees, averaged with the text model" in report
    assert "| evidence alone |" in report
    evidence = [Evidence(label_free(trace), CASE) for trace in traces]
    runs = read_labelled(traces, CASE).runs
    fitted = predict_ours(model, runs)
    detector = ClassifierDetector(load_classifier(made), is_own=True)
    found = {case.view.trace_id: detector.detect(case) for case in evidence}
    scores = [found[run.trace_id].details.get("score", found[run.trace_id].p_success) for run in runs]
    assert np.abs(np.asarray(scores) - fitted).max() < 1e-12
    halves = [(model.evidence.log_odds(run.evidence) + model.text.log_odds(run.terms)) / 2 for run in runs]
    assert np.abs(1 / (1 + np.exp(-np.asarray(halves))) - fitted).max() < 1e-12


def test_prediction_sets_become_the_thresholds_of_a_check(tmp_path: Path) -> None:
    source = tmp_path / "runs.jsonl"
    source.write_bytes(b"\n".join(to_json(trace, "v1") for trace in packaged(90)))
    done = CliRunner().invoke(train, [str(source), "--out", str(tmp_path / "model"), "--sets", "0.2"])
    assert done.exit_code == 0, done.output
    promise = load_calibration(tmp_path / "model" / "calibration.json").promise
    assert promise is not None and promise.conformal is not None and promise.conformal.alpha == 0.2
    assert "Prediction sets" in (tmp_path / "model" / "report.md").read_text("utf-8")
    config = tmp_path / "claimcheck.toml"
    model = tmp_path / "model"
    config.write_text(f'[classifier]\nmodel = "{model}/classifier-v1.json"\ncalibration = "{model}/calibration.json"\n')
    assert Checker("cascade-offline", config=config).thresholds == promise.thresholds()


def test_too_few_labels_for_prediction_sets_are_said_with_the_number_missing() -> None:
    with pytest.raises(UsageError, match=r"nothing can be promised: .* more labelled successes"):
        fit(read_labelled(packaged(60), CASE), TrainPlan(fitted_on="x", alpha=0.01))


def test_a_bound_that_neither_side_can_keep_leaves_no_files_that_promise_nothing(tmp_path: Path) -> None:
    source = tmp_path / "runs.jsonl"
    source.write_bytes(b"\n".join(to_json(trace, "v1") for trace in packaged(40)))
    done = CliRunner().invoke(train, [str(source), "--out", str(tmp_path / "model"), "--bound", "0.05"])
    assert isinstance(done.exception, UsageError)
    assert "nothing can be promised: a bound of 0.05 with confidence 0.9 needs 45 labelled tasks" in str(done.exception)
    assert "leave --bound out" in str(done.exception)
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("arguments", [["--calibrate", "rules,coin"], ["--bound", "0.1", "--sets", "0.1"], []])
def test_wrong_use_is_refused(tmp_path: Path, arguments: list[str]) -> None:
    inputs = ["bench:train"] if arguments else []
    done = CliRunner().invoke(train, [*inputs, "--out", str(tmp_path), *arguments])
    assert isinstance(done.exception, UsageError)


def test_trained_files_survive_encoding() -> None:
    labelled = read_labelled(read_sources(["bench:train"], SourceOptions(keeps_repeats=True)), CASE)
    trained = fit(labelled, TrainPlan(fitted_on="x", model="line"))
    read = parse_classifier(encode_artifact(trained.ours))
    assert read.model == trained.ours.model
    shipped = load_classifier(Path("src/agent_claimcheck/_data/models/lr-v1.json"))
    assert np.abs(np.asarray(shipped.model.coef) - np.asarray(trained.lr.coef)).max() < 1e-5  # type: ignore[union-attr]


def test_the_artifact_names_the_tools_that_more_than_a_slip_called() -> None:
    traces = packaged(120)
    slip = replace(
        traces[0],
        steps=[replace(step, name="bsah") if step.kind == "tool_call" else step for step in traces[0].steps],
    )
    labelled = read_labelled([slip, *traces[1:]], CASE)
    file = fit(labelled, TrainPlan(fitted_on="test")).ours
    assert file.tools is not None
    assert {name for run in labelled.runs for name in run.called} - set(file.tools) == {"bsah"}
    assert fit(labelled, TrainPlan(fitted_on="test", model="directed")).ours.tools is None


def test_a_tool_of_two_runs_is_not_known_however_few_runs_were_labelled() -> None:
    def calling(name: str, traces: list[Trace]) -> list[Trace]:
        return [
            replace(
                trace, steps=[replace(step, name=name) if step.kind == "tool_call" else step for step in trace.steps]
            )
            for trace in traces
        ]

    traces = packaged(40)
    labelled = read_labelled([*calling("rare", traces[:2]), *calling("usual", traces[2:])], CASE)
    assert fit(labelled, TrainPlan(fitted_on="test")).ours.tools == ("usual",)
