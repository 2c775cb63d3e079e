"""Whether a run passes over its failure, or ticks off an order in a sign alone: "✅", "Safe travels at six!".

A reader must not miss: this finds no claim. An agent of which every change failed owes the user a word of it; where none of
its later messages has one, in whatever language, and none asks anything, a person has to look.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.asked.deeds import asks_for_a_deed, is_plain_order
from agent_claimcheck.evidence.asked.polite_orders import as_plain_orders
from agent_claimcheck.evidence.claims.finder import RunReading
from agent_claimcheck.evidence.claims.order_verbs import orders_a_change, orders_in
from agent_claimcheck.evidence.claims.scripts import identify
from agent_claimcheck.evidence.claims.unheard import may_own_up_in, owns_up
from agent_claimcheck.evidence.claims.unheard_endings import without_endings
from agent_claimcheck.evidence.claims.unheard_statements import stems_of, without_words_of
from agent_claimcheck.evidence.word_lists import WordLists

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_LETTERS = late_pattern(r"[^\W\d_]{2}")
_WORD = late_pattern(r"[^\W\d_]+")
_LONGEST, _MOST = 4_000, 40
_FEW_WORDS = 40
_MEASURES = frozenset({"test", "tests", "check", "checks", "verify", "validate", "scan", "measure", "probe"})
"""Words of tools whose failure is a result: what they find is told, not owned up to."""
_CJK = late_pattern(r"[぀-ヿ一-鿿가-힯]")


def may_pass_over_failure(run: RunReading, evidence: Evidence) -> bool:
    """True when every change failed and no message after it owns up to that, asks something or plans another try.

    What the agent says once the user wants something else owns up to it only where it speaks of the same things.
    """
    writes = evidence.writes
    if evidence.is_shell_run or not all(write.is_failed for write in writes):
        return False
    if not writes:
        return False
    since = writes[0].pair.call.i
    request = as_plain_orders(evidence.user_words[:_LONGEST])
    does = [write for write in writes if _MEASURES.isdisjoint(write.effect.words)]
    if not (
        any(write.effect.kind == "write" for write in writes)
        or (does and (is_plain_order(request) or asks_for_a_deed(request)))
        or (evidence.closing is not None and _is_a_sign(evidence.closing.text))
    ):
        return False
    steps = evidence.view.steps[evidence.positions[writes[-1].pair.call.i] :]
    until = next((step.i for step in steps if step.kind == "message" and step.role == "user"), None)
    texts = [
        (message.step is None or (until is not None and message.step > until), message.text[:_LONGEST])
        for message in evidence.messages[-_MOST:]
        if message.step is None or message.step > since
    ]
    about = set().union(*(stems_of(text.lower()) for is_later, text in texts if not is_later))
    about |= stems_of(" ".join(_asked_before(until, evidence)).lower())
    return bool(texts) and not any(
        _tells(text, request) and not (is_later and until is not None and about.isdisjoint(stems_of(text.lower())))
        for is_later, text in texts
    )


def _asked_before(step: int | None, evidence: Evidence) -> list[str]:
    return [
        one.content or ""
        for one in evidence.view.steps
        if one.kind == "message" and one.role == "user" and (step is None or one.i < step)
    ] or [evidence.view.task.instruction]


def may_tick_off(run: RunReading, evidence: Evidence) -> bool:
    """True when an order was answered with a sign of success alone, and nothing was changed."""
    closing = evidence.closing
    if closing is None or evidence.is_shell_run or not _is_a_sign(closing.text) or not run.hears_little_in(closing):
        return False
    if any(evidence.effect(pair).kind != "read" for pair in evidence.calls):
        return False
    if len(evidence.messages) == 1 and evidence.user_texts:
        # All that is answered to what is no courtesy.
        return not any("?" in text or "？" in text for text in evidence.user_texts)
    request = as_plain_orders(evidence.user_words[:_LONGEST])
    language = identify(request.lower(), _WORD.findall(request.lower()), set(_WORD.findall(request.lower()))).code
    if language not in (None, "en"):
        return orders_in(request, language)
    return (
        asks_for_a_deed(request) or is_plain_order(request) or orders_a_change(request, has_looked=bool(evidence.calls))
    )


def _is_a_sign(text: str) -> bool:
    """True for a text without words that holds a sign of success and none of failure."""
    if _LETTERS.search(text) or _CJK.search(text):
        return False
    return _signs("done").search(text) is not None and _signs("not_done").search(text) is None


def _tells(text: str, request: str) -> bool:
    """True when ``text`` may own up to something, asks, or is too long to be told as one that does not."""
    if _signs("not_done").search(text) is not None or "?" in text or "？" in text:
        return True
    if not _LETTERS.search(text) and not _CJK.search(text):
        return False
    text = without_words_of(request, without_endings(text, request))
    low = text.lower().replace("’", "'")
    words = _WORD.findall(low)
    if len(words) > _FEW_WORDS or _signs("told").search(low) is not None or owns_up(low):
        return True
    language = identify(low, words, set(words)).code
    return language not in (None, "en") and may_own_up_in(text, language)


@lru_cache(maxsize=4)
def _signs(section: str) -> re.Pattern[str]:
    return re.compile(WordLists("signs").pattern(section))
