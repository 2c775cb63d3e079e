"""One trace with its result as the page shows it: plain JSON of texts, numbers and step references.

A reader must not miss: labels are no part of it. The presentation is made from the label-free view, so nobody who has
to decide can see what somebody decided before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from agent_claimcheck.checks.contract import CheckFinding, CheckRequest
from agent_claimcheck.checks.tool_use import check_run
from agent_claimcheck.checks.trace_run import run_from_trace
from agent_claimcheck.core.errors import ClaimcheckError
from agent_claimcheck.core.resources import short_name
from agent_claimcheck.detectors.classifier.ngrams import term_in_words
from agent_claimcheck.detectors.classifier.table import TABLES, words_by_name
from agent_claimcheck.detectors.contract import DetectorOutput
from agent_claimcheck.evidence.contract import ClaimVerdict, Finding
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.page.shown import Shown
from agent_claimcheck.results.page.spans import claim_spans
from agent_claimcheck.results.page.timeline import timeline
from agent_claimcheck.results.reasons import deciding_reason, in_words, is_scored, why_undecided
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.timestamps import EPOCH
from agent_claimcheck.trace.view import TraceView, label_free

Page = dict[str, Any]

_UNRECOVERED = "The tool returned an error and no later call made up for it. Read whether the answer owns up to that."
_MOST = 100
"""Claims, checks, findings or reasons of one trace that are shown."""


def present(result: CheckResult, trace: Trace | None = None) -> Page:
    """Return everything the inspector shows about one trace. Without ``trace`` the steps and the request are left out.

    Step references are the trace's own ``i``. Every text is clean for a text node; see ``shown``.
    """
    shown = Shown()
    page = _heading(result, shown)
    page["claims"] = _claims(result, shown)
    page["findings"] = [_finding(finding, shown) for finding in result.findings[:_MOST]]
    page["reasons"] = [
        {
            "claim": reason.claim,
            "outcome": in_words(reason.outcome),
            "step": reason.step,
            "text": shown.text(reason.detail),
        }
        for reason in result.reasons[:_MOST]
    ]
    page["detectors"] = [_detector(output, shown) for output in flatten(result.detectors)][:_MOST]
    page["settle"] = _settle(result, shown)
    page["suppressed"] = [shown.text(item) for item in result.suppressed[:_MOST]]
    page["notes"] = [shown.text(item) for item in result.notes[:_MOST]]
    if trace is not None:
        page |= _of_trace(result, label_free(trace), shown)
    return page


def top_reason(result: CheckResult) -> str:
    """Return one line that says why the result is what it is."""
    reason = deciding_reason(result)
    if reason is not None and reason.detail:
        return reason.detail
    return in_words(why_undecided(result))


def learned_score(output: DetectorOutput) -> float | None:
    """Return the score of a detector that abstained but still puts the queue in order, in [0, 1]."""
    score = output.details.get("score")
    return float(score) if isinstance(score, int | float) and 0 <= score <= 1 else None


def flatten(outputs: Iterable[DetectorOutput]) -> Iterator[DetectorOutput]:
    """Yield every detector output, an ensemble before its parts."""
    for output in outputs:
        yield output
        yield from flatten(output.components)


def _heading(result: CheckResult, shown: Shown) -> Page:
    page: Page = {
        "trace_id": result.trace_id,
        "title": shown.text(result.trace_id),
        "verdict": result.verdict,
        "record": result.record,
        "scored": is_scored(result),
        "p": result.p_success,
        "p_raw": result.p_success_raw,
        "calibrated": result.calibrated,
        "why": shown.text(top_reason(result)),
        "cost_usd": result.cost_usd,
    }
    for name in ("domain", "detector", "source", "model", "task_id", "started_at", "file"):
        value = getattr(result, name)
        if value and not (name == "started_at" and value.startswith(EPOCH[:-1])):
            page[name] = shown.text(short_name(value) if name == "file" else value)
    if result.line is not None:
        page["line"] = result.line
    return page


def _claims(result: CheckResult, shown: Shown) -> list[Page]:
    judged: dict[int, list[ClaimVerdict]] = {}
    for verdict in result.claim_verdicts:
        judged.setdefault(verdict.claim, []).append(verdict)
    claims = []
    for index, claim in enumerate(result.claims[:_MOST]):
        claims.append(
            {
                "n": index + 1,
                "type": shown.text(claim.type),
                "quote": shown.text(claim.quote),
                "source": claim.source,
                "success": claim.is_success,
                "subject": [[shown.text(key), shown.value(value)] for key, value in claim.subject.items()],
                "verdicts": [_verdict(verdict, shown) for verdict in judged.get(index, ())],
            }
        )
    return claims


def _verdict(verdict: ClaimVerdict, shown: Shown) -> Page:
    steps = list(dict.fromkeys([*verdict.steps, *(() if verdict.step is None else (verdict.step,))]))
    return {
        "outcome": verdict.outcome,
        "detail": shown.text(verdict.detail),
        "step": verdict.step,
        "steps": steps[:_MOST],
        "checks": [
            {
                "path": shown.text(check.path),
                "op": shown.text(check.op.replace("_", " ")),
                "expected": shown.value(check.expected),
                "found": shown.value(check.actual),
                "result": check.result,
                "reason": shown.text(check.reason),
            }
            for check in verdict.checks[:_MOST]
        ],
        "missing_subject": verdict.missing_subject,
        "looked_for": shown.text(verdict.looked_for),
        "settle": shown.text(verdict.settle),
    }


def _finding(finding: Finding, shown: Shown) -> Page:
    return {
        "id": finding.id,
        "name": shown.text(finding.id.replace("_", " ")),
        "power": finding.power,
        "severity": finding.severity,
        "subject": shown.text(finding.subject),
        "reason": shown.text(finding.reason),
        "evidence": shown.text(finding.evidence or ""),
        "steps": list(finding.steps[:_MOST]),
        "claim": None if finding.claim is None else finding.claim + 1,
    }


def _detector(output: DetectorOutput, shown: Shown) -> Page:
    details = output.details
    page: Page = {
        "name": shown.text(output.detector),
        "p": None if output.abstain else output.p_success,
        "p_calibrated": output.p_calibrated,
        "abstained": shown.text(in_words(output.abstain_reason or "undecided")) if output.abstain else "",
        "cost_usd": output.cost_usd,
    }
    if isinstance(details.get("contributions"), list):
        page["contributions"] = list(_contributions(details["contributions"], shown))
    score = learned_score(output)
    if output.abstain and score is not None:
        page["orders_by"] = score
    if isinstance(details.get("decided_by"), str):
        page["decided_by"] = shown.text(details["decided_by"])
    if "failure_kind" in details or "rationale" in details:
        page["judge"] = {
            "model": shown.text(str(details.get("model", ""))),
            "failure_kind": shown.text(str(details.get("failure_kind", "")).replace("_", " ")),
            "rationale": shown.text(str(details.get("rationale", ""))),
            "steps": [step for step in details.get("evidence_steps") or () if isinstance(step, int)][:_MOST],
            "invalid_citation": details.get("invalid_citation") is True,
        }
    return page


def _contributions(items: Sequence[Any], shown: Shown) -> Iterator[Page]:
    for item in items[:_MOST]:
        if isinstance(item, dict) and isinstance(item.get("value"), int | float):
            name = str(item.get("feature", ""))
            yield {
                "words": shown.text(_feature_words().get(name) or term_in_words(name) or name.replace("_", " ")),
                "value": float(item["value"]),
            }


@lru_cache(maxsize=1)
def _feature_words() -> dict[str, str]:
    return {name: words for table in TABLES for name, words in words_by_name(table).items()}


def _settle(result: CheckResult, shown: Shown) -> list[str]:
    wanted = (verdict.settle for verdict in result.claim_verdicts if verdict.outcome != "probe_supported")
    return [shown.text(text) for text in list(dict.fromkeys(text for text in wanted if text))[:_MOST]]


def _of_trace(result: CheckResult, view: TraceView, shown: Shown) -> Page:
    spans, final_spans = claim_spans(result.claims[:_MOST], view)
    entries, left_out = timeline(view.steps, spans, shown)
    final = view.final_claim.text
    page: Page = {
        "instruction": shown.text(view.task.instruction),
        "asked": [shown.text(text) for text in _user_turns(view)][:_MOST],
        "said": shown.marked(final, final_spans) if final else [],
        "timeline": entries,
        "left_out": left_out,
        "tool_use": [*_tool_use(view, shown), *_conduct(result, shown)],
    }
    if view.end is not None:
        page["end"] = view.end.reason
    return page


def _user_turns(view: TraceView) -> Iterator[str]:
    """Yield what the user said besides the instruction."""
    instruction = view.task.instruction.strip()
    for step in view.steps:
        if step.kind == "message" and step.role == "user" and step.content and step.content.strip() != instruction:
            yield step.content


def _tool_use(view: TraceView, shown: Shown) -> list[Page]:
    try:
        report = check_run(run_from_trace(view), CheckRequest())
    except ClaimcheckError as error:
        return [{"severity": "warn", "verdict": "not checked", "reason": shown.text(str(error)), "step": None}]
    return [_tool_finding(finding, shown) for finding in report.findings if finding.severity != "pass"][:_MOST]


def _conduct(result: CheckResult, shown: Shown) -> list[Page]:
    """Return what the checks of ``check --with`` found, beside tool use, which is read here anyway."""
    checks = result.extra.get("checks")
    reports = checks.values() if isinstance(checks, dict) else ()
    return [
        {
            "severity": str(found.get("severity")),
            "verdict": shown.text(str(found.get("verdict")).replace("_", " ")),
            "subject": shown.text(f"{report.get('check')}: {found.get('subject')}"),
            "reason": shown.text(str(found.get("reason"))),
            "step": found.get("step"),
        }
        for report in reports
        if isinstance(report, dict) and report.get("check") != "tool_use"
        for found in report.get("findings", ())
        if isinstance(found, dict) and found.get("severity") != "pass"
    ][:_MOST]


def _tool_finding(finding: CheckFinding, shown: Shown) -> Page:
    # Nobody read the answer here, so an error that it may own up to is a reason to look, not a failure.
    is_open = finding.verdict == "error_silent" and finding.metadata.get("recovery") == "unchecked"
    return {
        "severity": "warn" if is_open else finding.severity,
        "verdict": "error without recovery" if is_open else shown.text(finding.verdict.replace("_", " ")),
        "subject": shown.text(finding.subject),
        "reason": _UNRECOVERED if is_open else shown.text(finding.reason),
        "step": finding.step,
    }
