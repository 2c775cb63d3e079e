"""The English vocabulary: verbs by class, fixed phrases and the closed word classes of the grammar.

A reader must not miss: it is read from ``languages/en.txt`` once, on first use, and most phrases are never compiled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from functools import lru_cache

from msgspec import Struct, convert

from agent_claimcheck.core.computed import computed
from agent_claimcheck.evidence.claims.language_files import classed_forms, read_language


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


@lru_cache(maxsize=1)
def english() -> English:
    """Return the English word sets."""
    sections = read_language("en")
    classes, two_words, state_like = _read_verbs(sections["verbs"])
    particles: dict[str, dict[str, str]] = {}
    for (first, second), verb_class in two_words.items():
        if not classes[first]:
            particles.setdefault(first, {})[second] = verb_class
    phrases = tuple(_phrase(line) for line in (*sections["phrases"], *sections["state_phrases"]))
    states = phrases[len(sections["phrases"]) :]
    phrase_triggers = frozenset(word for phrase in phrases for word in phrase.triggers)
    nouns = {noun: verb_class for verb_class, forms in classed_forms(sections["nouns"]) for noun in forms}
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


def _read_verbs(lines: list[str]) -> tuple[dict[str, str], dict[tuple[str, str], str], set[str]]:
    """Return the classes of single words and of pairs of words, and the words that also describe how things stand."""
    classes: dict[str, str] = {}
    two_words: dict[tuple[str, str], str] = {}
    state_like: set[str] = set()
    for verb_class, forms in classed_forms(lines):
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
    return classes, two_words, state_like


def _phrase(line: str) -> Phrase:
    verb_class, triggers, pattern = (part.strip() for part in line.split(" | ", 2))
    is_sure, negates = "~" not in verb_class, "!" in verb_class
    return Phrase(verb_class.rstrip("~!"), frozenset(triggers.split()), pattern, is_sure, negates)
