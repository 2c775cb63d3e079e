"""Messages told as sent, where the calls that worked changed something else and carry nothing of a message.

A reader must not miss: this accuses nobody. A shop may well mail its customer when an order is made; the record does not
say so, and a claim that the record does not show is not called supported.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.values.value_text import walk_fields, walk_values
from agent_claimcheck.evidence.word_lists import WordLists
from agent_claimcheck.evidence.writes import Write

_LISTS = WordLists("actions")
_MESSAGES = _LISTS.words("messages")
_SIGN = late_pattern(
    r"(?<![a-z])(?:" + "|".join(sorted(_LISTS.words("message_signs") - {"@", "to"})) + r")|@|(?<![a-z])to(?![a-z])"
)
"""A stem at the head of a word; names in camel case are split before."""
_CAMEL = late_pattern(r"(?<=[a-z])(?=[A-Z])")
_OTHER_FAMILIES = frozenset({"create", "obtain", "change", "mark", "ship", "code", "grant"})
_VALUE_CHARS = 400


def shows_no_message(claim: SuccessClaim, done: Sequence[Write]) -> bool:
    """True when ``claim`` tells of a message and no call of ``done`` carries or returned a sign of one.

    Commands and edits of files are left alone: what they do does not show in their arguments.
    """
    if (claim.verb_class or claim.type) not in _MESSAGES:
        return False
    return all(_is_plainly_other(write) for write in done)


def _is_plainly_other(write: Write) -> bool:
    effect, pair = write.effect, write.pair
    if effect.is_shell or effect.is_file_change or family_of(effect.verb_class) not in _OTHER_FAMILIES:
        return False
    output = pair.result.output if pair.result is not None else None
    return not any(_SIGN.search(text) for text in (*_texts(pair.call.name), *_texts(pair.call.args), *_texts(output)))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [_low(value)]
    keys = [_low(key) for key, _ in walk_fields(value)]
    return keys + [_low(leaf[:_VALUE_CHARS]) for _, leaf in walk_values(value) if isinstance(leaf, str)]


def _low(text: str) -> str:
    return _CAMEL.sub(" ", text[:_VALUE_CHARS]).lower()
