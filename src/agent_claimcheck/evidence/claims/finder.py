"""Finds the success claims in what an agent said, with no rule pack and in any domain.

A reader must not miss: finding a claim accuses nobody. It only says "here the agent asserted that something was done";
whether the record supports it is decided elsewhere. Text that cannot be read is reported as unread, never as claimless.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.evidence.claims.clauses import bared_thoughts
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.claims.courtesies import Courtesies
from agent_claimcheck.evidence.claims.hearing import hear
from agent_claimcheck.evidence.claims.hits import UNSURE
from agent_claimcheck.evidence.claims.merging import Said, settle
from agent_claimcheck.evidence.claims.open_verbs import find_open_claims
from agent_claimcheck.evidence.claims.sentence_hearing import Heard

Scope = Literal["all", "final"]
"""Which messages of a run may claim something: all of them, or the closing one."""


class AgentMessage(Struct, frozen=True):
    """One message of the agent: the step it stands at (``None`` for the closing text alone) and its text."""

    step: int | None
    text: str


class TextReading(Struct, frozen=True):
    """What one text claims. ``denies``: it says that something failed or was not done.

    ``said`` holds claims and denials in the order they were made; ``claims`` are those left standing at its end.
    """

    claims: tuple[SuccessClaim, ...] = ()
    language: str | None = None
    is_readable: bool = True
    denies: bool = False
    said: tuple[Said, ...] = ()


class RunReading(Struct, frozen=True):
    """What a run claims in the end. ``is_readable`` is false when no claim was found and the last text is unread.

    ``is_silent`` is true when nothing in it was heard as a claim or as a denial, ``silent`` are the messages of which that
    holds, and ``unclear`` those that deny something without a word for what. ``is_english`` is false when some message that
    counts is unread or in a language of which only the common ways of claiming are known.
    """

    claims: tuple[SuccessClaim, ...] = ()
    is_readable: bool = True
    is_silent: bool = True
    is_english: bool = True
    language: str | None = None
    silent: tuple[AgentMessage, ...] = ()
    unclear: tuple[AgentMessage, ...] = ()

    def hears_little_in(self, message: AgentMessage) -> bool:
        """True when ``message`` is among ``silent`` or ``unclear``; courtesies taken out of it make it no other one."""
        return any(one.step == message.step for one in (*self.silent, *self.unclear))


def find_in_text(text: str) -> TextReading:
    """Find the success claims of one message. Never raises; the work is linear in the length of ``text``."""
    heard = hear(text)
    return TextReading(
        claims=settle(heard.said, across_messages=False),
        language=heard.language,
        is_readable=heard.is_readable,
        denies=any(item.claim is None for item in heard.said),
        said=tuple(heard.said),
    )


def _hear_thoughts(message: AgentMessage) -> Heard | None:
    """Hear a message that is nothing but thoughts: it is all that the run says, though hardly meant for a reader."""
    bared = bared_thoughts(message.text)
    if bared is None:
        return None
    heard = hear(bared, message.step)
    heard.said = [
        item
        if item.claim is None
        else replace(item, claim=replace(item.claim, confidence=min(item.claim.confidence, UNSURE)))
        for item in heard.said
    ]
    return heard


def closing_message(
    messages: Sequence[AgentMessage], courtesies: Courtesies, scope: Scope = "all"
) -> AgentMessage | None:
    """Return the last message that is no mere courtesy, the last one where all are; with ``scope`` ``"final"`` the last one."""
    if not messages:
        return None
    if scope == "final" or len(messages) == 1:
        return messages[-1]
    for message in reversed(messages):
        if not courtesies.are_all_of(message.text):
            return message
    return messages[-1]


def _last_turn(spoken: list[AgentMessage]) -> list[AgentMessage]:
    """Return the last message, and those before it between which and it nothing was done or said by others."""
    first = len(spoken) - 1
    while first > 0:
        step, before = spoken[first].step, spoken[first - 1].step
        if step is None or before is None or step - before != 1:
            break
        first -= 1
    return spoken[first:]


def find_in_run(
    messages: Sequence[AgentMessage],
    *,
    is_shell_run: bool,
    scope: Scope = "all",
    courtesies: Courtesies | None = None,
) -> RunReading:
    """Find the claims a run stands by at its end.

    All messages up to the closing one count, and a claim taken back later is gone; in shell runs the closing one alone
    counts, with those right before it, and with ``scope`` ``"final"`` the last one, whatever it says. A claim repeated later
    is one claim in its last wording.
    """
    spoken = [message for message in messages if message.text and not message.text.isspace()]
    if not spoken:
        return RunReading()
    closing = closing_message(spoken, courtesies or Courtesies(), scope)
    while spoken[-1] is not closing:
        spoken.pop()
    if scope == "final":
        spoken = spoken[-1:]
    elif is_shell_run:
        spoken = _last_turn(spoken)
    said: list[Said] = []
    silent: list[AgentMessage] = []
    unclear: list[AgentMessage] = []
    is_english = True
    heard = Heard()
    for message in spoken:
        heard = hear(message.text, message.step)
        if message is spoken[-1] and not heard.said:
            heard = _hear_thoughts(message) or heard
        said.extend(heard.said)
        if not heard.said:
            silent.append(message)
        elif all(item.claim is None and not item.denied for item in heard.said):
            unclear.append(message)
        is_english = is_english and heard.is_readable and heard.language in (None, "en")
    claims = settle(said, across_messages=len(spoken) > 1)
    if not claims:
        claims = tuple(claim for message in spoken for claim in find_open_claims(message.text, message.step))
    return RunReading(
        claims=claims,
        is_readable=bool(claims) or heard.is_readable,
        is_silent=not claims and not said,
        is_english=is_english,
        language=heard.language,
        silent=tuple(silent),
        unclear=tuple(unclear),
    )
