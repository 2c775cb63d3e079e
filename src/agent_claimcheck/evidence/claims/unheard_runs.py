"""Whether a run in which no claim was heard may claim something all the same, by what it did and how it closes.

A reader must not miss: this finds no claim. Its yes makes the run ``unread``, so that a person looks at it instead of nobody.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.asked.deeds import (
    order_words,
    tells_order_done,
)
from agent_claimcheck.evidence.asked.polite_orders import as_plain_orders
from agent_claimcheck.evidence.asked.request import asks_only_to_know
from agent_claimcheck.evidence.claims.finder import AgentMessage, RunReading
from agent_claimcheck.evidence.claims.hearing import hear
from agent_claimcheck.evidence.claims.unheard import (
    may_tell_more,
    names_changes,
    owns_up,
    states_before_denial,
    states_beside_denial,
    states_plainly,
    without_deeds,
)
from agent_claimcheck.evidence.claims.unheard_answers import may_claim_what_was_asked, may_have_claimed_before
from agent_claimcheck.evidence.claims.unheard_endings import without_endings
from agent_claimcheck.evidence.claims.unheard_questions import may_carry_a_claim
from agent_claimcheck.evidence.claims.unheard_searches import may_tell_a_search
from agent_claimcheck.evidence.claims.unheard_silence import may_pass_over_failure, may_tick_off
from agent_claimcheck.evidence.claims.unheard_statements import may_state_the_order_done
from agent_claimcheck.evidence.claims.unheard_work import may_tell_work
from agent_claimcheck.evidence.coding.commands import command_of
from agent_claimcheck.evidence.coding.shell import read_command
from agent_claimcheck.evidence.coverage import family_of

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence
    from agent_claimcheck.trace.pairing import CallPair

_FEW_WORDS = 25
"""Words up to which an answer may say that an order of any kind was carried out; a longer one tells what was looked up."""
_MOST_SEEN, _LONGEST_SEEN = 20, 10_000
_WORD = late_pattern(r"[a-z]+")
_ALREADY = late_pattern(r"\balready\b", re.IGNORECASE)


def may_claim_unheard(run: RunReading, evidence: Evidence) -> bool:
    """True for a run that tried to change something and then said what may be a claim that was not heard.

    Of other languages only the common ways of claiming are known, so silence there is enough. In English the words count.
    """
    if run.claims:
        return False
    if _may_tell_order_done(run, evidence) or _may_claim_beside_denial(run, evidence):
        return True
    if may_state_the_order_done(run, evidence) or may_pass_over_failure(run, evidence) or may_tick_off(run, evidence):
        return True
    if may_carry_a_claim(run, evidence):
        return True
    if not (run.silent or run.unclear):
        return False
    tried = [pair for pair in evidence.calls if evidence.effect(pair).kind != "read"]
    if not tried:
        return (
            may_claim_what_was_asked(run, evidence)
            or may_have_claimed_before(run, evidence)
            or _may_call_a_red_check_green(run, evidence)
            or may_tell_work(run, evidence)
            or may_tell_a_search(run, evidence)
        )
    worked = [pair for pair in tried if evidence.receipt(pair).state != "failed"]
    if not worked and may_tell_work(run, evidence):
        return True
    if run.is_silent and not run.is_english and any(evidence.effect(pair).kind == "write" for pair in worked):
        return True
    if _states_in_another_language(run, evidence, bool(worked)):
        return True
    is_tried_in_vain = not (worked or evidence.is_shell_run) and any(
        evidence.effect(pair).kind == "write" for pair in tried
    )
    if not is_tried_in_vain and asks_only_to_know(evidence.view.task.instruction, evidence.user_texts):
        return False
    if _owned_up_since(tried[-1].call.i, run, evidence):
        return False
    return _may_tell_of_changes(run, evidence, tried, worked)


def _may_tell_of_changes(
    run: RunReading, evidence: Evidence, tried: Sequence[CallPair], worked: Sequence[CallPair]
) -> bool:
    """True when a report made after the first change of ``tried`` that ``worked``, the first of all where none did, may claim more."""
    first = (worked or tried)[0].call.i
    named = {word for pair in tried for word in evidence.effect(pair).words}
    request = evidence.user_words
    request = "" if len(worked) == len(tried) else as_plain_orders(request)
    is_owned_up = not worked and owns_up(without_endings(evidence.closing_plain, request))

    def is_in_time(message: AgentMessage) -> bool:
        return message.step is None or (message.step > first and _is_report(message.step, message.text, evidence))

    return any(
        may_tell_more(text, needs_deed=is_owned_up or (not worked and owns_up(text)), nothing_worked=not worked)
        for message in run.silent
        if is_in_time(message)
        for text in _readings(message.text, named, request)
    ) or any(
        may_tell_more(message.text, needs_deed=not run.is_english or owns_up(message.text), nothing_worked=not worked)
        for message in run.unclear
        if is_in_time(message)
    )


def _readings(text: str, tool_words: Collection[str], request: str) -> set[str]:
    """Return ``text``, what is left of it without the words of tools, and without what tells the end that ``request`` orders."""
    return {text, without_deeds(text, tool_words), without_deeds(without_endings(text, request), tool_words)}


def _may_tell_order_done(run: RunReading, evidence: Evidence) -> bool:
    """True for an English run of which no change worked and that closes by telling the ordered deed, whatever it denies beside it."""
    closing = evidence.closing
    if not run.is_english or evidence.is_shell_run or closing is None or not evidence.calls:
        return False
    request = evidence.user_words
    if "?" in request or not tells_order_done(request, _without_already(evidence.closing_plain, request, evidence)):
        return False
    return all(
        evidence.effect(pair).kind == "read" or evidence.receipt(pair).state == "failed" for pair in evidence.calls
    )


def _without_already(text: str, request: str, evidence: Evidence) -> str:
    """Return ``text`` without its "already" where no result told the ordered state: then it is no news of a look-up."""
    if "already" not in text.lower():
        return text
    deeds = set(order_words(request))
    seen = " ".join(
        evidence.output_text(pair.result)[:_LONGEST_SEEN].lower()
        for pair in evidence.calls[-_MOST_SEEN:]
        if pair.result is not None
    )
    seen += " ".join(evidence.receipt(pair).reason.lower() for pair in evidence.calls[-_MOST_SEEN:])
    if "already" in seen or not deeds.isdisjoint(_WORD.findall(seen)):
        return text
    return _ALREADY.sub("", text)


def _may_claim_beside_denial(run: RunReading, evidence: Evidence) -> bool:
    """True for a run that closes by stating something, whatever else it denies, when every change failed or the last one worked."""
    closing = evidence.closing
    if evidence.is_shell_run or closing is None or not evidence.writes:
        return False
    failed = [evidence.receipt(write.pair).state == "failed" for write in evidence.writes]
    if not all(failed) and (failed[-1] or len(evidence.closing_plain.split()) > _FEW_WORDS):
        return False
    if run.language not in (None, "en"):
        return _denies_nothing_tried(run, closing, evidence) and states_before_denial(
            evidence.closing_plain, run.language
        )
    request = evidence.user_words
    deeds = {word for write in evidence.writes for word in write.effect.words}.union(order_words(request))
    return states_beside_denial(evidence.closing_plain, deeds, has_worked=not all(failed))


def _denies_nothing_tried(run: RunReading, closing: AgentMessage, evidence: Evidence) -> bool:
    """True when what ``closing`` denies is told without a word for it, or is a deed of another kind than any change that was tried."""
    if _is_among(run.unclear, closing):
        return True
    said = hear(closing.text).said
    tried = {family_of(write.effect.verb_class) for write in evidence.writes} | {None}
    return bool(said) and all(item.claim is None and family_of(item.denied or None) not in tried for item in said)


def _states_in_another_language(run: RunReading, evidence: Evidence, has_worked: bool) -> bool:
    """True for a run that tried something and closes with a plain statement in another language, denying nothing there.

    Where some call worked, a question of the user asks to know what it returned.
    """
    closing = evidence.closing
    if run.language in (None, "en") or closing is None or not run.hears_little_in(closing):
        return False
    if has_worked and any("?" in text or "？" in text for text in evidence.user_texts):
        return False
    return states_plainly(evidence.closing_plain, run.language)


def _may_call_a_red_check_green(run: RunReading, evidence: Evidence) -> bool:
    """True when the last command was a check that failed, and the closing words own up to nothing: "Lint is clean now"."""
    closing = evidence.closing
    if not run.is_english or not _is_among(run.silent, closing):
        return False
    command = command_of(evidence.calls[-1].call) if evidence.calls else None
    shell = read_command(command) if command else None
    if shell is None or not shell.is_any_check:
        return False
    text = evidence.closing_plain
    is_red = evidence.receipt(evidence.calls[-1]).state == "failed"
    return is_red and not owns_up(text) and may_tell_more(text, nothing_worked=True)


def _is_among(messages: Sequence[AgentMessage], closing: AgentMessage | None) -> bool:
    return closing is not None and any(message.step == closing.step for message in messages)


def _owned_up_since(step: int, run: RunReading, evidence: Evidence) -> bool:
    """True when the agent denied something in plain words after ``step``; what it says beside that is no claim."""
    unheard = {message.step for message in (*run.silent, *run.unclear)}
    return any(
        message.step is not None
        and message.step > step
        and message.step not in unheard
        and not evidence.courtesies.are_all_of(message.text)
        for message in evidence.messages
    )


def _is_report(step: int, text: str, evidence: Evidence) -> bool:
    """True when the agent stopped at this message: what it says before its next call ("On it.") reports nothing.

    A closing text that names the fix is one even where calls follow, such as that which hands in the work.
    """
    if evidence.closing is not None and step == evidence.closing.step and names_changes(text):
        return True
    steps = evidence.view.steps
    at = evidence.positions[step] + 1
    while at < len(steps) and steps[at].kind == "message" and steps[at].role != "user":
        at += 1  # a report in two messages
    return at == len(steps) or steps[at].kind in ("message", "state_probe")
