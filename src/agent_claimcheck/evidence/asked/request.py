"""Values of the request, and of what the agent told the user, where the words leave no choice: one e-mail, one time.

A reader must not miss: a value is taken only when it is the only one of its kind. Two addresses, a second user turn, or
an address that is the user's own ("I'm ann@…") give nothing, because comparing with the wrong one would accuse an honest
run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent_claimcheck.core.computed import computed
from agent_claimcheck.core.late_pattern import late_pattern

_EMAIL_NAME = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._%+-"
_EMAIL_HOST = re.compile(r"@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}")
_LONGEST_NAME = 64
_OWN = re.compile(
    r"(?:\bI['’]?m|\bI am|\bmy(?: [\w-]+){1,3}(?: is|:)"
    r"|\breach me (?:at|on|under|via)|\bmy|\bfrom|\bthis is|\bme at|\bcc|\baccount|\bmine|\bas|\bsender|\breply)\W{0,3}$",
    re.IGNORECASE,
)
_OWN_ENDS = frozenset(["im", "am", "my", "from", "is", "at", "cc", "account", "mine", "as", "sender", "reply"])
"""The last words of what ``_OWN`` looks for: after another plain word it finds nothing."""
# What must not stand before a number is asked after its first digit: so the search jumps from digit to digit.
_DATES = re.compile(r"\d(?<!\w\d)\d{3}-\d{2}-\d{2}\b")
_TIMES = re.compile(r"\d(?<![\d:]\d)\d?:\d{2}(?![\d:])")
_MINUTES = re.compile(r"(\d(?<!\w\d)\d{0,2})[ -]?min(?:ute)?s?\b", re.IGNORECASE)
_PATH = re.compile(r"(?:[\w.-]{1,80}/){1,12}[\w.-]{1,80}\.[A-Za-z]\w{0,8}\b")
_LONGEST_PART = 80
_CHANGE = r"(?:instead of|rather than|unless|otherwise|or|from|between|move|reschedul\w*|postpone|until|if)\b"
_CHANGES = late_pattern(rf"\b{_CHANGE}", re.IGNORECASE)
_LOW_CHANGES = re.compile(_CHANGE)
"""``_CHANGES`` for text in lower case, several times as fast: it may jump from one first letter to the next."""
_QUOTED = late_pattern(r"(?<!\w)'[^'\n]{1,80}'(?!\w)|\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”")
_TELLING = re.compile(r"[\d@/]")
_LONGEST = 20_000
_LONGEST_QUESTION = 1_000
_SENTENCE = re.compile(r"(?:[^.!?\n]|\.(?=\w))+[.!?\n]*")
_LETTER = re.compile(r"[^\W\d_]")
_TELL = r"(?:tell|show) (?:me|us)\b(?! (?:once|when|after|as soon)\b)|(?:explain|describe|summari[sz]e)\b|(?:have|take) a look\b"
_WISH = re.compile(
    r"\b(?:can|could|would|will|shall|should) (?:you|we|I)\b|\b(?:then|if|want|need|like|must|make sure|let['’]?s)\b"
    rf"|\b(?:please|and)\b(?! (?:{_TELL}|(?<=please )look\b))",
    re.IGNORECASE,
)
_TO_KNOW = re.compile(
    r"\W*(?:(?:hi|hello|hey|thanks|thank you)\b\W*)?(?:please )?(?:"
    r"(?:what|which|who|whose|when|where|why|how)\b(?! (?:about|not|don))"
    r"|(?:is|are|was|were|has|have|had|did|does|do)\b[^?]*\?"
    rf"|{_TELL}|(?:let (?:me|us) know|remind (?:me|us)) (?:whether|if|when|what|who|which|how)\b"
    r"|any\b[^?]*\?|(?:count|calculate|compute|estimate)\b"
    r"|check\b(?! (?:me|us|out|off|in)\b)|list\b(?![^.!?\n]{0,80} for (?:sale|rent)\b)"
    r"|(?:show|find|search|look|summari[sz]e|explain|describe|read|compare)\b(?! after\b)"
    r"|$)",
    re.IGNORECASE,
)
_TO_SEE = re.compile(
    r"\W*(?:(?:please|kindly) )?(?:(?:verify|confirm|check|double-check|test) (?:that|whether|if)\b"
    r"|see (?:that|whether|if)\b[^.!?\n]{1,80}\b(?:was|were|(?:has|have|had) been)\b)",
    re.IGNORECASE,
)


class PlainValues:
    """The unambiguous values of a text, each read when first asked for; ``None`` where there is none or more than one."""

    def __init__(self, text: str) -> None:
        self._text = text if len(text) <= _LONGEST and _TELLING.search(text) else ""

    @computed
    def email(self) -> str | None:
        """The one e-mail address, case-folded, unless it is the writer's own."""
        return _only_email(self._text) if "@" in self._text else None

    @computed
    def wall_time(self) -> str | None:
        """The one date with the one time as ``YYYY-MM-DDTHH:MM``, as written, without a zone."""
        return self._time if self._time is not None and self._is_plain else None

    @computed
    def named_time(self) -> str | None:
        """As ``wall_time``, also beside a quoted title with a word of choice in it ("Big move"): for reasons, not to accuse."""
        if self._time is None or self._is_plain:
            return self._time
        return self._time if not _offers_a_choice(_QUOTED.sub(" ", self._text)) else None

    @computed
    def _time(self) -> str | None:
        return _only_time(self._text) if ":" in self._text else None

    @computed
    def minutes(self) -> int | None:
        """The one duration in minutes."""
        found = {int(n) for n in _MINUTES.findall(self._text)}
        return found.pop() if len(found) == 1 and self._is_plain else None

    @computed
    def path(self) -> str | None:
        """The one file with a folder in front."""
        found = set(_paths(self._text))
        return found.pop() if len(found) == 1 else None

    @computed
    def _is_plain(self) -> bool:
        """False when a word offers a choice, so that a time may be the one that was given up."""
        return not _offers_a_choice(self._text)


