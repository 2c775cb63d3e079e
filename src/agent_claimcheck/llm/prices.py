"""What a model costs: from flags and configuration, the server's own listing, or the dated table that ships.

A reader must not miss: zero is a known price, a missing one is not zero. What is set aside for a call uses the highest
price of any endpoint that may serve it; what is booked uses the list price.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Struct

from agent_claimcheck.core.canonical import sha256_hex
from agent_claimcheck.core.resources import read_data
from agent_claimcheck.core.settings.secrets import FALLBACK_HOST
from agent_claimcheck.llm.providers.contract import field
from agent_claimcheck.llm.transport import Fault, Sender, Target

BYTES_PER_TOKEN = 2.5
"""Documented. A token of ordinary text has three to four bytes, so this counts too many, never too few."""

MARGIN = 1.10
"""Documented safety on top."""

_PER_TOKEN_TO_PER_M = 1_000_000.0
_LISTING_LIVES_S = 24 * 3600.0
_PRICE_TABLE = "prices.json"


class Price(Struct, frozen=True, kw_only=True):
    """US dollars per million tokens. ``max_*`` is the dearest endpoint; ``source`` and ``date`` say where it is from.

    ``reasons`` is true when the listing says that the model can reason.
    """

    in_per_m: float
    out_per_m: float
    max_in_per_m: float
    max_out_per_m: float
    source: str
    date: str | None = None
    reasons: bool = False


def fixed_price(in_per_m: float, out_per_m: float, source: str = "settings", *, reasons: bool = False) -> Price:
    """Return a price that is the same at every endpoint."""
    return Price(
        in_per_m=in_per_m,
        out_per_m=out_per_m,
        max_in_per_m=in_per_m,
        max_out_per_m=out_per_m,
        source=source,
        reasons=reasons,
    )


def reservation_usd(request: bytes, max_tokens: int, price: Price) -> float:
    """Return what to set aside for a request: a token for every 2.5 bytes of its UTF-8 JSON, the full answer, plus 10 %.

    Counted in bytes the figure is never below the documented one, which counts characters.

    >>> round(reservation_usd(b"x" * 2500, 400, fixed_price(1.0, 2.0)), 6)
    0.00198
    """
    tokens_in = len(request) / BYTES_PER_TOKEN
    return (tokens_in * price.max_in_per_m + max_tokens * price.max_out_per_m) / 1e6 * MARGIN


def cost_usd(tokens_in: int, tokens_out: int, price: Price) -> float:
    """Return what a call costs at the list price."""
    return (tokens_in * price.in_per_m + tokens_out * price.out_per_m) / 1e6


def packaged_price(base_url: str, model: str) -> Price | None:
    """Return the price of ``model`` in the dated table that ships, for the providers it knows."""
    table = _table()
    row = field(table, "hosts", urlsplit(base_url).hostname or "", model.removeprefix("models/"))
    if not isinstance(row, list):
        return None
    in_per_m, out_per_m, *highest = (float(number) for number in row)
    return Price(
        in_per_m=in_per_m,
        out_per_m=out_per_m,
        max_in_per_m=highest[0] if highest else in_per_m,
        max_out_per_m=highest[1] if highest else out_per_m,
        source="packaged table",
        date=table["date"],
    )


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(read_data(_PRICE_TABLE))
    return table


class Listing:
    """The models a server lists, with their prices, kept for a day in ``directory`` (``None`` keeps nothing)."""

    def __init__(
        self,
        sender: Sender,
        base_url: str,
        headers: Mapping[str, str],
        directory: Path | None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._sender = sender
        self._base_url = base_url.rstrip("/")
        self._headers = headers
        self._directory = directory
        self._clock = clock

    def price(self, model: str) -> Price | None:
        """Return the listed price of ``model``; ``None`` when the server lists none or cannot be reached."""
        kept = listed_before(self._directory, self._base_url, model, self._clock)
        if kept is not None:
            return kept
        try:
            payload = self._sender.get(Target(url=f"{self._base_url}/models", headers=self._headers))
        except Fault:
            return None
        found = self._with_highest(_read_listing(payload, model), model)
        if found is not None:
            self._keep(model, found)
        return found

    def _with_highest(self, price: Price | None, model: str) -> Price | None:
        if price is None or urlsplit(self._base_url).hostname != FALLBACK_HOST:
            return price
        try:
            url = f"{self._base_url}/models/{quote(model, safe='/')}/endpoints"
            endpoints = field(self._sender.get(Target(url=url, headers=self._headers)), "data", "endpoints")
        except Fault:
            return None  # an endpoint may be dearer than the list price, and nobody can say by how much
        pairs = [_prices_of(item) for item in endpoints] if isinstance(endpoints, list) else []
        known = [pair for pair in pairs if pair is not None]
        return msgspec.structs.replace(
            price,
            max_in_per_m=max([price.in_per_m, *(pair[0] for pair in known)]),
            max_out_per_m=max([price.out_per_m, *(pair[1] for pair in known)]),
        )

    def _keep(self, model: str, price: Price) -> None:
        if self._directory is None:
            return
        path = _kept_path(self._directory, self._base_url, model)
        part = path.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            part.write_bytes(msgspec.json.encode(_KeptPrice(fetched_at=self._clock(), price=price)))
            part.replace(path)


class _KeptPrice(Struct, frozen=True):
    fetched_at: float
    price: Price


def listed_before(
    directory: Path | None, base_url: str, model: str, clock: Callable[[], float] = time.time
) -> Price | None:
    """Return the price that a listing gave within the last day, without asking anyone."""
    if directory is None:
        return None
    try:
        data = _kept_path(directory, base_url.rstrip("/"), model).read_bytes()
        kept = msgspec.json.decode(data, type=_KeptPrice)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return kept.price if 0 <= clock() - kept.fetched_at < _LISTING_LIVES_S else None


def _kept_path(directory: Path, base_url: str, model: str) -> Path:
    return directory / f"{sha256_hex(f'{base_url} {model}')}.json"


def _read_listing(payload: Any, model: str) -> Price | None:
    rows = field(payload, "data")
    for row in rows if isinstance(rows, list) else []:
        if field(row, "id") != model:
            continue
        pair = _prices_of(row)
        if pair is None:
            return None
        parameters = field(row, "supported_parameters")
        return Price(
            in_per_m=pair[0],
            out_per_m=pair[1],
            max_in_per_m=pair[0],
            max_out_per_m=pair[1],
            source="server listing",
            reasons=isinstance(parameters, list) and "reasoning" in parameters,
        )
    return None


def _prices_of(row: Any) -> tuple[float, float] | None:
    per_token_in = _per_token(field(row, "pricing", "prompt"))
    per_token_out = _per_token(field(row, "pricing", "completion"))
    if per_token_in is None or per_token_out is None:
        return None
    return per_token_in * _PER_TOKEN_TO_PER_M, per_token_out * _PER_TOKEN_TO_PER_M


def _per_token(value: Any) -> float | None:
    """Listings write prices as texts; a negative one means "it depends"."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number < math.inf else None
