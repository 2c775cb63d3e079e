"""Wiring of the judge: from settings to the detectors that ask a model.

A reader must not miss: a judge whose price nobody knows is refused before anything is read. With ``is_dry`` nothing is
sent and no file is made, so a price must come from flags, settings, a kept listing or the packaged table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.detectors.ensembles import Cascade
from agent_claimcheck.detectors.judge.detector import Estimate, JudgeDetector, JudgeStyle
from agent_claimcheck.detectors.judge.prompt import load_prompt
from agent_claimcheck.detectors.judge.recording import Recorder, Replay
from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.llm.transport import require_http_url
from agent_claimcheck.pipeline.judge_options import JudgeOptions
from agent_claimcheck.pipeline.model_session import open_session
from agent_claimcheck.pipeline.parallel import map_in_order
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.view import label_free

if TYPE_CHECKING:
    import httpx


def build_judge(options: JudgeOptions, transport: httpx.BaseTransport | None = None) -> JudgeDetector:
    """Return the judge. Raises ``UsageError`` without a model or a price, ``InputError`` for a bad prompt or recording.

    ``transport`` replaces the network.
    """
    settings = options.settings.judge
    if not 1 <= options.samples <= 100:
        raise UsageError(f"{options.samples} samples: must be from 1 to 100", hint="--samples 5", slug="samples")
    replay = Replay(options.replay) if options.replay else None
    model = settings.model or _only_model(replay)
    prompt = load_prompt(settings.prompt)
    require_http_url(settings.base_url)
    session = open_session(options, model, transport, has_replay=replay is not None)
    style = JudgeStyle(
        model=model,
        prompt=prompt,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        json_mode=settings.json_mode,
        max_input_tokens=settings.max_input_tokens,
        samples=options.samples,
    )
    recorder = Recorder(options.record) if options.record and not options.is_dry else None
    return JudgeDetector(session, style, recorder=recorder, replay=replay)


def build_cascade(options: JudgeOptions) -> Cascade:
    """Return the cascade: rules first, then the judge. Raises what ``build_judge`` raises."""
    return Cascade(build_judge(options))


def judge_records(
    traces: Iterable[Trace],
    options: JudgeOptions,
    case: CaseSettings | None = None,
    *,
    split: str = "test",
    judge: JudgeDetector | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield one documented judge record for each call, in the order of ``traces``; traces without a claim give none.

    ``judge`` is used and left open when given; otherwise one is built from ``options`` and closed at the end. Calls run
    in ``settings.judge.concurrency`` threads. Raises what ``build_judge`` raises.
    """
    detector = judge or build_judge(options)

    def ask(trace: Trace) -> list[dict[str, Any]]:
        evidence = Evidence(label_free(trace), case)
        if not evidence.success_claims:
            return []
        return [detector.record_of(call, trace.trace_id, split) for call in detector.ask(evidence)]

    try:
        for _, records in map_in_order(traces, ask, options.settings.judge.concurrency, detector):
            yield from records
    finally:
        if judge is None:
            detector.close()


def estimate_run(detector: JudgeDetector | Cascade, traces: Iterable[Trace], case: CaseSettings) -> Estimate:
    """Return what checking ``traces`` would ask of the judge at most. Sends nothing."""
    total = Estimate()
    for trace in traces:
        evidence = Evidence(label_free(trace), case)
        if not evidence.success_claims:
            continue
        if isinstance(detector, JudgeDetector):
            total += detector.estimate(evidence)
        elif isinstance(detector.judge, JudgeDetector) and detector.is_open(evidence):
            total += detector.judge.estimate(evidence)
    return total


def _only_model(replay: Replay | None) -> str:
    if replay is not None and len(replay.models) == 1:
        return next(iter(replay.models))
    raise UsageError(
        "the judge has no model",
        hint="set CLAIMCHECK_MODEL or model under [judge] in claimcheck.toml",
        slug="judge_model",
    )
