"""Loads the language files: the words and patterns by which each language says that something was done.

A reader must not miss: one file in ``languages/`` is one language, and a file is read and compiled once, on first use.
A file has ``[sections]``; a verb line is ``class: form form``, where a trailing ``~`` marks a form that also describes
how things stand and ``_`` joins two words. In the other languages a form is a stem, and ``=`` marks a whole word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, convert

from agent_claimcheck.core.computed import computed
from agent_claimcheck.core.late_pattern import late_pattern

_FOLDER = Path(__file__).parent / "languages"
_SECTION = late_pattern(r"^\[(\w+)\]$")
_NAMED_FRAME = late_pattern(r"([a-z_]+): ")


class Phrase(Struct, frozen=True, dict=True):
    """A fixed way of saying it: its class, the words that must occur, and the pattern whose group ``v`` is the claim.

    ``is_sure`` is false for words that may as well tell how things stand. ``negates`` is true where the claim itself is
    a negation ("your order is no more").
    """

    verb_class: str
    triggers: frozenset[str]
    source: str
    is_sure: bool = True
    negates: bool = False

    @computed
    def pattern(self) -> re.Pattern[str]:
        """The pattern; few of all phrases ever have to be compiled."""
        return re.compile(self.source)


class WordSets(Struct, frozen=True, forbid_unknown_fields=True):
    """The closed word classes of the English grammar, one field per section of its file."""

    adverbs: frozenset[str]
    be: frozenset[str]
    present_be: frozenset[str]
    have: frozenset[str]
    persons: frozenset[str]
    selves: frozenset[str]
    persons_have: frozenset[str]
    negators: frozenset[str]
    failures: frozenset[str]
    spared_negations: frozenset[str]
    spared_costs: frozenset[str]
    modals: frozenset[str]
    commitments: frozenset[str]
    announcing: frozenset[str]
    checks: frozenset[str]
    conditions: frozenset[str]
    conditions_after: frozenset[str]
    temporal: frozenset[str]
    causal: frozenset[str]
    relatives: frozenset[str]
    reports: frozenset[str]
    reports_of_own: frozenset[str]
    articles: frozenset[str]
    noun_like: frozenset[str]
    hedges: frozenset[str]
    past_markers: frozenset[str]
    breaks: frozenset[str]
    concluding: frozenset[str]
    subjects: frozenset[str]
    own_subjects: frozenset[str]
    question_openers: frozenset[str]
    question_tails: frozenset[str]
    finite: frozenset[str]
    prepositions: frozenset[str]
    openers: frozenset[str]
    not_in_subject: frozenset[str]
    things_that_fix: frozenset[str]
    handed_over: frozenset[str]
    handover_to: frozenset[str]
    made_objects: frozenset[str]
    opened_objects: frozenset[str]
    findings: frozenset[str]
    embedding: frozenset[str]
    confirmable: frozenset[str]
    present_claims: frozenset[str]
    states: frozenset[str]
    soft_news: frozenset[str]
    headless_states: frozenset[str]
    like_imperatives: frozenset[str]
    processed_news: frozenset[str]
    others: frozenset[str]
    other_doers: frozenset[str]
    doers: frozenset[str]
    intransitive: frozenset[str]
    figures: frozenset[str]
    months: frozenset[str]
    headers: frozenset[str]
    side_effects: frozenset[str]
    not_names: frozenset[str]
    shell_tools: frozenset[str]
    sure_shell_tools: frozenset[str]
    editors: frozenset[str]
    function: frozenset[str]


class English(Struct, frozen=True):
    """The English vocabulary. All words are lower case; a class of ``""`` marks a word that needs its second word."""

    classes: dict[str, str]
    state_like: frozenset[str]
    two_words: dict[tuple[str, str], str]
    particles: dict[str, dict[str, str]]
    """The second words of the first ones that are no verb by themselves: "rolled" to "back", for "rolled it back"."""
    phrases: tuple[Phrase, ...]
    phrases_by_trigger: dict[str, tuple[int, ...]]
    phrase_triggers: frozenset[str]
    verbs: frozenset[str]
    triggers: frozenset[str]
    faint_triggers: frozenset[str]
    """Words that only point to a state."""
    nouns: dict[str, str]
    sets: WordSets
    unsettling: frozenset[str]
    """Words that may leave open whether something happened: most sentences hold none."""

    def phrases_in(self, text: str, triggers: Set[str]) -> list[tuple[Phrase, re.Match[str]]]:
        """Return the phrases with one of ``triggers`` that fit ``text``, and where, in the order of the file."""
        if len(triggers) == 1:
            numbers: Iterable[int] = self.phrases_by_trigger[next(iter(triggers))]
        else:
            numbers = sorted({number for word in triggers for number in self.phrases_by_trigger[word]})
        found = []
        for number in numbers:
            phrase = self.phrases[number]
            match = phrase.pattern.search(text)
            if match is not None:
                found.append((phrase, match))
        return found


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
        self._sections = _read(code)
        self.script = _setting(self._sections, "script")
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


@lru_cache(maxsize=1)
def english() -> English:
    """Return the English word sets."""
    sections = _read("en")
    classes: dict[str, str] = {}
    state_like: set[str] = set()
    two_words: dict[tuple[str, str], str] = {}
    for verb_class, forms in _verbs(sections["verbs"]):
        for form in forms:
            word = form.rstrip("~")
            if "_" in word:
                first, second = word.split("_")
                two_words[first, second] = verb_class
                classes.setdefault(first, "")
                continue
            classes[word] = verb_class
            if form.endswith("~"):
                state_like.add(word)
    particles: dict[str, dict[str, str]] = {}
    for (first, second), verb_class in two_words.items():
        if not classes[first]:
            particles.setdefault(first, {})[second] = verb_class
    phrases = tuple(_phrase(line) for line in (*sections["phrases"], *sections["state_phrases"]))
    states = phrases[len(sections["phrases"]) :]
    phrase_triggers = frozenset(word for phrase in phrases for word in phrase.triggers)
    nouns = {noun: verb_class for verb_class, forms in _verbs(sections["nouns"]) for noun in forms}
    taken = ("language", "verbs", "phrases", "state_phrases", "nouns")
    triggers = frozenset(classes).union(*(phrase.triggers for phrase in phrases[: -len(states)]))
    sets = convert({name: " ".join(lines).split() for name, lines in sections.items() if name not in taken}, WordSets)
    return English(
        classes=classes,
        state_like=frozenset(state_like),
        two_words=two_words,
        particles=particles,
        phrases=phrases,
        phrases_by_trigger={
            word: tuple(number for number, phrase in enumerate(phrases) if word in phrase.triggers)
            for word in phrase_triggers
        },
        phrase_triggers=phrase_triggers,
        verbs=frozenset(classes),
        triggers=triggers,
        faint_triggers=phrase_triggers - triggers,
        nouns=nouns,
        sets=sets,
        unsettling=sets.modals | sets.temporal | sets.causal | sets.reports,
    )


@lru_cache(maxsize=1)
def other_languages() -> tuple[str, ...]:
    """Return the codes of all languages read by frames: every file in ``languages/`` but the English one."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.txt") if path.stem != "en"))


