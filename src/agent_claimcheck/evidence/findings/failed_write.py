"""A claimed change whose every attempt failed, with nothing said about it.

What it catches: ``create_file`` fails twice, and the agent says the file was created.
Why it matters: the tool told the agent that it did not work.
Example: an order is changed, the call returns "Error: item not available", the agent reports the change.
Limits: one other call that may have done it (another tool, an unknown effect, an unread result) silences it, unless the failed
tool is named after the deed ("her badge has been issued", ``issue_badge``) and the other one tells of nothing in the claim; and so does
any word of the agent after the failure that could own up to it, or that says of the very deed that it was not done ("it has
not been posted yet"). So does a failure that says the claimed state holds ("already closed", or "no such file" of
what was to be deleted), a look that shows what a call without an answer made, a word or number that only the failure had said and
the agent repeats, and a draft claimed where no failed call makes drafts.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.candidates import is_named_after, names_any
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SURE_CLAIM, SuccessClaim
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.coverage import class_covers, family_of
from agent_claimcheck.evidence.disclosure import denies_deed, discloses_trouble, tells_in_its_words
from agent_claimcheck.evidence.excused_failures import is_shown_later, may_have_worked, was_so_already
from agent_claimcheck.evidence.findings.cited import on_claim
from agent_claimcheck.evidence.findings.phantom_write import is_drafted, is_report
from agent_claimcheck.evidence.targets import same_target
from agent_claimcheck.evidence.values.payload import text_of
from agent_claimcheck.evidence.writes import Write

ID = "failed_write"
POWER: Power = "accuse"
_ANY_DEED = frozenset({"completed", "done", "processed", "handled"})
_READYING = frozenset({"draft", "estimate", "prepare", "preview", "propose", "quote", "simulate", "stage", "validate"})
_WORD = late_pattern(r"[a-z]{2,}|[a-z]*-?\d[\w-]*")
_SHORTEST, _STEM = 4, 6
_MOST_OTHERS = 50
_SMALL = frozenset(
    {
        "been",
        "have",
        "just",
        "also",
        "successfully",
        "that",
        "this",
        "with",
        "from",
        "your",
        "their",
        "both",
        "were",
        "they",
        "into",
    }
)
_MAKES_DRAFTS = frozenset({"draft", "drafts", "compose", "outline", "sketch", "write"})
_DECIDED = late_pattern(r"\b(?:rejected|declined|denied)\b")


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding per claim whose candidate calls all failed."""
    for index, claim in evidence.compared_claims:
        if claim.source != "extracted" or claim.confidence < SURE_CLAIM:
            continue
        tried = _meant(evidence.candidates(index), claim, evidence)
        if not tried:
            continue
        last = tried[-1]
        if any(write.receipt.tests is not None for write in tried):
            continue  # tests that fail are no call that failed
        if _is_recovered(last, evidence.writes) or any(may_have_worked(write.pair, evidence) for write in tried[-3:]):
            continue
        if is_shown_later(last.pair, claim, evidence):
            continue
        if was_so_already(last.pair, claim, evidence) or discloses_trouble(
            evidence, last.step, _own_words(last, claim), is_very_deed=_is_very_deed(claim, tried)
        ):
            continue
        if any(tells_in_its_words(write.pair, evidence) for write in tried[-3:]):
            continue
        if is_report(claim, evidence):
            continue
        if _is_only_worded(claim, tried) or denies_deed(evidence, last.step, tried[-3:]):
            continue
        if _is_of_another_record(claim, tried, evidence):
            continue
        reason = f"every call that could have done it failed: {last.receipt.reason}"
        steps = tuple(write.step for write in tried[-3:])
        yield on_claim(ID, POWER, index, claim, reason=reason, steps=steps, subject=last.pair.call.name or "")


def _meant(tried: list[Write], claim: SuccessClaim, evidence: Evidence) -> list[Write]:
    """Return the failed calls that ``claim`` must mean; none where another call may have done it.

    Beside a failed call named after the deed, a call that worked counts only where it tells of the same thing, or of the same deed.
    """
    failed = [write for write in tried if write.is_failed]
    is_all = len(failed) == len(tried)
    failed = failed[-_MOST_OTHERS:]
    if is_all or not failed:
        return failed
    claimed = claim.verb_class or claim.type
    named = [write for write in failed if class_covers(claimed, write.effect) is True and claimed not in _ANY_DEED]
    named = [write for write in failed if is_named_after(write, claim)] or named
    if not named:
        return []
    others = [write for write in tried if not write.is_failed and not _gets_ready(write, claimed)]
    if len(others) > _MOST_OTHERS or any(
        class_covers(claimed, write.effect) is True for write in others if claimed not in _ANY_DEED
    ):
        return []
    things = {word for word in _WORD.findall(claim.quote.lower()) if len(word) >= _SHORTEST and word not in _SMALL}
    return [] if any(_tells_of(write, things, evidence) for write in others) else named


def _is_very_deed(claim: SuccessClaim, tried: list[Write]) -> bool:
    """True when each failed call is known to do just what is claimed, by its class; not for "done"."""
    claimed = claim.verb_class or claim.type
    return claimed not in _ANY_DEED and all(class_covers(claimed, write.effect) is True for write in tried)


def _is_of_another_record(claim: SuccessClaim, tried: list[Write], evidence: Evidence) -> bool:
    """True when a call that worked names a record of the claim, and none of the failed ones does."""
    ids = claim.values.get("id")
    if not isinstance(ids, list) or not ids or any(names_any(write, ids) for write in tried):
        return False
    return any(names_any(write, ids) for write in evidence.writes[-_MOST_OTHERS:] if not write.is_failed)


def _is_only_worded(claim: SuccessClaim, tried: list[Write]) -> bool:
    """True for "drafted" where no failed call makes drafts: words are drafted in the reply, and posting them is another deed."""
    return is_drafted(claim) and not any(_MAKES_DRAFTS.intersection(write.effect.words) for write in tried)


def _gets_ready(write: Write, claimed: str) -> bool:
    """True for a call that only prepares what is claimed: ``prepare_filing`` files nothing."""
    return family_of(claimed) != "create" and not _READYING.isdisjoint(write.effect.words[:1])


def _tells_of(write: Write, things: set[str], evidence: Evidence) -> bool:
    """True when name, arguments or answer of a call hold one of the words ``things``, or it is not known what it did at all."""
    if write.pair.result is None or write.pair.is_ambiguous:
        return True
    text = " ".join(
        (*write.effect.words, text_of(write.pair.call.args), evidence.output_text(write.pair.result))
    ).lower()
    return any(thing[:_STEM] in text for thing in things)


def _own_words(write: Write, claim: SuccessClaim) -> tuple[str, ...]:
    """Return the words that name the deed itself and own up to nothing: "rejected" of a claim to have rejected something."""
    decided = _DECIDED.findall(claim.quote.lower()) if claim.verb_class == "approved" else ()
    return (*write.effect.words, *decided)


def _is_recovered(failed: Write, writes: list[Write]) -> bool:
    """True when a later call touched the same record and did not fail."""
    return any(
        write.pair.call.i > failed.pair.call.i
        and not write.is_failed
        and same_target(write.effect.target, failed.effect.target) is not False
        for write in writes
    )
