"""The doubt that the closing text speaks of more than the run shows: "... is booked and the projector is reserved".

Every claim that was found is confirmed, and a claim that was not found may still stand there, in words no grammar knows. So
each word has to be accounted for: it is a plain one, or a deed of a confirmed claim, or a name from the request, or it
stands in what the calls carried and gave back. One that is none of these leaves the run to a person.

A reader must not miss: this never accuses, and it understands nothing. A chatty honest message pays for it with a review.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from agent_claimcheck.core.computed import computed
from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.text import spaces_for
from agent_claimcheck.core.words import plain_words
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt, shown_text
from agent_claimcheck.detectors.rules.doubts.plain_beyond import tells_of_work, told_in_plain_words
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.clauses import is_json_like, sentences, without_markup
from agent_claimcheck.evidence.claims.courtesies import reports_all_the_same, without_courtesies
from agent_claimcheck.evidence.claims.language_files import function_words
from agent_claimcheck.evidence.claims.patterns import plan_for
from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.word_lists import WordLists

_WORD = re.compile(r"[^\W_]+")
_SPACED = bytes(code if code > 127 or chr(code).isalnum() else 0x20 for code in range(256))
_STEM = 5
_LONGEST = 20_000
_LONGEST_TEXT = 4_000
_QUOTED = re.compile(r"(?<!\w)[\"“'‘`](?P<words>[^\"“”'‘’`\n]{2,80})[\"”'’`](?!\w)")
_ALL_OF = frozenset({"of", "the", "your", "my", "our", "these", "those"})
_MAILS = frozenset({"email", "emails", "emailed", "mail", "mails", "mailed"})
_TESTS = frozenset({"tests", "test", "checks", "specs", "suites"})
_JOINT = late_pattern(
    r"[,;:，、；：\n]|\b(?:und|et|y|e|и|і|й|en|och|og|ja|i|a|ve|dan|và|si|și|és|kai|και)\b", re.IGNORECASE
)
_LISTS = WordLists("closing_plain")
_PLAIN = _LISTS.words("plain") | _LISTS.words("things")
_MANY = frozenset(word for word in _LISTS.words("things") if word.endswith("s"))
_UNITS = _LISTS.words("units")
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
           "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30}  # fmt: skip
_SIZES = (1, 60, 3600)
"""How many of the unit that is shown an hour or a minute may be."""
_LOOKED = late_pattern(r"(?:checked|reviewed|looked (?:up|at|into))\b(?! (?:with|in|out)\b)")
"""A lookup told as one: "I checked the ticket and closed it"."""
_GRADERS = _LISTS.words("graders")
_JUDGING = _LISTS.words("judging") | _GRADERS
# What counts, or is part of a time or a date; longer numbers have to be shown.
_SHORT_NUMBER = re.compile(r"\d{1,2}(?:st|nd|rd|th|am|pm)?")
_OPENINGS = tuple(part.strip() for row in _LISTS.rows("opening") for part in " ".join(row).split("|"))


def says_more_than_shown(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose closing text holds a word that nothing accounts for."""
    told = without_markup(evidence.closing_text)
    text = evidence.courtesies.taken_from(told)
    if not text.strip() or _is_one_foreign_clause(text, evidence):
        return None
    text, accounts = text[:_LONGEST_TEXT], _Accounts(evidence)
    low = text.casefold()
    words = set(plain_words(low))
    word = None
    if evidence.reading.language in (None, "en"):
        word = told_in_plain_words(low, words, accounts.shown, accounts.asked_low, accounts.families)
    if word is None:
        doubtful = _doubtful(words, accounts)
        judged = _first_note(text, told) if doubtful else 0
        word = next(_unaccounted(text, low, words - doubtful, accounts, judged), None) if doubtful else None
    if word is None:
        return None
    return Doubt(
        "receipt_only", f"the closing text speaks of {word!r}, which the calls and the state probes do not show"
    )


class _Accounts:
    """What a word of the closing text may be accounted for by, each part read when first asked for."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self.asked = evidence.request_text
        self.asked_low = evidence.request_low
        self.claims = [claim for _, claim in evidence.success_claims]

    @computed
    def shown(self) -> str:
        """The words of calls that did not fail, of their tools, and of state probes, each with a space before it."""
        types = " ".join([claim.type for claim in self.claims])
        return _spaced(f"{types} {shown_text(self._evidence)}"[:_LONGEST].casefold())

    @computed
    def has_address(self) -> bool:
        """True when an e-mail address is shown."""
        return "@" in shown_text(self._evidence)

    @computed
    def families(self) -> frozenset[str | None]:
        """The families of deeds that the confirmed claims are of."""
        names = [
            name for claim in self.claims for name in (claim.type, claim.verb_class, *claim.type.split("_")) if name
        ]
        return frozenset(family for family in map(family_of, names) if family)

    @computed
    def own_patterns(self) -> list[tuple[int, int]]:
        """Where the patterns of the user's packs matched: their author says what these words claim."""
        own = plan_for(self._evidence.packs).own
        return [claim.span for claim in self.claims if claim.span is not None and claim.type in own]

    @computed
    def has_looked(self) -> bool:
        """True when some lookup worked."""
        calls = self._evidence.calls
        return any(
            self._evidence.effect(p).kind == "read" and self._evidence.receipt(p).state != "failed" for p in calls
        )

    @computed
    def small(self) -> frozenset[str]:
        """The small words of the language the run speaks, English apart."""
        language = self._evidence.reading.language
        return frozenset(function_words()["latin"].get(language or "", ())) if language != "en" else frozenset()


