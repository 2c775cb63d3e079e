"""Tells a mere courtesy, such as "You're welcome! Have a nice day.", from a message that tells of the work.

A reader must not miss: a run closes with its last message that is none. "Great, all tests pass" is a report, so each part
of a sentence has to be a courtesy by itself, and nothing claimed may be heard in it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.text import spaces_for
from agent_claimcheck.core.words import AnyWord, plain_words, words_of
from agent_claimcheck.evidence.claims.clauses import INVISIBLE, MARKUP, sentences, without_markup
from agent_claimcheck.evidence.claims.hearing import hear
from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.word_lists import WordLists

_LONGEST = 300
_LONGEST_READ = 5_000
_LONGEST_FORMULA = 40
"""Characters of a sentence of courtesy that may come word for word in run after run."""
_WORD = re.compile(r"[^\W\d_]+")
_HINTS = (
    "welcome thank thanks know anything hesitate free reach glad happy pleased enjoy care travel travels luck hope here appreciate"
    " forward regards wishes sincerely great perfect sure certainly hello hi hey dear bye goodbye ok okay pleasure problem"
    " worries wonderful nice good answer summarize summarise summary qa reviewer reviewers grader graders judge judges"
    " evaluator evaluators auditor auditors fyi tldr tl"
)
"""Words one of which stands in every English courtesy that is told beside something else."""
_HINT_WORD = AnyWord(_HINTS)
_DIGIT = re.compile(r"\d")
_REVIEWER_WORD = AnyWord("reviewer reviewers grader graders judge judges evaluator evaluators auditor auditors qa")
_LEADING_WORD = AnyWord(
    "ok okay great perfect sure allright right certainly absolutely course got news answer summarize summarise summary fyi tldr tl"
)
_LEADING = late_pattern(
    r"(?:^|(?<=[.!?\n] )|(?<=\n))(?:(?:ok(?:ay)?|great|perfect|sure|all ?right|certainly|absolutely|of course|got it|good news|great news"
    r"|fyi|tl;?dr)\s?[,:!–—-]|(?:final answer|answer|to summari[sz]e|(?:in )?summary)\s?:)\s(?=\S)",
    re.IGNORECASE,
)
"""A word of agreement, or one that sums up, before a sentence: "Ok, confirmed the slot", "Final answer: ..."."""
_MARKS = ".!?。！？"
_OFFER_WORD = AnyWord("anything know")
_LAST_OFFER = late_pattern(
    r"(?<=\s)(?:(?:[Ii]s|[Ww]as) there anything (?:else|more)|(?:Do you need a|A)nything (?:else|more)"
    r"|(?:[Pp]lease )?[Ll]et (?:me|us) know if you)\b[^.!?\n]{0,150}[.!?]*\s*\Z"
)
"""An offer of more help at the end, also where no full stop stands before it: "on ✅ Is there anything else?"."""
_WISH_WORDS = frozenset({"any", "other", "further", "more", "additional"})
_WISHED = late_pattern(r"\b(?:any|other|further|more|additional)\s+(?:(?:other|further|more)\s+)?[a-z]+")
_HEAD = re.compile(r"[^.,;:!?\n]+")
_PARTS = late_pattern(r"(?:[,;:–—…，、；]|\s-\s|\band\b|\.\.\.)\s*")
_PARTING = re.compile(r"[-,;:–—….，、；]")
"""Stands where ``_PARTS`` cuts, but for an "and"."""
_GREETINGS = frozenset({"hello", "hi", "hey", "dear", "goodbye", "bye", "hallo", "hola", "bonjour", "ciao", "olá"})
_MOST_OF_A_NAME = 2
"""Words of a part that only addresses somebody: ", Mia", ", Dr. Lund"."""
_OF_AGENTS = ("standing", "elsewhere")
_OF_USERS = ("standing", "user")


def is_courtesy(text: str) -> bool:
    """True when the agent's ``text`` is short and tells nothing of the work; one without a word ("👍") tells nothing either."""
    text = _bare(text)
    if _to_reviewer().match(text) and len(sentences(text)) == 1:
        return True
    return _is_short_and_polite(text, _is_polite) and _hears_no_claim(text)


