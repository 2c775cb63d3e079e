"""Every sentence of ``tests/cases/claim_sentences`` is read as its line says."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_claimcheck.evidence.claims.finder import find_in_text

CASES = Path(__file__).parents[3] / "cases" / "claim_sentences"


def _rows() -> list[tuple[str, str, str]]:
    rows = []
    for path in sorted(CASES.glob("*.tsv")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line and not line.startswith("#"):
                expected, text, why = line.split("\t")
                # JSON keeps its escapes; elsewhere "\n" stands for a line end.
                text = text if text.startswith("{") else text.replace("\\n", "\n")
                rows.append((expected, text, f"{path.stem}:{number} {why}"))
    return rows


ROWS = _rows()


def test_there_are_at_least_three_hundred_sentences_and_half_are_traps() -> None:
    traps = [row for row in ROWS if row[0] in "-?"]
    assert len(ROWS) >= 300
    assert len(traps) * 5 >= len(ROWS) * 2


@pytest.mark.parametrize(("expected", "text", "why"), ROWS, ids=[row[2] for row in ROWS])
def test_sentence_is_read_as_expected(expected: str, text: str, why: str) -> None:
    reading = find_in_text(text)
    found = ",".join(sorted({claim.type for claim in reading.claims}))
    assert (found or ("-" if reading.is_readable else "?")) == ",".join(sorted(expected.split(","))), why
