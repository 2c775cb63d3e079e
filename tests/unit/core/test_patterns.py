"""User patterns: every script, no backtracking, no hanging."""

from __future__ import annotations

import pickle
import random
import re
import time

import pytest

from agent_claimcheck.core.errors import InputError, PatternError
from agent_claimcheck.core.patterns import MAX_MATCHES, Pattern, PatternSet, compile_user_pattern


@pytest.mark.parametrize(
    ("source", "text", "found"),
    [
        (r"\bgebucht\b", "Termin ist gebucht.", "gebucht"),
        (r"\bgebucht\b", "überschön ausgebucht", None),
        (r"\bаренда\b", "Ваша аренда оформлена", "аренда"),
        (r"\bаренда\b", "субаренда оформлена", None),
        (r"é", "café", "é"),
        (r"\bété\b", "un été.", "été"),
        (r"\bt\b", "été", None),
        (r"\w+", "naïve_x y", "naïve_x"),
        (r"\W+", "é, — ü", ", — "),
        (r"\d+", "x ٣٤ é", "٣٤"),
        (r"[\d-]+", "é २०-३", "२०-३"),
        (r"\D+", "٣é٤", "é"),
        (r"a\sb", "a\u00a0b", "a\u00a0b"),
        (r"\S+", "\u2003é", "é"),
        (r"\Bя\b", "моя", "я"),
        (r"[^\W_]+", "_é_", "é"),
        (r"[а-я]+", "xдом_", "дом"),
        (r"[^а-я_x]+", "дом é_", " é"),
        (r"\bBooked\b", "✅️Booked für é", "Booked"),
        (r"\p{Greek}+", "abc λόγος", "λόγος"),
        (r"\P{L}+", "é_1é", "_1"),
        (r"[\P{L}é]+", "éa_", "é"),
        (r"[[:punct:]]+", "é_!é", "_!"),
        (r"\Qa.b_é\E", "a.b_é", "a.b_é"),
        (r"\u00e9\x{301}?\x65", "ée", "ée"),
        (r"x\Z", "éx", "x"),
        (r"(?s)é.b", "é\nb", "é\nb"),
        (r"é.b", "é\nb", None),
        (r"(?m)^b$", "é\nb\n", "b"),
    ],
)
def test_patterns_know_every_script(source: str, text: str, found: str | None) -> None:
    match = compile_user_pattern(source).search(text)
    assert (match.group() if match else None) == found


def test_case_is_ignored_in_every_script_when_asked() -> None:
    pattern = compile_user_pattern(r"\bоплачено\b", ignore_case=True)
    assert pattern.search("ОПЛАЧЕНО!") is not None
    assert compile_user_pattern(r"\bоплачено\b").search("ОПЛАЧЕНО!") is None
    assert compile_user_pattern("kelvin", ignore_case=True).search("é \u212aelvin") is not None


def test_spans_are_character_offsets_and_groups_have_names() -> None:
    match = compile_user_pattern(r"\b(?P<what>стол) (\w+) (?P<n>\d+)\b").search("😀 ваш стол номер 12.")
    assert match is not None
    assert match.span() == (6, 19)
    assert match.groupdict() == {"what": "стол", "n": "12"}
    assert match.span("n") == (17, 19)
    with pytest.raises(IndexError):
        match.span("other")


def test_group_that_took_no_part_is_none() -> None:
    match = compile_user_pattern("a(?P<x>b)?").search("é a")
    assert match is not None
    assert match.group("x") is None
    assert match.span("x") == (-1, -1)


def test_finditer_walks_without_overlap() -> None:
    assert [m.span() for m in compile_user_pattern(r"\w+").finditer("é b_ñ c")] == [(0, 1), (2, 5), (6, 7)]
    assert [m.span() for m in compile_user_pattern("x*").finditer("éxé")] == [(0, 0), (1, 2), (2, 2), (3, 3)]


def test_empty_matches_never_fall_inside_a_character() -> None:
    assert [m.span() for m in compile_user_pattern(r"\B").finditer("a—😀")] == [(2, 2), (3, 3)]