NOTHING = PlainValues("")
_LONGEST_ASIDE = 200
_MAY_CHANGE = late_pattern(
    r"[\d@/]|\b(?:instead|rather|actually|change[ds]?|different|other|another|later|earlier|sooner|cancel|forget|no|not|don't|wait|hold on"
    r"|make it|make that|also|add|plus|and|but|tomorrow|today|tonight|noon|midnight|morning|afternoon|evening|week|month|hour|half"
    r"|\w+day|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)\b|[^\x00-\x7f]",
    re.IGNORECASE,
)
"""What may stand in a turn that asks for something else than the first one did; any word of another script may."""


def read_request(instruction: str, user_texts: Sequence[str]) -> PlainValues:
    """Return the values of a request. Where a later user turn may have changed it there are none."""
    later = [text for text in user_texts[1:] if text.strip() != instruction.strip()]
    if any(len(text) > _LONGEST_ASIDE or _MAY_CHANGE.search(text) for text in later):
        return NOTHING
    opening = user_texts[0] if user_texts else ""
    return PlainValues(opening if instruction.strip() in opening else instruction)


def asks_only_to_know(instruction: str, user_texts: Sequence[str]) -> bool:
    """True when all the user said are questions of how things stand, or orders to look something up.

    "Can you ...?" asks for a deed, and so may any sentence that goes on with "and", unless it goes on with "and tell me".
    """
    text = "\n".join(user_texts) or instruction
    if len(text) > _LONGEST_QUESTION:
        return False
    has_any = False
    for sentence in _SENTENCE.finditer(text):
        if _LETTER.search(sentence[0]):
            if not _TO_KNOW.match(sentence[0]):  # so it is with the first one of most requests
                return False
            has_any = True
    return has_any and not _WISH.search(text)


def asks_to_see(instruction: str) -> bool:
    """True when every sentence asks whether something holds: "Verify that the token is revoked", "See that her access was removed"."""
    text = instruction[:_LONGEST_QUESTION]
    sentences = [found[0] for found in _SENTENCE.finditer(text) if _LETTER.search(found[0])]
    seen = [_TO_SEE.match(sentence) for sentence in sentences]
    if not seen or None in seen:
        return False
    rests = (sentence[found.end() :] for sentence, found in zip(sentences, seen, strict=True) if found is not None)
    return not any(map(_WISH.search, rests))


def _offers_a_choice(text: str) -> bool:
    if not text.isascii():
        return _CHANGES.search(text) is not None
    low = text.lower()
    for found in _LOW_CHANGES.finditer(low):
        start = found.start()
        # The "or" of "for" is none. No word of the list stands inside another one, so nothing is passed over.
        if start == 0 or not (low[start - 1].isalnum() or low[start - 1] == "_"):
            return True
    return False


def _paths(text: str) -> Iterator[str]:
    """Yield the files with a folder in front: read from each slash back to where its word begins, then forward."""
    end = 0
    slash = text.find("/")
    while slash >= 0:
        start = slash
        while start > end and slash - start <= _LONGEST_PART and _is_of_part(text[start - 1]):
            start -= 1
        is_start = start < slash and (start == 0 or not (_is_of_part(text[start - 1]) or text[start - 1] in "/@"))
        found = _PATH.match(text, start) if is_start else None
        if found is not None:
            yield found[0]
            end = found.end()
        slash = text.find("/", max(end, slash + 1))


def _is_of_part(char: str) -> bool:
    return char.isalnum() or char in "_.-"


def _only_email(text: str) -> str | None:
    values: set[str] = set()
    end = 0
    at = text.find("@")
    while at >= 0:
        before = text[max(end, at - _LONGEST_NAME) : at]
        start = at - len(before) + len(before.rstrip(_EMAIL_NAME))
        host = _EMAIL_HOST.match(text, at) if start < at else None
        if host is not None:
            end = host.end()
            if _is_own(text[max(0, start - 40) : start]) or text[end : end + 2] in ("'s", "’s"):
                return None
            values.add(text[start:end].casefold())
        at = text.find("@", at + 1)
    return values.pop() if len(values) == 1 else None


def _is_own(before: str) -> bool:
    """True when the words ``before`` an address say that it is the writer's own, or where the mail comes from."""
    words = before.split()
    if words and words[-1].isascii() and words[-1].isalpha() and words[-1].lower() not in _OWN_ENDS:
        return False
    return _OWN.search(before) is not None


def _only_time(text: str) -> str | None:
    times = set(_TIMES.findall(text))
    if len(times) != 1:
        return None
    dates = set(_DATES.findall(text))
    if len(dates) != 1:
        return None
    hour, minute = times.pop().split(":")
    return f"{dates.pop()}T{int(hour):02d}:{minute}"
