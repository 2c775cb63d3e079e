"""Whether a request begins with a verb whose deed the claim finder knows: "Unlock Bo's account", "取消我的订单".

A reader must not miss: this tells an order from a question only roughly, and is asked only where nothing was heard and nothing
was done. What can be done to the words of the reply itself is no order here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.asked.deeds import first_words, order_words
from agent_claimcheck.evidence.claims.frame_language import Frames, frames
from agent_claimcheck.evidence.claims.language_files import other_languages
from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.tool_names import does_verb_change, is_reading_verb
from agent_claimcheck.evidence.word_lists import WordLists

_READ = 400
_FIRST = 4
"""Words of a request among which its verb stands."""
_FIRST_LETTERS = 24
"""Letters of a request without spaces between its words among which its verb stands."""
_SHORTEST, _STEM = 4, 6
_BEHIND, _VERB_STEM = 3, 5
"""Words behind an "and" among which the verb of a second order stands, and the letters by which it is known."""
_MARK = late_pattern(r"[,;.!?\n]+(?=\s)")
_HANDED_BACK = (
    r"\b(?:please|you (?:can|could|may|might|need to|have to|must|should)|you'll (?:need|have) to)"
    r" (?:first |only |always |just )?"
)
_WORD = late_pattern(r"[^\W\d_]+")
_LETTER = late_pattern(r"[^\W\d_]")
_LEAST_LETTERS = 3
_OWN = late_pattern(r"\b(?:my|our|his|her|their)\b|\b\w+['’]s\b", re.IGNORECASE)


def orders_a_deed(request: str, *, of_files: bool = False) -> bool:
    """True when a sentence of English ``request`` begins with a verb of a known class that no words of a reply can do.

    With ``of_files`` any such verb counts: to fix or to rename something in a code base is no matter of words.
    """
    part = request[:_READ]
    classes = english().classes
    known = {classes[word] for word in order_words(part, of_files=of_files) if classes.get(word)}
    if not known:
        return False
    if of_files or not known <= _in_text():
        return True
    words = {word.lower().removesuffix("s") for word in _WORD.findall(part)}
    return _OWN.search(part) is not None or not _kept().isdisjoint(words)


def orders_a_change(request: str, *, has_looked: bool) -> bool:
    """True when a sentence of English ``request`` begins with a verb of a tool that changes something, for a thing kept somewhere.

    What may be made or changed in the words of the reply counts only with a noun for what is kept, or with whose it is; a
    change of what stands somewhere also where the agent ``has_looked`` there.
    """
    part = request[:_READ]
    if _orders().search(part):
        return True
    found = [verb for verb in order_words(part) if does_verb_change(verb)]
    if not found:
        return False
    made = _made("authored") if has_looked else _made("authored") | _made("verbs")
    if any(verb not in made for verb in found):
        return True
    words = {word.lower().removesuffix("s") for word in _WORD.findall(part)}
    return _OWN.search(part) is not None or not _kept().isdisjoint(words)


def orders_work(request: str) -> bool:
    """True when a sentence of ``request``, said to an agent at a shell, begins with a word that may order work on files.

    That is any word but those that ask to look, to explain or for an answer, and small words, which begin no order.
    """
    if _orders().search(request[:_READ]):
        return True
    small, work = english().sets.function, WordLists("made_in_the_reply").words("work")
    return any(
        word in work or does_verb_change(word) or (word not in small and not is_reading_verb(word))
        for word in first_words(request[:_READ], of_files=True)
        if len(word) > 2
    )


def is_handed_back(request: str, text: str) -> bool:
    """True when English ``text`` tells the user to do what ``request`` orders: "please cancel it in the app store"."""
    low = text.lower()
    if not any(sign in low for sign in ("please", "you", "to ")):
        return False
    verbs = {re.escape(verb) for verb in first_words(request[:_READ]) if len(verb) > 2}
    return bool(verbs) and re.search(rf"{_HANDED_BACK}(?:{'|'.join(sorted(verbs))})\b", low) is not None


def orders_in(request: str, language: str) -> bool:
    """True when ``request`` in another ``language`` than English begins with a verb that claims are known of, or asks for no words.

    A question orders something only where it is a polite one.
    """
    if language not in other_languages():
        return False
    known = frames(language)
    low = request[:_READ].lower()
    if "?" in low or "？" in low:
        return _is_polite_order(low, known)
    if known.script not in ("latin", "cyrillic"):
        return any(stem in low[:_FIRST_LETTERS] for stem in known.stems if len(stem) > 1) or _asks_no_words(low, known)
    words = [word for word in _WORD.findall(low)[:_FIRST] if len(word) >= _SHORTEST]
    if any(word.startswith(stem) for word in words for stem in _beginnings(language)):
        return True
    return _asks_no_words(low, known)


def orders_beside(request: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield the words of ``request`` in another ``language`` than English that order a deed behind "and" or a mark, with its class.

    Where words are written without spaces, any verb behind the joint is one.
    """
    if language not in other_languages():
        return
    known = frames(language)
    if known.script not in ("latin", "cyrillic"):
        for part in known.joints.split(request[:_READ].lower())[1:]:
            yield from ((stem, known.stems[stem]) for stem in known.stems if len(stem) > 1 and stem in part)
        return
    for part in _parts(request[:_READ].lower(), known):
        for word in _WORD.findall(part)[:_BEHIND]:
            found = next((stem for stem in _beginnings(language) if word.startswith(stem[:_VERB_STEM])), None)
            if len(word) >= _SHORTEST and found is not None:
                stem = next(form for form in known.stems if form.removeprefix("ge").startswith(found))
                yield word, known.stems[stem]


def _parts(low: str, known: Frames) -> list[str]:
    """Return what stands behind the first "and", "then" or mark of ``low``, part by part."""
    return _MARK.split(known.joints.sub(", ", low))[1:]


def _asks_no_words(low: str, known: Frames) -> bool:
    return "\n" not in low.strip() and len(_LETTER.findall(low)) > _LEAST_LETTERS and not known.to_know.search(low)


def _is_polite_order(low: str, known: Frames) -> bool:
    found = known.polite.search(low)
    return found is not None and not known.to_know.search(low, found.end())


@lru_cache(maxsize=16)
def _beginnings(language: str) -> tuple[str, ...]:
    """Return how the verbs of a language begin: its participles without what stands before them there."""
    found = {stem.removeprefix("ge")[:_STEM] for stem in frames(language).stems}
    return tuple(sorted(stem for stem in found if len(stem) >= _SHORTEST))


@lru_cache(maxsize=1)
def _in_text() -> frozenset[str]:
    return WordLists("made_in_the_reply").words("deeds")


@lru_cache(maxsize=1)
def _orders() -> re.Pattern[str]:
    return re.compile(WordLists("made_in_the_reply").pattern("orders"))


@lru_cache(maxsize=2)
def _made(section: str) -> frozenset[str]:
    return WordLists("made_in_the_reply").words(section)


@lru_cache(maxsize=1)
def _kept() -> frozenset[str]:
    return WordLists("made_in_the_reply").words("kept")
