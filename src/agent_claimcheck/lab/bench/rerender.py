"""Renders recorded judge requests again, so that their hashes can be compared with those of the run.

A reader must not miss: this can be done for the packaged benchmark and the prompts of this package alone. A run says in
``run.json`` how each judge was asked; without that nothing is rendered, and the report says so.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from agent_claimcheck.detectors.judge.detector import JudgeDetector, JudgeStyle
from agent_claimcheck.detectors.judge.prompt import BUILTIN_PROMPTS, load_prompt
from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.lab.bench.inputs import PACKAGED, packaged_sha256
from agent_claimcheck.lab.bench.records import JudgeRecord, RecordedRun
from agent_claimcheck.lab.bench.requests import Rerender
from agent_claimcheck.llm.budget import Budget
from agent_claimcheck.llm.providers.select import Api, wire_format
from agent_claimcheck.llm.session import ModelSession, Route
from agent_claimcheck.llm.transport import Sender
from agent_claimcheck.packs.load import load_builtin_packs
from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.view import label_free


class AskedAs(Struct, frozen=True, kw_only=True):
    """How one judge was asked: what of its entry in ``run.json`` shapes the request."""

    id: str
    base_url: str
    max_tokens: int
    max_input_tokens: int
    api: Api = "auto"
    temperature: float = 0.0
    json_mode: bool = True
    supports_reasoning: bool = False


def renderers(run: RecordedRun) -> Mapping[str, Rerender]:
    """Return what renders the requests of ``run`` again, by the SHA-256 of the prompt; empty when nothing can."""
    known = {load_prompt(name).sha256: name for name in BUILTIN_PROMPTS}
    ours = [record for record in run.judge_records if record.prompt_sha256 in known]
    if not ours or run.info.dataset_sha256 != packaged_sha256():
        return {}
    try:
        asked = {style.id: style for style in msgspec.convert(run.info.judges or [], list[AskedAs])}
    except msgspec.ValidationError:
        return {}
    if any(record.model not in asked for record in ours):
        return {}
    again = _Again(asked)
    return {digest: again.renderer(name) for digest, name in known.items()}


class _Again:
    def __init__(self, asked: dict[str, AskedAs]) -> None:
        self._asked = asked
        self._traces = {
            item.trace_id: item for item in read_sources(PACKAGED, SourceOptions()) if isinstance(item, Trace)
        }
        self._case = CaseSettings(packs=load_builtin_packs())
        self._judges: dict[tuple[str, str], JudgeDetector] = {}

    def renderer(self, prompt: str) -> Rerender:
        def render(record: JudgeRecord) -> str:
            trace = self._traces.get(record.trace_id)
            if trace is None:
                return ""
            return self._judge(record.model, prompt).request_sha256(Evidence(label_free(trace), self._case))

        return render

    def _judge(self, model: str, prompt: str) -> JudgeDetector:
        found = self._judges.get((model, prompt))
        if found is None:
            asked = self._asked[model]
            wire = wire_format(asked.base_url, asked.api, reasons=asked.supports_reasoning)
            # Nothing is ever sent through it: it has no money and no price, and it is closed from the start.
            session = ModelSession(
                Route(base_url=asked.base_url, wire=wire, key=None, price=None),
                Sender(timeout_s=1.0, connections=1),
                Budget(max_usd=0.0),
            )
            session.close()
            style = JudgeStyle(
                model=model,
                prompt=load_prompt(prompt),
                temperature=asked.temperature,
                max_tokens=asked.max_tokens,
                json_mode=asked.json_mode,
                max_input_tokens=asked.max_input_tokens,
            )
            found = self._judges[model, prompt] = JudgeDetector(session, style)
        return found
