"""Invented people and companies, built of syllables so that nobody real is named.

A reader must not miss: train and test draw from pools that share no entry, so a detector cannot learn a name.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.lab.dataset.streams import Stream

Split = Literal["train", "test"]
SPLITS: tuple[Split, Split] = ("train", "test")

N_PEOPLE = 45
N_COMPANIES = 30

_ONSETS = [
    "b",
    "br",
    "c",
    "d",
    "dr",
    "f",
    "g",
    "gl",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "pr",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "w",
    "y",
    "z",
]
_VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "ou"]
_CODAS = ["", "", "", "l", "n", "r", "s", "th", "m"]

# Syllables that would make an ugly word in some language; a name that holds one is drawn again.
_BLOCKED = ("ass", "bast", "cac", "cul", "dam", "dea", "die", "fag", "fuc", "fuk", "gay", "hit", "kak", "kil", "nig",
            "pen", "pis", "pus", "put", "rap", "sex", "shi", "slu", "sui", "tit", "tur", "vag", "wan", "whor")  # fmt: skip


class Person(Struct, frozen=True):
    """An invented person and the company they work for."""

    first: str
    last: str
    company: str

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first} {self.last}"

    @property
    def email(self) -> str:
        """An address under a domain that never resolves."""
        return f"{self.first}.{self.last}@{self.company.replace(' ', '-')}.example.test".lower()


class Pools(Struct, frozen=True):
    """What one split may mention. ``words`` holds lists such as titles and files by name."""

    people: list[tuple[str, str]]
    companies: list[str]
    words: dict[str, list[Any]]

    def person(self, stream: Stream) -> Person:
        """Draw a person of some company."""
        first, last = stream.choose(self.people)
        return Person(first, last, stream.choose(self.companies))


def make_name(stream: Stream) -> str:
    """Return an invented capitalised name of two syllables that holds none that is blocked."""
    while True:
        parts = [stream.choose(_ONSETS) + stream.choose(_VOWELS) + stream.choose(_CODAS) for _ in range(2)]
        name = "".join(parts)
        if 3 < len(name) < 10 and not any(word in name for word in _BLOCKED):
            return name.capitalize()


def make_pools(seed: int, words: dict[str, list[Any]], endings: list[str]) -> dict[Split, Pools]:
    """Return the pools of both splits: two thirds of every list for train, one third for test, nothing shared.

    ``words`` are the lists to divide; ``endings`` are second words of company names, which both splits may use.
    """
    stream = Stream(seed, "pools")
    stems = _distinct(stream.sub("names"), 2 * N_PEOPLE + N_COMPANIES)
    people = list(zip(stems[:N_PEOPLE], stems[N_PEOPLE : 2 * N_PEOPLE], strict=True))
    companies = [f"{stem} {stream.choose(endings)}" for stem in stems[2 * N_PEOPLE :]]
    shuffled = {key: stream.sub(key).shuffled(entries) for key, entries in words.items()}
    return {
        split: Pools(
            people=divide(people, split),
            companies=divide(companies, split),
            words={key: divide(entries, split) for key, entries in shuffled.items()},
        )
        for split in SPLITS
    }


def divide(entries: list[Any], split: Split) -> list[Any]:
    """Return the first two thirds of ``entries`` (rounded) for train, the rest for test."""
    cut = round(len(entries) * 2 / 3)
    return entries[:cut] if split == "train" else entries[cut:]


def _distinct(stream: Stream, n: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < n:
        found[make_name(stream)] = None
    return list(found)


@cache
def load_words(name: str) -> dict[str, Any]:
    """Return the word list ``name`` that lies beside the generator."""
    from pathlib import Path

    import yaml

    loaded: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "words" / f"{name}.yaml").read_bytes())
    return loaded