def _doubtful(words: set[str], accounts: _Accounts) -> set[str]:
    """Return the words for which it matters where they stand; most texts have none. All others are accounted for anywhere."""
    return {word for word in words - _PLAIN if word == "all" or word in _UNITS or not _is_known(word, accounts)}


def _is_known(word: str, accounts: _Accounts) -> bool:
    if (
        (word[0].isdigit() and _SHORT_NUMBER.fullmatch(word))
        or f" {_stem(word)}" in accounts.shown
        or word in accounts.small
        or (word in _MAILS and (" mail" in accounts.shown or accounts.has_address))
    ):
        return True
    count = _COUNTS.get(word, 1)
    if count > 1 and f" {count} " in f"{accounts.shown} ":
        return True
    deed = english().classes.get(word)
    return deed is not None and (family_of(deed) in accounts.families or deed in ("completed", "confirmed"))


def _first_note(text: str, told: str) -> int:
    """Return where ``told`` first speaks to whoever judges the run in a sentence that ``text`` leaves out; else its end."""
    noted = without_courtesies(told, keep_notes=True)[: len(text)]
    if noted == text:
        return len(text)
    return next((at for at, (one, other) in enumerate(zip(noted, text, strict=True)) if one != other), len(text))


def _unaccounted(text: str, low: str, settled: set[str], accounts: _Accounts, judged: int) -> Iterator[str]:
    """Yield what nothing accounts for in ``text``, case-folded ``low``; the words ``settled`` are accounted for anywhere.

    From the place ``judged`` on the text speaks to whoever judges the run.
    """
    if len(low) != len(text):
        text = low
    telling = _zones().sub(spaces_for, _harmless().sub(spaces_for, low))
    # In JSON everything is quoted, which makes no name of it.
    quoted = () if is_json_like(text) else _QUOTED.finditer(text)
    names = [
        match.span("words") for match in quoted if " ".join(match["words"].casefold().split()) in accounts.asked_low
    ]
    plain = _PLAIN
    for start, end, ending in sentences(text):
        if ending == "?" or _looks_ahead(low[start:end]):
            continue
        words = _WORD.findall(telling, start, end)
        if start >= judged or not _GRADERS.isdisjoint(words):
            plain = _PLAIN | _JUDGING
        if settled.issuperset(words):
            continue
        for index, match in enumerate(_WORD.finditer(telling, start, end)):
            word = match[0]
            if word in settled or word in plain:
                continue
            at = match.start()
            if word == "all":
                if _is_sweeping(words[index + 1 : index + 5], plain):
                    yield " ".join(words[index : index + 3])
            elif (
                not (word in _UNITS and index and _is_measured(words[index - 1], accounts))
                and not any(first <= at < last for first, last in names)
                and not _is_accounted(word, text[at : at + len(word)], at, accounts)
                and not (accounts.has_looked and _LOOKED.match(low, at))
            ):
                yield text[at : at + len(word)]


def _is_measured(number: str, accounts: _Accounts) -> bool:
    """True before the unit of a length: a number, or the word of one that is shown in some unit ("an hour" of 60 minutes)."""
    if number.isdigit():
        return True
    count = _COUNTS.get(number)
    return count is not None and any(f" {count * size} " in f"{accounts.shown} " for size in _SIZES)


def _is_sweeping(following: list[str], plain: frozenset[str]) -> bool:
    """True for the "all" of "all contacts in Riga": one record that was read back does not show it."""
    rest = [word for word in following if word not in _ALL_OF and not word.isdigit()]
    if not rest or rest[0] in english().classes or not _TESTS.isdisjoint(rest):
        return False
    return rest[0] in _MANY or rest[0] not in plain


def _is_accounted(word: str, written: str, at: int, accounts: _Accounts) -> bool:
    if _is_known(word, accounts) or any(first <= at < last for first, last in accounts.own_patterns):
        return True
    return word not in english().classes and written[:1].isupper() and _stands(written, accounts.asked)


def _spaced(low: str) -> str:
    """Return ``low`` with a space before every word. ASCII letters are told apart many times faster than words are found."""
    if low.isascii():
        return " " + low.encode().translate(_SPACED).decode()
    return " " + " ".join(_WORD.findall(low))


def _stem(word: str) -> str:
    if len(word) > _STEM and word.isalpha():
        return word[:_STEM]
    return word.removesuffix("s") if len(word) > 3 and word.isalpha() else word


@lru_cache(maxsize=256)
def _edged(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")


def _stands(word: str, text: str) -> bool:
    return len(word) <= 80 and word in text and _edged(word).search(text) is not None


def _looks_ahead(sentence: str) -> bool:
    begun = sentence.lstrip(" \n\t-*•!,.")
    return begun.startswith(_OPENINGS) and not tells_of_work(sentence) and not reports_all_the_same(begun)


@lru_cache(maxsize=1)
def _harmless() -> re.Pattern[str]:
    return re.compile(rf"\b{_LISTS.pattern('harmless')}")


@lru_cache(maxsize=1)
def _zones() -> re.Pattern[str]:
    return re.compile(_LISTS.pattern("zones"))


def _is_one_foreign_clause(text: str, evidence: Evidence) -> bool:
    """True for one plain statement in another language than English: nothing stands beside what was heard in it."""
    if evidence.reading.language in (None, "en"):
        return False
    return len(list(sentences(text))) == 1 and not _JOINT.search(text.strip().rstrip(".!。！"))
