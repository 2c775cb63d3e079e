"""From settings to a session for paid calls: the price, the budget with its ledger, the cache, the wire format.

A reader must not miss: a model whose price nobody knows is refused before anything is sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.settings.model import API_KEY
from agent_claimcheck.core.settings.paths import judge_cache_dir
from agent_claimcheck.core.text import printable
from agent_claimcheck.llm.budget import Budget, Purse
from agent_claimcheck.llm.cache import AnswerCache
from agent_claimcheck.llm.ledger import Ledger
from agent_claimcheck.llm.prices import Listing, Price, fixed_price, listed_before, packaged_price
from agent_claimcheck.llm.providers.select import wire_format
from agent_claimcheck.llm.session import ModelSession, Route
from agent_claimcheck.llm.transport import Sender
from agent_claimcheck.pipeline.judge_options import JudgeOptions

if TYPE_CHECKING:
    import httpx

# Three attempts, each of which may take the time for connecting and the time for the reply, and the pauses between.
_ATTEMPTS = 3
_LEASE_SLACK_S = 120.0


def open_session(
    options: JudgeOptions, model: str, transport: httpx.BaseTransport | None = None, *, has_replay: bool = False
) -> ModelSession:
    """Return a session for ``model`` at the address, price, budget and cache of ``options``.

    With ``has_replay`` nothing will be sent, so no price is needed. Raises ``UsageError`` when no price is known
    or no header can carry the key, ``OutputError`` when the ledger cannot be written.
    """
    settings = options.settings
    judge = settings.judge
    is_paid = not (options.is_dry or has_replay)
    if is_paid and settings.api_key is not None:
        settings.api_key.require_sendable(settings.sources.get(API_KEY, "the API key"))
    sender = Sender(timeout_s=judge.timeout_s, connections=judge.concurrency, transport=transport)
    if has_replay:
        price: Price | None = fixed_price(0.0, 0.0, "replay")
    else:
        price = _find_price(options, model, sender)
    if price is None:
        sender.close()
        raise UsageError(
            f"no price is known for {printable(model)}, so nothing is sent",
            hint="give --price-in and --price-out in US dollars per million tokens; 0 is a price",
            slug="unknown_price",
        )
    budget: Purse
    if options.budget_desk is not None and is_paid:
        from agent_claimcheck.pipeline.runner.ray_budget import DeskPurse

        budget = DeskPurse(options.budget_desk)
    else:
        budget = open_budget(options, is_paid=is_paid)
    route = Route(
        base_url=judge.base_url,
        wire=wire_format(judge.base_url, judge.api, reasons=price.reasons),
        key=settings.api_key,
        price=price,
    )
    cache = AnswerCache(judge_cache_dir(settings.cache_dir)) if options.use_cache else None
    return ModelSession(route, sender, budget, cache)


def open_budget(options: JudgeOptions, *, is_paid: bool) -> Budget:
    """Return the budget of ``options``, kept on this machine; what is not paid has no ledger and no lifetime cap."""
    settings = options.settings
    return Budget(
        max_usd=settings.budget.max_usd,
        cap_usd=settings.budget.ledger_cap_usd if is_paid else None,
        ledger=Ledger(settings.ledger_file) if is_paid else None,
        run_id=options.run_id,
        lease_s=_ATTEMPTS * (settings.judge.timeout_s * 2) + _LEASE_SLACK_S,
    )


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