class Courtesies:
    """What one run says out of mere courtesy. Many ask, and each message is read once."""

    def __init__(self) -> None:
        self._mere: dict[str, bool] = {}
        self._plain: dict[str, str] = {}

    def are_all_of(self, text: str) -> bool:
        """True when the agent's ``text`` is nothing else: see ``is_courtesy``."""
        known = self._mere.get(text)
        if known is None:
            self.taken_from(text)  # mostly tells it, and others ask for it too
            known = self._mere.get(text)
        if known is None:
            known = self._mere[text] = is_courtesy(text)
        return known

    def taken_from(self, text: str) -> str:
        """Return ``text`` without them: see ``without_courtesies``."""
        known = self._plain.get(text)
        if known is None:
            known, is_all = _take_out(text)
            self._plain[text] = known
            if is_all and len(text) <= _LONGEST:
                self._mere[text] = True
        return known


def asks_nothing(text: str) -> bool:
    """True when the user's ``text`` is short and asks for nothing by itself: "Hi!", "Yes", "Thanks, that's all"."""
    return _is_short_and_polite(_bare(text), _asks_nothing)


def _bare(text: str) -> str:
    """Return a short ``text`` without markup and invisible characters, in its compatibility form."""
    if text.isascii() and "<" not in text:
        return text
    head = without_markup(text[: _LONGEST + 1])
    return INVISIBLE.sub("", unicodedata.normalize("NFKC", head if _WORD.search(MARKUP.sub(" ", head)) else ""))


def without_courtesies(text: str, *, keep_notes: bool = False) -> str:
    """Return ``text`` with its sentences of mere courtesy, and no number in them, as spaces.

    So are, unless ``keep_notes``, those that speak to whoever judges the run.
    """
    return _take_out(text, keep_notes=keep_notes)[0]


def _take_out(text: str, *, keep_notes: bool = False) -> tuple[str, bool]:
    """Return ``text`` without its courtesies, and True where it is plain, of one line and each of its sentences is one."""
    is_all = text.isascii() and "<" not in text and "\n" not in text
    words = words_of(text)
    if not _HINT_WORD.may_be_in(words):
        return text, False
    kept = _LEADING.sub(spaces_for, text) if _LEADING_WORD.may_be_in(words) else text
    has_notes = not keep_notes and _REVIEWER_WORD.may_be_in(words)
    for start, end, mark in sentences(text) if len(text) <= _LONGEST_READ else ():
        sentence = text[start:end]
        # A sentence without a word may be a bracket of JSON or the edge of a fence, which holds the others together.
        if sentence.isascii():
            said = words_of(sentence)
            if not said or (len(sentence) > _LONGEST_FORMULA and not _HINT_WORD.may_be_in(said)):
                continue
        elif not _WORD.search(sentence):
            continue
        if has_notes and _to_reviewer().match(sentence):
            kept, is_all = f"{kept[:start]}{' ' * (end - start)}{kept[end:]}", False
            continue
        if len(sentence) > _LONGEST or _DIGIT.search(sentence) or _names_deed(sentence):
            continue
        if _is_polite(sentence) and _claims_nothing(sentence):
            after = end + (mark in _MARKS and mark != "")
            kept = f"{kept[:start]}{' ' * (after - start)}{kept[after:]}"
    if kept.isspace():
        return kept, is_all
    offer = _LAST_OFFER.search(kept[-_LONGEST:]) if _OFFER_WORD.may_be_in(words) else None
    return (kept if offer is None else kept[: -len(offer[0])] + " " * len(offer[0])), False


def _claims_nothing(sentence: str) -> bool:
    """True when nothing claimed is heard in ``sentence``. Formulas ("Have a nice day") are the same in run after run."""
    return _formula_claims_nothing(sentence) if len(sentence) <= _LONGEST_FORMULA else _hears_no_claim(sentence)


