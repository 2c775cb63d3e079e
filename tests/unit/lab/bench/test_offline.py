"""Scoring labelled traces offline: which traces, which rows, and that nothing of the test split is fitted on."""

from __future__ import annotations

import json
from collections import Counter
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.evidence.case import CaseSettings
from agent_claimcheck.lab.bench.baselines import measure_leakage
from agent_claimcheck.lab.bench.inputs import PACKAGED, packaged_sha256, read_data_set
from agent_claimcheck.lab.bench.offline import OfflineRun, score_offline
from agent_claimcheck.lab.bench.recording import RunFacts, offline_files, write_files
from agent_claimcheck.lab.bench.records import DatasetFacts
from agent_claimcheck.lab.bench.replay import replay_run
from agent_claimcheck.lab.bench.subjects import Subjects, read_subjects
from agent_claimcheck.packs.load import load_builtin_packs
from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
from agent_claimcheck.trace.model import GroundTruth, Trace
from fakes import booking_trace

FACTS = RunFacts(command="agent-claimcheck bench", date="2026-01-02", hardware="a machine", run_name="small")


@pytest.fixture(scope="module")
def case() -> CaseSettings:
    return CaseSettings(packs=load_builtin_packs())


@pytest.fixture(scope="module")
def subjects(case: CaseSettings) -> Subjects:
    """Every third trace of the benchmark."""
    every = read_subjects(read_sources(PACKAGED, SourceOptions()), case)
    return replace(every, kept=every.kept[::3])


def score(subjects: Subjects, case: CaseSettings) -> OfflineRun:
    ticks = count()
    return score_offline(subjects, case, clock=lambda: next(ticks) / 1000, fitted_on="bench:train", is_packaged=False)


@pytest.fixture(scope="module")
def scored(subjects: Subjects, case: CaseSettings) -> OfflineRun:
    return score(subjects, case)


def labelled(trace_id: str, outcome: str = "success", split: str | None = None, **fields: object) -> Trace:
    trace = booking_trace(trace_id, outcome=outcome, **fields)  # type: ignore[arg-type]
    return trace if split is None else replace(trace, meta={"split": split})


def test_traces_without_label_or_claim_are_left_out_and_counted(case: CaseSettings) -> None:
    made = read_subjects(
        [
            labelled("a", split="test"),
            labelled("b", split="test", final="I could not book the room."),
            replace(labelled("c"), ground_truth=GroundTruth(outcome="unknown", checked_by="none")),
            replace(labelled("d"), ground_truth=None),
        ],
        case,
    )
    assert [subject.trace.trace_id for subject in made.kept] == ["a"]
    assert made.skipped == {"no success claim": 1, "unlabelled": 2}


def test_nothing_to_test_on_is_said(case: CaseSettings) -> None:
    with pytest.raises(InputError, match="to test on"):
        read_subjects([labelled("a", split="train")], case)


def test_without_named_splits_a_task_stands_on_one_side(case: CaseSettings) -> None:
    traces = [
        replace(trace, task=replace(trace.task, id=f"task-{number // 3}"))
        for number, trace in enumerate(labelled(f"t{number}") for number in range(60))
    ]
    sides: dict[str, set[str]] = {}
    for subject in read_subjects(traces, case).kept:
        sides.setdefault(subject.trace.task.id, set()).add(subject.split)
    assert all(len(found) == 1 for found in sides.values())
    assert {split for found in sides.values() for split in found} == {"train", "test"}


def test_every_detector_scores_every_trace(subjects: Subjects, scored: OfflineRun) -> None:
    rows = Counter(row.detector for row in scored.predictions)
    n_train, n_test = len(subjects.of_split("train")), len(subjects.of_split("test"))
    for name in (
        "trust-agent",
        "any-error",
        "rules",
        "classifier-lr",
        "classifier",
        "classifier-refit",
        "cascade-offline",
    ):
        assert rows[name] == n_train + n_test
    assert rows["classifier-lr:oof"] == n_train
    assert sum(n for name, n in rows.items() if ":lodo:" in name) == n_test


def test_copies_that_saw_a_trace_do_not_score_it(scored: OfflineRun) -> None:
    for row in scored.predictions:
        if row.detector.endswith(":oof"):
            assert row.split == "train"
        if ":lodo:" in row.detector:
            assert row.split == "test" and row.detector.endswith(row.domain)


def test_test_labels_change_no_score(subjects: Subjects, scored: OfflineRun, case: CaseSettings) -> None:
    turned = replace(
        subjects,
        kept=tuple(
            replace(subject, is_success=not subject.is_success) if subject.split == "test" else subject
            for subject in subjects.kept
        ),
    )
    again = score(turned, case)
    assert [row.p_cal for row in again.predictions] == [row.p_cal for row in scored.predictions]
    assert again.calibrators == scored.calibrators


def test_equal_traces_give_equal_files(subjects: Subjects, scored: OfflineRun, case: CaseSettings) -> None:
    assert offline_files(scored, FACTS) == offline_files(score(subjects, case), FACTS)


def test_the_written_run_replays(scored: OfflineRun, tmp_path: Path) -> None:
    facts = FACTS.with_data(DatasetFacts(seed=1, licence="made up here."), "0" * 64)
    write_files(tmp_path / "small", offline_files(scored, facts))
    made = replay_run(tmp_path / "small")
    assert set(made.report.detectors) >= {
        "rules",
        "classifier-lr",
        "classifier",
        "cascade-offline",
        "cascade-documented",
    }
    assert made.report.lodo and made.report.dataset.seed == 1
    assert "| judge | not measured |" in made.markdown
    run = json.loads((tmp_path / "small" / "run.json").read_bytes())
    assert run["dataset"] == {"seed": 1, "licence": "made up here."}


def test_too_few_labels_fit_nothing(case: CaseSettings) -> None:
    traces = [labelled(f"t{number}", split="test" if number % 2 else "train") for number in range(6)]
    made = score(read_subjects(traces, case), case)
    assert made.fits is None
    assert {row.detector for row in made.predictions} == {
        "trust-agent",
        "any-error",
        "rules",
        "classifier",
        "cascade-offline",
    }
    assert any("too few labels" in line for line in made.notes)


def test_leakage_names_lengths_and_the_most_telling_feature() -> None:
    traces = [
        labelled(f"t{number}", "failure" if number % 2 else "success", final="I booked it. " + "x" * (number % 2))
        for number in range(20)
    ]
    found = measure_leakage(traces)
    assert found["length: final_text_length"] == 1.0
    assert found["length: n_steps"] == 0.5
    assert 1.0 in {area for name, area in found.items() if name.startswith("most telling")}


def test_the_packaged_benchmark_brings_its_facts(case: CaseSettings) -> None:
    data = read_data_set((), case, with_leakage=False)
    assert data.is_packaged and data.facts.seed == 20260924 and data.sha256 == packaged_sha256()
    assert (len(data.subjects.of_split("train")), len(data.subjects.of_split("test"))) == (180, 120)
