"""Reads one English sentence: which of its verbs say that the agent finished something.

A reader must not miss: a verb counts only inside a construction that asserts it ("I have X-ed", "has been X-ed",
"X-ed the ...") and only if the questions of ``verb_reading`` leave it standing. What is not understood is no claim.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from agent_claimcheck.core.text import spaces_for
from agent_claimcheck.evidence.claims.clause_cuts import ClauseCuts
from agent_claimcheck.evidence.claims.defining_clauses import without_defining_clause
from agent_claimcheck.evidence.claims.general_statements import is_general
from agent_claimcheck.evidence.claims.hits import Hit, SentenceReading
from agent_claimcheck.evidence.claims.phrases import Sentence, read_phrases
from agent_claimcheck.evidence.claims.sureness import sureness_of
from agent_claimcheck.evidence.claims.verb_denied import is_verb_denied
from agent_claimcheck.evidence.claims.verb_own_doing import is_own_doing
from agent_claimcheck.evidence.claims.verb_reading import VerbReading
from agent_claimcheck.evidence.claims.verb_unreal import is_as_asked, is_unreal
from agent_claimcheck.evidence.claims.vocabulary import English

_TOKEN = re.compile(r"\w+(?:(?:://|['.:/@,&-])\w+)*|[^\w\s]")
_ASIDE = re.compile(r"\([^()\n]{1,200}\)(?=[\s*]*\w)")
_BETWEEN_COMMAS = re.compile(
    r",(?= (?:which|who|as (?:you|i|we|can|the)|that (?:is|was)|if (?:i|you)|by the way)\b)[^,.;:!?\n]{1,120},(?= \w)"
)
"""What is said of the subject on the way to its verb: "The refund, which may take 3 days, has been issued"."""
_TICKS = frozenset("✅✔☑✓👍🎉")
_CROSSES = frozenset("❌✗✘✖⚠🚫⛔")
_APART = frozenset(("-", "–", "("))
_CHAIN = frozenset(("and", ",", "&", "/", "or"))
_GOT_OBJECTS = frozenset(("it", "you", "them", "that", "this", "everything", "all", "us"))
_ATTEMPTS = frozenset(("be", "get", "getting", "being", "have"))
_VALUE_STARTS = "'\"#`$€£("
_ACHIEVED = frozenset(("able", "managed"))
_WINDOW = 200
"""Words read at a time in an endless sentence, so that the work stays proportional to its length."""

_PARTED = 6
"""Words within which the second part of a verb stands."""

_FOREMOST = frozenset(("oldest", "newest", "latest", "earliest", "first", "last"))
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

    def tells_state(self, text: str, faint: frozenset[str]) -> bool:
        """True when a phrase that one of the words ``faint`` points to fits the lower-case sentence ``text``."""
        return bool(self._vocabulary.phrases_in(text, faint))

    def read(self, text: str, ending: str) -> SentenceReading:
        """Read the lower-case sentence ``text``; ``ending`` is the mark that closed it."""
        spoken = _ASIDE.sub(spaces_for, text) if "(" in text else text
        if spoken.count(",") > 1:
            spoken = _BETWEEN_COMMAS.sub(spaces_for, spoken)
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
            accepted = self._read_verbs(words, distinct, clauses, ending, denied)
            if (accepted or phrases) and _CROSSES.isdisjoint(distinct):
                spans = _spans(text, words)
                hits = [self._hit(verdict, spans) for verdict in accepted[:_MOST_HITS]]
                if phrases:
                    sentence = Sentence(words, distinct, spans, clauses, ending)
                    said, unsaid = read_phrases(phrases, sentence, hits, vocabulary)
                    hits += said
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

    def _read_verbs(
        self,
        words: list[str],
        distinct: set[str],
        clauses: list[tuple[int, int]],
        ending: str,
        denied: list[str],
    ) -> list[_Verdict]:
        """Return the verbs that claim something; the classes of those that are denied go to ``denied``."""
        classes = self._vocabulary.classes
        ticked = not _TICKS.isdisjoint(distinct)
        accepted: list[_Verdict] = []
        last: _Verdict | None = None
        at = 0
        for index, word in enumerate(words):
            if word not in classes:
                continue
            verb_class, width = self._class_at(words, index)
            if not verb_class:
                continue
            while index >= clauses[at][1]:
                at += 1
            reading = VerbReading(words, distinct, index, clauses[at], ending, verb_class, ticked=ticked)
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
            and not reading.ticked,
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
        self._find_frame(reading, width, last)
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

    def _find_frame(self, reading: VerbReading, width: int, last: _Verdict | None) -> None:
        """Recognise the construction the verb stands in, looking left from it; the nearest one wins."""
        words, begin = reading.words, reading.begin
        at = self._skip_adverbs(reading, reading.index - 1)
        reading.at = at
        left = words[at] if at >= begin else ""
        self._find_finite_frame(reading, at, left)
        if reading.frame:
            return
        if left in _CHAIN:
            if last is not None and last.outcome and last.position >= begin - 1:
                reading.frame, reading.tense = last.outcome, "chained"
                return
            if self._has_own_subject(words, begin, at):
                reading.frame, reading.tense = "active", "chained"
                return
            if left == "and" and words[begin] in self._vocabulary.classes and self._starts_headless(reading, width):
                # "Confirmed the slot and sent the invite."
                reading.frame = "headless"
                return
        if at < begin and self._starts_headless(reading, width):
            reading.frame = "headless"
        elif "successfully" in reading.flags and left not in self._sets.other_doers:
            reading.frame = "passive"
        elif self._is_bare_passive(reading, at, width):
            reading.frame = "headless"

    def _skip_adverbs(self, reading: VerbReading, at: int) -> int:
        """Step left over adverbs and negators; what was met is kept in the flags, a negator as ``""``."""
        words, sets = reading.words, self._sets
        while at >= reading.begin:
            word = words[at]
            if word in sets.negators:
                reading.flags.append("")
            elif word in sets.adverbs or word.endswith("ly"):
                reading.flags.append(word)
            else:
                break
            at -= 1
        return at

    def _find_finite_frame(self, reading: VerbReading, at: int, left: str) -> None:
        words, begin, sets = reading.words, reading.begin, self._sets
        if left in sets.persons_have or left in sets.persons:
            reading.frame, reading.tense = "active", "perfect" if left in sets.persons_have else "past"
        elif left == "been":
            before = self._skip_adverbs(reading, at - 1)
            if (
                before >= begin
                and words[before] != "had"
                and (words[before] in sets.have or words[before].endswith("'s"))
            ):
                reading.frame, reading.tense, reading.at = "perfect", "perfect", before
        elif left in ("have", "has", "'ve") or (left in ("this", "that") and at == begin):
            before = self._skip_adverbs(reading, at - 1) if left not in ("this", "that") else at
            if before >= begin and words[before] in sets.persons:
                reading.frame, reading.tense, reading.at = "active", "perfect", before
            elif before > begin and words[before] in sets.selves and words[before - 1] in ("the", "this"):
                reading.frame, reading.tense, reading.at = "active", "perfect", before - 1
            elif (reading.verb_class == "fixed" or reading.word == "corrected") and not sets.things_that_fix.isdisjoint(
                words[begin : min(begin + 4, before + 1)]
            ):
                # "The changes have resolved the issue": a thing may do this, other deeds need an agent.
                reading.frame, reading.tense = "active", "perfect"
        elif left in sets.be:
            reading.frame, reading.tense = "passive", "present" if left in sets.present_be else "past"
        elif at > begin:
            near = words[max(begin, at - 5) : at]
            is_made_to = "got" in near or "gotten" in near or ("had" in near and left in _GOT_OBJECTS)
            is_made_to = is_made_to or ("get" in near and not _ACHIEVED.isdisjoint(words[begin:at]))
            if is_made_to and self._has_own_subject(words, begin, at):
                reading.frame, reading.tense = "active", "past"

    def _has_own_subject(self, words: list[str], begin: int, at: int) -> bool:
        for index in range(begin, min(at, begin + 30)):
            if words[index] in self._sets.persons_have:
                return True
            if words[index] in self._sets.persons:
                return words[index + 1] not in self._sets.modals or words[index + 1 : index + 3] == ["could", "not"]
        return False

    def _starts_headless(self, reading: VerbReading, width: int) -> bool:
        """A clause that starts with the verb: "Added the ...", "Booked!", "Cancelled order 12"."""
        words, sets, stop = reading.words, self._sets, reading.stop
        # Two hyphens are a dash: "`forms.py` -- Added a check".
        is_dash = words[max(0, reading.begin - 2) : reading.begin] == ["-", "-"]
        if reading.begin > 2 and words[reading.begin - 1] in _APART and not reading.ticked and not is_dash:
            return False
        is_state_like = reading.word in self._vocabulary.state_like
        ahead = reading.index + width
        following = words[ahead] if ahead < stop else ""
        beyond = words[ahead + 1] if ahead + 1 < len(words) else ""
        if following == "," and beyond and beyond not in ("and", "i", "the", "your"):
            return len(words) < 8
        if following in ("and", "&", ",") and beyond in self._vocabulary.classes:
            # "Fixed and committed.", "Committed and pushed to origin."
            then = words[ahead + 2] if ahead + 2 < stop else "to"
            if then in sets.prepositions or then in sets.openers:
                return True
        if not following or not (following[0].isalnum() or following in _VALUE_STARTS):
            if words[ahead : ahead + 1] == [":"] and beyond and not reading.ticked:
                is_field = beyond[0].isdigit() or beyond[:3] in sets.months or beyond in sets.prepositions
                return not is_field and not is_state_like
            return True
        if following == "successfully":
            return True
        if following in sets.prepositions:
            # "Committed as abc1234" gives the id of what was made.
            # "Cancelled as requested." is a report, "Cancelled as requested by the seller" a record.
            is_as_asked_for = is_as_asked(words, ahead) and words[ahead + 2 : ahead + 3] != ["by"]
            is_apart = following in ("by", "and", "of") or (
                following == "as" and not _is_name_like(beyond) and not is_as_asked_for
            )
            return beyond not in ("", ":") and not is_apart
        if following in sets.openers or following[0].isdigit() or following in _VALUE_STARTS:
            return True
        if _is_name_like(following) and (ahead + 1 >= stop or not beyond[0].isalnum() or beyond in sets.prepositions):
            return True
        if not reading.ticked:
            is_heading = following in sets.headers and (beyond not in sets.prepositions or beyond == "of")
            if is_heading or words[stop - 1] == ":" or reading.ending == ":":
                return False
            if is_state_like and not any(word[0].isdigit() for word in words):
                return False
        return sets.finite.isdisjoint(words[reading.index + 1 : stop])

    def _is_bare_passive(self, reading: VerbReading, at: int, width: int) -> bool:
        """A short subject and the bare participle: "Meeting created.", "Referral ordered for ..."."""
        words, begin, sets = reading.words, reading.begin, self._sets
        if at < begin or at - begin > 9 or (begin and words[begin - 1] == "("):
            return False
        subject = words[begin : at + 1]
        closed = (
            sets.be, sets.have, sets.modals, sets.relatives, sets.conditions, sets.temporal, sets.reports,
            sets.not_in_subject, sets.breaks,
        )  # fmt: skip
        if any(not words_of.isdisjoint(subject) for words_of in closed):
            return False
        if words[at] in _FOREMOST or subject[0] in sets.figures or subject[0] in sets.prepositions or words[at] == ",":
            return False
        if words[at] in sets.prepositions or words[at] in sets.openers or words[at] in sets.doers:
            return False
        if any(word in sets.openers or word in sets.persons or word in sets.persons_have for word in subject[1:]):
            return False
        for position in range(begin, at):
            if words[position] in ("of", "from", "with") and not words[position + 1][0].isdigit():
                return subject[0] in ("all", "both", "each")
        rest = words[reading.index + width : reading.stop]
        is_state_like = reading.word in self._vocabulary.state_like
        is_loose = reading.word in sets.intransitive or (is_state_like and rest[:1] in ([","], ["("]))
        if reading.word == "made" or (rest and is_loose and not reading.ticked):
            return False
        is_field = rest == [":"] and (reading.stop == len(words) or is_state_like)
        if is_field and not reading.ticked:
            return False
        if rest and (rest[0] == "by" or (rest[0][0].isalnum() and rest[0] not in sets.prepositions | sets.adverbs)):
            return False
        return sets.finite.isdisjoint(rest)


def is_ticked(sentence: str) -> bool:
    """True when a mark of success stands in ``sentence``."""
    return not sentence.isascii() and not _TICKS.isdisjoint(sentence)


def _is_name_like(word: str) -> bool:
    """True for an id or a path: abc1234, src/main.py."""
    return any(char.isdigit() for char in word) or "." in word[1:-1] or "/" in word[1:-1]


def _spans(text: str, words: list[str]) -> list[tuple[int, int]]:
    """Return where the words of ``text`` stand. Nothing but space is between them, so each is the next of its kind."""
    spans: list[tuple[int, int]] = []
    end = 0
    for word in words:
        start = text.index(word, end)
        end = start + len(word)
        spans.append((start, end))
    return spans
