"""The judge on the queue or a selection: what it would cost at most, a run with progress, and a way to stop it.

A reader must not miss: one run at a time, and all runs of one server share its budget. An answer that abstains changes
nothing; any other takes the place of the result, which keeps what the detectors said before.
"""

from __future__ import annotations

import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from agent_claimcheck.core.errors import ClaimcheckError, UsageError
from agent_claimcheck.core.settings import Settings
from agent_claimcheck.core.text import printable
from agent_claimcheck.detectors.judge.detector import JudgeDetector
from agent_claimcheck.pipeline.build import CheckerSpec
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.judge_options import JudgeOptions
from agent_claimcheck.pipeline.judging import build_judge, estimate_run
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.reasons import in_words
from agent_claimcheck.review.store.query import Filter
from agent_claimcheck.review.store.store import Store
from agent_claimcheck.trace.model import Trace

_ESTIMATED = 400
"""Traces whose questions are written out for an estimate; more are reckoned from these."""

BuildJudge = Callable[[JudgeOptions], JudgeDetector]


class JudgeRuns:
    """Runs the judge for one server. ``build`` makes the judge from its options."""

    def __init__(self, store: Store, spec: CheckerSpec, build: BuildJudge = build_judge) -> None:
        self._store = store
        self._spec = spec
        self._build = build
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._judge: JudgeDetector | None = None
        self._spent_before = 0.0
        self._run: dict[str, Any] = {"run_id": None, "state": "idle"}
        self._changed = threading.Condition()

    def unconfigured(self) -> str:
        """Return what has to be set before the judge can be asked; empty when it can."""
        options = self._spec.judge
        if options is None or not options.settings.judge.model:
            return (
                "Set a model: CLAIMCHECK_MODEL, or model under [judge] in claimcheck.toml. "
                "The key is read from CLAIMCHECK_API_KEY."
            )
        return ""

    def estimate(self, wanted: Filter, ids: Sequence[int] | None = None) -> dict[str, Any]:
        """Return ``queued``, ``calls``, ``cached``, ``worst_case_usd`` and ``left_usd``, or ``error`` and ``message``."""
        try:
            options = self._options(is_dry=True)
            judge = self._build(options)
        except ClaimcheckError as error:
            return {"error": "not_configured" if self.unconfigured() else error.slug, "message": printable(str(error))}
        try:
            traces = self._traces(wanted, ids)
            sample = list(islice(traces, _ESTIMATED))
            rest = sum(1 for _ in traces)
            found = estimate_run(judge, sample, self._spec.case)
        finally:
            judge.close()
        scale = (len(sample) + rest) / len(sample) if sample else 1.0
        return {
            "queued": len(sample) + rest,
            "calls": round(found.calls * scale),
            "cached": round(found.cached * scale),
            "worst_case_usd": found.usd * scale,
            "is_reckoned": rest > 0,
            "left_usd": max(0.0, options.settings.budget.max_usd),
            "model": printable(options.settings.judge.model or ""),
        }

    def start(self, wanted: Filter, ids: Sequence[int] | None = None) -> str:
        """Begin a run and return its id. Raises ``UsageError``: ``already_running``, no model, no price."""
        with self._lock:
            if self._thread is not None and self._thread.is_alive():
                raise UsageError("a run is under way", slug="already_running")
            run_id = secrets.token_hex(6)
            self._judge = self._build(self._options(run_id=run_id))
            pairs = self._traces(wanted, ids)
            self._run = {
                "run_id": run_id, "state": "running", "total": self._total(wanted, ids), "done": 0, "answered": 0,
                "changed": 0, "spent_usd": 0.0, "unanswered": {},
            }  # fmt: skip
            self._thread = threading.Thread(target=self._work, args=(self._judge, pairs), name="judging", daemon=True)
            self._thread.start()
            return run_id

    def cancel(self) -> None:
        """Send nothing more; calls under way are finished and paid."""
        with self._lock:
            if self._judge is not None and self._run["state"] == "running":
                self._note(state="stopping")
                self._judge.stop()

    def stop(self) -> None:
        """Cancel and wait."""
        self.cancel()
        if self._thread is not None:
            self._thread.join()

    def progress(self) -> dict[str, Any]:
        """Return the state of the latest run: counts, ``spent_usd``, and why calls went without an answer."""
        return dict(self._run)

    def wait_for_change(self, timeout_s: float) -> None:
        """Wait until the run goes on, or the time is over."""
        with self._changed:
            self._changed.wait(timeout_s)

    def _options(self, *, is_dry: bool = False, run_id: str | None = None) -> JudgeOptions:
        options = self._spec.judge
        if options is None:
            raise UsageError("no model is set", slug="judge_model")
        settings: Settings = options.settings
        left = max(0.0, settings.budget.max_usd - self._spent_before)
        settings = replace(settings, budget=replace(settings.budget, max_usd=left))
        return replace(options, settings=settings, is_dry=is_dry, run_id=run_id)

    def _traces(self, wanted: Filter, ids: Sequence[int] | None) -> Iterator[Trace]:
        for trace, result in self._store.each(wanted, ids):
            if trace is not None and result.verdict != "skipped":
                yield trace

    def _total(self, wanted: Filter, ids: Sequence[int] | None) -> int:
        return self._store.count(wanted) if ids is None else len(ids)

    def _work(self, judge: JudgeDetector, traces: Iterator[Trace]) -> None:
        state = "done"
        unanswered: Counter[str] = Counter()
        try:
            for trace, result in Checker(judge, spec=self._spec).check_pairs(traces):
                self._take(trace, result, unanswered)
        except ClaimcheckError as error:
            state = "failed"
            self._note(message=printable(str(error)))
        finally:
            judge.close()
            self._spent_before += float(self._run["spent_usd"])
            self._note(state="cancelled" if self._run["state"] == "stopping" else state)

    def _take(self, trace: Trace, result: CheckResult, unanswered: Counter[str]) -> None:
        run = self._run
        spent = run["spent_usd"] + result.cost_usd
        if result.abstain:
            unanswered[in_words(result.abstain_reason or "undecided")] += 1
            self._note(done=run["done"] + 1, spent_usd=spent, unanswered=dict(unanswered))
            return
        item = self._store.item(trace.trace_id)
        is_changed = False
        if item is not None:
            before = tuple(output for output in item.result.detectors if output.detector != result.detector)
            is_changed = item.result.verdict != result.verdict
            self._store.replace_result(replace(result, detectors=(*result.detectors, *before)))
        self._note(
            done=run["done"] + 1, answered=run["answered"] + 1, changed=run["changed"] + is_changed, spent_usd=spent
        )

    def _note(self, **values: Any) -> None:
        with self._changed:
            self._run = {**self._run, **values}
            self._changed.notify_all()
