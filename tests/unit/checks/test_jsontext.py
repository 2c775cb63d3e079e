"""JSON text that line splitters, terminals and strict readers can take."""

from __future__ import annotations

import json

import pytest

from agent_claimcheck.checks.jsontext import to_json_text


@pytest.mark.parametrize(
    "char", ["\x7f", "\x85", "\x9b", "\u2028", "\u2029", "\u202e", "\ud800", "\n", "\x1b", '"', "\\"]
)
def test_unsafe_characters_are_escaped_and_read_back(char: str) -> None:
    text = to_json_text({"a": f"x{char}y"})

    assert len(text.splitlines()) == 1
    assert text.isascii()
    assert json.loads(text) == {"a": f"x{char}y"}


def test_ordinary_text_stays_as_it_is() -> None:
    assert to_json_text({"name": "Zoë 北京 🙂"}) == '{"name": "Zoë 北京 🙂"}'


def test_indent() -> None:
    assert to_json_text({"a": [1]}, indent=2) == '{\n  "a": [\n    1\n  ]\n}'
