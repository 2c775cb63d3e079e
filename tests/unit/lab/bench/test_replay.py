"""A recorded run becomes a report, from its records alone and always the same."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.lab.bench.replay import replay_run
from agent_claimcheck.scoring.platt import PlattScaling

RunWriter = Callable[..., Path]
SMALL, LARGE = "judge:maker/small", "judge:maker/large:free"
DOCUMENTED_KEYS = {
    "dataset", "recorded_run", "detectors", "judge_coverage_note", "recall_by_kind", "evidence_breakdown", "lodo",
    "leakage_test_auroc", "ablation", "parse_error_rates", "sent_to_judge_share", "hypotheses", "images", "run",
}  # fmt: skip
DETECTOR_KEYS = {
    "n", "auroc", "ece_raw", "ece_calibrated", "brier_calibrated", "extremes_raw", "decisions", "usd_per_1k",
    "wall_s_per_1k", "p50_ms", "p95_ms",
}  # fmt: skip


def report(directory: Path, **options: Any) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(replay_run(directory, **options).files["bench.json"])
    return loaded


def test_equal_records_give_equal_bytes(write_run: RunWriter) -> None:
    directory = write_run()
    assert replay_run(directory).files == replay_run(directory).files


def test_the_report_has_the_documented_keys(write_run: RunWriter) -> None:
    found = report(write_run())
    assert set(found) >= DOCUMENTED_KEYS
    assert all(set(detector) == DETECTOR_KEYS for detector in found["detectors"].values())


def test_floats_have_twelve_significant_digits(write_run: RunWriter) -> None:
    def floats(value: Any) -> list[float]:
        if isinstance(value, dict):
            return [found for item in value.values() for found in floats(item)]
        if isinstance(value, list):
            return [found for item in value for found in floats(item)]
        return [value] if isinstance(value, float) else []

    found = floats(report(write_run()))
    assert len(found) > 100
    assert all(float(f"{value:.12g}") == value for value in found)


def test_detectors_come_cheap_first_and_copies_stay_out(write_run: RunWriter) -> None:
    made = replay_run(write_run()).report
    assert list(made.detectors) == [
        "trust-agent", "rules", "classifier-lr", "cascade-offline", LARGE, SMALL, "cascade",
    ]  # fmt: skip
    assert made.judge_order == [LARGE, SMALL]
    assert "trust-agent" not in made.recall_by_kind


def test_only_the_test_split_is_scored_but_h4_counts_all(write_run: RunWriter) -> None:
    found = report(write_run())
    assert {detector["n"] for detector in found["detectors"].values()} == {30}
    assert {judge["n_traces"] for judge in found["hypotheses"]["h4"]["judges"].values()} == {60}


def test_judges_are_calibrated_where_the_run_has_a_calibrator(write_run: RunWriter) -> None:
    detectors = report(write_run())["detectors"]
    assert detectors[SMALL]["ece_raw"] != detectors[SMALL]["ece_calibrated"]
    assert detectors[LARGE]["ece_raw"] == detectors[LARGE]["ece_calibrated"]


def test_cost_and_time_leave_out_cached_answers(write_run: RunWriter) -> None:
    from_records = report(write_run())["detectors"][SMALL]
    directory = write_run()
    records = [json.loads(line) for line in (directory / "judge-records.jsonl").read_text().splitlines()]
    for index, record in enumerate(records):
        if record["detector"] == SMALL and index % 4 == 1:
            record.update(cached=True, cost_usd=0.0, latency_ms=0.0)
    cached = report(write_run(judge_records=records))["detectors"][SMALL]
    assert from_records["usd_per_1k"] == cached["usd_per_1k"] == pytest.approx(0.1)
    assert cached["p50_ms"] > 1000
    assert cached["wall_s_per_1k"] > from_records["wall_s_per_1k"] == 500


def test_the_cascade_asks_the_best_judge_of_the_train_split(write_run: RunWriter) -> None:
    found = report(write_run())
    directory = write_run()
    records = [json.loads(line) for line in (directory / "judge-records.jsonl").read_text().splitlines()]
    truth = {
        row["trace_id"]: row["outcome"] == "success"
        for row in map(json.loads, (directory / "offline-predictions.jsonl").read_text().splitlines())
    }
    loser = SMALL if found["best_judge"] == LARGE else LARGE
    for record in records:
        if record["detector"] == loser:
            # Perfect where judges are chosen, always wrong where they are reported.
            record["p_raw"] = float(truth[record["trace_id"]] == (record["split"] == "train"))
    assert report(write_run(judge_records=records))["best_judge"] == loser


def test_equally_good_judges_are_told_apart_by_brier_and_then_by_name(write_run: RunWriter) -> None:
    directory = write_run()
    records = [json.loads(line) for line in (directory / "judge-records.jsonl").read_text().splitlines()]
    large = {record["trace_id"]: record["p_raw"] for record in records if record["detector"] == LARGE}
    for record in records:
        record["p_raw"] = large[record["trace_id"]]
    flat = {"calibrators": {LARGE: {"a": 0.01, "b": 0.0}}}
    assert report(write_run(judge_records=records, calibration={"calibrators": {}}))["best_judge"] == LARGE
    assert report(write_run(judge_records=records, calibration=flat))["best_judge"] == SMALL


def test_a_cascades_wall_clock_is_rules_plus_the_asked_share_of_the_judge(write_run: RunWriter) -> None:
    found = report(write_run())
    judge = found["detectors"][found["best_judge"]]["wall_s_per_1k"]
    expected = found["detectors"]["rules"]["wall_s_per_1k"] + found["sent_to_judge_share"] * judge
    assert found["detectors"]["cascade"]["wall_s_per_1k"] == pytest.approx(expected)
    assert 0 < found["sent_to_judge_share"] < 1


def test_abstentions_stand_at_the_base_rate_uncalibrated(write_run: RunWriter) -> None:
    directory = write_run()
    records = [json.loads(line) for line in (directory / "judge-records.jsonl").read_text().splitlines()]
    for record in records:
        if record["detector"] == SMALL:
            record.update(abstain=True, abstain_reason="timeout", p_raw=None, raw_text=None)
    found = report(write_run(judge_records=records))
    silent = found["detectors"][SMALL]
    assert silent["auroc"] == {"value": 0.5, "ci_low": 0.5, "ci_high": 0.5}
    assert (
        silent["ece_calibrated"] == silent["ece_raw"] == pytest.approx(abs(0.6 - silent["decisions"]["n_success"] / 30))
    )
    assert silent["decisions"]["coverage"] == 0
    rates = found["parse_error_rates"][SMALL]
    assert (rates["abstain_rate"], rates["parse_error_rate"], rates["abstained_all"]) == (1.0, 0.0, 60)


def test_without_judges_the_report_says_not_measured(write_run: RunWriter) -> None:
    made = replay_run(write_run(judge_records=None, run=None, calibration=None))
    assert "| judge | not measured |" in made.markdown
    assert "| cascade | not measured |" in made.markdown
    assert made.markdown.count("**not measured**") == 2  # H2 and H4
    assert made.report.sent_to_judge_share is None
    assert made.report.ablation is None


def test_without_timings_no_time_is_printed_as_zero(write_run: RunWriter) -> None:
    made = replay_run(write_run(timings=None))
    rules = next(line for line in made.markdown.split("### Table B")[1].splitlines() if line.startswith("| rules |"))
    assert rules.endswith("| not measured | not measured | not measured |")
    assert made.report.detectors["cascade"].wall_s_per_1k is None


def test_a_judge_that_saw_part_of_the_traces_is_noted(write_run: RunWriter) -> None:
    directory = write_run()
    records = [json.loads(line) for line in (directory / "judge-records.jsonl").read_text().splitlines()]
    kept = [record for record in records if record["detector"] != SMALL or record["trace_id"] < "t020"]
    made = replay_run(write_run(judge_records=kept)).report
    assert made.judge_coverage_note is not None
    assert f"{SMALL} 10 of 30" in made.judge_coverage_note
    assert SMALL not in made.hypotheses.h1.missed


def test_the_second_prompt_is_compared_under_its_own_name_only(write_run: RunWriter) -> None:
    found = report(write_run())
    assert set(found["ablation"]) == {"model", "audit", "by-claim"}
    assert f"{SMALL}:by-claim" not in found["detectors"]
    assert f"{SMALL}:by-claim" in found["parse_error_rates"]


def test_facts_of_the_data_come_from_the_run(write_run: RunWriter) -> None:
    made = replay_run(write_run())
    assert "seed 7, test file sha256 `0123456789ab`" in made.markdown
    assert "**0.520 AUROC**" in made.markdown
    assert "| length | 0.480 |" in made.markdown
    assert "made up here." in made.markdown


def test_unknown_data_has_no_invented_facts(write_run: RunWriter) -> None:
    made = replay_run(write_run(run={"run_name": "bare"}))
    assert made.report.dataset.seed is None
    assert made.report.leakage_test_auroc is None
    assert "Leakage: what the final message alone gives away was not measured." in made.markdown


def test_fields_of_the_run_file_unknown_to_us_are_kept(write_run: RunWriter) -> None:
    assert report(write_run(run={"run_name": "x", "weather": [1, None]}))["run"]["weather"] == [1, None]


def test_texts_can_be_parsed_again(write_run: RunWriter) -> None:
    found = report(write_run(), answers="documented")
    assert found["answers"] == {"mode": "documented", "reread": 180, "changed": 0}


def test_requests_of_shipped_prompts_are_verified(write_run: RunWriter) -> None:
    directory = write_run()
    found = report(directory, shipped={"a" * 64: lambda record: "c" * 64})
    assert (found["requests"]["verified"], found["requests"]["foreign"]) == (120, 60)
    with pytest.raises(InputError) as error:
        replay_run(directory, shipped={"a" * 64: lambda record: "d" * 64})
    assert error.value.slug == "request_hash"


def test_pictures_are_well_formed_and_inlined_in_a_page_without_scripts(write_run: RunWriter) -> None:
    files = replay_run(write_run()).files
    pictures = [name for name in files if name.endswith(".svg")]
    assert sorted(pictures) == ["histogram.svg", "reliability.svg", "risk-coverage.svg"]
    page = files["bench.html"].decode()
    for name in pictures:
        assert ElementTree.fromstring(files[name]).tag.endswith("svg")
        assert files[name].decode() in page
    assert "<script" not in page and "src=" not in page and "<link" not in page


def test_hostile_names_become_text_everywhere(write_run: RunWriter) -> None:
    directory = write_run()
    evil = "<img src=x onerror=alert(1)>|`](http://x)\x1b[31m"
    rows = [json.loads(line) for line in (directory / "offline-predictions.jsonl").read_text().splitlines()]
    for row in rows:
        row["domain"] = row["domain"].replace("shop", evil)
        row["detector"] = row["detector"].replace("trust-agent", evil).replace("lodo:shop", f"lodo:{evil}")
    run = {"run_name": evil, "command": f"x {evil} `y`", "hardware": evil, "judges": [{"id": evil}]}
    files = replay_run(write_run(predictions=rows, run=run)).files
    page, markdown = files["bench.html"].decode(), files["bench.md"].decode()
    assert "<img" not in page
    assert "\x1b" not in page + markdown
    # Inside a code span all is text; outside of it no tag and no link may open.
    prose = re.sub(r"``.*? ``", "", markdown)
    assert evil[:4] in markdown and "<img" not in prose
    assert re.search(r"(?<!\\)\]\(http", prose) is None
    tables = [line for line in markdown.splitlines() if line.startswith("| ") and "onerror" in line]
    assert tables
    assert all(r"\|" in line for line in tables)
    for name in ("reliability.svg", "histogram.svg", "risk-coverage.svg"):
        ElementTree.fromstring(files[name])


def test_the_calibrated_score_of_a_judge_is_platts() -> None:
    assert PlattScaling(a=0.5, b=0.1).apply(0.5) == pytest.approx(0.52498, abs=1e-5)


def test_the_written_report_finds_its_pictures_beside_it_and_the_readme_block_under_results(
    write_run: RunWriter,
) -> None:
    replay = replay_run(write_run())
    links = re.findall(r"!\[[^]]*\]\(([^)]*)\)", replay.files["bench.md"].decode())
    assert links and set(links) <= replay.files.keys()
    assert all(f"(results/small/{link})" in replay.markdown for link in links)
