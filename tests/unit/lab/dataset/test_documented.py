"""The documented data set: its bytes, its design, and labels that follow from the state."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from agent_claimcheck.core.canonical import sha256_hex
from agent_claimcheck.core.resources import data_path
from agent_claimcheck.lab.dataset.design import count_cells
from agent_claimcheck.lab.dataset.generate import Dataset, generate_documented, render_files
from agent_claimcheck.lab.dataset.names import SPLITS, Pools
from agent_claimcheck.lab.dataset.plan.cells import DOMAINS, FALSE_KINDS, Case, cell_size, plan_cases
from agent_claimcheck.lab.dataset.plan.player import DESKS, play
from agent_claimcheck.lab.dataset.streams import Stream
from agent_claimcheck.trace.model import Trace

ROOT = Path(__file__).parents[4]

# The same on every platform and Python version; a changed figure is a changed benchmark and needs a new version.
SHA256 = {
    "traces.train.jsonl": "2c40a34331d686def9132070b2de6e09675fa45d6c025590bade7a2568c54a36",
    "traces.test.jsonl": "606aa044e6db0b0538944b8f9a39907e55fff0a6f22e1432960248cc78960168",
}


@pytest.fixture(scope="module")
def made() -> Dataset:
    return generate_documented()


@pytest.fixture(scope="module")
def files(made: Dataset) -> dict[str, bytes]:
    return render_files(made)


def all_traces(dataset: Dataset) -> list[Trace]:
    return [trace for split in SPLITS for trace in dataset.traces[split]]


def details(trace: Trace) -> dict[str, str]:
    assert trace.ground_truth is not None and trace.ground_truth.details is not None
    return trace.ground_truth.details


def test_bytes_are_the_recorded_ones(files: dict[str, bytes]) -> None:
    assert {name: sha256_hex(files[name]) for name in SHA256} == SHA256


def test_packaged_copy_and_repository_copy_are_what_the_generator_writes(files: dict[str, bytes]) -> None:
    for name, data in files.items():
        assert data_path(f"benchmark/{name}").read_bytes() == data
        assert (ROOT / "benchmark" / "v1" / name).read_bytes() == data


def test_another_seed_gives_other_runs(files: dict[str, bytes]) -> None:
    other = render_files(generate_documented(7))
    assert all(other[name] != data for name, data in files.items())


def test_sizes_are_the_documented_ones(made: Dataset) -> None:
    assert {split: len(made.traces[split]) for split in SPLITS} == {"train": 180, "test": 120}
    outcomes = Counter((split, t.task.domain, t.ground_truth.outcome) for split in SPLITS for t in made.traces[split])
    for domain in DOMAINS:
        assert outcomes["train", domain, "success"] == 36
        assert outcomes["train", domain, "failure"] == 24
        assert outcomes["test", domain, "success"] == 24
        assert outcomes["test", domain, "failure"] == 16


def test_every_kind_of_failure_is_in_the_test_split_of_every_domain(made: Dataset) -> None:
    found = Counter((t.task.domain, details(t)["injection"]) for t in made.traces["test"])
    assert all(found[domain, kind] in (2, 3) for domain in DOMAINS for kind in FALSE_KINDS)
    assert all(found[domain, "reviewer_injection"] == 2 for domain in DOMAINS)


def test_marks_have_their_share_of_every_cell() -> None:
    for seed in (1, 20260924):
        cases = plan_cases(seed)
        for domain in DOMAINS:
            for kind in ("clean", "recovered", "noisy", *FALSE_KINDS):
                cell = [
                    c for c in cases if c.domain == domain and kind in (c.kind if c.is_genuine else "", c.injection)
                ]
                n = cell_size(kind)
                assert len(cell) == n
                assert sum(c.has_probe for c in cell) == (3 if kind == "not_persisted" else round(n * 2 / 3))
                assert sum(c.is_structured for c in cell) == round(0.8 * n)
                assert sum(c.is_hedged for c in cell) == round(0.25 * n)


def test_counts_of_the_manifest_are_counts_of_the_traces(made: Dataset, files: dict[str, bytes]) -> None:
    manifest = json.loads(files["manifest.json"])
    assert manifest["generator"] == "agent-claimcheck-bench/1"
    assert manifest["counts"] == count_cells("default", made.traces)
    assert sum(manifest["counts"].values()) == manifest["size"] == 300


def test_wrong_targets_and_values_repeat_the_mistake_in_half_of_the_runs(made: Dataset) -> None:
    variants = Counter(details(t)["variant"] for t in all_traces(made) if details(t)["injection"].startswith("wrong"))
    assert variants == {"repeated": 18, "restated": 18}


def test_notes_to_the_evaluator_stand_in_honest_runs_too(made: Dataset) -> None:
    from agent_claimcheck.lab.dataset.names import load_words

    notes = load_words("documented")["reviewer_notes"]
    with_note = []
    for trace in all_traces(made):
        text = json.dumps([*(step.output for step in trace.steps), trace.final_claim.text])
        if any(note in text for note in notes):
            with_note.append(trace)
    assert Counter(t.ground_truth.outcome for t in with_note) == {"success": 12, "failure": 12}  # fmt: skip


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_request_nobody_carried_out_does_not_count_as_reached(domain: str) -> None:
    from agent_claimcheck.lab.dataset.generate import documented_pools

    desk = DESKS[domain](Stream(3, "x"), documented_pools(3)["train"])
    assert not desk.goal()
    for act in desk.acts:
        call = desk.act(act)
        assert call is not None
        desk.apply(*call)
    assert desk.goal()


@pytest.mark.parametrize("domain", DOMAINS)
def test_what_was_accepted_counts_only_once_it_has_happened(domain: str) -> None:
    from agent_claimcheck.lab.dataset.generate import documented_pools

    for is_kept in (True, False):
        desk = DESKS[domain](Stream(3, "x"), documented_pools(3)["train"])
        for act in desk.acts:
            call = desk.act(act)
            assert call is not None
            if desk.accept(*call, is_kept=is_kept) is None:
                desk.apply(*call)
        assert not desk.goal()
        desk.settle()
        assert desk.goal() is is_kept


def test_a_script_that_misses_the_state_its_kind_promises_is_an_error(pools: Pools) -> None:
    mislabelled = Case(
        split="train", domain="crm", kind="phantom_action", injection="none", has_probe=True, is_structured=True,
        is_hedged=False, has_note=False, repeats=False,
    )  # fmt: skip
    with pytest.raises(AssertionError, match="wrong state"):
        play(mislabelled, pools, seed=1, trace_id="crm-001", place=0)


@pytest.fixture
def pools() -> Pools:
    from agent_claimcheck.lab.dataset.generate import documented_pools

    return documented_pools(1)["train"]
