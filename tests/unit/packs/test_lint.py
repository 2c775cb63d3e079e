"""Advice about packs that load."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_claimcheck.core.errors import PackError
from agent_claimcheck.packs.lint import lint_pack, never_matches

FULL = r"""pack: p
version: 1
tools: ["x.*"]
claim_patterns:
  t: ['\bshipped (?P<id>\d+)']
claims:
  t:
    action: "x.ship"
    receipt: { id: { equals: "{subject.id}" } }
    probe: "x.read"
    probe_checks: { id: { equals: "{subject.id}" } }
"""


def codes(tmp_path: Path, text: str) -> dict[str, int]:
    path = tmp_path / "p.yaml"
    path.write_text(text, encoding="utf-8")
    return {note.code: note.line for note in lint_pack(path)}


def test_good_pack_gets_no_notes(tmp_path: Path) -> None:
    assert codes(tmp_path, FULL) == {}


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ('tools: ["x.*"]\n', "", "no_tools", 1),
        ('["x.*"]', '["*"]', "applies_to_everything", 3),
        ('["x.*"]', '["x.*", "x.ship"]', "overlapping_globs", 3),
        ('["x.*"]', '["y.*"]', "action_outside_tools", 8),
        ("  t: ['", "  u: ['a']\n  t: ['", "pattern_without_rule", 5),
        ("claim_patterns:\n  t: ['\\bshipped (?P<id>\\d+)']\n", "", "rule_without_pattern", 5),
        ("'\\bshipped (?P<id>\\d+)'", "'shipped(?P<id>)^'", "never_matches", 5),
        ("'\\bshipped (?P<id>\\d+)'", "'(?P<id>x)?'", "matches_everything", 5),
        ("'\\bshipped (?P<id>\\d+)'", '"\\bshipped (?P<id>x)"', "control_character", 5),
        ("'\\bshipped (?P<id>\\d+)'", "'(?P<id>x)', '\\b発送\\b'", "border_without_spaces", 5),
        ("'\\bshipped (?P<id>\\d+)'", "'(?P<id>x)', 'a', 'a'", "repeated_pattern", 5),
        ('    probe: "x.read"\n', "", "checks_without_probe", 10),
        ('probe_checks: { id: { equals: "{subject.id}" } }', "probe_checks: {}", "probe_without_checks", 10),
        ('    probe: "x.read"\n    probe_checks: { id: { equals: "{subject.id}" } }\n', "", "rule_without_probe", 7),
        ('receipt: { id: { equals: "{subject.id}" } }', "receipt: {}", "empty_receipt", 9),
        ('receipt: { id: { equals: "{subject.id}" } }', "receipt: { id: { subset: {} } }", "empty_subset", 9),
        (
            'receipt: { id: { equals: "{subject.id}" } }',
            "receipt: { id: { exists: true, as: number } }",
            "as_without_effect",
            9,
        ),
        (
            'receipt: { id: { equals: "{subject.id}" } }',
            "receipt: { id: { matches: '{subject.id}' } }",
            "template_in_pattern",
            9,
        ),
        ("(?P<id>\\d+)", "(\\d+)", "subject_without_group", 7),
    ],
)
def test_each_note_appears_where_it_belongs(tmp_path: Path, old: str, new: str, code: str, line: int) -> None:
    assert old in FULL
    assert codes(tmp_path, FULL.replace(old, new)).get(code) == line


def test_taking_over_a_builtin_claim_type_is_noted(tmp_path: Path) -> None:
    found = codes(tmp_path, FULL.replace("  t:", "  booked:"))
    assert found == {"overrides_builtin": 7}


def test_note_describes_itself(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(FULL.replace('["x.*"]', '["*"]'), encoding="utf-8")
    [note] = lint_pack(str(path))
    assert note.severity == "warn"
    assert note.describe("p.yaml").startswith("p.yaml:3: $.tools[0]: warn: the pack applies to every trace")
    assert note.describe("p.yaml").endswith("[applies_to_everything]")


def test_pack_with_faults_is_not_linted(tmp_path: Path) -> None:
    with pytest.raises(PackError):
        codes(tmp_path, "pack: p\n")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("booked^", True),
        ("booked$ now", True),
        ("^booked$", False),
        ("a$b|c", False),
        ("a$b|c^", True),
        ("x*^y", False),
        (r"[^^]\^a", False),
        (r"\$a", False),
        ("(?m)a$\n^b", False),
        ("(a|^)b", False),
        (r"\bfoo\b", False),
    ],
)
def test_misplaced_anchors_are_seen(source: str, expected: bool) -> None:
    assert never_matches(source) is expected


def test_a_pack_that_calls_its_own_action_a_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "pack.yaml"
    text = "pack: p\nversion: 1\ntools: ['a.*']\nreads: ['a.p*', '*']\nclaims:\n  t: { action: a.put, receipt: {} }\n"
    path.write_text(text, encoding="utf-8")
    codes = [note.code for note in lint_pack(path) if note.path.startswith("$.reads")]
    assert codes == ["action_is_read", "action_is_read", "reads_everything"]
