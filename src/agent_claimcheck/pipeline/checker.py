"""The Checker: a stream of traces in, a stream of results out.

A reader must not miss: only ``label_free`` views go further, only the gate makes verdicts, and one trace that a detector
cannot digest becomes an abstention with a reason, never the end of the run.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.resources import resolve_alias
from agent_claimcheck.core.text import shorten
from agent_claimcheck.detectors.contract import BASE_RATE, Detector, DetectorOutput, Reason, call_if_there
from agent_claimcheck.detectors.ensembles import calibrated
from agent_claimcheck.detectors.rules.engine import judge_claims
from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.evidence.contract import OUTCOME_ORDER, RECORD_OF, ClaimVerdict, Record
from agent_claimcheck.pipeline.build import CheckerSpec, spec_from_settings
from agent_claimcheck.pipeline.catalog import LEARNED_DETECTORS, build_detector
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.scoring.artifact import Calibration
from agent_claimcheck.scoring.gate import Thresholds, decide
from agent_claimcheck.trace.model import Step, Trace
from agent_claimcheck.trace.probes import Probes, load_probes, merge_probes
from agent_claimcheck.trace.timestamps import EPOCH
from agent_claimcheck.trace.view import label_free

_DETAIL = 200
_QUOTE = 120
_TOOLS = 64
_NO_TIME = EPOCH.removesuffix("Z")
FITTED_NAMES = LEARNED_DETECTORS | {"cascade"}
"""Detectors that bring calibrators of their own, or fall back on one that does."""


def _trace(given: object) -> Trace:
    if not isinstance(given, Trace):
        raise UsageError(
            f"a Trace is checked, not a value of type {type(given).__name__}",
            hint="load_traces reads files, check_records takes mappings and JSON text",
            slug="no_trace",
        )
    return given


class Checker:
    """Checks traces. Build one and use it for many traces.

    ``detector`` is a catalog name or a ``Detector``; ``rules`` is one path, or several, of rule packs that win over the built-in ones;
    ``thresholds`` is ``(verified, false_success)`` or a ``Thresholds``. ``prompt``, ``max_usd``, ``price`` (US dollars
    per million tokens, in and out), ``concurrency`` and ``use_cache`` are for detectors that ask a model; close such a
    checker when done, or use it in a ``with`` block. Raises ``UsageError`` for an unknown detector or a judge without
    model or price, ``PackError`` for a faulty pack, ``ConfigError`` for bad settings or thresholds.
    """

    def __init__(
        self,
        detector: str | Detector | None = None,
        *,
        config: str | os.PathLike[str] | None = None,
        rules: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
        thresholds: Thresholds | tuple[float, float] | None = None,
        prompt: str | None = None,
        max_usd: float | None = None,
        price: tuple[float, float] | None = None,
        concurrency: int | None = None,
        use_cache: bool = True,
        spec: CheckerSpec | None = None,
    ) -> None:
        if spec is None:
            spec = spec_from_settings(
                config=Path(config) if config is not None else None,
                rules=[Path(rules)] if isinstance(rules, str | os.PathLike) else [Path(path) for path in rules],
                overrides={
                    "judge.prompt": prompt,
                    "budget.max_usd": max_usd,
                    "judge.price_in_per_m": price[0] if price else None,
                    "judge.price_out_per_m": price[1] if price else None,
                    "judge.concurrency": concurrency,
                },
            )
            if spec.judge is not None and not use_cache:
                spec = replace(spec, judge=replace(spec.judge, use_cache=False))
        self.spec = spec
        self.detector: Detector = (
            build_detector(detector or spec.detector, spec.judge, spec.learned)
            if detector is None or isinstance(detector, str)
            else detector
        )
        self.thresholds = _thresholds(thresholds) if thresholds is not None else spec.thresholds
        self.calibration: Calibration | None = None
        """Calibrators in use. What they say about themselves is in ``notes``."""
        self.notes: list[str] = []
        self.used_builtin_calibrators = False
        self._equip(has_own_thresholds=thresholds is not None)
        self._case = CaseSettings(packs=spec.packs, non_success_types=spec.non_success_types, scope=spec.scope)

    @classmethod
    def from_config(cls, path: str | os.PathLike[str]) -> Checker:
        """Build a checker from a ``claimcheck.toml``. Raises ``ConfigError`` naming every bad key."""
        return cls(config=path)

    def check(
        self,
        traces: Iterable[Trace],
        probes: str | os.PathLike[str] | Probes | None = None,
    ) -> Iterator[CheckResult]:
        """Yield one result per trace, in order, as each is ready.

        ``probes`` is a probes file, an alias such as ``example:probes``, or what such a file holds.
        """
        if isinstance(probes, str | os.PathLike):
            probes = load_probes(resolve_alias(os.fspath(probes)) or probes)
        for _, result in self.check_pairs(merge_probes(_trace(trace), probes) if probes else trace for trace in traces):
            yield result

    def check_pairs(
        self, traces: Iterable[Trace], on_interrupt: Callable[[], None] | None = None
    ) -> Iterator[tuple[Trace, CheckResult]]:
        """Yield each trace with its result, in order. A detector that waits for a server works on several at once.

        ``on_interrupt`` is called when such work is interrupted, before what is under way is waited for.
        """
        if not getattr(self.detector, "is_remote", False):
            for trace in traces:
                yield trace, self.check_one(trace)
            return
        from agent_claimcheck.pipeline.parallel import map_in_order

        threads = self.spec.judge.settings.judge.concurrency if self.spec.judge is not None else 1
        yield from map_in_order(traces, self.check_one, threads, self, on_interrupt=on_interrupt)

    def _equip(self, *, has_own_thresholds: bool) -> None:
        """Load calibrators and promised thresholds where a fitted detector or a calibration file asks for them."""
        options = self.spec.learned
        if self.detector.name not in FITTED_NAMES and options.calibration is None:
            return
        from agent_claimcheck.pipeline.learned import equip, promised_thresholds

        self.calibration = equip(self.detector, options)
        if self.calibration is not None:
            self.notes += self.calibration.notes
        if not has_own_thresholds:
            self.thresholds, said = promised_thresholds(self.detector, options, self.thresholds)
            self.notes += [said] if said else []

    def stop(self) -> None:
        """Let a detector that asks a server send nothing more; the remaining traces get an abstention."""
        call_if_there(self.detector, "stop")

    def abandon(self) -> None:
        """Let a detector that asks a server wait for nothing more; calls under way count as spent."""
        call_if_there(self.detector, "abandon")

    def close(self) -> None:
        """Close what the detector holds open. Needed only for detectors that ask a server."""
        call_if_there(self.detector, "close")

    def __enter__(self) -> Checker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check_one(self, trace: Trace) -> CheckResult:
        """Check one trace. Raises ``UsageError`` for anything else than a ``Trace``."""
        evidence = Evidence(label_free(_trace(trace)), self._case)
        result = self._judge(trace, evidence)
        if not self.spec.checks:
            return result
        from agent_claimcheck.pipeline.conduct import conduct_reports

        return replace(result, extra={**result.extra, "checks": conduct_reports(evidence, self.spec.checks)})

    def _judge(self, trace: Trace, evidence: Evidence) -> CheckResult:
        verdicts = judge_claims(evidence)
        if not verdicts:
            return _without_claims(trace, evidence, self.detector.name)
        output = _detect(self.detector, evidence)
        if self.calibration is not None:
            output = calibrated(output, self.calibration, getattr(self.detector, "label", None))
        if output.p_calibrated is not None and self.calibration is not None and self.calibration.is_builtin:
            self.used_builtin_calibrators = True
        score = output.p_calibrated if output.p_calibrated is not None else output.p_success
        decision = decide(score, output.abstain, self.thresholds)
        return CheckResult(
            verdict=decision.verdict,
            p_success=score,
            p_success_raw=output.p_success,
            calibrated=output.p_calibrated is not None,
            abstain=output.abstain,
            abstain_reason=output.abstain_reason,
            confidence=decision.confidence,
            reasons=output.reasons or (Reason(claim=None, outcome="none", step=None, detail="no reason given"),),
            claim_verdicts=verdicts,
            detectors=(output,),
            record=record_of(verdicts),
            cost_usd=output.cost_usd,
            latency_ms=output.latency_ms,
            cached=output.cached,
            **_identity(trace, evidence, self.detector.name),
        )


def record_of(verdicts: Sequence[ClaimVerdict]) -> Record:
    """Return what the trace itself shows: the record of its worst claim."""
    if not verdicts:
        return "no_claim"
    return RECORD_OF[min((verdict.outcome for verdict in verdicts), key=OUTCOME_ORDER.index)]


def _detect(detector: Detector, evidence: Evidence) -> DetectorOutput:
    try:
        output = detector.detect(evidence)
        if math.isfinite(output.p_success) and 0 <= output.p_success <= 1:
            return output
        raise ValueError(f"p_success must lie in [0, 1], got {output.p_success!r}")
    except Exception as error:  # noqa: BLE001 - the plug-in call: whatever a detector raises becomes an abstention
        reason = Reason(
            claim=None, outcome="detector_error", step=None, detail=f"{type(error).__name__}: {error}"[:_DETAIL]
        )
        return DetectorOutput(
            detector=detector.name,
            p_success=BASE_RATE,
            abstain=True,
            abstain_reason="detector_error",
            reasons=(reason,),
        )


def _without_claims(trace: Trace, evidence: Evidence, detector: str) -> CheckResult:
    """Return ``skipped`` when nothing was claimed, ``unverifiable`` when nobody here could read what was said."""
    is_read = evidence.reading.is_readable
    code = "no_success_claim" if is_read else "unread"
    unread = evidence.reading.unread
    return CheckResult(
        verdict="skipped" if is_read else "unverifiable",
        p_success=None,
        p_success_raw=None,
        calibrated=False,
        abstain=True,
        abstain_reason=code,
        confidence=None,
        reasons=(
            Reason(
                claim=None,
                outcome=code,
                step=None if unread is None else unread.step,
                detail="no success was claimed" if is_read else _why_unread(evidence),
            ),
        ),
        claim_verdicts=(),
        detectors=(),
        record="no_claim" if is_read else "unread",
        **_identity(trace, evidence, detector),
    )


def _why_unread(evidence: Evidence) -> str:
    """Say what may hold a claim, in its own words, and what came of the calls: whoever reads the result need not look them up."""
    reading = evidence.reading
    if reading.unread is None:
        return f"{_what_was_done(evidence)}the text could not be understood, so a claim may stand in it"
    quote = shorten(" ".join(shorten(reading.unread.text, 2 * _QUOTE).split()), _QUOTE)
    where = "in a language or form that is not read here" if reading.is_foreign else "in words that are not known"
    return f'{_what_was_done(evidence)}a claim may stand {where}: "{quote}"'


def _what_was_done(evidence: Evidence) -> str:
    """Return the beginning of a reason where no call changed anything, as far as is known; else nothing."""
    tried = [pair for pair in evidence.calls if evidence.effect(pair).kind != "read"]
    if not tried:
        return "nothing was changed, and "
    return "every change failed, and " if all(evidence.receipt(pair).state == "failed" for pair in tried) else ""


def _identity(trace: Trace, evidence: Evidence, detector: str) -> dict[str, Any]:
    steps = trace.steps
    return {
        "trace_id": trace.trace_id,
        "domain": trace.task.domain,
        "detector": detector,
        "claims": evidence.claims,
        "findings": evidence.findings,
        "notes": trace.notes,
        "file": trace.where.file if trace.where else None,
        "line": trace.where.line if trace.where else None,
        "source": trace.source,
        "model": trace.model,
        "task_id": trace.task.id,
        "started_at": _known_time(steps[0]) if steps else None,
        "ended_at": _known_time(steps[-1]) if steps else None,
        "tools": tuple(sorted(evidence.tool_names)[:_TOOLS]),
    }


def _known_time(step: Step) -> str | None:
    """Return the time of ``step``, ``None`` where an importer had to make one up: no run began in 1970."""
    return None if step.ts.startswith(_NO_TIME) else step.ts


def _thresholds(value: Thresholds | tuple[float, float]) -> Thresholds:
    return value if isinstance(value, Thresholds) else Thresholds(verified=value[0], false_success=value[1])
