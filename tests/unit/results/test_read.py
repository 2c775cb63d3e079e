"""Results come back from disk, in either version, from this program or another."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.evidence.contract import Finding
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.read import read_results
from agent_claimcheck.results.v1 import encode_v1
from agent_claimcheck.results.v2 import encode_v2

Build = Callable[..., CheckResult]
VERDICTS = ["verified", "false_success", "unverifiable", "skipped"]


def rich_result(build: Build, verdict: str) -> CheckResult:
    finding = Finding(id="failed_write", power="accuse", severity="fail", subject="s", reason="r", steps=(1,), claim=0)
    return build(
        verdict,
        domain="retail",
        findings=(finding,),
        suppressed=("x: y",),
        notes=("a note",),
        file="runs.jsonl",
        line=7,
        source="importer",
        model="m-1",
        task_id="t-1",
        started_at="2026-01-01T00:00:00Z",
        ended_at="2026-01-01T00:01:00Z",
        extra={"run": 3},
    )


@pytest.mark.parametrize("verdict", VERDICTS[:3])
def test_v1_reads_back_with_everything_v1_has_no_place_for(build_result: Build, tmp_path: Path, verdict: str) -> None:
    result = rich_result(build_result, verdict)
    path = tmp_path / "r.jsonl"
    path.write_bytes(encode_v1(result) + b"\n")
    (again,) = read_results(path)
    assert replace(again, detectors=()) == replace(result, detectors=())
    assert again.detectors[0].reasons == result.detectors[0].reasons


def test_versions_mix_and_blank_lines_are_passed_over(build_result: Build, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    lines = [encode_v1(build_result("verified", "a")), b"", encode_v2(build_result("skipped", "b")), b"  "]
    path.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines))
    assert [(r.trace_id, r.verdict, r.record) for r in read_results(path)] == [
        ("a", "verified", "confirmed"),
        ("b", "skipped", "no_claim"),
    ]


def test_a_json_array_and_a_gzip_file_are_read(build_result: Build, tmp_path: Path) -> None:
    rows = [json.loads(encode_v1(build_result("verified", name))) for name in "ab"]
    array = tmp_path / "r.json"
    array.write_text(json.dumps(rows, indent=2))
    assert [r.trace_id for r in read_results(array)] == ["a", "b"]
    packed = tmp_path / "r.jsonl.gz"
    packed.write_bytes(gzip.compress(encode_v2(build_result("verified", "z"))))
    assert [r.trace_id for r in read_results(packed)] == ["z"]


def foreign_row(**changes: Any) -> dict[str, Any]:
    reason = {"claim": "booked", "outcome": "unknown", "step": None, "detail": "no rule"}
    claim = {
        "claim": "booked",
        "outcome": "unknown",
        "step": None,
        "detail": "no rule",
        "checks": [],
        "missing_subject": False,
    }
    output = {
        "detector": "rules",
        "p_success": 0.6,
        "abstain": True,
        "abstain_reason": "no_rule",
        "p_calibrated": None,
        "reasons": [reason],
        "cost_usd": 0,
        "latency_ms": 0,
        "cached": False,
        "components": [],
        "details": {"claims": [claim], "findings": "not ours", "record": 3},
    }
    row = {
        "schema": "claimcheck-result/v1",
        "trace_id": "f-1",
        "domain": "booking",
        "detector": "rules",
        "verdict": "unverifiable",
        "p_success": 0.6,
        "p_success_raw": 0.6,
        "calibrated": False,
        "abstain": True,
        "abstain_reason": "no_rule",
        "confidence": None,
        "reasons": [reason],
        "claims": [{"type": "booked", "subject": {}, "source": "structured", "span": None}],
        "detectors": [output],
        "cost_usd": 0,
        "latency_ms": 0,
        "cached": False,
    }
    return row | changes


def test_v1_of_another_program_gets_its_record_from_the_outcomes(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps(foreign_row()))
    (result,) = read_results(path)
    assert result.record == "undecided"
    assert result.findings == ()
    assert [(v.claim, v.claim_type, v.outcome) for v in result.claim_verdicts] == [(0, "booked", "undecided")]
    assert result.reasons[0].outcome == "undecided"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "r.jsonl:2"),
        (b'{"schema": "agent-trace/v1"}', "is no result format"),
        (b"{}", "is no result format"),
        (b"7", "r.jsonl:2"),
        (b'{"schema": "claimcheck-result/v2", "trace_id": 5}', r"\$\.trace_id"),
        (b'{"schema": "claimcheck-result/v1", "trace_id": "\xff"}', "r.jsonl:2"),
        (b'{"schema":' + b"[" * 100_000, "r.jsonl:2"),
    ],
)
def test_a_bad_line_is_named_and_costs_only_itself(
    build_result: Build, tmp_path: Path, line: bytes, message: str
) -> None:
    path = tmp_path / "r.jsonl"
    good = encode_v2(build_result())
    path.write_bytes(good + b"\n" + line + b"\n" + good)
    with pytest.raises(InputError, match=message):
        list(read_results(path))
    problems: list[str] = []
    assert len(list(read_results(path, on_problem=problems.append))) == 2
    assert len(problems) == 1


@pytest.mark.parametrize(("name", "content"), [("no.jsonl", None), ("cut.gz", b"\x1f\x8b\x08"), ("bad.json", b"[1,")])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, content: bytes | None) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=name):
        list(read_results(path))


def test_traces_and_archives_given_as_results_are_told_with_the_next_step(tmp_path: Path) -> None:
    traces = tmp_path / "t.jsonl"
    traces.write_text('{"schema": "agent-trace/v1"}\n')
    with pytest.raises(InputError, match="makes results of runs"):
        list(read_results(traces))
    archive = tmp_path / "a.bin"
    archive.write_bytes(b"PK\x03\x04" + bytes(100))
    with pytest.raises(InputError, match=r"a\.bin: holds no results that can be read: it is a zip archive; unpack"):
        list(read_results(archive, on_problem=lambda message: None))


def test_results_in_utf_16_are_named_by_their_byte_order_mark(build_result: Build, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"\xff\xfe" + encode_v2(build_result()).decode().encode("utf-16-le"))
    with pytest.raises(
        InputError, match=r"holds no results that can be read: it is UTF-16 text \(little-endian.*UTF-8"
    ):
        list(read_results(path))