@lru_cache(maxsize=1)
def function_words() -> dict[str, dict[str, frozenset[str]]]:
    """Return, per script and language code, the small words by which a language is recognised."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for code in ("en", *other_languages()):
        sections = _read(code)
        lines = sections.get("function", [])
        if code == "en":
            # All of the English grammar's words are known words; only the other languages list theirs apart.
            lines = [
                line
                for name, part in sections.items()
                if name not in ("language", "phrases", "state_phrases")
                for line in part
            ]
        words = frozenset(word.strip(":~") for word in " ".join(lines).lower().split())
        found.setdefault(_setting(sections, "script"), {})[code] = words
    return found


@lru_cache(maxsize=64)
def frames(code: str) -> Frames:
    """Return the frames of one language."""
    return Frames(code)


def _verb_forms(sections: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(form.replace("_", " "), verb_class) for verb_class, forms in _verbs(sections["verbs"]) for form in forms]


def _verb_pattern(sections: dict[str, list[str]]) -> tuple[str, str]:
    """Return the pattern of the stems, and that of every verb form, which has endings where words have spaces between."""
    forms = {form for form, _ in _verb_forms(sections)}
    stems = _trie(sorted(form for form in forms if not form.endswith("=")))
    if _setting(sections, "script") not in ("latin", "cyrillic"):
        return stems, f"(?P<v>{stems})"
    inflected = stems + _setting(sections, "ending", r"\w*")
    whole = sorted(form.rstrip("=") for form in forms if form.endswith("="))
    if whole:
        inflected = rf"(?:{inflected}|{_trie(whole)}\b)"
    return stems, rf"\b(?P<v>{inflected})"


def _read(code: str) -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    current: list[str] = []
    for raw in (_FOLDER / f"{code}.txt").read_text(encoding="utf-8").splitlines():
        line = raw.strip()
        heading = _SECTION.match(line)
        if heading:
            current = sections.setdefault(heading[1], [])
        elif line and not line.startswith("#"):
            current.append(line)
    return sections


def _setting(sections: dict[str, list[str]], name: str, default: str = "") -> str:
    for line in sections["language"]:
        key, _, value = line.partition("=")
        if key.strip() == name:
            return value.strip()
    return default


def _verbs(lines: list[str]) -> list[tuple[str, list[str]]]:
    pairs = (line.partition(":") for line in lines)
    return [(name.strip(), forms.split()) for name, _, forms in pairs]


def _phrase(line: str) -> Phrase:
    verb_class, triggers, pattern = (part.strip() for part in line.split(" | ", 2))
    is_sure, negates = "~" not in verb_class, "!" in verb_class
    return Phrase(verb_class.rstrip("~!"), frozenset(triggers.split()), pattern, is_sure, negates)


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
