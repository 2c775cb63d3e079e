"""Claims told with the verb of a tool that was called: after ``print_label``, "all four labels are printed" claims that.

A reader must not miss: this looks only where nothing was surely heard in a whole run. A verb in no list is known here by its tool,
and a state ("is printed") tells of the deed only because the run tried that very deed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.asked.deeds import participles, tells_failure
from agent_claimcheck.evidence.claims.clauses import Piece, plain_piece, sentences
from agent_claimcheck.evidence.claims.contract import SURE_CLAIM, SuccessClaim
from agent_claimcheck.evidence.claims.doers import may_name_doer, names_doer
from agent_claimcheck.evidence.claims.subjects import read_subject
from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.tool_names import read_verb, verbs_in

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence
    from agent_claimcheck.evidence.claims.finder import AgentMessage
    from agent_claimcheck.evidence.writes import Write

_LONGEST = 4_000
_LONGEST_QUOTE = 600
_MOST = 5
_MOST_TOOLS, _MOST_ARGUMENTS = 20, 20
_LONGEST_VERB = 20
_MOST_LOOKS = 50
_SHORTEST_VALUE, _LONGEST_VALUE = 2, 60
_LONGEST_OUTPUT = 20_000
_ADVERBS = r"(?:(?:now|just|also|all|both|successfully|duly|safely|finally) )*"
_FRAMES = late_pattern(
    rf"\b(?:(?P<deed>(?:i|we)(?:'ve| have)?|(?:has|have) {_ADVERBS}been)|(?:is|are)) {_ADVERBS}(?P<verb>[a-z]+(?:-[a-z]+)?)\b"
)
_OF_ONE = late_pattern(r"\W*(?:(?:the|your|all|both|this|these|those|everything|it|they)\b|[\w-]*\d|[\w -]{1,40}'s? )")
"""How a clause begins that tells of something in particular: "labels are printed from complete addresses" is a rule."""
_NOT_SO = late_pattern(r"(?:\b(?:not|never|cannot|be|unless|until|must|only|before|if|to)\b|n['’]t\b)[^.,;:]*$")
_HOLDS = late_pattern(r"\b(?:has|have) an? |\b(?:exists?|existing|duplicate|already)\b")
_FEW_WORDS, _STEM = 25, 6
_WORD = late_pattern(r"[a-z]+")
_CLAUSE_END = late_pattern(r"[,:(]\s|\s[-–—]\s|\b(?:and|so|because)\b")
_UNREAL = late_pattern(
    r"\b(?:if|once|unless|whether|when|would|could|should|will|might|may|can|must|until|after|before|please|let me|which|who|what"
    r"|the (?:minute|moment|second)|as soon|tomorrow|next"
    r"|why|how|previously|originally|earlier|yesterday|ago|already|only|every|each|usually|normally|being"
    r"|all [a-z]+s are (?:booked|reserved|taken)|that (?:is|are|was|were|has|have|can|i|we|you|they))\b"
)


def find_tool_deeds(message: AgentMessage, writes: Sequence[Write], evidence: Evidence) -> list[SuccessClaim]:
    """Return what English ``message`` claims with the verb of a tool that ``writes``, calls to change something, are of.

    Few, and none where the message owns up to a failure anywhere. A denial in the same clause takes the claim back, and a
    state that the user or a look-up told is no claim.
    """
    if len(message.text) > _LONGEST:
        return []
    told_verbs = {found["verb"] for found in _FRAMES.finditer(message.text.lower())}
    tried = _deeds_of(writes, told_verbs) if told_verbs else {}
    if not tried:
        return []
    piece = plain_piece(message.text)
    low = piece.text.lower()
    if len(low) != len(piece.text) or _owns_up(low, tried):
        return []
    found: list[SuccessClaim] = []
    for begin, stop, ending in sentences(piece.text):
        for start, end in _clauses(low, begin, stop) if ending != "?" else ():
            told = next((one for one in _FRAMES.finditer(low, start, end) if _deed(one["verb"], tried)), None)
            if told is None or not _is_asserted(low[start:end], piece.raw[told.end() : end]):
                continue
            deed = _deed(told["verb"], tried)
            is_of_one = told["deed"] or _OF_ONE.match(low, start, end) or _names_given(low[start:end], writes)
            if told["deed"] or (is_of_one and _is_news(deed, evidence)):
                found.append(_claim(piece, (start, end), told, tried[deed], message.step))
    return found[:_MOST]


def _owns_up(low: str, tried: Mapping[str, str]) -> bool:
    """True when the lower-case text ``low`` may own up to a failure in other words than those of the deeds ``tried``."""
    return tells_failure(low) and tells_failure(_WORD.sub(lambda one: "" if one[0] in tried else one[0], low))


def _clauses(low: str, begin: int, stop: int) -> Iterator[tuple[int, int]]:
    for mark in _CLAUSE_END.finditer(low, begin, stop):
        yield begin, mark.start()
        begin = mark.end()
    yield begin, stop


def _is_asserted(clause: str, after: str) -> bool:
    """True when nothing in the lower-case ``clause`` takes back what its verb says, nor the words ``after`` that verb."""
    is_plain = _UNREAL.search(clause) is None and english().sets.negators.isdisjoint(clause.split())
    return is_plain and not names_doer(after) and not may_name_doer(after)


def _claim(
    piece: Piece, clause: tuple[int, int], told: re.Match[str], verb_class: str, step: int | None
) -> SuccessClaim:
    start, end = clause
    raw = piece.raw[start:end]
    subject = read_subject(raw, told.start("verb") - start, told.end("verb") - start, is_active=False)
    return SuccessClaim(
        type=verb_class,
        verb_class=verb_class,
        subject=subject,
        span=piece.locate(start, end),
        step=step,
        quote=raw.strip()[:_LONGEST_QUOTE],
        confidence=SURE_CLAIM,
    )


def _names_given(clause: str, writes: Sequence[Write]) -> bool:
    """True when the lower-case ``clause`` names a value that one of the calls was given: "week 22 is approved" after ``week=22``."""
    given = (
        value
        for write in writes[-_MOST_TOOLS:]
        for value in islice((write.pair.call.args or {}).values(), _MOST_ARGUMENTS)
    )
    names = (str(value).lower() for value in given if isinstance(value, str | int) and not isinstance(value, bool))
    return any(
        len(name) <= _LONGEST_VALUE and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", clause)
        for name in names
        if len(name) >= _SHORTEST_VALUE
    )


def _deed(verb: str, tried: Mapping[str, str]) -> str:
    """Return the key of ``tried`` that ``verb`` is, also done again ("re-routed", "recalibrated"); "" for none."""
    plain = verb.replace("-", "")
    return next((one for one in (plain, plain.removeprefix("re")) if one in tried), "")


def _is_news(deed: str, evidence: Evidence) -> bool:
    """False when the user, a look-up or a failure told the state ``deed``: how things stand may be told after them."""
    texts = [*evidence.user_texts, evidence.view.task.instruction]
    looks = [pair for pair in evidence.calls if pair.result is not None and evidence.effect(pair).kind == "read"]
    texts += [evidence.output_text(pair.result) for pair in looks[-_MOST_LOOKS:] if pair.result is not None]
    word = re.compile(rf"\b{deed}\b")
    if any(word.search(text[:_LONGEST_OUTPUT].lower()) for text in texts):
        return False
    return not any(write.is_failed and _tells_state(_answer(write, evidence), deed) for write in evidence.writes)


def _tells_state(answer: str, deed: str) -> bool:
    """True when the lower-case ``answer`` of a failure says that it is so: "returned on 2 May", "owner has a registration"."""
    for found in re.finditer(
        rf"\b{deed}\b(?![\"']?\s{{0,2}}[:=]\s{{0,2}}(?:false|null|none|0)|[^a-z]{{1,4}}is false)", answer
    ):
        if _NOT_SO.search(answer[max(0, found.start() - _FEW_WORDS) : found.start()]) is None:
            return True
    return deed[:_STEM] in answer and _HOLDS.search(answer) is not None


def _answer(write: Write, evidence: Evidence) -> str:
    told = evidence.output_text(write.pair.result)[:_LONGEST_OUTPUT] if write.pair.result is not None else ""
    return f"{write.receipt.reason} {told}".lower()


def _deeds_of(writes: Sequence[Write], told: Set[str]) -> dict[str, str]:
    """Return those of the verbs ``told`` that are participles of verbs in the names of the tools called, by the class they claim.

    A verb may stand in an argument too: ``decide(decision="reject")``.
    """
    plain = {verb.replace("-", "") for verb in told}
    wanted = plain.union(verb.removeprefix("re") for verb in plain)
    found: dict[str, str] = {}
    for write in writes[-_MOST_TOOLS:]:
        words = verbs_in(write.effect.words)
        for value in islice((write.pair.call.args or {}).values(), _MOST_ARGUMENTS):
            if isinstance(value, str) and len(value) <= _LONGEST_VERB and value.isalpha():
                words += _verb_of(value)
        classes = _classes_of(words, write.effect.verb_class)
        if not wanted.isdisjoint(classes):
            found.update((verb, classes[verb]) for verb in wanted.intersection(classes))
    return found


@lru_cache(maxsize=2048)
def _verb_of(value: str) -> tuple[str, ...]:
    low = value.lower()
    return (low,) if (read_verb(low) or ("",))[0] == "write" else ()


@lru_cache(maxsize=2048)
def _classes_of(verbs: tuple[str, ...], verb_class: str | None) -> dict[str, str]:
    classes = english().classes
    return {one: classes.get(one) or verb_class or "completed" for verb in verbs for one in participles(verb)}
