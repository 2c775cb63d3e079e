"""The construction in which an English verb asserts something: "I have X-ed", "has been X-ed", "X-ed the ...".

A reader must not miss: it is looked for to the left of the verb, and the nearest one wins. A verb without one claims nothing.
"""

from __future__ import annotations

from agent_claimcheck.evidence.claims.verb_reading import VerbReading
from agent_claimcheck.evidence.claims.verb_unreal import is_as_asked
from agent_claimcheck.evidence.claims.vocabulary import English

_APART = frozenset(("-", "–", "("))
_CHAIN = frozenset(("and", ",", "&", "/", "or"))
_GOT_OBJECTS = frozenset(("it", "you", "them", "that", "this", "everything", "all", "us"))
_VALUE_STARTS = "'\"#`$€£("
_ACHIEVED = frozenset(("able", "managed"))
_FOREMOST = frozenset(("oldest", "newest", "latest", "earliest", "first", "last"))


class VerbFrames:
    """The constructions over one vocabulary. Holds no state between verbs."""

    def __init__(self, vocabulary: English) -> None:
        self._vocabulary = vocabulary
        self._sets = vocabulary.sets

    def find(self, reading: VerbReading, width: int, chain: str) -> None:
        """Write the frame of ``reading`` and what belongs to it into it: the nearest one to the left of the verb.

        The verb is ``width`` words wide. ``chain`` is what came of a verb just before its clause or in it, which "and" hands
        on: its frame, ``denied``, or ``""``.
        """
        words, begin = reading.words, reading.begin
        at = self._skip_adverbs(reading, reading.index - 1)
        reading.at = at
        left = words[at] if at >= begin else ""
        self._find_finite_frame(reading, at, left)
        if reading.frame:
            return
        if left in _CHAIN:
            if chain:
                reading.frame, reading.tense = chain, "chained"
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
        if reading.begin > 2 and words[reading.begin - 1] in _APART and not reading.is_ticked and not is_dash:
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
            if words[ahead : ahead + 1] == [":"] and beyond and not reading.is_ticked:
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
        if not reading.is_ticked:
            is_heading = following in sets.headers and (beyond not in sets.prepositions or beyond == "of")
            if is_heading or words[stop - 1] == ":" or reading.ending == ":":
                return False
            is_of_id = _is_name_like(beyond) and words[ahead + 2 : ahead + 3] and words[ahead + 2] in sets.prepositions
            if is_state_like and not is_of_id and not any(word[0].isdigit() for word in words):
                return False  # "Assigned engineer E-7 to the case" tells of a deed
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
        if reading.word == "made" or (rest and is_loose and not reading.is_ticked):
            return False
        is_field = rest == [":"] and (reading.stop == len(words) or is_state_like)
        if is_field and not reading.is_ticked:
            return False
        if rest and (rest[0] == "by" or (rest[0][0].isalnum() and rest[0] not in sets.prepositions | sets.adverbs)):
            return False
        return sets.finite.isdisjoint(rest)


def _is_name_like(word: str) -> bool:
    """True for an id or a path: abc1234, src/main.py."""
    return any(char.isdigit() for char in word) or "." in word[1:-1] or "/" in word[1:-1]
