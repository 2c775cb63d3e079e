"""What was asked and what is claimed, as text: the front of every prompt about a trace.

A reader must not miss: it takes half of the room at the most; where it does not fit, texts are shortened and claims left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent_claimcheck.core.globs import glob_match
from agent_claimcheck.evidence.candidates import candidates
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.rendering.quoting import Values, frame, size_of
from agent_claimcheck.evidence.tool_names import read_verb
from agent_claimcheck.packs.select import rule_for
from agent_claimcheck.trace.pairing import CallPair

_MOST_CLAIMS = 40
_MOST_CALLS = 6
_MOST_ASKED = 20
_LONGEST_REQUEST = 20_000
_ASKED_WORDS = 8
_PUNCTUATION = ".,;:!?\"'()"
_SMALLEST_SHARE = 1024

Receipts = Sequence[tuple[SuccessClaim, list[CallPair]]]
"""Success claims, each with the calls that could have done it."""


def receipts_of(evidence: Evidence) -> Receipts:
    """Return the first claims with the calls that could have done what they say."""
    return [(claim, _calls_for(claim, evidence)) for _, claim in evidence.success_claims[:_MOST_CLAIMS]]


def front_of(evidence: Evidence, receipts: Receipts, room: int, value_chars: int) -> tuple[str, str, Values, int]:
    """Return the request and the claims in ``room`` bytes, with shorter texts and fewer claims if need be.

    With them the values written, and how many of ``receipts`` are there.
    """
    share = 1
    while True:
        values = Values(value_chars, share)
        listed = receipts[: values.most(_MOST_CLAIMS)]
        request = frame("request", _request_lines(evidence, values))
        claims = frame("claims", _claim_lines(evidence, listed, values))
        if size_of(request) + size_of(claims) <= room or share >= _SMALLEST_SHARE:
            return request, claims, values, len(listed)
        share *= 4


def _request_lines(evidence: Evidence, values: Values) -> list[str]:
    instruction = evidence.view.task.instruction
    lines = [f"instruction: {values.text(instruction)}"]
    lines += [f"requested action: {values.short(text)}" for text in _requested(instruction)[: values.most(_MOST_ASKED)]]
    asked = evidence.request
    for label, value in (
        ("e-mail", asked.email),
        ("time", asked.wall_time),
        ("minutes", asked.minutes),
        ("file", asked.path),
    ):
        if value is not None:
            lines.append(f"the only {label} named: {values.short(value)}")
    return lines


def _requested(instruction: str) -> list[str]:
    """Return the places of the request that ask for a change: a verb by which a tool would write, and what follows it."""
    words = instruction[:_LONGEST_REQUEST].split()
    found: list[str] = []
    free_from = 0
    for place, word in enumerate(words):
        verb = read_verb(word.strip(_PUNCTUATION).lower()) if place >= free_from else None
        if verb is not None and verb[0] == "write":
            free_from = place + _ASKED_WORDS
            found.append(" ".join(words[place:free_from]))
            if len(found) == _MOST_ASKED:
                break
    return found


def _claim_lines(evidence: Evidence, receipts: Receipts, values: Values) -> list[str]:
    final = evidence.view.final_claim
    at = f" [{final.step}]" if final.step is not None else ""
    lines = [f"final message{at}: {values.text(final.text)}"]
    n_calls = values.most(_MOST_CALLS)
    for number, (claim, calls) in enumerate(receipts, 1):
        source = "declared by the agent" if claim.source == "structured" else "found in its text"
        said = f", words {values.short(claim.quote)}" if claim.quote else ""
        subject = f", about {values.short(claim.subject, 2)}" if claim.subject else ""
        lines.append(f"claim {number}: {values.name(claim.type)} ({source}{_at(claim.step)}){subject}{said}")
        if not calls:
            lines.append("  calls that may have done it: none")
        lines += [f"  may have done it: {_receipt(pair, evidence, values)}" for pair in calls[-n_calls:]]
        if len(calls) > n_calls:
            lines.append(f"  and {len(calls) - n_calls} earlier calls")
    hidden = len(evidence.success_claims) - len(receipts)
    return [*lines, f"({hidden} more claims left out)"] if hidden else lines


def _at(step: int | None) -> str:
    return f" in [{step}]" if step is not None else ""


def _receipt(pair: CallPair, evidence: Evidence, values: Values) -> str:
    call = f"[{pair.call.i}] {values.name(pair.call.name)}"
    if pair.result is None:
        return f"{call}, which never returned"
    receipt = evidence.receipt(pair)
    unsure = "; which result belongs to it is not certain" if pair.is_ambiguous else ""
    return f"{call}, result [{pair.result.i}]: {receipt.state}, because {values.short(receipt.reason)}{unsure}"


def _calls_for(claim: SuccessClaim, evidence: Evidence) -> list[CallPair]:
    """Return the calls that could have done what is claimed: the ones a pack's rule names, else those whose effect fits."""
    found = rule_for(evidence.packs, claim.type)
    if found is not None:
        named = [p for p in evidence.calls if p.call.name and glob_match(found[1].action, p.call.name)]
        if named:
            return named
    return [write.pair for write in candidates(evidence.writes, claim)]
