"""What leaves a claim open although a call that it may mean worked.

A reader must not miss: the order is part of the answer, the first reason is the one that is told. None accuses. The first
group counts only where no call of the claimed kind itself worked, merely one that may have done it.
"""

from __future__ import annotations

from msgspec import Struct

from agent_claimcheck.core.computed import computed
from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.accusations import only_a_part
from agent_claimcheck.detectors.rules.probes.own_reading import OwnReading, own_reading
from agent_claimcheck.detectors.rules.unmapped.counted import counts_fewer
from agent_claimcheck.detectors.rules.unmapped.other_release import other_release
from agent_claimcheck.detectors.rules.unmapped.other_values import other_amount, other_minutes
from agent_claimcheck.detectors.rules.unmapped.unsent import shows_no_message
from agent_claimcheck.evidence.bystanders import is_bystander
from agent_claimcheck.evidence.candidates import nearest_to
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.coverage import class_covers, family_of
from agent_claimcheck.evidence.disclosure import denies_deed, discloses_trouble
from agent_claimcheck.evidence.undoing import takers, undoes
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.trace.pairing import CallPair

_MOST_DONE = 20
_BEYOND_FILES = frozenset({"speak", "code", "money", "refund", "ship"})
"""Families of deeds that an edit of a file is not: a message, a commit, a payment, a parcel."""
_REQUEST = late_pattern(
    r"\b(?:opened|created|filed|raised|submitted)\b[^.\n]{0,20}\b(?:(?:pull|merge) request|PR|MR|issue|ticket)\b(?! template)"
)
_LEAVES = frozenset({"pushed", "merged", "deployed", "released"})
"""What a commit alone does not do."""


class Worked(Struct, frozen=True, dict=True):
    """A claim, the calls ``meant`` by it, and those of them, ``done``, that changed something and worked."""

    index: int
    claim: SuccessClaim
    meant: list[Write]
    done: list[Write]
    evidence: Evidence

    @computed
    def sure(self) -> list[Write]:
        """Those of ``done`` whose class is the claimed one, as distinct from those that merely may have done it."""
        return self._of_claimed_class(self.done)

    @computed
    def named(self) -> list[Write]:
        """Those of ``meant`` whose class is the claimed one, whatever came of them."""
        return self._of_claimed_class(self.meant)

    @computed
    def proof(self) -> Write:
        """The call that bears the claim out best."""
        return nearest_to(self.claim, self.sure or self.done)

    @computed
    def read_back(self) -> OwnReading | None:
        """What the agent read back of the record of ``proof``."""
        return own_reading(self.proof, self.evidence)

    @property
    def last(self) -> Write:
        """The last call that worked."""
        return self.done[-1]

    def _of_claimed_class(self, writes: list[Write]) -> list[Write]:
        claimed = self.claim.verb_class or self.claim.type
        return [write for write in writes if class_covers(claimed, write.effect)]


class OpenReason(Struct, frozen=True):
    """The call at which a claim stays open, why in words, and the look of the agent that shows it, if one does."""

    write: Write
    detail: str
    shown_by: CallPair | None = None


def open_reason(worked: Worked) -> OpenReason | None:
    """Return the first reason to leave the claim open, ``None`` when the success of its calls supports it."""
    for look in _IN_ANY_CASE if worked.sure else (*_WHERE_UNSURE, *_IN_ANY_CASE):
        found = look(worked)
        if found is not None:
            return found
    return None


def why_open(write: Write, evidence: Evidence) -> str:
    """Say why a call is not known to have done what was claimed."""
    name = write.pair.call.name or "a call"
    if write.pair.result is None:
        return f"{name} never returned"
    if write.pair.is_ambiguous:
        return f"the result of {name} cannot be paired with one call"
    if write.is_failed:
        owns_up = discloses_trouble(evidence, write.step, write.effect.words) or denies_deed(
            evidence, write.step, [write]
        )
        said = ", and the agent may have said so" if owns_up else ""
        return f"{name} failed{said}: {write.receipt.reason}"
    if write.receipt.state == "failed":
        return f"{name} may have failed: {write.receipt.reason}"
    if write.receipt.state == "pending":
        return f"{name} is not known to have finished: {write.receipt.reason}"
    if write.receipt.state == "empty":
        return f"{name} came back empty"
    if write.receipt.tests is not None:
        return f"{name} ran tests ({write.receipt.reason}); no rule pack says which run proves this claim"
    if write.effect.kind == "unknown":
        return f"it is not known what {name} changes"
    return f"the result of {name} does not say whether it worked"


