"""The run grader's model within a budget: priced, cached and in the ledger, which it is only when a budget is asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from agent_claimcheck.core.settings import load_settings
from agent_claimcheck.core.settings.openai import OpenAISettings
from agent_claimcheck.llm.metered import MeteredClient
from agent_claimcheck.llm.transport import require_http_url
from agent_claimcheck.pipeline.judge_options import JudgeOptions
from agent_claimcheck.pipeline.model_session import open_session


def metered_client(
    model: OpenAISettings,
    *,
    max_usd: float,
    price: tuple[float, float] | None = None,
    environ: Mapping[str, str] | None = None,
) -> MeteredClient:
    """Return a client for ``model`` that spends at most ``max_usd``.

    ``price`` is US dollars per million tokens, in and out; without it the server's listing and the packaged table are
    asked. Ledger, lifetime cap and cache are those of the settings; the judge's own address, key and price are not used.
    Raises ``UsageError`` when no price is known.
    """
    require_http_url(model.base_url)
    overrides = {
        "budget.max_usd": max_usd,
        "judge.price_in_per_m": price[0] if price else None,
        "judge.price_out_per_m": price[1] if price else None,
    }
    settings = load_settings(None, overrides, os.environ if environ is None else environ, Path.cwd())
    judge = replace(
        settings.judge,
        base_url=model.base_url,
        model=model.model,
        api="auto",
        price_in_per_m=price[0] if price else None,
        price_out_per_m=price[1] if price else None,
    )
    options = JudgeOptions(settings=replace(settings, judge=judge, api_key=model.key))
    return MeteredClient(open_session(options, model.model), model.model)
