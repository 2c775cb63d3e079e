"""Wiring of the judge: from settings to a session with a price, a budget and a cache, and the detectors that use it.

A reader must not miss: a judge whose price nobody knows is refused before anything is read. With ``is_dry`` nothing is
sent and no file is made, so a price must come from flags, settings, a kept listing or the packaged table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.settings.paths import judge_cache_dir
from agent_claimcheck.core.text import printable
from agent_claimcheck.detectors.ensembles import Cascade
from agent_claimcheck.detectors.judge.detector import Estimate, JudgeDetector, JudgeStyle
from agent_claimcheck.detectors.judge.prompt import load_prompt
from agent_claimcheck.detectors.judge.recording import Recorder, Replay
from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.llm.budget import Budget
from agent_claimcheck.llm.cache import AnswerCache
from agent_claimcheck.llm.ledger import Ledger
from agent_claimcheck.llm.prices import Listing, Price, fixed_price, listed_before, packaged_price
from agent_claimcheck.llm.providers.select import wire_format
from agent_claimcheck.llm.session import ModelSession, Route
from agent_claimcheck.llm.transport import Sender, require_http_url
from agent_claimcheck.pipeline.judge_options import JudgeOptions
from agent_claimcheck.pipeline.parallel import map_in_order
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.view import label_free

if TYPE_CHECKING:
    import httpx

_ATTEMPTS = 3
_LEASE_SLACK_S = 120.0


def build_judge(options: JudgeOptions, transport: httpx.BaseTransport | None = None) -> JudgeDetector:
    """Return the judge. Raises ``UsageError`` without a model or a price, ``InputError`` for a bad prompt or recording.

    ``transport`` replaces the network.
    """
    settings = options.settings.judge
    if not 1 <= options.samples <= 100:
        raise UsageError(f"{options.samples} samples: must be from 1 to 100", slug="samples")
    replay = Replay(options.replay) if options.replay else None
    model = settings.model or _only_model(replay)
    prompt = load_prompt(settings.prompt)
    require_http_url(settings.base_url)
    session = _open_session(options, model, transport, has_replay=replay is not None)
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


def _open_session(
    options: JudgeOptions, model: str, transport: httpx.BaseTransport | None, *, has_replay: bool
) -> ModelSession:
    settings = options.settings
    judge = settings.judge
    sender = Sender(timeout_s=judge.timeout_s, connections=judge.concurrency, transport=transport)
    if has_replay:
        price: Price | None = fixed_price(0.0, 0.0, "replay")
    else:
        price = _find_price(options, model, sender)
    is_paid = not (options.is_dry or has_replay)
    if price is None:
        sender.close()
        raise UsageError(
            f"no price is known for {printable(model)}, so nothing is sent",
            hint="give --price-in and --price-out in US dollars per million tokens; 0 is a price",
            slug="unknown_price",
        )
    budget = Budget(
        max_usd=settings.budget.max_usd,
        cap_usd=settings.budget.ledger_cap_usd if is_paid else None,
        ledger=Ledger(settings.ledger_file) if is_paid else None,
        run_id=options.run_id,
        lease_s=_ATTEMPTS * (judge.timeout_s * 2) + _LEASE_SLACK_S,
    )
    route = Route(
        base_url=judge.base_url,
        wire=wire_format(judge.base_url, judge.api, reasons=price.reasons),
        key=settings.api_key,
        price=price,
    )
    cache = AnswerCache(judge_cache_dir(settings.cache_dir)) if options.use_cache else None
    return ModelSession(route, sender, budget, cache)


def _find_price(options: JudgeOptions, model: str, sender: Sender) -> Price | None:
    """Return the price in force: flags and settings, then the server's listing, then the packaged table."""
    judge = options.settings.judge
    wire = wire_format(judge.base_url, judge.api)
    fixed = (judge.price_in_per_m, judge.price_out_per_m)
    listed: Price | None = None
    if (wire.lists_prices and None in fixed) or wire.lists_abilities:
        directory = options.settings.cache_dir / "prices"
        if options.is_dry:
            listed = listed_before(directory, judge.base_url, model)
        else:
            headers = wire.headers(options.settings.api_key)
            listed = Listing(sender, judge.base_url, headers, directory).price(model)
    if fixed[0] is not None and fixed[1] is not None:
        return fixed_price(fixed[0], fixed[1], reasons=listed is not None and listed.reasons)
    return listed or packaged_price(judge.base_url, model)
