"""``validate_dataset``: silent on what the generator writes, one line for each thing that is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.core.canonical import canonical_json, sha256_hex
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.lab.dataset.features import FEATURES, measure
from agent_claimcheck.lab.dataset.generate import generate_dataset, render_files, write_files
from agent_claimcheck.lab.dataset.leakage import audit_features, audit_text, has_text_audit, rank_auroc
from agent_claimcheck.lab.dataset.validate import validate_dataset
from agent_claimcheck.trace.model import FinalClaim, GroundTruth, Step, Task, Trace

Line = dict[str, Any]
FILES = render_files(generate_dataset("default"))


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    write_files(FILES, tmp_path)
    return tmp_path


def faults(directory: Path) -> list[str]:
    return list(validate_dataset(directory, has_text_audit=False))


def rewrite(directory: Path, change: Callable[[list[Line]], None], split: str = "test") -> None:
    """Change the lines of a split and let the manifest agree with the new bytes."""
    path, manifest_path = directory / f"traces.{split}.jsonl", directory / "manifest.json"
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    change(lines)
    data = b"".join(canonical_json(line) + b"\n" for line in lines)
    path.write_bytes(data)
    manifest = json.loads(manifest_path.read_bytes())
    manifest["sha256"][path.name] = sha256_hex(data)
    manifest_path.write_bytes(canonical_json(manifest))


def test_what_the_generator_writes_has_no_faults(directory: Path) -> None:
    assert faults(directory) == []


def test_another_seed_has_no_faults(tmp_path: Path) -> None:
    write_files(render_files(generate_dataset("default", 7)), tmp_path)
    assert faults(tmp_path) == []


def test_a_small_full_data_set_has_no_faults(tmp_path: Path) -> None:
    write_files(render_files(generate_dataset("full", 20260924, 150)), tmp_path)
    assert faults(tmp_path) == []


def test_odd_labels_are_faults_and_no_crash(tmp_path: Path) -> None:
    write_files(render_files(generate_dataset("full", 20260924, 60)), tmp_path)

    def distort(lines: list[Line]) -> None:
        lines[0]["ground_truth"]["details"] = {
            "injection": [{}],
            "variant": {"a": []},
            "language": [1],
            "evidence": None,
        }
        lines[1]["ground_truth"]["details"] = None
        del lines[2]["ground_truth"]

    rewrite(tmp_path, distort)
    manifest = json.loads((tmp_path / "manifest.json").read_bytes())
    (tmp_path / "manifest.json").write_text(json.dumps({**manifest, "counts": {"x": [], "y": "3"}, "sha256": {"a": 1}}))
    found = faults(tmp_path)
    assert any("manifest.json: x is []" in line for line in found)
    assert any(line.endswith("has no label") for line in found)


def test_a_missing_directory_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a directory"):
        faults(tmp_path / "nowhere")


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_missing_file_is_named(directory: Path, name: str) -> None:
    (directory / name).unlink()
    assert f"{name}: missing" in faults(directory)


@pytest.mark.parametrize("text", ["", "[1]", "{", "[" * 100_000, '{"seed": "x"}', "null"])
def test_a_broken_manifest_is_a_fault_and_no_crash(directory: Path, text: str) -> None:
    (directory / "manifest.json").write_text(text)
    assert any(line.startswith("manifest.json: ") for line in faults(directory))


def test_changed_bytes_are_found(directory: Path) -> None:
    path = directory / "traces.test.jsonl"
    path.write_bytes(path.read_bytes().replace(b"America/Bogota", b"America/Boguta"))
    assert any("traces.test.jsonl: sha256 is" in line for line in faults(directory))


def test_a_broken_line_is_found_with_its_place(directory: Path) -> None:
    rewrite(directory, lambda lines: lines[2].pop("task"))
    assert any("traces.test.jsonl:3" in line for line in faults(directory))


def test_a_run_left_out_is_found_in_counts_and_design(directory: Path) -> None:
    rewrite(directory, lambda lines: lines.pop(0))
    found = faults(directory)
    assert any(line.startswith("manifest.json: test/booking/") for line in found)
    assert any("the plan has" in line for line in found)


def test_a_name_of_the_other_split_is_found(directory: Path) -> None:
    train = [json.loads(line) for line in (directory / "traces.train.jsonl").read_bytes().splitlines()]
    stranger = train[0]["steps"][3]
    assert stranger["name"] is None or stranger["args"] is not None or stranger["output"] is not None

    def smuggle(lines: list[Line]) -> None:
        lines[0]["final_claim"]["text"] += " " + train[0]["task"]["instruction"]
        lines[0]["steps"][0]["content"] = train[0]["task"]["instruction"]
        lines[0]["task"]["instruction"] = train[0]["task"]["instruction"]

    rewrite(directory, smuggle)
    found = faults(directory)
    assert any("belongs to the pool of train" in line for line in found)
    assert any("uses a template of train" in line for line in found)


def test_the_same_run_under_another_id_is_found(directory: Path) -> None:
    def repeat(lines: list[Line]) -> None:
        copy = json.loads(json.dumps(lines[0]))
        copy["trace_id"] = "booking-999"
        lines.append(copy)

    rewrite(directory, repeat)
    assert any(line.startswith("booking-999 is the same run as") for line in faults(directory))


def test_an_id_in_both_splits_is_found(directory: Path) -> None:
    first = json.loads((directory / "traces.train.jsonl").read_bytes().splitlines()[0])

    def take_over(lines: list[Line]) -> None:
        lines[0]["trace_id"] = first["trace_id"]

    rewrite(directory, take_over)
    assert f"trace_id {first['trace_id']} stands in both splits" in faults(directory)


def test_a_label_that_does_not_go_with_its_kind_is_found(directory: Path) -> None:
    def flip(lines: list[Line]) -> None:
        truth = lines[0]["ground_truth"]
        truth["outcome"] = "failure" if truth["outcome"] == "success" else "success"

    rewrite(directory, flip)
    assert any("does not go with injection" in line for line in faults(directory))


@pytest.mark.parametrize("is_more_in_failures", [True, False])
def test_a_feature_that_tells_the_label_is_found_both_ways(directory: Path, is_more_in_failures: bool) -> None:
    def pad(lines: list[Line]) -> None:
        for line in lines:
            if (line["ground_truth"]["outcome"] == "failure") is is_more_in_failures:
                line["final_claim"]["text"] += " And that is all there is to say about this." * 3

    rewrite(directory, pad)
    assert any(line.startswith("test: final_text_length tells the label") for line in faults(directory))


@pytest.mark.skipif(not has_text_audit(), reason="needs scikit-learn")
def test_a_word_that_tells_the_label_is_found(directory: Path) -> None:
    def mark(lines: list[Line]) -> None:
        for line in lines:
            word = "verily" if line["ground_truth"]["outcome"] == "failure" else "indeed"
            line["final_claim"]["text"] = f"{word} {line['final_claim']['text']}"

    rewrite(directory, mark, "test")
    rewrite(directory, mark, "train")
    found = list(validate_dataset(directory, has_text_audit=True))
    assert any("text: final message tells the label" in line for line in found)


def test_auroc_by_hand() -> None:
    assert rank_auroc([1, 2, 3, 4], [False, False, True, True]) == 1.0
    assert rank_auroc([1, 2, 3, 4], [True, True, False, False]) == 0.0
    assert rank_auroc([5, 5, 5], [True, False, True]) == 0.5
    assert rank_auroc([1, 2, 2], [False, True, False]) == 0.75
    assert rank_auroc([1.0], [True]) == 0.5


def tiny(text: str | None, steps: list[Step], outcome: str = "success") -> Trace:
    return Trace(
        trace_id="t", source="s", task=Task(id="t", domain="other", instruction="Move it to 10:30, 77 times"), steps=steps,
        final_claim=FinalClaim(text=text), ground_truth=GroundTruth(outcome=outcome, checked_by="human"),
    )  # fmt: skip


def step(i: int, kind: str, **fields: Any) -> Step:
    role = {"tool_call": "agent", "tool_result": "tool", "state_probe": "environment"}.get(kind, "agent")
    return Step(i=i, ts="2026-01-01T00:00:00+00:00", kind=kind, role=role, **fields)


def test_features_by_hand() -> None:
    steps = [
        step(0, "tool_call", name="update_x", args={"at": "10:30"}),
        step(1, "tool_result", name="update_x", ok=False, error="timeout"),
        step(2, "tool_call", name="update_x", args={"at": "10:30"}),
        step(3, "tool_result", name="update_x", ok=True, output={"x_id": "7", "state": "queued"}),
        step(4, "tool_call", name="get_x", args={}),
        step(5, "tool_result", name="get_x", ok=None, output="11:00"),
        step(6, "state_probe", name="get_x", ok=False, error="not_found"),
    ]
    found = measure(tiny("I think it is at 10:30.", steps))
    assert set(found) == set(FEATURES)
    wanted = {
        "n_steps": 7, "n_write_calls": 2, "n_read_calls": 1, "n_failed_results": 1, "n_retries": 1,
        "write_success_ratio": 0.5, "last_write_succeeded": 1, "receipt_id_present": 1, "pending_status_present": 1,
        "steps_after_last_write": 4, "probe_succeeded": 0, "probe_empty_or_not_found": 1, "hedge_words_present": 1,
        "unsupported_value_ratio": 1, "instruction_value_coverage": 0.5, "error_keyword_hits": 1,
        "failure_after_last_write": 0, "n_distinct_tools": 2, "last_result_succeeded": 0,
    }  # fmt: skip
    assert {name: found[name] for name in wanted} == wanted


def test_hostile_traces_can_be_measured() -> None:
    odd = [step(0, "tool_call"), step(1, "tool_result", output=[{"a": None}], error={}), step(2, "state_probe")]
    for trace in (tiny(None, []), tiny("", odd), tiny("\ud800", odd)):
        assert set(measure(trace)) == set(FEATURES)
    assert all(leak.auroc == 0.5 for leak in audit_features([tiny("a", odd)]))
    assert all(leak.auroc == 0.5 for leak in audit_text([tiny("a", odd)]))
