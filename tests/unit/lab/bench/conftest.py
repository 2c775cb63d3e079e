"""A small recorded run, written by the tests that need one: 2 domains, 60 traces, 4 detectors, 2 judges."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

KINDS = ("phantom_action", "wrong_value", "reviewer_injection")
JUDGES = ("maker/small", "maker/large:free")
RunWriter = Callable[..., Path]


def labels(n: int = 60) -> list[dict[str, Any]]:
    """Return the label fields of ``n`` traces: half of them test, two in five false."""
    rows = []
    for index in range(n):
        failed = index % 5 in (1, 3)
        rows.append(
            {
                "trace_id": f"t{index:03d}",
                "split": "test" if index % 2 else "train",
                "domain": ("shop", "lab")[index // 2 % 2],
                "outcome": "failure" if failed else "success",
                "injection": KINDS[index // 5 % 3] if failed else "none",
                "evidence": "state_probe" if index % 3 else "receipt_only",
                "variant": "plain",
            }
        )
    return rows


def predictions() -> list[dict[str, Any]]:
    """Return the rows of trust-agent, rules and classifier-lr, with out-of-fold and leave-one-domain-out copies."""
    rng = random.Random(11)
    rows = []
    for label in labels():
        failed = label["outcome"] == "failure"
        rule = rng.choice((0.03, 0.05, 0.7, 0.7, None)) if failed else rng.choice((0.7, 0.97, 0.97, 0.7))
        learned = round(min(0.99, max(0.01, rng.gauss(0.3 if failed else 0.8, 0.2))), 4)
        rows.append({**label, "detector": "trust-agent", "p_raw": 1.0, "abstain": False})
        rows.append({**label, "detector": "rules", "p_raw": 0.6 if rule is None else rule, "abstain": rule is None})
        rows.append({**label, "detector": "classifier-lr", "p_raw": learned, "p_cal": learned, "abstain": False})
        copy = "classifier-lr:oof" if label["split"] == "train" else f"classifier-lr:lodo:{label['domain']}"
        rows.append({**label, "detector": copy, "p_raw": learned * 0.9, "abstain": False})
    return sorted(rows, key=lambda row: row["detector"])


def judge_records() -> list[dict[str, Any]]:
    """Return the records of two judges, and of the first under a second prompt."""
    rng = random.Random(12)
    rows = []
    for model, prompt in ((JUDGES[1], "audit"), (JUDGES[0], "audit"), (JUDGES[0], "by-claim")):
        for label in labels():
            p = round(min(1.0, max(0.0, rng.gauss(0.4 if label["outcome"] == "failure" else 0.85, 0.25))), 2)
            text = {"p_success": p, "failure_kind": "none", "evidence_steps": [1], "rationale": "seen"}
            rows.append(
                {
                    "trace_id": label["trace_id"],
                    "split": label["split"],
                    "detector": f"judge:{model}" + ("" if prompt == "audit" else f":{prompt}"),
                    "model": model,
                    "prompt_name": prompt,
                    "prompt_version": 1,
                    "prompt_sha256": {"audit": "a" * 64, "by-claim": "b" * 64}[prompt],
                    "request_sha256": "c" * 64,
                    "p_raw": p,
                    "abstain": False,
                    "raw_text": json.dumps(text),
                    "cost_usd": 0.0001 if model == JUDGES[0] else 0.0004,
                    "latency_ms": 1000.0 + rng.randrange(500),
                }
            )
    return rows


def run_file() -> dict[str, Any]:
    """Return ``run.json`` of the small run."""
    return {
        "command": "agent-claimcheck bench --small",
        "date": "2026-01-02",
        "hardware": "a machine",
        "concurrency": 4,
        "dataset_sha256": "0123456789abcdef" * 4,
        "judges": [{"id": judge, "price_in_per_m": 0.1, "price_out_per_m": 0.3} for judge in JUDGES],
        "total_spend_usd": 0.036,
        "judge_wall_clock_s": {f"judge:{JUDGES[0]}": 30.0, f"judge:{JUDGES[1]}": 60.0},
        "run_name": "small",
        "dataset": {"seed": 7, "leakage": {"final message text": 0.52, "length": 0.48}, "licence": "made up here."},
    }


CALIBRATION = {"base_rate": 0.6, "calibrators": {f"judge:{JUDGES[0]}": {"a": 0.5, "b": 0.1, "method": "platt"}}}


@pytest.fixture
def write_run(tmp_path: Path) -> RunWriter:
    """Return a function that writes the small run and returns its directory; each part can be replaced or left out."""

    def write(**parts: Any) -> Path:
        directory = tmp_path / "small"
        directory.mkdir(exist_ok=True)
        rows = parts.get("predictions", predictions())
        timings = [
            {"detector": row["detector"], "trace_id": row["trace_id"], "latency_ms": 0.25} for row in predictions()
        ]
        _lines(directory / "offline-predictions.jsonl", rows)
        _lines(directory / "judge-records.jsonl", parts.get("judge_records", judge_records()))
        _lines(directory / "offline-timings.jsonl", parts.get("timings", timings))
        for name, value in (
            ("run.json", parts.get("run", run_file())),
            ("calibration.json", parts.get("calibration", CALIBRATION)),
        ):
            if value is not None:
                (directory / name).write_text(json.dumps(value), encoding="utf-8")
        return directory

    return write


def _lines(path: Path, rows: list[dict[str, Any]] | None) -> None:
    if rows is not None:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
