"""The tool-use check: were the tools allowed, and were their errors recovered or owned up to?

A reader must not miss: every call gets exactly one verdict, in the documented order. A disallowed call still gets its
recovery, and every unrecovered error costs one model call when a model is there to read the final answer.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.checks.contract import CheckFinding, CheckReport, CheckRequest, verdict_of
from agent_claimcheck.checks.error_rules import ErrorStatus, read_status, unread_failure
from agent_claimcheck.checks.owning_up import OwningUp
from agent_claimcheck.checks.questions import (
    PROMPT_VERSION,
    AnswerReading,
    ChoiceReading,
    ask_answer,
    ask_choice,
    brief,
)
from agent_claimcheck.checks.recovery import Recovered, RecoveryFinder
from agent_claimcheck.checks.run import Run, StepNote, ToolCall
from agent_claimcheck.evidence.contract import Severity

NAME = "tool_use"

Recovery = Literal["retried", "fallback", "acknowledged", "silent", "claimed_success", "unchecked"]
ToolUseVerdict = Literal[
    "disallowed_tool", "error_claimed_success", "error_silent", "incorrect", "unchecked", "correct"
]

SEVERITY_OF: dict[ToolUseVerdict, Severity] = {
    "disallowed_tool": "fail",
    "error_claimed_success": "fail",
    "error_silent": "fail",
    "incorrect": "fail",
    "unchecked": "warn",
    "correct": "pass",
}
"""The verdicts in the order in which they are checked, and the severity of each."""

_RECOVERY_OF_ANSWER: dict[str, Recovery] = {
    "failed": "acknowledged",
    "succeeded": "claimed_success",
    "not_mentioned": "silent",
}
_QUOTED = 160  # characters of an error that a finding repeats as its evidence
_STEPS_NAMED = 10  # steps that the note of a summary lists
_TOOLS_NAMED = 20  # allowed tools that a reason lists


class _Judged(Struct, kw_only=True):
    """All that is known about one call before its finding is written."""

    number: int
    call: ToolCall
    status: ErrorStatus
    note: StepNote | None
    allowed: bool
    reads_as_failed: str | None = None
    recovery: Recovery | None = None
    recovered: Recovered | None = None
    recovered_at: int | None = None
    answer: AnswerReading | None = None
    owned_up: str | None = None
    choice: ChoiceReading | None = None

    @property
    def appropriate(self) -> bool | None:
        return None if self.choice is None else self.choice.appropriate


def check_run(run: Run, request: CheckRequest) -> CheckReport:
    """Judge every tool call of ``run``. Returns a report with one finding a call, in step order.

    ``score`` is the share of ``correct`` calls, 1.0 for a run without calls. Linear in the size of the run; one model
    call an unrecovered error and, with ``appropriate``, one a tool call.
    """
    judged = _judge(run, request)
    findings = [_finding(call, run, request) for call in judged]
    verdict = verdict_of(findings)
    correct = sum(finding.verdict == "correct" for finding in findings)
    return CheckReport(
        check=NAME,
        passed=verdict != "fail",
        verdict=verdict,
        score=correct / len(findings) if findings else 1.0,
        summary=_summary(findings, correct, _passed_over(judged), request),
        findings=findings,
        metadata=_check_metadata(judged, request),
        prompt_version=PROMPT_VERSION,
    )


def _judge(run: Run, request: CheckRequest) -> list[_Judged]:
    allowed = None if run.allowed_tools is None else frozenset(run.allowed_tools)
    judged: list[_Judged] = []
    for _, number, call, note in run.placed_calls():
        # Without any result there is nothing to read: absence of evidence is no error, and no recovery either.
        is_open = note == "no_result" and call.is_error is None
        status = ErrorStatus(False) if is_open else read_status(call, request.errors)
        judged.append(
            _Judged(
                number=number,
                call=call,
                status=status,
                note=note,
                allowed=allowed is None or call.name in allowed,
                reads_as_failed=unread_failure(call, status) if request.errors == "text" and not is_open else None,
            )
        )
    _find_recoveries(judged, run, request)
    if request.appropriate:
        for item in judged:
            item.choice = _choice(item, run, request)
    return judged


def _find_recoveries(judged: list[_Judged], run: Run, request: CheckRequest) -> None:
    worked = [not item.status.is_error and not _is_open(item) for item in judged]
    calls = [item.call for item in judged]
    finder = RecoveryFinder(calls, worked, run.tool_fallbacks, request.recovery)
    owning_up = OwningUp(run.final_answer, calls)
    for position, item in enumerate(judged):
        if not item.status.is_error:
            continue
        recovered = finder.find(position)
        if recovered is not None:
            item.recovered = recovered
            item.recovery = "retried" if recovered.how == "retried" else "fallback"
            item.recovered_at = judged[recovered.position].number
        elif request.check_answer and request.client is not None:
            item.answer = ask_answer(request.client, item.call, run.final_answer)
            item.recovery = "unchecked" if item.answer.says is None else _RECOVERY_OF_ANSWER[item.answer.says]
        else:
            item.owned_up = owning_up.words_for(item.call)
            is_read = item.owned_up is not None and request.answer == "words"
            item.recovery = "acknowledged" if is_read else "unchecked"


def _choice(item: _Judged, run: Run, request: CheckRequest) -> ChoiceReading:
    if request.client is None:
        return ChoiceReading(None, failure=request.unavailable or "no model was available")
    return ask_choice(request.client, run, item.call)


def _is_open(item: _Judged) -> bool:
    return item.note == "no_result" and item.call.is_error is None


def _verdict(item: _Judged) -> ToolUseVerdict:
    if not item.allowed:
        return "disallowed_tool"
    if item.recovery == "claimed_success":
        return "error_claimed_success"
    if item.recovery in ("silent", "unchecked"):
        return "error_silent"
    if item.appropriate is False:
        return "incorrect"
    if (item.choice is not None and item.choice.failure is not None) or _is_open(item):
        return "unchecked"
    return "correct"


def _finding(item: _Judged, run: Run, request: CheckRequest) -> CheckFinding:
    verdict = _verdict(item)
    is_unrecovered = item.recovery is not None and item.recovered is None
    return CheckFinding(
        severity=SEVERITY_OF[verdict],
        verdict=verdict,
        subject=item.call.name,
        reason=_reason(item, verdict, run, request),
        evidence=(item.call.output.strip()[:_QUOTED] or None) if is_unrecovered else None,
        step=item.number,
        metadata={
            "allowed": item.allowed,
            "recovery": item.recovery,
            "recovered_at": item.recovered_at,
            "appropriate": item.appropriate,
        },
    )


def _reason(item: _Judged, verdict: ToolUseVerdict, run: Run, request: CheckRequest) -> str:
    parts: list[str] = []
    if verdict == "disallowed_tool":
        parts.append(f"The tool is not allowed: {_allowed_text(run)}.")
    if item.recovery is not None:
        parts.append(_error_reason(item, run, request))
    elif _is_open(item):
        parts.append("The record holds no result of this call, so nothing shows whether it worked.")
    elif item.reads_as_failed is not None:
        parts.append(_unread_reason(item.reads_as_failed))
    elif verdict != "disallowed_tool":
        parts.append("The tool returned no error.")
    if item.choice is not None:
        if item.choice.failure is not None:
            parts.append(f"The choice of tool was not checked: {item.choice.failure}.")
        elif item.choice.appropriate is False:
            parts.append(f"The tool was a poor choice for this step{_because(item.choice.reason)}.")
    return " ".join(parts)


def _unread_reason(failure: str) -> str:
    return f"The text rule sees no error; the output reads as a failure ({failure}), which --errors structured counts."


def _error_reason(item: _Judged, run: Run, request: CheckRequest) -> str:
    opening = "The tool returned an error"
    if item.status.rule == "empty" and item.recovered is None:
        opening = "The tool returned an empty output, which counts as an error unless is_error is false"
    return f"{opening}; {_recovery_reason(item, run, request)}."


def _recovery_reason(item: _Judged, run: Run, request: CheckRequest) -> str:
    answer = item.answer
    match item.recovery:
        case "retried":
            return f"a retry at step {item.recovered_at} worked"
        case "fallback":
            return f"a fallback at step {item.recovered_at} worked"
        case "acknowledged" if item.owned_up is not None:
            return f"nothing recovered it, and the final answer owns up to it: {brief(item.owned_up)!r}"
        case "acknowledged":
            return "nothing recovered it, and the final answer tells the user that it failed"
        case "silent":
            return "nothing recovered it, and the final answer does not mention it"
        case "claimed_success":
            return "nothing recovered it, but the final answer says that it succeeded"
    if answer is not None:
        return f"nothing recovered it, and reading the final answer failed: {answer.failure}"
    if not run.final_answer.strip():
        return "nothing recovered it, and the run has no final answer that could tell of it"
    why = request.unavailable or "no model was available (--check-answer or check_answer=True asks one)"
    if request.answer == "words":
        return f"nothing recovered it, and no words of the final answer own up to it; it was not read otherwise: {why}"
    hint = "" if item.owned_up is None else f"; --answer words would count its words {brief(item.owned_up)!r}"
    return f"nothing recovered it, and the final answer was not read: {why}{hint}"


def _allowed_text(run: Run) -> str:
    tools = run.allowed_tools or []
    if not tools:
        return "allowed_tools is empty"
    named = ", ".join(tools[:_TOOLS_NAMED])
    more = f" and {len(tools) - _TOOLS_NAMED} more" if len(tools) > _TOOLS_NAMED else ""
    return f"allowed_tools lists {named}{more}"


def _because(reason: str) -> str:
    return f": {reason.rstrip('.')}" if reason else ""


def _summary(findings: list[CheckFinding], correct: int, note: str, request: CheckRequest) -> str:
    if not findings:
        return "No tool calls were made."
    sequence = " -> ".join(finding.subject for finding in findings)
    text = f"{correct}/{len(findings)} tool calls correct.{note} Sequence: {sequence}."
    unread = "no words of the answer own up to it" if request.answer == "words" else "nobody read the answer"
    problems = "; ".join(_problem(finding, unread) for finding in findings if finding.severity != "pass")
    if problems:
        return f"{text} Problems: {problems}."
    return f"{text} No other problems." if note else f"{text} No problems."


def _passed_over(judged: list[_Judged]) -> str:
    """Say which calls the text rule passes although they read as failed, so that none is passed over unseen."""
    steps = [str(item.number) for item in judged if item.reads_as_failed is not None]
    if not steps:
        return ""
    named = ", ".join(steps[:_STEPS_NAMED]) + (", ..." if len(steps) > _STEPS_NAMED else "")
    if len(steps) == 1:
        return f" 1 call without a status reads as failed (step {named}); the text rule passes it, --errors structured judges it."
    return (
        f" {len(steps)} calls without a status read as failed (steps {named}); the text rule passes them, "
        "--errors structured judges them."
    )


def _problem(finding: CheckFinding, unread: str) -> str:
    recovery = finding.metadata["recovery"]
    told = f", error {recovery}" if recovery is not None else ""
    if finding.verdict == "error_silent" and recovery == "unchecked":
        told += f" ({unread})"
    return f"step {finding.step} ({finding.subject}) {finding.verdict}{told}"


def _check_metadata(judged: list[_Judged], request: CheckRequest) -> dict[str, Any]:
    return {
        "errors": request.errors,
        "recovery": request.recovery,
        "answer": request.answer,
        "model_calls": {
            "answer_check": sum(item.answer is not None for item in judged),
            "tool_choice": sum(item.choice is not None for item in judged) if request.client is not None else 0,
        },
        "calls": [entry for item in judged if len(entry := _call_metadata(item)) > 1],
    }


def _call_metadata(item: _Judged) -> dict[str, Any]:
    """What the finding's own metadata has no room for. Only what applies is there."""
    entry: dict[str, Any] = {"step": item.number}
    if item.status.rule is not None:
        entry["error_rule"] = item.status.rule
    if item.status.reason:
        entry["error_reason"] = item.status.reason
    if item.status.cleared is not None:
        entry["cleared_rule"] = item.status.cleared
    if item.reads_as_failed is not None:
        entry["reads_as_failed"] = item.reads_as_failed
    if item.recovered is not None:
        entry["arguments_changed"] = item.recovered.arguments_changed
        entry["target_changed"] = item.recovered.target_changed
    if item.note is not None:
        entry["note"] = item.note
    if item.answer is not None and item.answer.reason:
        entry["answer_reason"] = item.answer.reason
    if item.owned_up is not None:
        entry["answer_words"] = item.owned_up
    if item.choice is not None and item.choice.reason:
        entry["choice_reason"] = item.choice.reason
    if any(reading is not None and reading.is_cut for reading in (item.answer, item.choice)):
        entry["model_input_cut"] = True
    return entry
