"""The judge: a language model reads the evidence and says how likely the claims are true.

What it catches: wrong targets, wrong values and missing parts that only show when the request is read against the
evidence. Why it matters: rules leave open what they were not told about.
Example: the request names one room, the event was made in another, every call succeeded.
Limits: it is advice at a price. It can be wrong with great confidence, so its raw score should be calibrated on labels
of your own. It sees what fits the token budget, and says when something was left out.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from agent_claimcheck.core.canonical import sha256_hex
from agent_claimcheck.core.text import shorten
from agent_claimcheck.detectors.contract import DetectorOutput, Reason
from agent_claimcheck.detectors.judge.answer import is_readable
from agent_claimcheck.detectors.judge.calls import PARSE_ERROR, JudgeCall, read_call
from agent_claimcheck.detectors.judge.prompt import JudgePrompt
from agent_claimcheck.detectors.judge.recording import NOT_RECORDED, Recorder, Replay
from agent_claimcheck.detectors.judge.sampling import SampleSummary, summarise
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.rendering.evidence_text import RenderedEvidence, RenderLimits, render_evidence
from agent_claimcheck.llm.prices import BYTES_PER_TOKEN, reservation_usd
from agent_claimcheck.llm.providers.contract import ModelRequest
from agent_claimcheck.llm.session import ModelAnswer, ModelSession, Question

_DETAIL = 200


class JudgeStyle(Struct, frozen=True, kw_only=True):
    """How the judge asks: the model, its prompt and the limits of question and answer."""

    model: str
    prompt: JudgePrompt
    temperature: float = 0.0
    max_tokens: int = 400
    json_mode: bool = True
    max_input_tokens: int = 24_000
    samples: int = 1


class Estimate(Struct, frozen=True, kw_only=True):
    """What a run would ask for: calls to be paid, calls answered from the cache, and the most it may cost."""

    calls: int = 0
    cached: int = 0
    usd: float = 0.0

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(calls=self.calls + other.calls, cached=self.cached + other.cached, usd=self.usd + other.usd)


class JudgeDetector:
    """Asks a model about each trace. Safe to use from several threads.

    ``replay`` answers from a recorded run and sends nothing; ``recorder`` writes every answer down.
    """

    name = "judge"
    is_remote = True

    def __init__(
        self,
        session: ModelSession,
        style: JudgeStyle,
        *,
        recorder: Recorder | None = None,
        replay: Replay | None = None,
        label: str | None = None,
    ) -> None:
        self.session = session
        self.style = style
        self.label = label or style.prompt.calibration_key(style.model)
        """The name this judge goes by in records and calibration files."""
        self._recorder = recorder
        self._replay = replay

    def detect(self, evidence: Evidence) -> DetectorOutput:
        """Return the model's figure, or abstain with the reason why there is none."""
        calls = self.ask(evidence)
        summary = summarise(calls)
        return DetectorOutput(
            detector=self.name,
            p_success=summary.p_success,
            abstain=summary.abstain_reason is not None,
            abstain_reason=summary.abstain_reason,
            reasons=(_reason(summary),),
            cost_usd=sum(call.model_answer.cost_usd for call in calls),
            latency_ms=sum(call.model_answer.latency_ms for call in calls),
            cached=all(call.model_answer.cached for call in calls),
            details=self._details(summary, calls),
        )

    def ask(self, evidence: Evidence) -> list[JudgeCall]:
        """Ask as often as ``style.samples`` says, and write each answer down if that is wanted."""
        rendered = self.render(evidence)
        calls: list[JudgeCall] = []
        for question in self._questions(evidence, rendered):
            call = self._ask_one(question, rendered)
            calls.append(call)
            if self._recorder is not None and call.abstain_reason not in (NOT_RECORDED, "stopped"):
                self._recorder.add(self.record_of(call, evidence.view.trace_id))
        return calls

    def record_of(self, call: JudgeCall, trace_id: str, split: str = "test") -> dict[str, Any]:
        """Return the documented record of one call."""
        return call.record(
            trace_id=trace_id, detector=self.label, model=self.style.model, prompt=self.style.prompt, split=split
        )

    def estimate(self, evidence: Evidence) -> Estimate:
        """Return what judging this trace would cost at most. Sends nothing."""
        total = Estimate()
        for question in self._questions(evidence, self.render(evidence)):
            if self.session.is_kept(question, is_readable):
                total += Estimate(cached=1)
            else:
                price = self.session.route.price
                body = self.session.request_bytes(question.request)
                usd = reservation_usd(body, self.style.max_tokens, price) if price else 0.0
                total += Estimate(calls=1, usd=usd)
        return total

    def render(self, evidence: Evidence) -> RenderedEvidence:
        """Return the evidence as the model sees it, cut to the token budget."""
        return evidence.shared(
            f"judge_text_{self.style.max_input_tokens}",
            lambda: render_evidence(
                evidence, RenderLimits(total_bytes=int(self.style.max_input_tokens * BYTES_PER_TOKEN))
            ),
        )

    def request_sha256(self, evidence: Evidence) -> str:
        """Return the SHA-256 of what would be sent about this trace. Sends nothing."""
        question = self._questions(evidence, self.render(evidence))[0]
        return sha256_hex(self.session.request_bytes(question.request))

    def stop(self) -> None:
        """Send nothing more; what is under way is finished and settled."""
        self.session.stop()

    def abandon(self) -> None:
        """Wait for nothing more; calls under way count as spent."""
        self.session.abandon()

    def close(self) -> None:
        """Close connections and files."""
        if self._recorder is not None:
            self._recorder.close()
        self.session.close()

    def _questions(self, evidence: Evidence, rendered: RenderedEvidence) -> list[Question]:
        style = self.style
        request = ModelRequest(
            model=style.model,
            text=style.prompt.fill(rendered),
            temperature=style.temperature,
            max_tokens=style.max_tokens,
            json_mode=style.json_mode,
        )
        return [
            Question(
                request=request,
                trace_id=evidence.view.trace_id,
                prompt=style.prompt.name,
                prompt_version=style.prompt.version,
                sample=sample,
            )
            for sample in range(style.samples)
        ]

    def _ask_one(self, question: Question, rendered: RenderedEvidence) -> JudgeCall:
        if self._replay is None:
            answered = self.session.ask(question, is_readable)
            return read_call(answered, rendered.shown, rendered.cut, question.sample)
        digest = sha256_hex(self.session.request_bytes(question.request))
        recorded = self._replay.answer(self.style.model, digest, question.sample)
        if recorded is None:
            return JudgeCall(
                answer=None,
                abstain_reason=NOT_RECORDED,
                model_answer=ModelAnswer(code="stopped", request_sha256=digest),
                cut=rendered.cut,
                sample=question.sample,
            )
        return read_call(recorded, rendered.shown, rendered.cut, question.sample)

    def _details(self, summary: SampleSummary, calls: list[JudgeCall]) -> dict[str, Any]:
        chosen = summary.chosen
        answered = chosen.model_answer
        details: dict[str, Any] = {
            "model": self.style.model,
            "answered_by": answered.model,
            "prompt": self.style.prompt.name,
            "prompt_sha256": self.style.prompt.sha256,
            "request_sha256": answered.request_sha256,
            "code": answered.code,
            "attempts": sum(call.model_answer.attempts for call in calls),
        }
        if chosen.answer is not None:
            details.update(
                failure_kind=chosen.answer.failure_kind,
                evidence_steps=chosen.answer.evidence_steps,
                rationale=chosen.answer.rationale,
                invalid_citation=chosen.invalid_citation,
            )
            if chosen.answer.claims is not None:
                details["claims"] = chosen.answer.claims
        if chosen.problem:
            key = "answer_problem" if chosen.abstain_reason == PARSE_ERROR else "refusal"
            details[key] = chosen.problem
        if not chosen.cut.is_none:
            details["cut"] = msgspec.to_builtins(chosen.cut)
        if len(calls) > 1:
            details["samples"] = summary.details()
        return details


def _reason(summary: SampleSummary) -> Reason:
    chosen = summary.chosen
    if chosen.answer is None:
        problem = f": {chosen.problem}" if chosen.problem else ""
        detail = f"the judge gave no answer ({chosen.abstain_reason}{problem})"
        return Reason(claim=None, outcome=chosen.abstain_reason or PARSE_ERROR, step=None, detail=detail[:_DETAIL])
    cited = chosen.answer.evidence_steps
    step = cited[-1] if cited and not chosen.invalid_citation else None
    left_out = "" if chosen.cut.is_none else "not everything was shown to the judge; "
    return Reason(
        claim=None,
        outcome=chosen.answer.failure_kind,
        step=step,
        detail=shorten(f"judge: {left_out}{chosen.answer.rationale}", _DETAIL),
    )
