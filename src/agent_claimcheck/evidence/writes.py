"""The calls that could have changed something, with what came of them: the ground most findings stand on.

A reader must not miss: a call of unknown effect is kept here. It may have done what was claimed, so it blocks an
accusation.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.words import AnyWord, words_of
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.coverage import class_covers
from agent_claimcheck.evidence.effects import Effect
from agent_claimcheck.evidence.receipts.job_ends import end_of_job, speaks_of_the_end
from agent_claimcheck.evidence.receipts.reading import Receipt
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.trace.pairing import CallPair

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_STEM = 5
_MOST_NEAR = 20
"""Writes, the last ones, among which the one that a claim speaks of is looked for: there may be hundreds of both."""
_WORD = late_pattern(r"[a-z]+")
_NO_NAME = frozenset({"order", "orders", "items", "details", "record", "records", "users"})

SURE = 0.8
"""Confidence from which a failure read in a result may accuse."""


class Write(Struct, frozen=True):
    """One call that is no read: its effect and its receipt."""

    pair: CallPair
    effect: Effect
    receipt: Receipt
    seen_in: CallPair | None = None
    """The later look that tells how a job ended which this call only began; ``receipt`` is then of that end."""
    begun: Receipt | None = None
    """With ``seen_in``, the receipt of the call itself."""

    @property
    def is_done(self) -> bool:
        """True when the call worked, or was accepted, or may have: anything but a sure failure."""
        return not self.is_failed

    @property
    def is_failed(self) -> bool:
        """True when the call surely failed."""
        return self.receipt.state == "failed" and self.receipt.confidence >= SURE and not self.pair.is_ambiguous

    @property
    def is_ok(self) -> bool:
        """True when the call is known to have worked."""
        return self.receipt.state == "ok" and not self.pair.is_ambiguous

    @property
    def step(self) -> int:
        """The step that shows what came of the call."""
        return (self.seen_in or self.pair).last_step


class SortedWrites:
    """The writes of a trace by what is known of them, in order: most findings need one that worked, or one that failed."""

    __slots__ = ("done", "failed", "waiting")

    def __init__(self, writes: Sequence[Write]) -> None:
        self.done: list[Write] = []
        """Surely writes, and they surely worked."""
        self.failed: list[Write] = []
        self.waiting: list[Write] = []
        """Accepted, with nothing known of the end."""
        for write in writes:
            state = write.receipt.state
            if write.pair.is_ambiguous:
                continue
            if state == "ok":
                if write.effect.kind == "write":
                    self.done.append(write)
            elif state == "failed":
                if write.receipt.confidence >= SURE:
                    self.failed.append(write)
            elif state == "pending":
                self.waiting.append(write)


def read_writes(evidence: Evidence) -> list[Write]:
    """Return the calls of a trace that are writes or of unknown effect, in order."""
    found = []
    for pair in evidence.calls:
        effect = evidence.effect(pair)
        if effect.kind != "read":
            found.append(_write_of(pair, effect, evidence))
    return found


def _write_of(pair: CallPair, effect: Effect, evidence: Evidence) -> Write:
    receipt = evidence.receipt(pair)
    ended = end_of_job(pair, receipt, evidence) if receipt.state == "pending" else None
    return Write(pair, effect, receipt) if ended is None else Write(pair, effect, ended[1], ended[0], receipt)


def surely_done(meant: Sequence[Write]) -> list[Write]:
    """Return those of ``meant`` that surely wrote; none when the outcome or the effect of some other is not known."""
    done = [write for write in meant if write.is_ok and write.effect.kind == "write"]
    return done if len(done) + sum(write.is_failed for write in meant) == len(meant) else []


def candidates(writes: Sequence[Write], claim: SuccessClaim) -> list[Write]:
    """Return the writes that could have done what ``claim`` says.

    Besides the class of its verb, a shared word settles it ("the *return* has been initiated" by ``return_items``), and
    so does a shared record: whoever wrote order 7 may have done what is claimed of order 7.
    """
    claimed = claim.verb_class or claim.type
    if any(write.seen_in is not None for write in writes) and not speaks_of_the_end(claimed, claim.quote):
        writes = [write if write.begun is None else Write(write.pair, write.effect, write.begun) for write in writes]
    is_covered = [class_covers(claimed, write.effect) is not False for write in writes]
    if all(is_covered):
        return list(writes)
    told = (
        claim.quote if claim.source != "structured" else " ".join(str(value) for _, value in walk_values(claim.subject))
    )
    stems = {word[:_STEM] for word in _WORD.findall(told[:_LONGEST_FAILURE].lower()) if len(word) >= _STEM}
    ids = claim.subject.get("id")
    return [
        write
        for write, covered in zip(writes, is_covered, strict=True)
        if covered or _shares_word(write, stems) or (isinstance(ids, list) and names_any(write, ids))
    ]


def has_candidate(writes: Sequence[Write], claim: SuccessClaim) -> bool:
    """Tell whether there are ``candidates``: mostly the first write is one, and no other has to be asked."""
    claimed = claim.verb_class or claim.type
    for write in writes:
        if class_covers(claimed, write.effect) is not False:
            return True
    return bool(candidates(writes, claim))


def nearest_to(claim: SuccessClaim, writes: Sequence[Write]) -> Write:
    """Return the one of ``writes`` that ``claim`` most likely speaks of; there must be one.

    Calls before the claim come before those after it, then those that name one of its ids, then those that share the
    most words with its quote; the last of what remains.
    """
    near = writes[-_MOST_NEAR:]
    step, ids = claim.step, claim.subject.get("id")
    if step is not None:
        near = [write for write in near if write.pair.call.i < step] or near
    if len(near) > 1 and isinstance(ids, list):
        near = [write for write in near if names_any(write, ids)] or near
    if len(near) > 1:
        stems = {word[:_STEM] for word in _WORD.findall(claim.quote[:_LONGEST_FAILURE].lower()) if len(word) >= _STEM}
        shared = [len(_words_shared(write, stems)) for write in near]
        near = [write for write, count in zip(near, shared, strict=True) if count == max(shared)]
    return near[-1]


def _shares_word(write: Write, stems: set[str]) -> bool:
    return bool(stems) and bool(_words_shared(write, stems))


def _words_shared(write: Write, stems: set[str]) -> set[str]:
    words = (word[:_STEM] for word in write.effect.words if len(word) >= _STEM and word not in _NO_NAME)
    return stems.intersection(words)


def names_any(write: Write, ids: Sequence[Any]) -> bool:
    """True when one of ``ids`` stands in the arguments of the call."""
    wanted = {str(item).casefold().lstrip("#") for item in ids}
    return any(
        isinstance(value, str | int) and str(value).casefold().lstrip("#") in wanted
        for _, value in walk_values(write.pair.call.args or {})
    )


_NO_ANSWER = late_pattern(
    r"tim(?:ed?|es)[ _-]?out|deadline|connection (?:was )?(?:reset|closed|lost|aborted|dropped)|gateway|no response|\b50[234]\b",
    re.IGNORECASE,
)
_MOST_READS = 50


def may_have_worked(pair: CallPair, evidence: Evidence) -> bool:
    """True when a call got no answer in time and a later read returned what it was to write: it may have worked after all."""
    receipt = evidence.receipt(pair)
    if receipt.state != "failed" or not _NO_ANSWER.search(receipt.reason):
        return False
    written = [
        str(value).casefold()
        for _, value in walk_values(pair.call.args or {})
        if isinstance(value, str | int) and not isinstance(value, bool) and len(str(value)) > 1
    ]
    later = [other for other in evidence.calls if other.call.i > pair.call.i and other.result is not None]
    for other in later[:_MOST_READS]:
        if other.result is None or evidence.effect(other).kind != "read" or evidence.receipt(other).state != "ok":
            continue
        text = evidence.output_text(other.result).casefold()
        if any(value in text for value in written):
            return True
    return False


_ALREADY_SO = late_pattern(
    r"already[\W_]{1,3}(?:been[\W_]{1,3})?(?!(?:book|tak|reserv|exist|us|regist)(?:ed|en|s|er\w*)?(?![a-z]))([a-z]{4,20})",
    re.IGNORECASE,
)
"""A failure that says the wanted state holds. "Already booked", "taken" or "exists" may speak of what another has."""
_BELONGS_ALREADY = late_pattern(
    r"already[\W_]{1,3}(?:an?[\W_]{1,3}(?:member|subscriber|follower|collaborator|participant)"
    r"|(?:on|in)[\W_]{1,3}(?:the|this|your)[\W_]{1,3}(?:list|cart|team|group|channel|folder|playlist|basket))\b",
    re.IGNORECASE,
)
_JOINING = frozenset({"added", "invited", "completed", "done", "subscribed", "joined"})
_LONGEST_FAILURE = 2000


def was_so_already(pair: CallPair, claim: SuccessClaim, evidence: Evidence) -> bool:
    """True when the failed call says that all is as ``claim`` says: "already closed" for a ticket that is closed."""
    if pair.result is None:
        return False
    text = f"{evidence.receipt(pair).reason} {evidence.output_text(pair.result)[:_LONGEST_FAILURE]}"
    stems = {word[:_STEM] for word in _WORD.findall(f"{claim.quote} {claim.verb_class or claim.type}".lower())}
    if any(found[1].lower()[:_STEM] in stems for found in _ALREADY_SO.finditer(text)):
        return True
    return (claim.verb_class or claim.type) in _JOINING and _BELONGS_ALREADY.search(text) is not None


_TROUBLE = (
    "unable unfortunately sorry issue issues problem problems unsuccessful denied rejected declined invalid quota instead"
    " however but except unavailable manually retry still"
)
"""Words that may own up to a failure."""

_TROUBLE_OF = {
    "fail failed fails failure failing": r"fail(?:ed|s|ure|ing)?",
    "error errored errors": r"error(?:ed|s)?",
    "couldnt t not": r"could(?:n['’]?t| not)",
    "cannot cant t not": r"can(?:['’]?t|not| not)",
    "didnt t not": r"did(?:n['’]?t| not)",
    "not": r"not (?:possible|able|allowed|permitted|available|found|successful)",
}
"""Words one of which stands in what a pattern finds, and that pattern. An apostrophe leaves a ``t`` behind."""

_TROUBLE_BEGINS = {"apologi": r"apologi[sz]\w*", "limit": r"limit\w*"}
"""Beginnings of words, and the pattern of those words."""

_DISCLOSES = late_pattern(
    rf"\b(?:{'|'.join([*_TROUBLE.split(), *_TROUBLE_OF.values(), *_TROUBLE_BEGINS.values()])})\b", re.IGNORECASE
)
_DISCLOSING = AnyWord(" ".join([_TROUBLE, *_TROUBLE_OF]))


def _may_disclose(text: str) -> bool:
    """Return False where the pattern surely finds nothing: in most messages, at a tenth of its price."""
    low = text.lower()
    for start in _TROUBLE_BEGINS:
        if start in low:
            return True
    return _DISCLOSING.may_be_in(words_of(text))


_ANY_WORD = late_pattern(r"[^\W\d_]+")
_COURTESY = (3, 20)
"""Words and letters that thanks and good wishes take: "Buona giornata!"."""


def may_own_up_unheard(evidence: Evidence) -> bool:
    """True when the closing message is in another language than English and says more than the claims heard in it.

    Of such languages only the common ways of claiming are known, so what else it says may own up to a failure.
    """
    if evidence.reading.language in (None, "en") or not evidence.messages:
        return False
    last = evidence.messages[-1]
    text = last.text[:_LONGEST_FAILURE]
    for claim in evidence.claims:
        if claim.span is not None and claim.step == last.step:
            text = text[: claim.span[0]] + " " * (claim.span[1] - claim.span[0]) + text[claim.span[1] :]
    words = _ANY_WORD.findall(text)
    return len(words) > _COURTESY[0] or sum(map(len, words)) > _COURTESY[1]


def discloses_trouble(evidence: Evidence, after: int, spared: Collection[str] = ()) -> bool:
    """True when the agent, after step ``after``, says anything that could own up to a failure.

    ``spared`` are words that name the thing itself: the "issue" of ``create_issue`` owns up to nothing.
    """
    if may_own_up_unheard(evidence):
        return True
    for message in evidence.messages:
        if message.step is not None and message.step <= after:
            continue
        if not _may_disclose(message.text):
            continue
        for match in _DISCLOSES.finditer(message.text):
            if not spared or match[0].casefold().removesuffix("s") not in spared:
                return True
    return False
