"""Failures that prove nothing: no answer came in time and the deed is there, or what was asked for held already.

A reader must not miss: both only keep a finding from accusing; neither makes a failed call a proof.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.coding.commands import command_of
from agent_claimcheck.evidence.coverage import class_covers, family_of
from agent_claimcheck.evidence.receipts.reading import MARKED
from agent_claimcheck.evidence.told_states import hinders, repeats_a_failure
from agent_claimcheck.evidence.values.value_text import walk_fields, walk_values
from agent_claimcheck.trace.pairing import CallPair

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_STEM = 5
_WORD = late_pattern(r"[a-z]+")
_LONGEST_OUTPUT = 2000
_NO_ANSWER = late_pattern(
    r"tim(?:ed?|es)[ _-]?out|deadline|connection (?:was )?(?:reset|closed|lost|aborted|dropped)|gateway|no response|\b50[234]\b",
    re.IGNORECASE,
)
_PARTICIPLE = late_pattern(r"\b[a-z]{3,}(?:ed|en|nt|pt|ld|id|ut|et)\b")
_MOST_READS, _FEW_FIELDS = 50, 3
_FIRST_PERSON = late_pattern(r"\b(?:I|we|I['’]ve|we['’]ve)\b", re.IGNORECASE)
_THERE_BEFORE = late_pattern(r"already|exist|duplicate|unique|\b409\b", re.IGNORECASE)
"""A failure because such a record is there."""
_RECORD_NUMBER = late_pattern(r"(?<![\w-])[A-Za-z]{1,6}[-_#]?\d[\w-]{0,30}(?<![-_])")
_THERE = frozenset({"active", "valid", "live", "in force", "ready"})
"""States of a thing that was made."""


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
        if _says_yes(evidence.receipt(other).parsed):
            # "Is there such a file?" that is answered with true shows the name in the question.
            text += " ".join(str(value).casefold() for _, value in walk_values(other.call.args or {}))
        if any(value in text for value in written) or _shows_a_told_number(other, pair, evidence):
            return True
    return False


def _shows_a_told_number(look: CallPair, failed: CallPair, evidence: Evidence) -> bool:
    """True when ``look`` was the first to show a number of a record that the agent tells: "your claim is filed, C-5"."""
    if look.result is None:
        return False
    known = "\n".join(
        (
            *evidence.asked,
            *(
                evidence.output_text(pair.result)
                for pair in evidence.calls
                if pair.result and pair.call.i <= failed.call.i
            ),
        )
    )
    told = (found[0] for found in _RECORD_NUMBER.finditer(evidence.closing_plain[:_LONGEST_OUTPUT]))
    shown = evidence.output_text(look.result)
    return any(_holds(shown, number) and number not in known for number in told)


def _holds(text: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


def is_shown_later(pair: CallPair, claim: SuccessClaim, evidence: Evidence) -> bool:
    """True when a look after ``pair`` tells the deed of ``claim`` as done: ``{"exported": true}``, ``{"state": "exported"}``.

    So does ``get_badge`` that finds an active one, of a badge said to have been made.
    """
    said = claim.quote.lower()
    deeds = set(_PARTICIPLE.findall(said))
    claimed = claim.verb_class or claim.type
    is_made = claimed == "issued" or family_of(claimed) in ("create", "obtain")
    looks = [other for other in evidence.calls if other.call.i > pair.last_step and other.result is not None]
    is_there = (
        _FIRST_PERSON.search(claim.quote) is None
        and pair.result is not None
        and _THERE_BEFORE.search(evidence.output_text(pair.result)[:_LONGEST_OUTPUT]) is not None
    )
    for look in looks[:_MOST_READS] if deeds else ():
        if evidence.effect(look).kind != "read" or evidence.receipt(look).state == "failed":
            continue
        if is_there and evidence.receipt(look).state == "ok" and _looks_for_the_same(look, pair):
            return True
        for key, value in walk_fields(evidence.receipt(look).parsed):
            name = key.rpartition(".")[2].lower()
            if value is True and (
                name in deeds or (len(name) >= _SHORTEST_NAME and re.search(rf"\bis {re.escape(name)}\b", said))
            ):
                return True
            state = value.strip().lower() if isinstance(value, str) else ""
            if state in deeds or (is_made and state in _THERE and _looks_at_what_is_told(look, said, evidence)):
                return True
    return False


def _looks_for_the_same(look: CallPair, failed: CallPair) -> bool:
    """True when a look-up carries the values of a call that failed because such a record is there."""
    asked_for = {str(value) for _, value in walk_values(look.call.args or {})}
    return bool(asked_for) and asked_for <= {str(value) for _, value in walk_values(failed.call.args or {})}


def _looks_at_what_is_told(look: CallPair, said: str, evidence: Evidence) -> bool:
    return any(re.search(rf"\b{re.escape(word)}\b", said) for word in evidence.effect(look).words[1:])


_LONGEST_YES = 10


def _says_yes(parsed: Any) -> bool:
    if isinstance(parsed, dict):
        return len(parsed) <= _FEW_FIELDS and True in parsed.values()
    return parsed is True or (isinstance(parsed, str) and parsed[:_LONGEST_YES].strip().lower() in ("true", "yes"))


_ALREADY_SO = late_pattern(
    r"already[\W_]{1,3}(?:been[\W_]{1,3})?(?!(?:book|tak|reserv|exist|us|regist)(?:ed|en|s|er\w*)?(?![a-z]))([a-z]{4,20})",
    re.IGNORECASE,
)
"""A failure that says the wanted state holds. "Already booked", "taken" or "exists" may speak of what another has."""
_BELONGS_ALREADY = late_pattern(
    r"already[\W_]{1,3}(?:(?:(?:an?|the)[\W_]{1,3}(?:[a-z]{1,20}[\W_]{1,3}){0,2})?(?:member|subscriber|follower|collaborator|participant)"
    r"|joined|enrolled|subscribed|added|invited|connected|following|applied|assigned|attached|present|in place"
    r"|(?:on|in)[\W_]{1,3}(?:(?:the|this|your)[\W_]{1,3})?"
    r"(?:list|cart|team|group|channel|folder|playlist|basket|project|workspace|organi[sz]ation|room|chat|board))\b",
    re.IGNORECASE,
)
_UNCHANGED = late_pattern(
    r"\bno[\W_]?changes?\b(?! (?:were |was |have been )?(?:made|saved|applied|written))|\bunchanged\b|\bnot[\W_]modified\b"
    r"|\bnothing to (?:commit|update|change|do)\b|\balready up[- ]to[- ]date\b"
    r"|\bduplicate (?:request|submission|message)\b|\bidempoten"
    r"|\b(?:member|subscriber|follower|collaborator|participant) exists\b",
    re.IGNORECASE,
)
"""A failure that only says that there was nothing to change, or that the very order had come before."""
_REFUSES = late_pattern(
    r"\b(?:fail(?:ed|ure|s)|denied|forbidden|invalid|rejected|refused|unauthori[sz]ed|cannot|could not|unable|timed? ?out)\b",
    re.IGNORECASE,
)
_IS_NOW = late_pattern(r"\bis (on|off|open|shut|up|down)\b", re.IGNORECASE)
_GONE_AS_TOLD = late_pattern(
    r"\b(?:was|is|were|are) (?:already )?(?:empty|gone|not there)\b|\bno longer\b", re.IGNORECASE
)
_ABSENT = late_pattern(
    r"\bno such\b|\bnot[\W_]found\b|\b(?:does|do|did)(?:n['’]t| not) exist\b|\bnon-?existent\b|\b4(?:04|10)\b|\bgone\b|\bENOENT\b",
    re.IGNORECASE,
)
"""What was to be deleted is not there: the wanted state holds."""
_EXISTS = late_pattern(r"\balready[\W_]{1,3}exist", re.IGNORECASE)
_TOLD_TO_EXIST = late_pattern(
    r"\balready (?:exist\w*|there|in place|present|set up)\b|\bexist(?:s|ed)? already\b|\balready (?:have|has|had)\b",
    re.IGNORECASE,
)
"""The agent says itself that what was to be made was there before."""
_STATES, _LONGEST_CLAUSE = frozenset({"state", "status"}), 8
_SHORTEST_NAME, _LONGEST_NAME = 3, 200
_JOINING = frozenset({"added", "invited", "completed", "done", "subscribed", "joined"})


def was_so_already(pair: CallPair, claim: SuccessClaim, evidence: Evidence) -> bool:
    """True when the failed call says that all is as ``claim`` says: "already closed" for a ticket that is closed."""
    if pair.result is None:
        return False
    text = f"{evidence.receipt(pair).reason} {evidence.output_text(pair.result)[:_LONGEST_OUTPUT]}"
    stems = {word[:_STEM] for word in _WORD.findall(f"{claim.quote} {claim.verb_class or claim.type}".lower())}
    if any(found[1].lower()[:_STEM] in stems for found in _ALREADY_SO.finditer(text)):
        return True
    if _EXISTS.search(text) and _TOLD_TO_EXIST.search(evidence.closing_plain):
        return True
    if _says_it_is_done(pair, claim, evidence) or (
        _UNCHANGED.search(text) and not _REFUSES.search(text.removeprefix(MARKED))
    ):
        return True
    if any(_is_turned(claim.quote.lower(), found[1].lower()) for found in _IS_NOW.finditer(text)):
        return True
    claimed = claim.verb_class or claim.type
    is_gone = claimed == "deleted" and _ABSENT.search(text) is not None
    if is_gone and (_names_a_value(pair, claim.quote) or _GONE_AS_TOLD.search(evidence.closing_plain)):
        return True
    said = {claimed, *_WORD.findall(claim.quote.lower())}
    if not said.isdisjoint(_JOINING) and _BELONGS_ALREADY.search(text) is not None:
        return True
    if claim.source != "extracted":
        return False
    if repeats_a_failure(claim, evidence.receipt(pair).reason.removeprefix(MARKED), evidence.reading.language):
        return True
    if class_covers(claimed, evidence.effect(pair)) is True:
        return False
    asked = "\n".join((evidence.view.task.instruction, *evidence.user_texts))
    return hinders(claim, asked, evidence.reading.language)


_EXCLUSIVE = ("book", "tak", "reserv", "us", "regist", "block", "lock")
"""Deeds that somebody else may have done to the same thing, which is why it failed."""
_NO_NEWS = late_pattern(
    r"\b(?:not|no|nothing|never|none|cannot|can|could|may|might|must|should|would|unless|until|before|after|when|if|be|being|by|already|fail\w*"
    r"|unable|without|false|last|once|only|to)\b|n['’]t\b",
    re.IGNORECASE,
)
_SOME = late_pattern(r"\b[1-9]\d*\b")
_CLAUSE = late_pattern(r"[^,;.!?()\n]+")


def _is_turned(said: str, side: str) -> bool:
    """True for "the heater has been turned on" where ``side`` is "on"."""
    return re.search(rf"\b(?:turn|switch|power|open|shut|put)\w*\b.*\b{side}\b", said) is not None


def _says_it_is_done(pair: CallPair, claim: SuccessClaim, evidence: Evidence) -> bool:
    """True when what came back with a failure tells the claimed deed as done: "order 88 saved", ``{"ok": false, "saved": true}``."""
    if pair.result is None:
        return False
    deeds = {deed for deed in _PARTICIPLE.findall(claim.quote.lower()) if not deed.startswith(_EXCLUSIVE)}
    deeds |= {"saved", "created"} if "created" in deeds else set()
    for key, value in walk_fields(evidence.receipt(pair).parsed) if deeds else ():
        name = key.rpartition(".")[2].lower()
        if (value is True and name in deeds) or (name in _STATES and isinstance(value, str) and value.lower() in deeds):
            return True
    text = evidence.output_text(pair.result)[:_LONGEST_OUTPUT].lower()
    for clause in _CLAUSE.finditer(text) if deeds else ():
        words = clause[0].split()
        if not 1 < len(words) <= _LONGEST_CLAUSE or _NO_NEWS.search(clause[0]):
            continue
        if words[-1].strip("\"'}] ") in deeds or (words[0] in deeds and _SOME.search(clause[0])):
            return True
    return False


def _names_a_value(pair: CallPair, said: str) -> bool:
    """True when ``said`` names what the call was for, so that no slip in the call made it look elsewhere."""
    low = said.casefold()
    command = command_of(pair.call)
    if command:
        told = [word for word in command.split()[1:] if len(word) >= _SHORTEST_NAME]
    else:
        told = [str(value) for _, value in walk_values(pair.call.args or {}) if isinstance(value, str | int)]
    values = (value.casefold() for value in told)
    return any(
        re.search(rf"(?<!\w){re.escape(value)}(?!\w)", low) for value in values if 0 < len(value) <= _LONGEST_NAME
    )
