"""The line of a key is that of its own table, whatever else the file holds."""

from __future__ import annotations

import pytest

from agent_claimcheck.core.settings.lines import key_lines, line_of


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("[gate]\nverified = 2", "gate.verified", 2),
        ("gate = 3", "gate", 1),
        ("[gate] # ours\n'verified'=2", "gate.verified", 2),
        ("# a note\u2028with a line end of its own\n[gate]\nverified = 2", "gate.verified", 3),
        ("[gate]\n[[other]]\nverified = 1\n[judge]\nmodel = 7", "judge.model", 5),
        ("[gate]\n" + " " * 400 + "verified = 2", "gate.verified", 2),
        ("[gate]\n", "gate.verified", 1),
        ("", "gate.verified", None),
    ],
)
def test_a_key_is_found_in_its_table(text: str, name: str, line: int | None) -> None:
    assert line_of(name, key_lines(text)) == line


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("[gate]\nverified = 1\n[tool.ours.gate]\nverified = 2", "gate.verified", 4),
        ("bogus = 1\n[tool.ours]\nbogus = 3", "bogus", 3),
        ("[tool.ours]\ngate = 3\n[tool.oursel.gate]\nverified = 1", "gate.verified", 2),
    ],
)
def test_of_a_file_of_many_programs_only_our_table_counts(text: str, name: str, line: int) -> None:
    assert line_of(name, key_lines(text, "tool.ours")) == line