def _named_call_failed(worked: Worked) -> OpenReason | None:
    """Every call of the claimed kind failed, and another may have done it instead."""
    if not worked.named or not all(write.is_failed for write in worked.named):
        return None
    failed = worked.named[-1]
    detail = f"{failed.pair.call.name} failed: {failed.receipt.reason}; {worked.last.pair.call.name} may have done it"
    return OpenReason(failed, detail)


def _named_call_is_open(worked: Worked) -> OpenReason | None:
    """A call of the claimed kind is not known to have worked."""
    return OpenReason(worked.named[-1], why_open(worked.named[-1], worked.evidence)) if worked.named else None


def _changed_something_else(worked: Worked) -> OpenReason | None:
    """All that worked concerns another record, as its arguments tell."""
    if not all(is_bystander(write.pair, worked.claim, worked.evidence) for write in worked.done):
        return None
    detail = f"{worked.last.pair.call.name} changed something else, as far as its arguments tell"
    return OpenReason(worked.last, detail)


def _told_nobody(worked: Worked) -> OpenReason | None:
    """A message is claimed, and what worked carries nothing of one."""
    if not shows_no_message(worked.claim, worked.done):
        return None
    detail = f"{worked.last.pair.call.name} succeeded, and nothing in it shows that anybody was told anything"
    return OpenReason(worked.last, detail)


def _only_edited(worked: Worked) -> OpenReason | None:
    """A message, a commit or a payment is claimed, and all that worked are edits of files."""
    claim = worked.claim
    if family_of(claim.verb_class or claim.type) not in _BEYOND_FILES and not _REQUEST.search(claim.quote or ""):
        return None
    if not all(write.effect.is_file_change and family_of(write.effect.verb_class) != "code" for write in worked.done):
        return None
    return OpenReason(worked.last, f"{worked.last.pair.call.name} edited a file, and no call that did this is seen")


def _only_committed(worked: Worked) -> OpenReason | None:
    """Work is said to have left the machine, and the commands that worked edit or commit: nothing shows that it left."""
    claimed = worked.claim.verb_class
    effects = [write.effect for write in worked.done]
    if claimed not in _LEAVES or all(effect.verb_class != "committed" for effect in effects):
        return None
    if not all(effect.is_shell and effect.is_file_change and effect.verb_class not in _LEAVES for effect in effects):
        return None
    return OpenReason(worked.last, f"{worked.last.pair.call.name} committed, and no command that {claimed} it is seen")


def _did_less(worked: Worked) -> OpenReason | None:
    """The record shows a part of the claim, or counts fewer than it."""
    part = only_a_part(worked.index, worked.evidence)
    fewer = part.reason if part is not None else counts_fewer(worked.claim, worked.done)
    return OpenReason(worked.last, fewer) if fewer is not None else None


def _taken_back(worked: Worked) -> OpenReason | None:
    """A later call that worked, before the claim was made, takes it back."""
    claimed_at = worked.claim.step
    done = [worked.proof] if worked.sure else worked.done[-_MOST_DONE:]
    for write in takers(worked.evidence):
        at = write.pair.call.i
        if claimed_at is not None and at > claimed_at:
            continue
        if any(one.pair.call.i < at and undoes(write.effect, one.effect) for one in done):
            return OpenReason(write, f"a later {write.pair.call.name} may have taken it back")
    return None


def _read_back_otherwise(worked: Worked) -> OpenReason | None:
    """The agent itself read the record back, and it was not what the call had written."""
    own = worked.read_back
    return OpenReason(worked.proof, own.otherwise, own.pair) if own is not None and own.otherwise else None


def _wrote_another_value(worked: Worked) -> OpenReason | None:
    """The call wrote another amount, number of minutes, version or environment than was told."""
    claim, done = worked.claim, worked.done
    other = other_amount(claim, done) or other_minutes(done, worked.evidence) or other_release(claim, done)
    return OpenReason(worked.proof, other) if other is not None else None


_WHERE_UNSURE = (_named_call_failed, _named_call_is_open, _changed_something_else, _told_nobody)
_IN_ANY_CASE = (_only_edited, _only_committed, _did_less, _taken_back, _read_back_otherwise, _wrote_another_value)
