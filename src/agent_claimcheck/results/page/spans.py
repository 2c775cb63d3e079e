"""Where each claim stands in what the agent said, so that a page can mark the words.

A reader must not miss: a claim found in text knows its place. For a declared claim the place is looked for, and where the
words are not plainly those of its type nothing is marked.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.claims.finder import find_in_run
from agent_claimcheck.evidence.claims.reading import agent_messages
from agent_claimcheck.evidence.coding.shell_runs import is_shell_run
from agent_claimcheck.trace.view import TraceView

Span = tuple[int, int, int]
"""Start and end in characters of a text, and the number of the claim, from 1."""


def claim_spans(claims: Sequence[SuccessClaim], view: TraceView) -> tuple[dict[int, list[Span]], list[Span]]:
    """Return the spans in each message by its step, and those in the final text.

    A claim of the message that repeats the final text stands in both.
    """
    final = view.final_claim.text or ""
    texts = {step.i: step.content or "" for step in view.steps if step.kind == "message"}
    by_step: dict[int, list[Span]] = {}
    of_final: list[Span] = []
    for number, (step, (start, end)) in _places(claims, view).items():
        said = final if step is None else texts.get(step, "")
        quote = said[start:end]
        if not quote:
            continue
        if step is not None:
            by_step.setdefault(step, []).append((start, end, number))
        if said == final:
            of_final.append((start, end, number))
        elif said.strip() == final.strip() and (place := final.find(quote)) >= 0:
            of_final.append((place, place + len(quote), number))
    return by_step, of_final


def _places(claims: Sequence[SuccessClaim], view: TraceView) -> dict[int, tuple[int | None, tuple[int, int]]]:
    places = {
        number: (claim.step, claim.span) for number, claim in enumerate(claims, start=1) if claim.span is not None
    }
    declared = {
        number: claim for number, claim in enumerate(claims, start=1) if claim.span is None and claim.is_success
    }
    if declared:
        free = list(_found(view))
        for number, claim in declared.items():
            match = next((found for found in free if _says(found, claim)), None)
            if match is not None and match.span is not None:
                free.remove(match)
                places[number] = (match.step, match.span)
    return places


def _found(view: TraceView) -> Sequence[SuccessClaim]:
    tools = [step.name for step in view.steps if step.kind == "tool_call" and step.name]
    run = find_in_run(agent_messages(view), is_shell_run=is_shell_run(tools), scope="all")
    # The closing text comes last and is what a declared claim sums up.
    return [claim for claim in reversed(run.claims) if claim.span is not None]


def _says(found: SuccessClaim, declared: SuccessClaim) -> bool:
    words = declared.type.split("_")
    return found.type == declared.type or found.type in words or (found.verb_class or "") in words
