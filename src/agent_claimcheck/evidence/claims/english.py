"""Reads one English sentence: which of its verbs say that the agent finished something.

A reader must not miss: a verb counts only inside a construction that asserts it ("I have X-ed", "has been X-ed",
"X-ed the ...") and only if the questions of ``verb_reading`` leave it standing. What is not understood is no claim.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.text import spaces_for
from agent_claimcheck.evidence.claims.clause_cuts import ClauseCuts
from agent_claimcheck.evidence.claims.defining_clauses import without_defining_clause
from agent_claimcheck.evidence.claims.general_statements import is_general
from agent_claimcheck.evidence.claims.hits import Hit, SentenceReading
from agent_claimcheck.evidence.claims.phrases import Sentence, read_phrases
from agent_claimcheck.evidence.claims.sureness import sureness_of
from agent_claimcheck.evidence.claims.verb_denied import is_verb_denied
from agent_claimcheck.evidence.claims.verb_frames import VerbFrames
from agent_claimcheck.evidence.claims.verb_own_doing import is_own_doing
from agent_claimcheck.evidence.claims.verb_reading import VerbReading, Words
from agent_claimcheck.evidence.claims.verb_unreal import is_unreal
from agent_claimcheck.evidence.claims.vocabulary import English

_TOKEN = re.compile(r"\w+(?:(?:://|['.:/@,&-])\w+)*|[^\w\s]")
_ASIDE = re.compile(r"\([^()\n]{1,200}\)(?=[\s*]*\w)")
_BETWEEN_COMMAS = re.compile(
    r",(?= (?:which|who|as (?:you|i|we|can|the)|that (?:is|was)|if (?:i|you)|by the way)\b)[^,.;:!?\n]{1,120},(?= \w)"
)
"""What is said of the subject on the way to its verb: "The refund, which may take 3 days, has been issued"."""
_VALUE = late_pattern(
    r"\b(?:marked|flagged|labell?ed|tagged|set|changed|switched|moved)(?: \S+){0,3}? (?:as|to) "
    r"(?P<value>failed|failing|rejected|refused|unsuccessful|never|not [a-z]+|no[ -](?!avail)[a-z]+)\b"
)
"""A state that something was put in, and that denies nothing: "job 9 is marked as failed"."""
_VALUE_WORDS = ("fail", "reject", "refus", "unsuccessful", " never", " not ", " no ", " no-")
_TICKS = frozenset("✅✔☑✓👍🎉")
_CROSSES = frozenset("❌✗✘✖⚠🚫⛔")
_ATTEMPTS = frozenset(("be", "get", "getting", "being", "have"))
_WINDOW = 200
"""Words read at a time in an endless sentence, so that the work stays proportional to its length."""

_PARTED = 6
"""Words within which the second part of a verb stands."""

_MOST_HITS = 60
"""Claims read in one sentence; beyond that it repeats itself."""


class _Verdict(NamedTuple):
    position: int
    reading: VerbReading
    outcome: str
    width: int


class SentenceGrammar:
    """The grammar over one vocabulary. Holds no state between sentences."""

    def __init__(self, vocabulary: English) -> None:
        self._vocabulary = vocabulary
        self._sets = vocabulary.sets
        self._cuts = ClauseCuts(vocabulary)
        self._frames = VerbFrames(vocabulary)

    def tells_state(self, text: str, faint: frozenset[str]) -> bool:
        """True when a phrase that one of the words ``faint`` points to fits the lower-case sentence ``text``."""
        return bool(self._vocabulary.phrases_in(text, faint))

    def read(self, text: str, ending: str) -> SentenceReading:
        """Read the lower-case sentence ``text``; ``ending`` is the mark that closed it."""
        spoken = _ASIDE.sub(spaces_for, text) if "(" in text else text
        if spoken.count(",") > 1:
            spoken = _BETWEEN_COMMAS.sub(spaces_for, spoken)
        if _may_name_a_value(spoken):
            spoken = _VALUE.sub(_masked_value, spoken)
        if " been " in spoken:
            spoken = without_defining_clause(spoken, self._vocabulary)
        words = _TOKEN.findall(spoken)
        if len(words) <= 2 * _WINDOW:
            return self._read_words(spoken, words, ending)
        hits: list[Hit] = []
        denied: list[str] = []
        starts = [match.start() for match in _TOKEN.finditer(spoken)]
        for first in range(0, len(words), _WINDOW):
            if len(hits) >= _MOST_HITS:
                break
            base = starts[first]
            stop = starts[first + _WINDOW] if first + _WINDOW < len(starts) else len(spoken)
            part = self._read_words(spoken[base:stop], words[first : first + _WINDOW], ending)
            for hit in part.hits:
                clause = (hit.clause[0] + base, hit.clause[1] + base)
                hits.append(hit._replace(start=hit.start + base, end=hit.end + base, clause=clause))
            denied.extend(part.denied[:3])
        return SentenceReading(hits, denied[:_MOST_HITS])

    def _read_words(self, text: str, words: list[str], ending: str) -> SentenceReading:
        vocabulary = self._vocabulary
        distinct = set(words)
        triggers = vocabulary.phrase_triggers & distinct
        phrases = vocabulary.phrases_in(text, triggers) if triggers else ()
        denied: list[str] = []
        hits: list[Hit] = []
        if phrases or not vocabulary.verbs.isdisjoint(distinct):
            clauses = self._cuts.clauses(words, distinct)
            said = Words(words, distinct, ending)
            accepted = self._read_verbs(said, clauses, denied)
            if (accepted or phrases) and _CROSSES.isdisjoint(distinct):
                spans = _spans(text, words)
                hits = [self._hit(verdict, spans) for verdict in accepted[:_MOST_HITS]]
                if phrases:
                    more, unsaid = read_phrases(phrases, Sentence(said, spans, clauses), hits, vocabulary)
                    hits += more
                    denied += unsaid
        if not hits and not denied and not self._sets.negators.isdisjoint(distinct) and self._denies(words):
            if not self._sets.failures.isdisjoint(distinct):
                denied.extend(vocabulary.nouns[word] for word in words if word in vocabulary.nouns)
            denied.append("")
        return SentenceReading(hits, denied)

    def _denies(self, words: list[str]) -> bool:
        """False where every negator only spares a worry: "without a fee"."""
        sets = self._sets
        for index, word in enumerate(words):
            if word in sets.negators:
                following = [other for other in words[index + 1 : index + 3] if other not in sets.articles]
                if not following or following[0] not in sets.spared_negations | sets.spared_costs:
                    return True
        return False

    def _read_verbs(self, said: Words, clauses: list[tuple[int, int]], denied: list[str]) -> list[_Verdict]:
        """Return the verbs that claim something; the classes of those that are denied go to ``denied``."""
        classes = self._vocabulary.classes
        has_tick = not _TICKS.isdisjoint(said.distinct)
        accepted: list[_Verdict] = []
        last: _Verdict | None = None
        at = 0
        for index, word in enumerate(said.words):
            if word not in classes:
                continue
            verb_class, width = self._class_at(said.words, index)
            if not verb_class:
                continue
            while index >= clauses[at][1]:
                at += 1
            reading = VerbReading(said, index, clauses[at], verb_class, is_ticked=has_tick)
            last = _Verdict(index, reading, self._judge(reading, width, last), width)
            if last.outcome == "denied":
                denied.append(verb_class)
            elif last.outcome:
                accepted.append(last)
        return accepted

    def _hit(self, verdict: _Verdict, spans: list[tuple[int, int]]) -> Hit:
        reading = verdict.reading
        confidence = sureness_of(reading, self._vocabulary)
        return Hit(
            reading.verb_class,
            spans[verdict.position][0],
            spans[verdict.position + verdict.width - 1][1],
            verdict.outcome,
            confidence,
            (spans[reading.begin][0], spans[reading.stop - 1][1]),
            is_weak=verdict.outcome == "headless"
            and reading.word in self._vocabulary.state_like
            and reading.index + 1 == reading.stop
            and not reading.is_ticked,
        )

    def _class_at(self, words: list[str], index: int) -> tuple[str, int]:
        """Return the class of a verb form and of how many words it consists."""
        if index + 1 < len(words):
            joined = self._vocabulary.two_words.get((words[index], words[index + 1]))
            if joined:
                return joined, 2
        verb_class = self._vocabulary.classes[words[index]]
        return verb_class or self._class_of_parted(words, index), 1

    def _class_of_parted(self, words: list[str], index: int) -> str:
        """ "Rolled the release back": the second word stands behind a short object."""
        particles = self._vocabulary.particles.get(words[index])
        if particles is not None:
            for word in words[index + 1 : index + 1 + _PARTED]:
                if word in particles:
                    return particles[word]
                if word in self._sets.prepositions or word in self._sets.finite or not word[0].isalnum():
                    break
        return ""

    def _judge(self, reading: VerbReading, width: int, last: _Verdict | None) -> str:
        """Return the construction of an accepted verb, ``denied``, or ``""`` for no claim."""
        chain = last.outcome if last is not None and last.position >= reading.begin - 1 else ""
        self._frames.find(reading, width, chain)
        if reading.frame == "denied":
            return "denied"
        if not reading.frame:
            is_negated = "" in reading.flags and reading.at >= reading.begin
            return "denied" if is_negated or self._is_failed_attempt(reading) else ""
        if "" in reading.flags or is_verb_denied(reading, self._vocabulary):
            return "" if self._is_only_supposed(reading) else "denied"
        if reading.verb_class == "booked" and "fully" in reading.flags:
            return ""  # "The class is fully booked" tells that there is no place left.
        vocabulary = self._vocabulary
        if is_unreal(reading, vocabulary) or not is_own_doing(reading, vocabulary):
            return ""
        if reading.frame != "active" and is_general(reading, vocabulary):
            return ""
        return reading.frame

    def _is_only_supposed(self, reading: VerbReading) -> bool:
        """ "If it was not cancelled", "to ensure no errors were introduced": nobody says that it was not."""
        words = reading.words
        return words[0] == "if" or not self._sets.checks.isdisjoint(words[reading.begin : reading.index])

    def _is_failed_attempt(self, reading: VerbReading) -> bool:
        """ "could not be booked", "unable to get it fixed"."""
        before = reading.words[max(reading.begin, reading.index - 4) : reading.index]
        if _ATTEMPTS.isdisjoint(before):
            return False
        return not self._sets.negators.isdisjoint(reading.words[reading.begin : reading.index])


def is_ticked(sentence: str) -> bool:
    """True when a mark of success stands in ``sentence``."""
    return not sentence.isascii() and not _TICKS.isdisjoint(sentence)


def _may_name_a_value(text: str) -> bool:
    """Return False where ``_VALUE`` surely finds nothing: in most sentences, at a small part of its price."""
    if " as " not in text and " to " not in text:
        return False
    for word in _VALUE_WORDS:  # noqa: SIM110 - a generator for ``any`` costs more than the whole look
        if word in text:
            return True
    return False


def _masked_value(found: re.Match[str]) -> str:
    kept = found.start("value") - found.start()
    return found[0][:kept] + "x" * (len(found[0]) - kept)


def _spans(text: str, words: list[str]) -> list[tuple[int, int]]:
    """Return where the words of ``text`` stand. Nothing but space is between them, so each is the next of its kind."""
    spans: list[tuple[int, int]] = []
    end = 0
    for word in words:
        start = text.index(word, end)
        end = start + len(word)
        spans.append((start, end))
    return spans
