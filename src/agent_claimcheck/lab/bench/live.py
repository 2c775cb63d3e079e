"""A live run: judges asked about the benchmark, every answer written down at once, as records a report is built from.

A reader must not miss: nothing is sent before the whole run fits its limit, or the caller said that a part will do. A
run that was cut off is taken up where it stopped: what got an answer is never asked again, readable or not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.canonical import canonical_json
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.settings import Settings
from agent_claimcheck.detectors.judge.detector import Estimate, JudgeDetector
from agent_claimcheck.detectors.judge.prompt import DEFAULT_PROMPT
from agent_claimcheck.detectors.judge.recording import read_whole_lines
from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.lab.bench.records import JUDGE_RECORDS, JUDGE_SAMPLES, RUN
from agent_claimcheck.lab.bench.subjects import Subject
from agent_claimcheck.pipeline.judge_options import JudgeOptions
from agent_claimcheck.pipeline.judging import build_judge, judge_records
from agent_claimcheck.trace.view import label_free


class LivePlan(Struct, frozen=True, kw_only=True):
    """What is asked: every judge under the main prompt, and one of them under a second.

    ``repeats`` is how often each question is asked. ``price_date`` is an ISO date for prices that name none.
    """

    judges: tuple[str, ...]
    run_name: str
    price_date: str
    ablation_judge: str | None = None
    ablation_prompt: str = "claim-by-claim"
    repeats: int = 1
    is_dry: bool = False
    use_cache: bool = True


class JudgePass:
    """One judge under one prompt, with the subjects it has yet to be asked about."""

    def __init__(self, judge: JudgeDetector, options: JudgeOptions, missing: list[Subject]) -> None:
        self.judge = judge
        self.options = options
        self.missing = missing

    @property
    def label(self) -> str:
        """The name of this judge in records."""
        return self.judge.label

    def estimate(self, case: CaseSettings) -> Estimate:
        """Return what the missing answers would cost at most. Sends nothing."""
        total = Estimate()
        for subject in self.missing:
            total += self.judge.estimate(Evidence(label_free(subject.trace), case))
        return total

    def facts(self, price_date: str) -> dict[str, Any]:
        """Return the documented entry of ``run.json``, and what is needed to render the requests again."""
        style, price, settings = self.judge.style, self.judge.session.route.price, self.options.settings.judge
        assert price is not None
        return {
            "id": style.model,
            "json_mode": style.json_mode,
            "price_in_per_m": price.in_per_m,
            "price_out_per_m": price.out_per_m,
            "max_price_in_per_m": price.max_in_per_m,
            "max_price_out_per_m": price.max_out_per_m,
            "price_date": price.date or price_date,
            "supports_reasoning": price.reasons,
            "base_url": _without_secrets(settings.base_url),
            "api": settings.api,
            "temperature": style.temperature,
            "max_tokens": style.max_tokens,
            "max_input_tokens": style.max_input_tokens,
        }


class AnswerFiles:
    """The judge records of a run directory, kept a line at a time. ``None`` as directory keeps and finds nothing."""

    def __init__(self, directory: Path | None) -> None:
        self._directory = directory
        self.found = [
            record
            for name in (JUDGE_RECORDS, JUDGE_SAMPLES)
            if directory is not None
            for record in read_whole_lines(directory / name, hint="name a fresh --out")
        ]
        # Of two answers to one question the later counts.
        latest = {_identity(record): record for record in self.found if _is_answer(record)}
        self.kept = list(latest.values())
        self.answered = frozenset(latest)

    def open(self) -> None:
        """Leave in the files only what was answered, each once, so that the rest can be added."""
        for name, wants_samples in ((JUDGE_RECORDS, False), (JUDGE_SAMPLES, True)):
            records = [record for record in self.kept if bool(record.get("sample")) == wants_samples]
            path = self._path(name)
            if records or path.is_file():
                part = path.with_suffix(".part")
                part.write_bytes(b"".join(canonical_json(record) + b"\n" for record in records))
                part.replace(path)

    def add(self, record: dict[str, Any]) -> None:
        """Write one record down."""
        with self._path(JUDGE_SAMPLES if record.get("sample") else JUDGE_RECORDS).open("ab") as file:
            file.write(canonical_json(record) + b"\n")
        self.kept.append(record)

    @property
    def directory(self) -> Path:
        """The directory of the run. Raises ``UsageError`` when there is none."""
        if self._directory is None:
            raise UsageError("a live run needs a directory", hint="add --out DIR")
        return self._directory

    def _path(self, name: str) -> Path:
        return self.directory / name


def plan_passes(
    plan: LivePlan,
    settings: Settings,
    subjects: Sequence[Subject],
    files: AnswerFiles,
) -> list[JudgePass]:
    """Build every judge with what is left to ask it. Raises what ``build_judge`` raises, an unknown price among it."""
    if not plan.judges:
        raise UsageError("no judge named", hint="--judges ID,ID", slug="judges")
    runs = [(model, DEFAULT_PROMPT) for model in dict.fromkeys(plan.judges)]
    if plan.ablation_judge:
        if plan.ablation_judge not in plan.judges:
            raise UsageError("the ablation judge is none of --judges, so nothing could be compared", slug="judges")
        runs.append((plan.ablation_judge, plan.ablation_prompt))
    passes: list[JudgePass] = []
    for model, prompt in runs:
        options = JudgeOptions(
            settings=replace(settings, judge=replace(settings.judge, model=model, prompt=prompt)),
            samples=plan.repeats,
            use_cache=plan.use_cache,
            run_id=plan.run_name,
            is_dry=plan.is_dry,
        )
        judge = build_judge(options)
        missing = [subject for subject in subjects if not _has_all(files, judge.label, subject, plan.repeats)]
        passes.append(JudgePass(judge, options, missing))
    return passes


def check_limit(estimates: Sequence[Estimate], max_usd: float, *, is_partial_allowed: bool) -> None:
    """Refuse a run whose worst case passes ``max_usd``, before anything is sent."""
    total = sum(estimate.usd for estimate in estimates)
    if total > max_usd and not is_partial_allowed:
        raise UsageError(
            f"the run may cost ${total:.6f} at worst, more than --max-usd {max_usd:g}",
            hint="raise --max-usd, ask fewer judges, or accept a part with --allow-partial",
            slug="reservation",
        )


def ask_judges(
    passes: Sequence[JudgePass],
    case: CaseSettings,
    files: AnswerFiles,
    *,
    clock: Callable[[], float],
    seconds: dict[str, float],
) -> Iterator[tuple[JudgePass, int]]:
    """Ask every judge what is missing and write each answer down; yield each pass with its number of records.

    ``seconds`` gets the wall-clock time of each judge added, also of a pass that is interrupted.
    """
    files.open()
    for one in passes:
        started = clock()
        count = 0
        try:
            for split in ("train", "test"):
                traces = [subject.trace for subject in one.missing if subject.split == split]
                for record in judge_records(traces, one.options, case, split=split, judge=one.judge):
                    files.add(record)
                    count += 1
        finally:
            seconds[one.label] = seconds.get(one.label, 0.0) + clock() - started
            one.judge.close()
        yield one, count


def spread(subjects: Sequence[Subject], limit: int | None) -> list[Subject]:
    """Return ``limit`` subjects spread evenly over ``subjects``, or all of them."""
    if limit is None or limit >= len(subjects):
        return list(subjects)
    return [subjects[place * len(subjects) // limit] for place in range(limit)]


def live_fields(
    passes: Sequence[JudgePass], plan: LivePlan, files: AnswerFiles, before: dict[str, Any], seconds: dict[str, float]
) -> dict[str, Any]:
    """Return the fields of ``run.json`` that only a run with judges has; ``before`` is the file of an earlier part.

    What failed calls of an earlier part cost stays counted.
    """
    spent_before = before.get("total_spend_usd")
    already = sum(_cost(record) for record in files.found)
    lost = max(0.0, (spent_before if isinstance(spent_before, int | float) else 0.0) - already)
    return {
        "judges": list({one.judge.style.model: one.facts(plan.price_date) for one in passes}.values()),
        "judge_wall_clock_s": {name: round(value, 3) for name, value in sorted(seconds.items())},
        "total_spend_usd": round(lost + sum(_cost(record) for record in files.kept), 9),
        "answer_parser": "strict",
        "repeats": plan.repeats,
    }


def fields_of_judges(before: dict[str, Any]) -> dict[str, Any]:
    """Return what ``run.json`` of an earlier run says of its judges, for a run that only scores offline again."""
    kept = ("command", "concurrency", "judges", "judge_wall_clock_s", "total_spend_usd", "answer_parser", "repeats")
    return {name: before[name] for name in kept if name in before}


def judge_scores(files: AnswerFiles, train: Sequence[Subject]) -> dict[str, list[float | None]]:
    """Return what each judge gave the train split, ``None`` where it abstained or was not asked: for its calibrator."""
    scores: dict[str, dict[str, float]] = {}
    for record in files.kept:
        by_trace = scores.setdefault(str(record["detector"]), {})
        if not record.get("sample") and not record["abstain"]:
            by_trace[str(record["trace_id"])] = record["p_raw"]
    return {name: [found.get(subject.trace.trace_id) for subject in train] for name, found in sorted(scores.items())}


def _cost(record: dict[str, Any]) -> float:
    cost = record.get("cost_usd")
    return float(cost) if isinstance(cost, int | float) else 0.0


def run_fields_so_far(directory: Path) -> dict[str, Any]:
    """Return ``run.json`` of a run that is taken up again, empty when there is none."""
    try:
        found = json.loads((directory / RUN).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _has_all(files: AnswerFiles, label: str, subject: Subject, repeats: int) -> bool:
    return all((label, subject.trace.trace_id, sample) in files.answered for sample in range(repeats))


def _identity(record: dict[str, Any]) -> tuple[str, str, int]:
    sample = record.get("sample", 0)
    return str(record.get("detector")), str(record.get("trace_id")), sample if isinstance(sample, int) else 0


def _is_answer(record: dict[str, Any]) -> bool:
    return isinstance(record.get("raw_text"), str)


def _without_secrets(url: str) -> str:
    """Return an address without user, password, query and fragment."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    place = f"{host}:{parts.port}" if parts.port else host
    return urlunsplit((parts.scheme, place, parts.path, "", ""))
