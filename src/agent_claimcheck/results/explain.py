"""A result told to a person: each claim, what was looked for, what was found in which step, what would settle it.

A reader must not miss: steps and quotes are hostile text. Everything is shortened and made printable before it is
shown, and the text says what the record shows, never more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agent_claimcheck.core.resources import short_name
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import ClaimVerdict, FieldResult, Finding
from agent_claimcheck.results.encoding import encode
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.reasons import ACCUSING, deciding_reason, in_words, is_scored, why_undecided
from agent_claimcheck.trace.model import Step

_LINE = 300
_VALUE = 120
_LIST = 50
_OPEN_ENDS = " ([{,;:"
"""With what the words of a claim may end because something else begins there."""

_VERDICT_WORDS = {
    "verified": "verified: the evidence confirms what was claimed",
    "false_success": "false_success: the evidence contradicts what was claimed",
    "unverifiable": "unverifiable: the evidence does not decide it",
    "skipped": "skipped: nothing was claimed",
}
_SCORED_WORDS = {
    "verified": "verified: by its score; the record alone does not confirm it",
    "false_success": "false_success: by its score; the record alone does not contradict it",
}
_RECORD_WORDS = {
    "contradicted": "contradicted: the trace itself speaks against a claim",
    "undecided": "undecided: the trace does not settle a claim",
    "supported": "supported: the calls succeeded, the outcome was not checked",
    "confirmed": "confirmed: an independent read of the state agrees",
    "corroborated": "corroborated: most other runs of the task, by other models, made the same changes",
    "unread": "unread: words that may claim success were not understood",
    "no_claim": "no_claim: nothing was claimed",
}
_OUTCOME_WORDS = {
    "contradicted": "contradicted by the record",
    "unsupported": "unsupported: no call could have done it",
    "undecided": "undecided",
    "receipt_only": "receipt only: the call succeeded, nothing independent read it back",
    "probe_supported": "confirmed by a state probe",
}
_UNREAD = "read the message; a rule pack whose claim_patterns match such words has the next ones checked"
_CHECK_MARKS = {"pass": "pass", "fail": "FAIL", "skipped": "skip"}


def explain(result: CheckResult, steps: Iterable[Step]) -> str:
    """Return several lines of plain text, without a final line end, about ``result``.

    ``steps`` are the trace's steps, probes included; a cited step that is not among them is named by its number.
    """
    by_number = {step.i: step for step in steps}
    lines = [*_heading(result), *_claims(result, by_number)]
    if result.findings:
        lines += ["", "Findings"]
        held = {verdict.claim for verdict in result.claim_verdicts if verdict.outcome in ACCUSING}
        for finding in result.findings[:_LIST]:
            lines += _finding(finding, by_number, is_held=finding.claim in held)
    if result.suppressed:
        lines += ["", "Suppressed", *(f"  {_text(item)}" for item in result.suppressed[:_LIST])]
    if result.notes:
        lines += ["", "Notes", *(f"  {_text(note)}" for note in result.notes[:_LIST])]
    return "\n".join(lines)


def step_line(step: Step) -> str:
    """Return one step on one line: number, kind, tool, status and content, shortened and printable.

    >>> step_line(Step(i=3, ts="2026-01-01", kind="tool_result", role="tool", name="db.put", ok=False, error="full"))
    '[3] tool_result db.put, ok false, error full'
    """
    parts = [f"[{step.i}] {step.kind}" + (f" {_text(step.name, _VALUE)}" if step.name else f" by {step.role}")]
    if step.ok is not None:
        parts.append(f"ok {'true' if step.ok else 'false'}")
    if step.exit_code is not None:
        parts.append(f"exit code {step.exit_code}")
    if step.args:
        parts.append(f"args {_value(step.args, _LINE)}")
    if step.error is not None:
        parts.append(f"error {_text(step.error) if isinstance(step.error, str) else _value(step.error, _LINE)}")
    if step.output is not None:
        parts.append(f"output {_text(step.output) if isinstance(step.output, str) else _value(step.output, _LINE)}")
    if step.content:
        parts.append(f'"{_text(step.content)}"')
    return ", ".join(parts)


def _heading(result: CheckResult) -> Iterator[str]:
    place = ""
    if result.file is not None:
        place = f", {_text(short_name(result.file))}" + ("" if result.line is None else f":{result.line}")
    yield f"{_text(result.trace_id)} ({_text(result.domain, _VALUE)}{place})"
    words = _SCORED_WORDS if is_scored(result) else _VERDICT_WORDS
    yield f"verdict  {words[result.verdict]}"
    yield f"record   {_RECORD_WORDS[result.record]}"
    if result.p_success is not None and result.verdict != "skipped":
        kind = "calibrated" if result.calibrated else "not calibrated"
        yield f"score    p(success) {result.p_success:.2f}, {kind}, by {_text(result.detector, _VALUE)}"
    why = in_words(why_undecided(result)) if result.verdict == "unverifiable" else ""
    if why:
        yield f"why      {_text(why)}"
    reason = deciding_reason(result)
    if reason is not None and reason.detail not in ("", why):
        cited = "" if reason.step is None else f" (step {reason.step})"
        yield f"because  {_text(reason.detail)}{cited}"
    if result.record == "unread":
        yield f"settle   {_UNREAD}"


def _claims(result: CheckResult, by_number: Mapping[int, Step]) -> Iterator[str]:
    judged: dict[int, list[ClaimVerdict]] = {}
    for verdict in result.claim_verdicts:
        judged.setdefault(verdict.claim, []).append(verdict)
    for index, claim in enumerate(result.claims[:_LIST]):
        yield ""
        yield f"Claim {index + 1}: {_text(claim.type, _VALUE)}"
        yield from _claim(claim, by_number)
        if not claim.is_success:
            yield "  This reports no success, so there is nothing to prove."
        elif index not in judged:
            yield "  No rule looked at this claim."
        for verdict in judged.get(index, [])[:_LIST]:
            yield from _verdict(verdict, by_number)
    if len(result.claims) > _LIST:
        yield ""
        yield f"... and {len(result.claims) - _LIST} more claims"
    for index, verdicts in judged.items():
        if not 0 <= index < len(result.claims):
            for verdict in verdicts[:_LIST]:
                yield ""
                yield f"Claim: {_text(verdict.claim_type, _VALUE)}"
                yield from _verdict(verdict, by_number)


def _claim(claim: SuccessClaim, by_number: Mapping[int, Step]) -> Iterator[str]:
    if claim.source == "structured":
        yield "  declared in the trace's final claim"
    if claim.quote:
        where = "the final message" if claim.step is None else f"step {claim.step}"
        line = _line_of(claim, by_number)
        quote = _text(claim.quote.removesuffix(" and").rstrip(_OPEN_ENDS))
        yield f'  said in {where}: "{quote}"' + (f' in the line "{_text(line, _VALUE)}"' if line else "")
    for key, value in list(claim.subject.items())[:_LIST]:
        told = ", ".join(map(_value, value[:_LIST])) if isinstance(value, list) and value else _value(value)
        yield f"  about {_text(key, _VALUE)} = {told}"


def _line_of(claim: SuccessClaim, by_number: Mapping[int, Step]) -> str:
    """Return the line around a claim of one or two words ("deployed"), which by themselves say little."""
    step = None if claim.step is None else by_number.get(claim.step)
    if step is None or not step.content or claim.span is None or claim.quote.count(" ") > 1:
        return ""
    start, end = claim.span
    if claim.quote not in step.content[start : end + _VALUE]:
        return ""
    begin = max(step.content.rfind("\n", 0, start) + 1, start - _VALUE)
    line = step.content[begin : end + _VALUE].partition("\n")[0].strip()
    return line if len(line.split()) > len(claim.quote.split()) else ""


def _verdict(verdict: ClaimVerdict, by_number: Mapping[int, Step]) -> Iterator[str]:
    yield f"  outcome      {_OUTCOME_WORDS.get(verdict.outcome, verdict.outcome)}"
    if verdict.looked_for:
        yield f"  looked for   {_text(verdict.looked_for)}"
    if verdict.detail:
        yield f"  found        {_text(verdict.detail)}"
    for check in verdict.checks[:_LIST]:
        yield f"  check        {_check(check)}"
    if verdict.missing_subject:
        yield "  not checked  values the claim does not state"
    cited = dict.fromkeys([*verdict.steps, *(() if verdict.step is None else (verdict.step,))])
    yield from _cited(cited, by_number, "  cited        ")
    if verdict.settle and verdict.outcome != "probe_supported":
        yield f"  to settle    {_text(verdict.settle)}"


def _check(check: FieldResult) -> str:
    asked = f"{_text(check.path, _VALUE)} {_text(check.op, _VALUE)} {_value(check.expected)}"
    said = f"{_CHECK_MARKS[check.result]} {asked}"
    if check.result == "fail":
        said += f", got {_value(check.actual)}"
    return f"{said} ({_text(check.reason)})" if check.reason else said


def _finding(finding: Finding, by_number: Mapping[int, Step], *, is_held: bool) -> Iterator[str]:
    aside = "; not held against this claim" if finding.power == "accuse" and not is_held else ""
    weight = finding.power if finding.power == "explain" else f"{finding.power}, {finding.severity}"
    yield f"  {_text(finding.id, _VALUE)} ({weight}{aside}): {_text(finding.reason)}"
    if finding.evidence:
        yield f"    evidence   {_text(finding.evidence)}"
    yield from _cited(finding.steps, by_number, "    cited      ")


def _cited(numbers: Iterable[int], by_number: Mapping[int, Step], lead: str) -> Iterator[str]:
    wanted: Sequence[int] = list(numbers)
    for number in wanted[:_LIST]:
        step = by_number.get(number)
        yield lead + (f"[{number}] is not in the trace" if step is None else step_line(step))
    if len(wanted) > _LIST:
        yield f"{lead}... and {len(wanted) - _LIST} more"


def _text(value: str, limit: int = _LINE) -> str:
    # Cut first, so that a huge text is not escaped as a whole; cut again, since escaping lengthens.
    return shorten(printable(shorten(value, limit)), limit)


def _value(value: Any, limit: int = _VALUE) -> str:
    return _text(encode(value).decode("utf-8"), limit)
