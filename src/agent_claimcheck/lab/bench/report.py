"""The bench report as figures, built from a recorded run alone. Pages and files are made from it, not it from them.

A reader must not miss: field names and nesting are those of the documented ``bench.json``. New fields are added, the
documented ones keep their names and meaning.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from agent_claimcheck.lab.bench.comparison import Comparison
from agent_claimcheck.lab.bench.hypotheses import Hypotheses
from agent_claimcheck.lab.bench.measure import DetectorReport, Recall
from agent_claimcheck.lab.bench.repeats import RepeatFigures
from agent_claimcheck.lab.bench.requests import RequestCheck
from agent_claimcheck.lab.bench.rows import AnswerReading
from agent_claimcheck.scoring.intervals import Estimate
from agent_claimcheck.scoring.probability import ReliabilityBin
from agent_claimcheck.scoring.risk import RiskPoint


class DatasetSummary(Struct, frozen=True, kw_only=True):
    """Counts of the labelled traces a run scored."""

    n_total: int
    n_train: int
    n_test: int
    n_false_total: int
    n_false_test: int
    n_domains: int
    n_false_kinds: int
    seed: int | None
    test_sha256_short: str | None
    licence: str | None


class RunSummary(Struct, frozen=True, kw_only=True):
    """What was run. ``judges`` are the recorded entries, prices in dollars a million tokens."""

    command: str | None
    date: str | None
    hardware: str | None
    concurrency: int | None
    judge_calls: int
    total_spend_usd: float | None
    judges: list[dict[str, Any]]


class EvidenceSlice(Struct, frozen=True, kw_only=True):
    """One detector on the test traces with one kind of evidence."""

    n: int
    auroc: Estimate | None
    missed: int


class DomainSlice(Struct, frozen=True, kw_only=True):
    """The classifier on one domain's test traces: fitted without the domain, and as shipped."""

    n: int
    lodo_auroc: Estimate | None
    lodo_ece: float
    shipped_auroc: Estimate | None


class PromptReport(Struct, frozen=True, kw_only=True):
    """One prompt of the ablation on the test split."""

    auroc: Estimate | None
    ece_calibrated: float
    coverage: float
    caught: int
    missed: int
    n_failure: int
    usd_per_1k: float | None


class ParseRates(Struct, frozen=True, kw_only=True):
    """How often a judge's answer could not be read, and how often it gave none: shares of test, counts of all calls."""

    parse_error_rate: float
    abstain_rate: float
    parse_errors_all: int
    abstained_all: int
    calls_all: int


class Charts(Struct, frozen=True, kw_only=True):
    """What is drawn of one detector. Histogram counts are ten equal bins of calibrated p(success), per label."""

    reliability_raw: list[ReliabilityBin]
    reliability_calibrated: list[ReliabilityBin]
    histogram_success: list[int]
    histogram_failure: list[int]
    risk_coverage: list[RiskPoint]


class BenchReport(Struct, frozen=True, kw_only=True):
    """The whole report. ``ablation`` holds ``model`` and one ``PromptReport`` a prompt; ``None`` means not measured.

    ``judge_order`` is the order in which judges were asked, ``best_judge`` the one that the cascade uses.
    """

    dataset: DatasetSummary
    recorded_run: RunSummary
    detectors: dict[str, DetectorReport]
    judge_coverage_note: str | None
    recall_by_kind: dict[str, dict[str, Recall]]
    evidence_breakdown: dict[str, dict[str, EvidenceSlice]]
    lodo: dict[str, DomainSlice]
    leakage_test_auroc: float | None
    ablation: dict[str, Any] | None
    parse_error_rates: dict[str, ParseRates]
    sent_to_judge_share: float | None
    hypotheses: Hypotheses
    images: dict[str, str]
    run: dict[str, Any]
    leakage_baselines: dict[str, float]
    judge_order: list[str]
    best_judge: str | None
    comparison: Comparison
    charts: dict[str, Charts]
    answers: AnswerReading
    answer_parser: str | None
    requests: RequestCheck
    repeats: dict[str, RepeatFigures]


def encode_report(report: BenchReport) -> bytes:
    """Return the report as indented JSON with sorted keys, floats at 12 significant digits: equal bytes everywhere."""
    import json

    import msgspec

    plain = _rounded(msgspec.to_builtins(report))
    return json.dumps(plain, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.12g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value
