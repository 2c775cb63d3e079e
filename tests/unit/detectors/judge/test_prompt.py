"""Prompts: the built-in ones, prompts of the user's own, and what is wrong with a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_claimcheck.core.errors import ClaimcheckError, InputError, UsageError
from agent_claimcheck.detectors.judge.prompt import BUILTIN_PROMPTS, load_prompt
from agent_claimcheck.evidence.rendering.evidence_text import Cut, RenderedEvidence

EVIDENCE = RenderedEvidence(request="REQ $claims", claims="CLA", steps="STE", shown=frozenset(), cut=Cut())


def write(directory: Path, text: str) -> str:
    path = directory / "mine.md"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", BUILTIN_PROMPTS)
def test_built_in_prompts_hold_all_blocks_and_ask_for_every_key(name: str) -> None:
    prompt = load_prompt(name)
    text = prompt.fill(EVIDENCE)
    assert (prompt.name, prompt.version, prompt.is_builtin) == (name, "1", True)
    assert [text.count(block) for block in ("REQ $claims", "CLA", "STE")] == [1, 1, 1]
    for key in ("p_success", "failure_kind", "evidence_steps", "rationale", "cannot_tell", "not_persisted"):
        assert key in text
    assert len(prompt.sha256) == 64


def test_placeholders_in_values_are_not_filled() -> None:
    assert "REQ $claims" in load_prompt("claim-audit").fill(EVIDENCE)


def test_prompt_of_the_users_own(tmp_path: Path) -> None:
    path = write(tmp_path, "---\nname: strict-1\nversion: 7\n---\nCosts $$1. ${steps} $claims\n")
    prompt = load_prompt(path)
    assert prompt.fill(EVIDENCE) == "Costs $1. STE CLA"
    assert prompt.calibration_key("m") == "judge:m:strict-1"
    assert not prompt.is_builtin


def test_borrowed_name_has_its_own_calibration(tmp_path: Path) -> None:
    borrowed = load_prompt(write(tmp_path, "---\nname: claim-audit\nversion: 1\n---\n$steps $claims"))
    assert load_prompt("claim-audit").calibration_key("m") == "judge:m"
    assert load_prompt("claim-by-claim").calibration_key("m") == "judge:m:claim-by-claim"
    assert borrowed.calibration_key("m") == f"judge:m:claim-audit@{borrowed.sha256[:8]}"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("$steps $claims", "no front matter"),
        ("---\nname: a b\nversion: 1\n---\n$steps $claims", "name must be"),
        ("---\nname: a\n---\n$steps $claims", "version must be"),
        ("---\nname: a\nversion: 1\nmodel: x\n---\n$steps $claims", "unknown front matter model"),
        ("---\nname: [\n---\n$steps $claims", "no YAML"),
        ("---\nname: a\nversion: 1\n---\n$steps $claims $labels", r"unknown placeholder \$labels"),
        ("---\nname: a\nversion: 1\n---\n$instruction $claims", r"\$steps is missing"),
        ("---\nname: a\nversion: 1\n---\n$steps $claims 5 $ each", r"a lone \$"),
    ],
)
def test_faulty_prompt_is_refused_with_its_fault(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        load_prompt(write(tmp_path, text))


def test_unknown_name_suggests_a_built_in_one() -> None:
    with pytest.raises(UsageError, match="claim-audit"):
        load_prompt("claim-adit")


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "big").write_bytes(b"x" * 300_000)
    for name in ("b", "big", "."):
        with pytest.raises(ClaimcheckError):
            load_prompt(str(tmp_path / name))
