"""One question to the judge about one trace: what was asked, what came back, in the documented record form."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from agent_claimcheck.detectors.contract import BASE_RATE
from agent_claimcheck.detectors.judge.answer import CANNOT_TELL, JudgeAnswer, read_answer
from agent_claimcheck.detectors.judge.prompt import JudgePrompt
from agent_claimcheck.evidence.rendering.evidence_text import Cut
from agent_claimcheck.llm.session import ModelAnswer
from agent_claimcheck.llm.structured import AnswerError

PARSE_ERROR = "parse_error"


class JudgeCall(Struct, frozen=True, kw_only=True):
    """What came of one question. ``answer`` is ``None`` exactly when ``abstain_reason`` is set, ``cannot_tell`` aside.

    ``problem`` says what was wrong with an answer that could not be read; ``invalid_citation`` that a cited step is not
    in the prompt.
    """

    answer: JudgeAnswer | None
    abstain_reason: str | None
    model_answer: ModelAnswer
    problem: str = ""
    invalid_citation: bool = False
    cut: Cut = Cut()
    sample: int = 0

    @property
    def p_success(self) -> float:
        """The judge's own figure; the base rate when it abstains."""
        return BASE_RATE if self.answer is None or self.abstain_reason else self.answer.p_success

    def record(
        self, *, trace_id: str, detector: str, model: str, prompt: JudgePrompt, split: str = "test"
    ) -> dict[str, Any]:
        """Return the documented judge record; ``answered_by`` is the model as the provider names it."""
        answered = self.model_answer
        record: dict[str, Any] = {
            "trace_id": trace_id,
            "split": split,
            "detector": detector,
            "model": model,
            "prompt_name": prompt.name,
            "prompt_version": int(prompt.version) if prompt.version.isdecimal() else prompt.version,
            "prompt_sha256": prompt.sha256,
            "request_sha256": answered.request_sha256,
            "parsed": None if self.answer is None else msgspec.to_builtins(self.answer),
            "p_raw": self.p_success,
            "abstain": self.abstain_reason is not None,
            "abstain_reason": self.abstain_reason,
            "raw_text": answered.text,
            "usage": answered.usage,
            "cost_usd": answered.cost_usd,
            "latency_ms": answered.latency_ms,
            "cached": answered.cached,
            "attempts": answered.attempts,
            "invalid_citation": self.invalid_citation,
            "answered_by": answered.model,
        }
        if not self.cut.is_none:
            record["cut"] = msgspec.to_builtins(self.cut)
        if self.sample:
            record["sample"] = self.sample
        return record


_MEANING = {
    401: "the key is missing or not accepted",
    402: "the account has no credit",
    403: "the key may not do this",
    404: "no such model, or a wrong base URL",
    413: "the question is too large for the server",
    429: "too many requests, or a quota that is used up",
}


def _refusal(status: int) -> str:
    """Say what an HTTP status means for who set the judge up; never with the server's own words, which may quote a key."""
    if not status:
        return ""
    return f"HTTP {status}: {_MEANING[status]}" if status in _MEANING else f"HTTP {status}"


def read_call(answered: ModelAnswer, shown: frozenset[int], cut: Cut, sample: int) -> JudgeCall:
    """Read a model's answer strictly. ``shown`` holds the step numbers that stood in the prompt."""
    if answered.text is None:
        return JudgeCall(
            answer=None,
            abstain_reason=answered.code,
            model_answer=answered,
            problem=_refusal(answered.http_status),
            cut=cut,
            sample=sample,
        )
    try:
        answer = read_answer(answered.text)
    except AnswerError as error:
        return JudgeCall(
            answer=None,
            abstain_reason=PARSE_ERROR,
            model_answer=answered,
            problem=error.message,
            cut=cut,
            sample=sample,
        )
    return JudgeCall(
        answer=answer,
        abstain_reason=CANNOT_TELL if answer.failure_kind == CANNOT_TELL else None,
        model_answer=answered,
        invalid_citation=any(step not in shown for step in answer.evidence_steps),
        cut=cut,
        sample=sample,
    )