def _hears_no_claim(sentence: str) -> bool:
    return all(item.claim is None for item in hear(sentence).said)


_formula_claims_nothing = lru_cache(maxsize=512)(_hears_no_claim)


def _is_short_and_polite(text: str, is_polite: Callable[[str], bool]) -> bool:
    # Most messages tell of work, the others are mostly told from a courtesy by how they begin.
    if len(text) > _LONGEST or _DIGIT.search(text) or _names_deed(text):
        return False
    head = _HEAD.match(text)
    if head is not None and head[0].count(" ") > _MOST_OF_A_NAME and not is_polite(head[0]):
        return False
    return all(is_polite(text[start:end]) for start, end, _ in sentences(text))


def _names_deed(text: str) -> bool:
    """True when a word of ``text``, which holds no digit, may tell of work; "any other changes" are none that were made."""
    deeds, low = english().classes.keys(), text.lower()
    words = plain_words(low)
    if deeds.isdisjoint(words) or _WISH_WORDS.isdisjoint(words):
        return not deeds.isdisjoint(words)
    return not deeds.isdisjoint(_WORD.findall(_WISHED.sub("", low)))


def _is_polite(sentence: str) -> bool:
    """True for an agent's sentence of courtesies, with at most a name among them."""
    has_any, names = False, 0
    for part in _parts(sentence):
        words = _WORD.findall(part)
        if not words:
            continue
        low = part.lower()
        if (
            _opens_politely(low)
            or _stands_alone(low, _OF_AGENTS)
            or (low.split()[0] in _GREETINGS and _is_name(words[1:]))
        ):
            has_any = True
        elif _is_name(words):
            names += 1
        else:
            return False
    return names == 0 or (has_any and names == 1)


def _asks_nothing(sentence: str) -> bool:
    """True for a user's sentence of courtesies, with at most a name among them when it greets or thanks."""
    names, is_addressed = 0, False
    for part in _parts(sentence):
        words = _WORD.findall(part)
        if not words:
            continue
        low = part.lower()
        addressed = _addressed().match(low) is not None
        if _stands_alone(low, _OF_USERS) or (addressed and low.split()[0] in _GREETINGS and _is_name(words[1:])):
            is_addressed = is_addressed or addressed
        elif _is_name(words):
            names += 1
        else:
            return False
    return names == 0 or (names == 1 and is_addressed)


def _parts(sentence: str) -> list[str]:
    return _PARTS.split(sentence) if _PARTING.search(sentence) or "and" in sentence else [sentence]


def _is_name(words: list[str]) -> bool:
    return len(words) <= _MOST_OF_A_NAME and all(word[0].isupper() for word in words)


def reports_all_the_same(low: str) -> bool:
    """True for a sentence, in lower case, that begins as a courtesy and tells something: "anything else I could not do"."""
    opening = _opening().match(low)
    return opening is not None and _reporting().search(low, opening.end()) is not None


def _opens_politely(low: str) -> bool:
    return _opening().match(low) is not None and not reports_all_the_same(low)


@lru_cache(maxsize=1)
def _to_reviewer() -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{WordLists('courtesies').pattern('reviewer')})", re.IGNORECASE)


@lru_cache(maxsize=1)
def _opening() -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{WordLists('courtesies').pattern('opening')})")


@lru_cache(maxsize=1)
def _reporting() -> re.Pattern[str]:
    return re.compile(WordLists("courtesies").pattern("reporting"))


@lru_cache(maxsize=1)
def _addressed() -> re.Pattern[str]:
    return re.compile(rf"\W*{WordLists('courtesies').pattern('addressed')}")


def _stands_alone(low: str, sections: tuple[str, ...]) -> bool:
    for section in sections:  # noqa: SIM110 - a generator for ``any`` costs more than two patterns
        if _alone(section).match(low):
            return True
    return False


@cache
def _alone(section: str) -> re.Pattern[str]:
    """Return what any line of ``section`` matches when nothing follows it."""
    return re.compile(rf"\W*(?:{WordLists('courtesies').pattern(section)})\W*\Z")