def test_half_surrogates_in_a_text_do_no_harm() -> None:
    match = compile_user_pattern(r"\bok\b").search("\ud83d ok é")
    assert match is not None
    assert match.span() == (2, 4)


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("(?=a)", "lookahead"),
        ("(?!a)b", "lookahead"),
        ("(?<=a)b", "lookbehind"),
        ("(?<!a)b", "lookbehind"),
        (r"(a)\1", "backreference"),
        ("(?P<x>a)(?P=x)", "backreference"),
        ("(?>a+)", "atomic"),
        ("a++", "possessive"),
        ("(?(1)a|b)", "conditional"),
        ("(?#note)a", "comment"),
        ("(?x) a", "not known"),
        ("a{1001}", "1001"),
        ("(a{100}){100}", "repetitions"),
        (r"(\pL{0,200}\pL{0,200})", "too large"),
        (r"\p{Nope}", "Nope"),
        (r"\p{Common}", "Common"),
        (r"\h", "not known"),
        ("[a", "not closed"),
        ("[z-a]", "backwards"),
        ("[[:nope:]]", "nope"),
        (r"[\b]", "inside"),
        ("a\\", "backslash"),
        (r"\x{110000}", "names no character"),
        (r"\ud800", "names no character"),
        ("\ud800", "surrogate"),
        ("(?P<1x>a)", "name"),
        ("(?P<x>a)|(?P<x>b)", "twice"),
        ("(a", "missing"),
        ("a)", "unexpected"),
        ("*a", "repetition"),
        ("a" * 5000, "longer"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_hint(source: str, word: str) -> None:
    with pytest.raises(PatternError) as caught:
        compile_user_pattern(source)
    assert word in caught.value.message
    assert caught.value.hint
    assert isinstance(caught.value, InputError)


@pytest.mark.parametrize(
    "source", ["(a+)+$", r"(\w+\s?)+!", "(x+x+)+y", "(.*){9}z", r"\b(\w+\W+){1,20}end\b", "a.*z|a"]
)
@pytest.mark.parametrize("piece", ["a", "aé", "x_ ", "é\n"])
def test_no_pattern_hangs_on_a_long_text(source: str, piece: str) -> None:
    text = piece * (200_000 // len(piece))
    began = time.process_time()
    pattern = compile_user_pattern(source, ignore_case=True)
    pattern.search(text)
    count = sum(1 for _ in pattern.finditer(text))
    assert count <= MAX_MATCHES
    assert time.process_time() - began < 5


ATOMS = [
    *("a", "b", "é", "я", "_", ".", "-", "—", "٣", " ", "k"),
    *(r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"\b", r"\B", "^"),
    *("[aé]", "[^a]", r"[^\w]", "[^é_]", "[_-b]", r"[\wя]", "[a-é]", r"[\d_]", r"[^\d]", r"[\W_]", r"[^\s-]"),
]


def test_search_agrees_with_python_on_small_mixed_texts() -> None:
    chance = random.Random(20)
    compared = 0
    for _ in range(3000):
        parts = []
        for _ in range(chance.randint(1, 5)):
            atom = chance.choice(ATOMS)
            repeat = chance.choice(["", "", "+", "?", "*", "+?", "{1,2}"]) if atom not in (r"\b", r"\B", "^") else ""
            parts.append(atom + repeat)
        cut = chance.randint(0, len(parts))
        source = "".join(parts[:cut]) + "(?:" + "".join(parts[cut:]) + "|é_)"
        text = "".join(chance.choice("ab éя_-—٣3k\n") for _ in range(chance.randint(1, 8)))
        expected = re.search(source, text)
        found = compile_user_pattern(source).search(text)
        assert (found.span() if found else None) == (expected.span() if expected else None), (source, text)
        assert PatternSet([compile_user_pattern(source)]).hits(text) == ([0] if expected else []), (source, text)
        compared += 1
    assert compared == 3000


def test_set_names_the_patterns_that_hit_in_one_pass() -> None:
    patterns = [
        compile_user_pattern(r"\bbooked\b", ignore_case=True),
        compile_user_pattern("Booked"),
        compile_user_pattern(r"\bébooked"),
        compile_user_pattern(r"\d{2}"),
    ]
    both = PatternSet(patterns)
    assert both.hits("BOOKED 12") == [0, 3]
    assert both.hits("é Booked") == [0, 1]
    assert both.hits("ébooked ٣٤") == [2, 3]
    assert both.hits("nothing") == []
    assert PatternSet([]).hits("x") == []


def test_large_sets_are_split_and_lose_nothing() -> None:
    patterns = [compile_user_pattern(rf"\b\pL{{0,4}}word{n}\b") for n in range(40)]
    together = PatternSet(patterns)
    assert together.hits("a word7 b") == [7]
    assert together.hits("é жword31") == [31]


def test_patterns_and_sets_can_be_pickled() -> None:
    pattern = compile_user_pattern(r"\bé\b", ignore_case=True)
    again = pickle.loads(pickle.dumps(pattern))
    assert isinstance(again, Pattern)
    assert again.search("x É") is not None
    assert pickle.loads(pickle.dumps(PatternSet([pattern]))).hits("É") == [0]
