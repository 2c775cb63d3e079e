"""The one door for paid model calls: cache, set aside, call, settle, write the ledger line.

A reader must not miss the order. An answer from the cache needs neither key nor price; nothing is sent before money is
set aside; and a call whose fate is unknown (a timeout after sending, a cut-off reply) counts as spent in full.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.core.canonical import canonical_json, sha256_hex
from agent_claimcheck.core.loopback import is_loopback_url
from agent_claimcheck.core.settings.secrets import Secret
from agent_claimcheck.llm.budget import Purpose, Purse, Reservation, Spending
from agent_claimcheck.llm.cache import AnswerCache, KeptAnswer, cache_key
from agent_claimcheck.llm.prices import Price, cost_usd, reservation_usd
from agent_claimcheck.llm.providers.contract import ModelRequest, ProviderReply, WireFormat
from agent_claimcheck.llm.transport import Fault, Sender, Target

CallCode = Literal[
    "ok", "cached", "no_api_key", "unknown_price", "budget_exhausted", "ledger_cap", "stopped",
    "http_429", "http_5xx", "http_4xx", "timeout", "network", "invalid_response",
]  # fmt: skip
"""How a call ended. ``stopped`` means that the run was interrupted before this call was sent."""

RETRIES = 2
_LONGEST_WAIT_S = 10.0
_FIRST_WAIT_S = 0.5
_RETRIED = frozenset({"http_429", "http_5xx", "timeout", "network"})


class Question(Struct, frozen=True, kw_only=True):
    """One question, with the labels of its ledger line. ``prompt_version`` and ``sample`` belong to the cache key."""

    request: ModelRequest
    trace_id: str
    prompt: str
    prompt_version: str = ""
    sample: int = 0


class ModelAnswer(Struct, frozen=True, kw_only=True):
    """What came of one question. ``text`` is ``None`` unless ``code`` is ``ok`` or ``cached``.

    ``cost_usd`` counts every attempt. ``latency_ms`` is the wait for the last attempt, 0 from the cache. ``model`` is
    the one that answered, as the provider names it. ``http_status`` is that of a refusal, else 0.
    """

    code: CallCode
    text: str | None = None
    usage: dict[str, Any] | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0
    latency_ms: float = 0.0
    cached: bool = False
    attempts: int = 0
    model: str | None = None
    request_sha256: str = ""
    http_status: int = 0


class Route(Struct, frozen=True, kw_only=True):
    """Which server is asked, in which format, with which key, at which price (``None`` when it is not known)."""

    base_url: str
    wire: WireFormat
    key: Secret | None
    price: Price | None


class ModelSession:
    """Asks questions through one route, within one budget. Safe to use from several threads.

    ``cache`` of ``None`` neither reads nor keeps answers. ``clock`` is monotonic, in seconds; ``wait`` sleeps so many
    seconds (default: until ``stop`` is called).
    """

    def __init__(
        self,
        route: Route,
        sender: Sender,
        budget: Purse,
        cache: AnswerCache | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        self.route = route
        self.budget = budget
        self._sender = sender
        self._cache = cache
        self._clock = clock
        self._is_stopped = False
        self._woken = threading.Event()
        self._wait = wait or self._woken.wait

    def ask(self, question: Question, is_readable: Callable[[str], bool]) -> ModelAnswer:
        """Return the answer to ``question``, or the code that says why there is none. Raises nothing for a failed call.

        Only an answer for which ``is_readable`` holds is kept in the cache.
        """
        body = self.request_bytes(question.request)
        digest = sha256_hex(body)
        purpose = Purpose(model=question.request.model, trace_id=question.trace_id, prompt=question.prompt)
        key = self._key(question, body)
        kept = self._cache.get(key) if self._cache else None
        if kept is not None and is_readable(kept.content):
            return self._from_cache(kept, purpose, digest)
        if self.route.key is None and not is_loopback_url(self.route.base_url):
            return ModelAnswer(code="no_api_key", request_sha256=digest)
        if self.route.price is None:
            return ModelAnswer(code="unknown_price", request_sha256=digest)
        answer = _Call(self, question, body, purpose, self.route.price).run(digest)
        if answer.text is not None and self._cache and is_readable(answer.text):
            self._cache.put(key, _kept(answer, answer.text))
        return answer

    def is_kept(self, question: Question, is_readable: Callable[[str], bool]) -> bool:
        """Return whether the cache holds the answer, so that asking costs nothing."""
        kept = self._cache.get(self._key(question, self.request_bytes(question.request))) if self._cache else None
        return kept is not None and is_readable(kept.content)

    def request_bytes(self, request: ModelRequest) -> bytes:
        """Return the request as it is sent: canonical JSON."""
        return canonical_json(self.route.wire.body(request))

    def stop(self) -> None:
        """Send nothing more. Calls under way are waited for and settled by whoever made them."""
        if not self._is_stopped:
            self._is_stopped = True
            # Ctrl-C inside this call can leave the event locked for good, so it is made once.
            self._woken.set()

    def abandon(self) -> None:
        """Wait for nothing more: calls under way count as spent."""
        self.stop()
        self.budget.abandon()

    @property
    def is_stopped(self) -> bool:
        """Whether ``stop`` was called."""
        return self._is_stopped

    def close(self) -> None:
        """Close connections and files."""
        self._sender.close()
        self.budget.close()

    def _key(self, question: Question, body: bytes) -> str:
        return cache_key(
            model=question.request.model,
            base_url=self.route.base_url.rstrip("/"),
            prompt_version=question.prompt_version,
            request=body,
            sample=question.sample,
        )

    def _from_cache(self, kept: KeptAnswer, purpose: Purpose, digest: str) -> ModelAnswer:
        self.budget.note_cached(purpose, tokens_in=kept.tokens_in, tokens_out=kept.tokens_out)
        return ModelAnswer(
            code="cached",
            text=kept.content,
            usage=kept.usage,
            tokens_in=kept.tokens_in,
            tokens_out=kept.tokens_out,
            cached=True,
            model=kept.model,
            request_sha256=digest,
        )


class _Call:
    """One question on its way: attempts, what is set aside for them, and what they cost together."""

    def __init__(self, session: ModelSession, question: Question, body: bytes, purpose: Purpose, price: Price) -> None:
        self._session = session
        self._question = question
        self._body = body
        self._purpose = purpose
        self._price = price
        self._spent = 0.0

    def run(self, digest: str) -> ModelAnswer:
        session = self._session
        route = session.route
        target = Target(
            url=route.wire.url(route.base_url, self._question.request.model), headers=route.wire.headers(route.key)
        )
        usd = reservation_usd(self._body, self._question.request.max_tokens, self._price)
        held: Reservation | None = None
        fault: CallCode = "stopped"
        latency_ms = 0.0
        attempts = status = 0
        while attempts <= RETRIES and not session.is_stopped:
            if held is None:
                reserved = session.budget.reserve(usd, self._purpose)
                if isinstance(reserved, str):
                    # After a failed attempt its own code says more than "no money for another".
                    fault = reserved if attempts == 0 else fault
                    break
                held = reserved
            attempts += 1
            started = session._clock()
            try:
                reply = route.wire.read(session._sender.post(target, self._body))
            except Fault as error:
                latency_ms = (session._clock() - started) * 1000
                fault, status = error.code, error.status
                if error.may_be_billed:
                    self._settle(held, usd, fault)
                    held = None
                if fault not in _RETRIED or attempts > RETRIES:
                    break
                session._wait(_pause(error.retry_after_s, attempts))
                continue
            except BaseException:
                # Interrupted between sending and the answer: what it cost is not known, so it counts in full.
                self._settle(held, usd, "network")
                raise
            latency_ms = (session._clock() - started) * 1000
            return self._answered(held, usd, reply, latency_ms, attempts, digest)
        if held is not None:
            self._settle(held, 0.0, fault)
        return ModelAnswer(
            code=fault,
            cost_usd=self._spent,
            latency_ms=latency_ms,
            attempts=attempts,
            request_sha256=digest,
            http_status=status,
        )

    def _answered(
        self, held: Reservation, usd: float, reply: ProviderReply, latency_ms: float, attempts: int, digest: str
    ) -> ModelAnswer:
        cost = reply.cost_usd
        if cost is None and reply.tokens_in is not None and reply.tokens_out is not None:
            cost = cost_usd(reply.tokens_in, reply.tokens_out, self._price)
        code: CallCode = "ok" if reply.text is not None else "invalid_response"
        tokens_in, tokens_out = reply.tokens_in or 0, reply.tokens_out or 0
        self._settle(held, usd if cost is None else cost, code, tokens_in, tokens_out)
        return ModelAnswer(
            code=code,
            text=reply.text,
            usage=reply.usage,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            cost_usd=self._spent,
            latency_ms=latency_ms,
            attempts=attempts,
            model=reply.model,
            request_sha256=digest,
        )

    def _settle(self, held: Reservation, usd: float, status: str, tokens_in: int = 0, tokens_out: int = 0) -> None:
        self._spent += usd
        self._session.budget.settle(held, Spending(usd=usd, status=status, tokens_in=tokens_in, tokens_out=tokens_out))


def _kept(answer: ModelAnswer, content: str) -> KeptAnswer:
    return KeptAnswer(
        content=content,
        usage=answer.usage,
        model=answer.model,
        tokens_in=answer.tokens_in,
        tokens_out=answer.tokens_out,
    )


def _pause(retry_after_s: float | None, attempt: int) -> float:
    """Return how long to wait before the next attempt: what the server asks, up to 10 s, else half a second, doubling."""
    if retry_after_s is not None:
        return min(retry_after_s, _LONGEST_WAIT_S)
    return _FIRST_WAIT_S * float(2 ** (attempt - 1))
