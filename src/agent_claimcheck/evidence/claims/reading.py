"""Which claims a trace makes: the declared ones, those its packs' patterns find, and those the general finder finds.

A reader must not miss: claims are evidence of what was *said*, never of what was done. Declared claims win where they
claim success; a declared ``partial`` does not hide a "Done! booked and confirmed" in the text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.contract import SURE_CLAIM, SuccessClaim
from agent_claimcheck.evidence.claims.finder import AgentMessage, RunReading, find_in_run
from agent_claimcheck.evidence.claims.negation import sentence_around
from agent_claimcheck.evidence.claims.patterns import plan_for
from agent_claimcheck.evidence.claims.tool_deeds import find_tool_deeds
from agent_claimcheck.evidence.claims.undressing import undressed
from agent_claimcheck.evidence.claims.unheard_runs import may_claim_unheard
from agent_claimcheck.trace.view import TraceView

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_MOST_AFTER = 3
"""Among how many of the last messages the final text is looked for."""
_TESTS = late_pattern(r"\b\d+(?: \w+)? tests?\b", re.IGNORECASE)
_ALL = late_pattern(r"\ball\b", re.IGNORECASE)

_ByPlace = dict[int | None, list[SuccessClaim]]
"""Claims by the step of the message that makes them."""


class ClaimReading(Struct, frozen=True, kw_only=True):
    """All claims of a trace, and whether its text could be read at all.

    ``is_readable`` is false when nothing was found and the closing text is in a language or form nobody here reads; or
    when the run changed something and then spoke a language read by its common phrases only, or plain words that may be
    a claim. ``unread`` is then the message that may hold a claim, and ``is_foreign`` tells the two cases apart.
    """

    claims: tuple[SuccessClaim, ...] = ()
    is_readable: bool = True
    language: str | None = None
    unread: AgentMessage | None = None
    is_foreign: bool = False


def read_claims(evidence: Evidence) -> ClaimReading:
    """Return every claim of the trace, in the order they were made."""
    view, non_success = evidence.view, evidence.settings.non_success_types
    declared = tuple(
        SuccessClaim(
            type=claim.type,
            subject=claim.subject,
            source="structured",
            step=claim.step,
            quote=claim.quote or "",
            is_success=claim.type not in non_success,
        )
        for claim in view.final_claim.claims
    )
    if any(claim.is_success for claim in declared):
        return ClaimReading(claims=declared)
    said = _read_text(evidence)
    return replace(said, claims=(*declared, *said.claims), is_readable=said.is_readable or bool(declared))


def agent_messages(view: TraceView) -> list[AgentMessage]:
    """Return what the agent said, the final text last; it is not repeated when one of the last messages already is that text."""
    messages = [
        AgentMessage(step=step.i, text=undressed(step.content))
        for step in view.steps
        if step.kind == "message" and step.role == "agent" and step.content
    ]
    text = undressed(view.final_claim.text or "")
    said = text.strip() if text else ""
    if said and not (messages and messages[-1].text.strip() == said):
        last = range(len(messages) - 1, max(-1, len(messages) - 1 - _MOST_AFTER), -1)
        at = next((at for at in last if messages[at].text.strip() == said), None)
        final = AgentMessage(step=view.final_claim.step, text=text) if at is None else messages.pop(at)
        messages.append(final)
    return messages


def _read_text(evidence: Evidence) -> ClaimReading:
    run = find_in_run(
        evidence.spoken,
        is_shell_run=evidence.is_shell_run,
        scope=evidence.settings.scope,
        courtesies=evidence.courtesies,
    )
    run = _with_tool_deeds(run, evidence)
    final_step = _step_of_final(evidence)
    found = _by_place(run.claims, final_step)
    patterned = _match_patterns(found, final_step, evidence)
    claimed = [claim for claim in patterned if claim.is_success]
    stated = _by_place(claimed, final_step)
    # Beside "booked" and "invited" a "Done!" says nothing more.
    free = [
        claim
        for claim in run.claims
        if not _is_told_by(claim, stated.get(_place(claim, final_step), ()), found[_place(claim, final_step)])
        and not (claimed and claim.verb_class == "completed")
    ]
    is_readable = bool(claimed) or (run.is_readable and not may_claim_unheard(run, evidence))
    return ClaimReading(
        claims=(*patterned, *free),
        is_readable=is_readable,
        language=run.language,
        unread=None if is_readable else _unread_message(run, evidence),
        is_foreign=not (is_readable or (run.is_readable and run.is_english)),
    )


def _with_tool_deeds(run: RunReading, evidence: Evidence) -> RunReading:
    """Add what the closing message claims with the verb of a tool, where nothing was surely heard in the whole run or a change failed."""
    closing = evidence.closing
    if run.language not in (None, "en") or evidence.is_shell_run or closing is None:
        return run
    sure = [claim for claim in run.claims if claim.confidence >= SURE_CLAIM]
    if sure and not evidence.sorted_writes.failed:
        return run
    writes = evidence.sorted_writes.failed if sure else evidence.writes
    told = find_tool_deeds(AgentMessage(step=closing.step, text=evidence.closing_plain), writes, evidence)
    deeds = [deed for deed in told if not any(_is_within(claim, deed) for claim in sure if claim.type == deed.type)]
    if not deeds:
        return run
    kept = [
        claim
        for claim in run.claims
        if claim.confidence >= SURE_CLAIM or not any(_is_within(claim, deed) for deed in deeds)
    ]
    return replace(run, claims=(*kept, *deeds), is_readable=True, is_silent=False)


def _is_within(claim: SuccessClaim, deed: SuccessClaim) -> bool:
    """True when ``claim`` stands in the words of ``deed``."""
    if claim.step != deed.step or claim.span is None or deed.span is None:
        return False
    return claim.span[0] < deed.span[1] and deed.span[0] < claim.span[1]


def _unread_message(run: RunReading, evidence: Evidence) -> AgentMessage | None:
    """Return the last message in which nothing was heard, the closing one where no message is known for that."""
    if not run.is_readable or not (run.silent or run.unclear):
        return evidence.closing
    last = max((*run.silent[-1:], *run.unclear[-1:]), key=lambda said: math.inf if said.step is None else said.step)
    return next((message for message in evidence.messages if message.step == last.step), last)


def _match_patterns(found: _ByPlace, final_step: int | None, evidence: Evidence) -> list[SuccessClaim]:
    """Return the claims that the patterns of the packs find in the closing text, and in earlier messages that claim something.

    A pattern counts only in a sentence in which the finder ``found`` a claim; one of the user's own also elsewhere in the
    closing text.
    """
    plan = plan_for(evidence.packs)
    if not found and not plan.own:
        return []
    counted = _first_counts(found)
    claims: list[SuccessClaim] = []
    for message in _told(found, final_step, evidence):
        is_final = message.step == final_step
        here = found.get(message.step, [])
        spans = [claim.span for claim in here if claim.span]
        for claim in plan.match(message.text, evidence.settings.non_success_types):
            if (is_final and claim.type in plan.own) or _is_in_sentence_of(claim, spans, message.text):
                named = claim if is_final else replace(claim, step=message.step)
                claims.append(_in_its_clause(_with_count(named, counted), here))
    return claims


def _told(found: _ByPlace, final_step: int | None, evidence: Evidence) -> list[AgentMessage]:
    """Return the messages in which a claim was ``found``, and the closing text as the last one."""
    steps = found.keys() - {None, final_step}
    earlier = [message for message in evidence.messages if message.step in steps] if steps else []
    closing = AgentMessage(step=final_step, text=evidence.closing_text)
    return [*earlier, closing] if closing.text else earlier


def _is_in_sentence_of(claim: SuccessClaim, spans: Sequence[tuple[int, int]], text: str) -> bool:
    if claim.span is None:
        return False
    at = claim.span[0]
    for begin, end in spans:
        if begin <= at < end:
            return True
    for span in spans:
        begin, end = sentence_around(text, *span)
        if begin <= at < end:
            return True
    return False


def _in_its_clause(claim: SuccessClaim, found: Sequence[SuccessClaim]) -> SuccessClaim:
    """Add the words and values of the clause that the pattern matched in: a pattern without groups names nothing.

    ``found`` are the claims of the same message.
    """
    if claim.span is None:
        return claim
    at = claim.span[0]
    around = [other for other in found if other.span and other.span[0] <= at < other.span[1]]
    if not around:
        return claim
    same = next((other for other in around if other.type == claim.type), around[0])
    return replace(claim, said=same.subject, quote=same.quote)


def _first_counts(found: _ByPlace) -> dict[str, SuccessClaim]:
    """Return the first claim with a number of each type."""
    counted: dict[str, SuccessClaim] = {}
    for claims in found.values():
        for claim in claims:
            if "count" in claim.subject:
                counted.setdefault(claim.type, claim)
    return counted


def _with_count(claim: SuccessClaim, counts: Mapping[str, SuccessClaim]) -> SuccessClaim:
    """Add the number of tests the text claims: ``count`` for "all 12 tests", ``at_least`` for "the 3 new tests"."""
    counted = counts.get(claim.type)
    if counted is None or "count" in claim.subject:
        return claim
    if "test" not in claim.type and _TESTS.search(counted.quote):
        # "Fixed it, ran the suite with 68 tests passing": the number is that of another clause.
        return claim
    field = "count" if _ALL.search(counted.quote) else "at_least"
    return replace(claim, subject={**claim.subject, field: counted.subject["count"]})


def _is_told_by(claim: SuccessClaim, stated: Sequence[SuccessClaim], found: Sequence[SuccessClaim]) -> bool:
    """True when a pack claim already stands for ``claim``: of the same type, or matched inside its clause.

    ``stated`` are the pack claims of the same message, ``found`` all that was heard in it.
    """
    if any(claim.type == other.type for other in stated):
        return True
    if claim.span is None:
        return False
    begin, end = claim.span
    here = [other for other in stated if other.span is not None and begin <= other.span[0] < end]
    # "Committed and pushed": the pattern for the one does not stand for the other.
    types = {other.type for other in found if other.span == claim.span} if here else ()
    return any(other.type not in types for other in here)


def _by_place(claims: Iterable[SuccessClaim], final_step: int | None) -> _ByPlace:
    """Return ``claims`` by the step of the message that makes them, in their order."""
    places: _ByPlace = {}
    for claim in claims:
        places.setdefault(_place(claim, final_step), []).append(claim)
    return places


def _place(claim: SuccessClaim, final_step: int | None) -> int | None:
    """Return the step of the message that makes ``claim``; a claim without one is made by the closing text."""
    return final_step if claim.step is None else claim.step


def _step_of_final(evidence: Evidence) -> int | None:
    closing = evidence.closing
    is_said = closing is not None and closing.text.strip() == evidence.closing_text.strip()
    return closing.step if closing is not None and is_said else evidence.view.final_claim.step
