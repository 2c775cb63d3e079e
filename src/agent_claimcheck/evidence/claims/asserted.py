"""Whether the words that a pattern of a user's pack matched are said as a fact: "The motion was filed", and not "will be filed".

A reader must not miss: a pattern such as ``motion.{0,60}filed`` reaches over whatever stands between its words, so a denial,
a plan or a condition may stand inside the match. What the pattern itself spells out is what its author calls a claim.
"""

from __future__ import annotations

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.clause_cuts import ClauseCuts
from agent_claimcheck.evidence.claims.doers import names_doer
from agent_claimcheck.evidence.claims.frame_language import frames
from agent_claimcheck.evidence.claims.frames import leaves_open
from agent_claimcheck.evidence.claims.negation import is_denied, sentence_around
from agent_claimcheck.evidence.claims.scripts import identify
from agent_claimcheck.evidence.claims.verb_reading import VerbReading, Words
from agent_claimcheck.evidence.claims.verb_unreal import is_unreal
from agent_claimcheck.evidence.claims.vocabulary import English, english
from agent_claimcheck.evidence.word_lists import WordLists

_TOKEN = late_pattern(r"\w+(?:(?:://|['.:/@,&-])\w+)*|[^\w\s]")
_WORD = late_pattern(r"[^\W\d_]+")
_ESCAPE = late_pattern(r"\\.")
_REACH = 400
_SAMPLE = 500
"""Characters on either side by which the language is told."""
_TO_DO = late_pattern(
    r"\b(?:to |gets? |(?:get|getting|have|having|want|wants|like|see) (?:\w+ ){1,4})(?:be |get |have (?:\w+ ){1,4})?$"
)
"""What stands before a deed that is still to be done: "needs to be", "I want the motion"."""
_HAVE_DONE = late_pattern(
    r"\b(?:i|we)(?:'ve| have)(?: now| just| already)? (?:got|had) (?:\w+ ){1,4}$|\b(?:i|we) (?:got|had) (?:\w+ ){1,4}$"
)
_MANAGED = late_pattern(r"\b(?:managed|was able|were able) to \w+ (?:\w+ ){0,4}$")
_NOTHING_AFTER = late_pattern(r"\W{0,3}(?:nothing|none|no|neither)\b")
_DOERS = WordLists("doers").words("roles")
_BY_OTHERS = late_pattern(
    r"[^.;!?\n]{0,60}?\bby (?:(?:the|your|their|his|her|another|an?|opposing) )?(?P<who>\w[\w-]*)"
)


def is_asserted(text: str, span: tuple[int, int], spelled: str) -> bool:
    """True when ``text`` says as a fact what a pattern matched at ``span``; ``spelled`` is that pattern, in lower case."""
    verb = _verb_in(text, span)
    plain = _without_own_words(text, span, verb, set(_WORD.findall(_ESCAPE.sub(" ", spelled))))
    if is_denied(text, span) or is_denied(plain, verb) or _NOTHING_AFTER.match(plain, verb[1]):
        return False
    begin, finish = sentence_around(plain, *verb)
    begin, finish = max(begin, verb[0] - _REACH), min(finish, verb[1] + _REACH)
    low = plain[begin:finish].lower()
    if len(low) != finish - begin:
        return True
    near = text[max(0, verb[0] - _SAMPLE) : verb[1] + _SAMPLE].lower()
    own = _WORD.findall(near)
    told = identify(near, own, set(own))
    if told.code not in (None, "en") and leaves_open(low, frames(told.code)):
        return False
    return not _is_left_open(low, verb[0] - begin, verb[1] - begin, plain[finish : finish + 1], plain[begin:finish])


def _verb_in(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return where the word of the match stands that tells the deed: its last one, or its first, whichever looks like one."""
    words = list(_WORD.finditer(text, *span))
    if not words:
        return span
    for word in (words[-1], words[0]):
        if word[0].lower() in english().classes or word[0].lower().endswith("ed"):
            return word.span()
    return words[-1].span()


def _without_own_words(text: str, span: tuple[int, int], verb: tuple[int, int], spelled: set[str]) -> str:
    """Return ``text`` with the words blanked that the pattern itself spells out, the verb apart; of the same length."""
    parts = [text[: span[0]]]
    end = span[0]
    for word in _WORD.finditer(text, *span):
        is_own = word.span() != verb and word[0].lower() in spelled
        parts += [text[end : word.start()], "x" * len(word[0]) if is_own else word[0]]
        end = word.end()
    return "".join([*parts, text[end:]])


def _is_left_open(low: str, start: int, end: int, ending: str, written: str) -> bool:
    before, vocabulary = low[:start], english()
    if _TO_DO.search(before) and not (_HAVE_DONE.search(before) or _MANAGED.search(before)):
        return True
    if names_doer(written[end:]) or _is_by_others(low, end, vocabulary):
        return True
    words: list[str] = []
    index = 0
    for token in _TOKEN.finditer(low):
        if token.start() <= start < token.end():
            index = len(words)
        words.append(token[0])
    distinct = set(words)
    clauses = ClauseCuts(vocabulary).clauses(words, distinct)
    clause = next((pair for pair in clauses if index < pair[1]), clauses[-1])
    reading = VerbReading(Words(words, distinct, ending), index, clause, "")
    reading.frame, reading.tense = (
        "phrase",
        "present" if words[max(0, index - 1)] in ("is", "are", "gets", "get") else "past",
    )
    if words[max(clause[0], index - 1)] in vocabulary.sets.persons:
        reading.frame = "active"
    return is_unreal(reading, vocabulary) or _was_already(reading, vocabulary)


def _is_by_others(low: str, end: int, vocabulary: English) -> bool:
    found = _BY_OTHERS.match(low, end)
    if found is None or found["who"].endswith("ing"):
        return False
    words = found[0][found[0].rfind("by ") :].replace("-", " ").split()[1:]
    return not (vocabulary.sets.others | _DOERS).isdisjoint(words)


def _was_already(reading: VerbReading, vocabulary: English) -> bool:
    """True for "was already filed", which tells how it stood."""
    near = reading.words[reading.begin : reading.index]
    return near[-1:] == ["already"] and (vocabulary.sets.persons | vocabulary.sets.persons_have).isdisjoint(near)
