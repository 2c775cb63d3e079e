"""A language other than English as frames: patterns around the verb forms that its file lists.

A reader must not miss: every part of a language is compiled when it is first asked for, for most texts need one or two parts.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from agent_claimcheck.core.computed import computed
from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.language_files import Sections, classed_forms, read_language, setting

_NAMED_FRAME = late_pattern(r"([a-z_]+): ")


class Frame(NamedTuple):
    """One way of claiming: how sure it is, the pattern, and its class where the verb form does not tell it."""

    confidence: float
    pattern: re.Pattern[str]
    verb_class: str


class Frames:
    """A language read by frames: a claim is a frame that matches a clause in which no blocker matches.

    Every part is compiled when it is first asked for: most texts need one or two parts of a language, if any.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self._sections = read_language(code)
        self.script = setting(self._sections, "script")
        """``latin``, ``cyrillic``, ``kana``, ``han`` or ``hangul``."""

    @computed
    def frames(self) -> tuple[Frame, ...]:
        """All frames; group ``v`` holds the verb form, which ``classify`` maps to its class unless the frame names one."""
        return tuple(self._compiled(line) for line in self._sections["frames"])

    @computed
    def set_phrases(self) -> tuple[Frame, ...]:
        """The frames that may match where ``verb`` does not: those with words of their own in group ``v``."""
        return tuple(self._compiled(line) for line in self._sections["frames"] if "{v}" not in line)

    @computed
    def verb(self) -> re.Pattern[str]:
        """What matches any one verb form, wherever it stands."""
        return re.compile(self._verb_pattern[1])

    @computed
    def stems(self) -> dict[str, str]:
        """The stems of verb forms with their classes; of two classes of one stem the first counts."""
        stems = [(form.rstrip("="), verb_class) for form, verb_class in _verb_forms(self._sections)]
        return dict(reversed(stems))

    @computed
    def _longest_stem(self) -> int:
        return max(map(len, self.stems), default=0)

    @computed
    def blockers(self) -> re.Pattern[str]:
        """What keeps a frame from claiming."""
        return _union(self._sections.get("blockers", []))

    @computed
    def conditions(self) -> re.Pattern[str]:
        """ "If", "once": they block the rest of their sentence."""
        return _union(self._sections.get("conditions", []))

    @computed
    def records(self) -> re.Pattern[str]:
        """What makes a sentence tell of a record, a program or a habit: a claim beside it is unsure."""
        return _union(self._sections.get("records", []))

    @computed
    def be(self) -> re.Pattern[str]:
        """The present forms of "be", without a "now" behind them."""
        return _union(self._sections.get("be", []))

    @computed
    def dated(self) -> re.Pattern[str]:
        """A day on which something was, or is to be."""
        return _union(self._sections.get("dated", []))

    @computed
    def denials(self) -> re.Pattern[str]:
        """What turns a claim into its denial."""
        return _union(self._sections.get("denials", []))

    @computed
    def spared(self) -> re.Pattern[str]:
        """Negations that leave a deed alone: "without a fee", "the unused files", "because he no longer works here"."""
        return _union(self._sections.get("spared", []))

    @computed
    def by_others(self) -> re.Pattern[str]:
        """What tells the deed of somebody else, or that a place is taken: a claim beside it is unsure."""
        return re.compile(_union(self._sections.get("by_others", [])).pattern.replace("{s}", self._verb_pattern[0]))

    @computed
    def gone(self) -> re.Pattern[str]:
        """A change told as a negation: "is no longer on the list"."""
        return _union(self._sections.get("gone", []))

    @computed
    def trouble(self) -> re.Pattern[str]:
        """Words beside which a plain sentence may own up to a failure."""
        return _union(self._sections.get("trouble", []))

    @computed
    def exceptions(self) -> re.Pattern[str]:
        """What is left out of "everything", beside which a claim may own up to a failure."""
        return _union(self._sections.get("exceptions", []))

    @computed
    def polite(self) -> re.Pattern[str]:
        """How a question asks for a deed: "could you"."""
        return _union(self._sections.get("polite", []))

    @computed
    def to_know(self) -> re.Pattern[str]:
        """The words of a request that asks for words, and greetings."""
        return _union(self._sections.get("to_know", []))

    @computed
    def breaks(self) -> re.Pattern[str]:
        """Where a new clause begins."""
        return _union(self._sections.get("breaks", []))

    @property
    def joins_by_ending(self) -> bool:
        """True where what joins a verb to the next deed is its own ending: other verbs of the clause may be nouns."""
        return self.script in ("kana", "hangul")

    @computed
    def joints(self) -> re.Pattern[str]:
        """What joins two deeds of one clause: "and"."""
        return _union(self._sections.get("joints", []))

    @computed
    def deeds(self) -> tuple[re.Pattern[str], ...]:
        """What an "I have" claims with a verb nobody listed (group ``v``), unless it begins with one of ``no_deeds``."""
        return tuple(map(re.compile, self._sections.get("deeds", [])))

    @computed
    def no_deeds(self) -> tuple[str, ...]:
        """Stems of verbs of looking, thinking and trying."""
        return tuple(" ".join(self._sections.get("no_deeds", [])).split())

    def classify(self, form: str) -> str:
        """Return the class of a matched verb form; the longest stem that begins it decides."""
        for size in range(min(len(form), self._longest_stem), 0, -1):
            verb_class = self.stems.get(form[:size])
            if verb_class is not None:
                return verb_class
        return "completed"

    @computed
    def _verb_pattern(self) -> tuple[str, str]:
        return _verb_pattern(self._sections)

    def _compiled(self, line: str) -> Frame:
        stems, verb = self._verb_pattern
        confidence, pattern = line.split(None, 1)
        named = _NAMED_FRAME.match(pattern)
        if named is not None:
            pattern = pattern[named.end() :]
        compiled = re.compile(pattern.replace("{v}", verb).replace("{s}", stems))
        return Frame(float(confidence), compiled, named[1] if named else "")


@lru_cache(maxsize=64)
def frames(code: str) -> Frames:
    """Return the frames of one language."""
    return Frames(code)


def _verb_forms(sections: Sections) -> list[tuple[str, str]]:
    return [
        (form.replace("_", " "), verb_class) for verb_class, forms in classed_forms(sections["verbs"]) for form in forms
    ]


def _verb_pattern(sections: Sections) -> tuple[str, str]:
    """Return the pattern of the stems, and that of every verb form, which has endings where words have spaces between."""
    forms = {form for form, _ in _verb_forms(sections)}
    stems = _trie(sorted(form for form in forms if not form.endswith("=")))
    if setting(sections, "script") not in ("latin", "cyrillic"):
        return stems, f"(?P<v>{stems})"
    inflected = stems + setting(sections, "ending", r"\w*")
    whole = sorted(form.rstrip("=") for form in forms if form.endswith("="))
    if whole:
        inflected = rf"(?:{inflected}|{_trie(whole)}\b)"
    return stems, rf"\b(?P<v>{inflected})"


def _union(lines: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{line})" for line in lines) if lines else r"(?!)")


def _trie(words: list[str]) -> str:
    """Return one pattern for all ``words`` (sorted), sharing prefixes: failing costs a step or two, not one per word."""
    if len(words) == 1:
        return re.escape(words[0])
    branches: list[str] = []
    is_optional = words[0] == ""
    rest = words[1:] if is_optional else words
    while rest:
        first = rest[0][0]
        group = [word for word in rest if word[0] == first]
        rest = rest[len(group) :]
        branches.append(re.escape(first) + _trie([word[1:] for word in group]))
    joined = branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"
    return f"(?:{joined})?" if is_optional else joined
